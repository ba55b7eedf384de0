"""A list key for each brand, in byte order: pages lead from brand to brand by it."""

from collections import Counter

from django.db import migrations

from apps.catalog.models import ListKeyField, list_key
from apps.common.db.migration import run_sql

UNIQUE = "CREATE UNIQUE INDEX catalog_brand_list_key ON catalog_brand (list_key)"
DROP_UNIQUE = "DROP INDEX catalog_brand_list_key"


def set_keys(apps, schema_editor):
    brands = list(apps.get_model("catalog", "Brand").objects.all())
    times = Counter(list_key(brand.eng) for brand in brands)
    if alike := sorted(brand.eng for brand in brands if times[list_key(brand.eng)] > 1):
        raise ValueError(f"Brands that differ in case only, to be renamed first: {', '.join(alike)}")
    for brand in brands:
        brand.save(update_fields=["list_key"])


class Migration(migrations.Migration):
    dependencies = [("catalog", "0004_imports")]

    operations = [
        migrations.AddField("brand", "list_key", ListKeyField(editable=False, max_length=81, null=True)),
        migrations.RunPython(set_keys, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            # By hand: SQLite would make the table anew, which the triggers of products do not let it.
            database_operations=[
                run_sql(
                    postgresql=[
                        """ALTER TABLE catalog_brand ALTER COLUMN list_key TYPE varchar(81) COLLATE "C",
                        ALTER COLUMN list_key SET NOT NULL""",
                        UNIQUE,
                    ],
                    sqlite=[UNIQUE],
                    undo_postgresql=[DROP_UNIQUE],
                    undo_sqlite=[DROP_UNIQUE],
                )
            ],
            state_operations=[
                migrations.AlterField("brand", "list_key", ListKeyField(editable=False, max_length=81, unique=True))
            ],
        ),
    ]
