from django.db import migrations

import apps.catalog.models.products
from apps.catalog.rules import searchable
from apps.common.db.migration import add_trigrams

BATCH = 1_000


def bring_into_form(registry, schema_editor):
    """Write what searches look through as `searchable` writes it; a part at a time, so that nobody waits."""
    brands = registry.get_model("catalog", "Brand").objects
    for brand in brands.all():
        brands.filter(pk=brand.pk).update(search_text=searchable(brand.eng)[:80])
    products = registry.get_model("catalog", "Product").objects
    last, part = 0, [None]
    while part:
        part = list(products.filter(pk__gt=last).select_related("brand").order_by("pk")[:BATCH])
        for product in part:
            names = map(searchable, (product.sku, product.brand.eng, product.eng_name))
            product.search_text, last = "\t".join(names)[:340], product.pk
        products.bulk_update(part, ["search_text"])


class Migration(migrations.Migration):

    atomic = False  # the table stays writable meanwhile

    dependencies = [
        ('catalog', '0027_search_by_brand'),
    ]

    operations = [
        migrations.AddField(
            model_name='brand',
            name='search_text',
            field=apps.catalog.models.products.SearchTextField(default='', editable=False, max_length=80),
            preserve_default=False,
        ),
        migrations.RunPython(bring_into_form, migrations.RunPython.noop),
        add_trigrams(
            index="product_ean_trigrams",
            table="catalog_product",
            columns="ean gin_trgm_ops",
            slow="searches for an EAN's end read the whole product table",
        ),
    ]
