"""What an import brought into the ledgers may be deleted when it is undone: opening balances, and
what is known of money that moved in with an order. Every other row stays.
"""

from django.db import migrations

from apps.common.db.migration import run_sql

MAY_GO = {
    "payments_walletentry": "WHEN (OLD.kind <> 'opening')",
    "payments_paymentevent": "WHEN (OLD.source <> 'moved_in')",
}
REFUSE = "EXECUTE FUNCTION payments_refuse_change()"


def abort(table: str) -> str:
    return f"BEGIN SELECT RAISE(ABORT, '{table} rows are never changed'); END"


class Migration(migrations.Migration):
    dependencies = [("payments", "0028_opening_balances")]

    operations = [
        run_sql(
            postgresql=[
                f"DROP TRIGGER {table}_fixed ON {table}",
                f"CREATE TRIGGER {table}_fixed BEFORE UPDATE ON {table} FOR EACH ROW {REFUSE}",
                f"CREATE TRIGGER {table}_stays BEFORE DELETE ON {table} FOR EACH ROW {but} {REFUSE}",
            ],
            sqlite=[
                f"DROP TRIGGER {table}_delete",
                f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {but} {abort(table)}",
            ],
            undo_postgresql=[
                f"DROP TRIGGER {table}_stays ON {table}",
                f"DROP TRIGGER {table}_fixed ON {table}",
                f"CREATE TRIGGER {table}_fixed BEFORE UPDATE OR DELETE ON {table} "
                f"FOR EACH ROW {REFUSE}",
            ],
            undo_sqlite=[
                f"DROP TRIGGER {table}_delete",
                f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {abort(table)}",
            ],
        )
        for table, but in MAY_GO.items()
    ]
