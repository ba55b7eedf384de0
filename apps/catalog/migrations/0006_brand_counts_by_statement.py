"""A brand is counted once for each statement, not for each product: an import of thousands rewrote it as often."""

from django.db import migrations

from apps.common.db.migration import run_sql

COUNT = """UPDATE catalog_brand SET product_count = product_count + counted.number
    FROM (SELECT brand_id, SUM(step) AS number FROM ({rows}) moved GROUP BY brand_id HAVING SUM(step) <> 0) counted
    WHERE catalog_brand.id = counted.brand_id;"""
ADDED, REMOVED = "SELECT brand_id, 1 AS step FROM added", "SELECT brand_id, -1 AS step FROM removed"
BY_STATEMENT = f"""
CREATE OR REPLACE FUNCTION catalog_count_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN {COUNT.format(rows=ADDED)}
  ELSIF TG_OP = 'DELETE' THEN {COUNT.format(rows=REMOVED)}
  ELSE {COUNT.format(rows=f"{ADDED} UNION ALL {REMOVED}")}
  END IF;
  RETURN NULL;
END $$"""
BY_ROW = """
CREATE OR REPLACE FUNCTION catalog_count_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN UPDATE catalog_brand SET product_count = product_count - 1 WHERE id = OLD.brand_id; END IF;
  IF TG_OP <> 'DELETE' THEN UPDATE catalog_brand SET product_count = product_count + 1 WHERE id = NEW.brand_id; END IF;
  RETURN NULL;
END $$"""
TRIGGERS = {
    "added": ("INSERT", "NEW TABLE AS added"),
    "removed": ("DELETE", "OLD TABLE AS removed"),
    "moved": ("UPDATE", "OLD TABLE AS removed NEW TABLE AS added"),
}
CREATE_TRIGGERS = [
    f"""CREATE TRIGGER catalog_product_{name} AFTER {event} ON catalog_product
    REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION catalog_count_products()"""
    for name, (event, tables) in TRIGGERS.items()
]


class Migration(migrations.Migration):
    dependencies = [("catalog", "0005_brand_list_key")]

    operations = [
        run_sql(
            postgresql=[
                "DROP TRIGGER catalog_product_counted ON catalog_product",
                BY_STATEMENT,
                *CREATE_TRIGGERS,
            ],
            sqlite=[],
            undo_postgresql=[
                *(f"DROP TRIGGER catalog_product_{name} ON catalog_product" for name in TRIGGERS),
                BY_ROW,
                """CREATE TRIGGER catalog_product_counted AFTER INSERT OR DELETE OR UPDATE OF brand_id
                ON catalog_product FOR EACH ROW EXECUTE FUNCTION catalog_count_products()""",
            ],
            undo_sqlite=[],
        )
    ]
