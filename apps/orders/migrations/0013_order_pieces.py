from django.db import migrations, models

COUNT = """
UPDATE orders_order SET pieces = COALESCE(
    (SELECT SUM(quantity) FROM orders_orderline WHERE order_id = orders_order.id AND is_ordered), 0)
"""


class Migration(migrations.Migration):
    dependencies = [("orders", "0012_receipts_again")]

    operations = [
        migrations.AddField(
            model_name="order",
            name="pieces",
            field=models.PositiveBigIntegerField(default=0, help_text="of all lines as ordered"),
            preserve_default=False,
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
