"""Lines at another price of the product that was ordered are called so, no longer a substitute."""

from django.db import migrations, models

# The agreed line is of a SKU that was ordered; what it replaces was proposed another price.
CALL = """
UPDATE orders_orderline SET reason = 'price' WHERE reason = 'substitute' AND (
 (NOT is_ordered AND EXISTS (SELECT 1 FROM orders_orderline o WHERE o.order_id = orders_orderline.order_id
   AND o.sku = orders_orderline.sku AND o.is_ordered))
 OR (is_ordered AND EXISTS (SELECT 1 FROM orders_lineproposal p JOIN orders_orderline o ON o.id = p.line_id
   WHERE p.kind = 'price' AND p.order_id = orders_orderline.order_id AND o.sku = orders_orderline.sku)))
"""
CALL_BACK = "UPDATE orders_orderline SET reason = 'substitute' WHERE reason = 'price'"


class Migration(migrations.Migration):
    dependencies = [("orders", "0034_answer_read")]

    operations = [
        migrations.AlterField(
            model_name="orderline",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "–"),
                    ("short", "Short"),
                    ("discontinued", "Discontinued"),
                    ("substitute", "Substitute"),
                    ("price", "Other price"),
                    ("free_offer", "Free offer"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.RunSQL(CALL, CALL_BACK),
    ]
