"""PostgreSQL's second index of a brand's key, which databases of before do not have: nothing looks
for its beginning.
"""

from django.db import migrations

from apps.common.db.migration import run_sql


class Migration(migrations.Migration):
    dependencies = [("catalog", "0043_indexes_of_prices")]

    operations = [
        run_sql(
            postgresql=["DROP INDEX IF EXISTS catalog_brand_list_key_de4455fb_like"],
            sqlite=[],
            undo_postgresql=[],
            undo_sqlite=[],
        )
    ]
