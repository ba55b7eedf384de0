import django.db.models.deletion
from django.db import migrations, models

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):

    atomic = False  # orders go on meanwhile

    dependencies = [
        ("catalog", "0042_names_of_models"),
    ]

    operations = [
        AddIndexInUse("product", models.Index(fields=["usd_supply", "id"], name="product_by_price")),
        AddIndexInUse(
            "pricegroupitem",
            models.Index(
                fields=["group", "product"],
                include=["starts_at", "ends_at", "price"],
                name="pricegroupitem_product",
            ),
        ),
        AddIndexInUse(
            "pricegroupitem",
            models.Index(fields=["group", "price"], name="pricegroupitem_price_key"),
        ),
        AddIndexInUse(
            "promotionitem",
            models.Index(
                fields=["product"], include=["promotion", "price"], name="promotionitem_product"
            ),
        ),
        migrations.AlterField(
            "promotionitem",
            "product",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="promotion_items",
                to="catalog.product",
            ),
        ),
    ]
