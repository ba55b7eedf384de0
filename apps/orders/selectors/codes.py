"""What staff type or scan for a product."""

from collections.abc import Collection

from django.db.models import Q

from apps.catalog.models import Product


def products_by_code(codes: Collection[str]) -> dict[str, Product]:
    """Return the products that codes name, each a SKU in capitals or an EAN; an EAN that two
    products have names none. One statement.
    """
    rows = list(Product.objects.filter(Q(sku__in=codes) | Q(ean__in=codes))) if codes else []
    by_ean: dict[str, list[Product]] = {}
    for product in rows:
        if (ean := product.ean or "") in codes:
            by_ean.setdefault(ean, []).append(product)
    named = {ean: products[0] for ean, products in by_ean.items() if len(products) == 1}
    return named | {product.sku: product for product in rows if product.sku in codes}
