from django.db import migrations

from apps.common.db.migration import add_trigrams


class Migration(migrations.Migration):

    atomic = False  # the table stays writable while it is indexed

    dependencies = [
        ('catalog', '0011_search_words'),
    ]

    operations = [
        add_trigrams(
            index="product_search_trigrams",
            table="catalog_product",
            columns="search_text gin_trgm_ops",
            slow="searches read the whole product table",
        ),
    ]
