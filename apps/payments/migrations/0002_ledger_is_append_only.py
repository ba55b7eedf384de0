"""Ledger rows and payment events refuse update and delete in the database too."""

from django.db import migrations

from apps.common.db.migration import run_sql

TABLES = ("payments_walletentry", "payments_paymentevent")


class Migration(migrations.Migration):
    dependencies = [("payments", "0001_initial")]

    operations = [
        run_sql(
            postgresql=[
                """
                CREATE FUNCTION payments_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME; END $$""",
                *(
                    f"CREATE TRIGGER {table}_fixed BEFORE UPDATE OR DELETE ON {table} "
                    "FOR EACH ROW EXECUTE FUNCTION payments_refuse_change()"
                    for table in TABLES
                ),
            ],
            sqlite=[
                f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} rows are never changed'); END"
                for table in TABLES
                for verb in ("update", "delete")
            ],
            undo_postgresql=[
                *(f"DROP TRIGGER {table}_fixed ON {table}" for table in TABLES),
                "DROP FUNCTION payments_refuse_change()",
            ],
            undo_sqlite=[f"DROP TRIGGER {table}_{verb}" for table in TABLES for verb in ("update", "delete")],
        )
    ]
