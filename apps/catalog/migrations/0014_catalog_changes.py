from django.db import migrations, models

from apps.common.db.migration import run_sql

TABLES = ("catalog_brand", "catalog_product", "catalog_stock", "catalog_promotion", "catalog_promotionitem")


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0013_short_stock'),
    ]

    operations = [
        migrations.CreateModel(
            name='CatalogChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.BigIntegerField()),
            ],
        ),
        run_sql(
            postgresql=[
                """
                CREATE FUNCTION catalog_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO catalog_catalogchange (mark) VALUES (hashtextextended(gen_random_uuid()::text, 0));
                    RETURN NULL;
                END $$""",
                *(
                    f"CREATE TRIGGER {table}_changed AFTER INSERT OR UPDATE OR DELETE ON {table} "
                    "FOR EACH STATEMENT EXECUTE FUNCTION catalog_note_change()"
                    for table in TABLES
                ),
            ],
            sqlite=[],
            undo_postgresql=[
                *(f"DROP TRIGGER {table}_changed ON {table}" for table in TABLES),
                "DROP FUNCTION catalog_note_change()",
            ],
            undo_sqlite=[],
        ),
    ]
