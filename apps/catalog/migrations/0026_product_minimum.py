from django.db import migrations, models

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):

    atomic = False  # orders go on meanwhile

    dependencies = [
        ("catalog", "0025_carton_pieces"),
    ]

    operations = [
        AddIndexInUse("product", models.Index(fields=["minimum"], name="product_by_minimum")),
    ]
