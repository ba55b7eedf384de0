"""Services and imports count a brand's products (`Brand.objects.recount_products`); the triggers go."""

from importlib import import_module

from django.db import migrations

from apps.common.db.migration import run_sql

by_row = import_module("apps.catalog.migrations.0002_brand_counts_and_keys")
by_statement = import_module("apps.catalog.migrations.0006_brand_counts_by_statement")

RECOUNT = """UPDATE catalog_brand SET product_count =
    (SELECT COUNT(*) FROM catalog_product WHERE catalog_product.brand_id = catalog_brand.id)"""


class Migration(migrations.Migration):
    dependencies = [("catalog", "0006_brand_counts_by_statement")]

    operations = [
        run_sql(
            # Without its triggers the table is locked against writers until the count is committed.
            postgresql=[
                *(f"DROP TRIGGER catalog_product_{name} ON catalog_product" for name in by_statement.TRIGGERS),
                "DROP FUNCTION catalog_count_products()",
                RECOUNT,
            ],
            sqlite=[*(f"DROP TRIGGER catalog_product_{name}" for name in by_statement.TRIGGERS), RECOUNT],
            undo_postgresql=[by_statement.BY_STATEMENT, *by_statement.CREATE_TRIGGERS, RECOUNT],
            undo_sqlite=[*by_row.SQLITE_TRIGGERS, RECOUNT],
        )
    ]
