"""What 0007 dropped, for databases that were made without it: PostgreSQL's second index of a text
that is looked up whole alone.
"""

from django.db import migrations

from apps.common.db.migration import run_sql

INDEXES = (
    "payments_payment_invoice_code_a6fa4ceb_like",
    "payments_payment_paypal_payment_id_200847cc_like",
    "payments_payment_sale_id_6f38f6a1_like",
)


class Migration(migrations.Migration):
    dependencies = [("payments", "0029_moved_in_may_go")]

    operations = [
        run_sql(
            postgresql=[f"DROP INDEX IF EXISTS {index}" for index in INDEXES],
            sqlite=[],
            undo_postgresql=[],
            undo_sqlite=[],
        )
    ]
