"""What is known of money that moved in with an order may be deleted when its import is undone;
every other event of payments stays.
"""

from django.db import migrations

from apps.common.db.migration import run_sql

TABLE = "payments_paymentevent"
BUT_MOVED_IN = "WHEN (OLD.source <> 'moved_in')"
REFUSE = "FOR EACH ROW {when} EXECUTE FUNCTION payments_refuse_change()"
ABORT = f"BEGIN SELECT RAISE(ABORT, '{TABLE} rows are never changed'); END"


class Migration(migrations.Migration):
    dependencies = [("payments", "0029_opening_balances_may_go")]

    operations = [
        run_sql(
            postgresql=[
                f"DROP TRIGGER {TABLE}_fixed ON {TABLE}",
                f"CREATE TRIGGER {TABLE}_fixed BEFORE UPDATE ON {TABLE} {REFUSE.format(when='')}",
                f"CREATE TRIGGER {TABLE}_stays BEFORE DELETE ON {TABLE} "
                f"{REFUSE.format(when=BUT_MOVED_IN)}",
            ],
            sqlite=[
                f"DROP TRIGGER {TABLE}_delete",
                f"CREATE TRIGGER {TABLE}_delete BEFORE DELETE ON {TABLE} {BUT_MOVED_IN} {ABORT}",
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
