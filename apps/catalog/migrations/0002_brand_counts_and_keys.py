"""Triggers that keep a brand's number of products, and byte order for the products' list key."""

from django.db import migrations

from apps.common.db.migration import run_sql

COUNT_UP = "UPDATE catalog_brand SET product_count = product_count + 1 WHERE id = NEW.brand_id;"
COUNT_DOWN = "UPDATE catalog_brand SET product_count = product_count - 1 WHERE id = OLD.brand_id;"
SQLITE_TRIGGERS = [
    f"CREATE TRIGGER catalog_product_added AFTER INSERT ON catalog_product BEGIN {COUNT_UP} END",
    f"CREATE TRIGGER catalog_product_removed AFTER DELETE ON catalog_product BEGIN {COUNT_DOWN} END",
    f"""CREATE TRIGGER catalog_product_moved AFTER UPDATE OF brand_id ON catalog_product
    BEGIN {COUNT_DOWN} {COUNT_UP} END""",
]


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [
        run_sql(
            postgresql=[
                f"""
                CREATE FUNCTION catalog_count_products() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  IF TG_OP <> 'INSERT' THEN {COUNT_DOWN} END IF;
                  IF TG_OP <> 'DELETE' THEN {COUNT_UP} END IF;
                  RETURN NULL;
                END $$""",
                """
                CREATE TRIGGER catalog_product_counted AFTER INSERT OR DELETE OR UPDATE OF brand_id
                ON catalog_product FOR EACH ROW EXECUTE FUNCTION catalog_count_products()""",
                'ALTER TABLE catalog_product ALTER COLUMN sort_key TYPE varchar(340) COLLATE "C"',
                "ALTER TABLE catalog_stock SET (fillfactor = 70)",
            ],
            sqlite=SQLITE_TRIGGERS,
            undo_postgresql=[
                "DROP TRIGGER catalog_product_counted ON catalog_product",
                "DROP FUNCTION catalog_count_products()",
            ],
            undo_sqlite=[f"DROP TRIGGER catalog_product_{name}" for name in ("added", "removed", "moved")],
        )
    ]
