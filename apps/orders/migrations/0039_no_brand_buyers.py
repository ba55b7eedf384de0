"""Who buys a brand is asked of the orders."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("orders", "0038_lists_in_hand")]

    operations = [
        migrations.DeleteModel(name="BrandBuyer"),
        migrations.DeleteModel(name="BrandBuyerMark"),
    ]
