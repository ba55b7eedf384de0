"""An opening balance whose import is undone may be deleted; every other line of the ledger stays."""

from django.db import migrations

from apps.common.db.migration import run_sql

TABLE = "payments_walletentry"
BUT_OPENINGS = "WHEN (OLD.kind <> 'opening')"
REFUSE = "FOR EACH ROW {when} EXECUTE FUNCTION payments_refuse_change()"
ABORT = f"BEGIN SELECT RAISE(ABORT, '{TABLE} rows are never changed'); END"


class Migration(migrations.Migration):
    dependencies = [("payments", "0028_opening_balances")]

    operations = [
        run_sql(
            postgresql=[
                f"DROP TRIGGER {TABLE}_fixed ON {TABLE}",
                f"CREATE TRIGGER {TABLE}_fixed BEFORE UPDATE ON {TABLE} {REFUSE.format(when='')}",
                f"CREATE TRIGGER {TABLE}_stays BEFORE DELETE ON {TABLE} "
                f"{REFUSE.format(when=BUT_OPENINGS)}",
            ],
            sqlite=[
                f"DROP TRIGGER {TABLE}_delete",
                f"CREATE TRIGGER {TABLE}_delete BEFORE DELETE ON {TABLE} {BUT_OPENINGS} {ABORT}",
            ],
            undo_postgresql=[
                f"DROP TRIGGER {TABLE}_stays ON {TABLE}",
                f"DROP TRIGGER {TABLE}_fixed ON {TABLE}",
                f"CREATE TRIGGER {TABLE}_fixed BEFORE UPDATE OR DELETE ON {TABLE} "
                f"{REFUSE.format(when='')}",
            ],
            undo_sqlite=[
                f"DROP TRIGGER {TABLE}_delete",
                f"CREATE TRIGGER {TABLE}_delete BEFORE DELETE ON {TABLE} {ABORT}",
            ],
        )
    ]
