"""One tally of sales by day, product and company; the sweep `sales` fills it."""

import django.db.models.deletion
from decimal import Decimal
from django.db import migrations, models


def to(model):
    return models.ForeignKey(
        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to=model
    )


class Migration(migrations.Migration):

    dependencies = [("accounts", "0012_no_mentions"), ("catalog", "0031_no_search_words"), ("orders", "0039_no_brand_buyers")]

    operations = [
        migrations.DeleteModel(name="SalesDay"),
        migrations.DeleteModel(name="SalesTally"),
        migrations.CreateModel(
            name="SalesTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(help_text="of confirmation, in the seller's time zone")),
                ("product", to("catalog.product")),
                ("company", to("accounts.company")),
                ("orders", models.IntegerField(default=0, help_text="counted at the first line of each, so that they add up by company")),
                ("pieces", models.BigIntegerField(default=0)),
                ("total", models.DecimalField(decimal_places=2, default=Decimal("0.00"), help_text="confirmed lines", max_digits=16)),
            ],
            options={
                "verbose_name_plural": "sales tally",
                "constraints": [models.UniqueConstraint(fields=("day", "product", "company"), name="salestally_once")],
            },
        ),
    ]
