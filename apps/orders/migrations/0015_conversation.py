from django.db import migrations, models

# Every text that an order shows stands in its history as well, from where the conversation is read.
MISSING = """
INSERT INTO orders_orderevent (order_id, kind, note, at, actor_id, key)
SELECT o.id, '{kind}', o.{column}, o.{at}, {actor}, '' FROM orders_order o
WHERE o.{column} <> '' AND NOT EXISTS (
    SELECT 1 FROM orders_orderevent e WHERE e.order_id = o.id AND e.kind = '{kind}' AND e.note = o.{column})
"""
TEXTS = (
    {"kind": "message", "column": "customer_memo", "at": "placed_at", "actor": "o.user_id"},
    {"kind": "ship_memo", "column": "ship_memo", "at": "placed_at", "actor": "o.user_id"},
    {"kind": "memo", "column": "memo", "at": "status_at", "actor": "NULL"},
)


class Migration(migrations.Migration):
    dependencies = [("orders", "0014_baskets")]

    operations = [
        migrations.AlterField(
            model_name="order",
            name="memo",
            field=models.TextField(blank=True, verbose_name="newest answer"),
        ),
        migrations.AlterField(
            model_name="orderevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("status", "Status"),
                    ("address", "Address changed"),
                    ("message", "Message"),
                    ("ship_memo", "Shipping request"),
                    ("memo", "Answer"),
                    ("note", "Internal note"),
                    ("lines", "Lines"),
                    ("payment", "Payment"),
                    ("packing", "Packing"),
                    ("document", "Document"),
                    ("declared", "Declared value"),
                    ("read", "No answer needed"),
                    ("tracking", "Tracking number"),
                    ("mail", "Mail to the buyer"),
                ],
                max_length=12,
            ),
        ),
        *(migrations.RunSQL(MISSING.format(**text), migrations.RunSQL.noop) for text in TEXTS),
    ]
