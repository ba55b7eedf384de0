"""What an order's line keeps of its product from the moment it is ordered."""

from decimal import Decimal

from apps.catalog.models import Product
from apps.catalog.selectors import ProductRow
from apps.orders.models import FrozenProduct


def freeze(product: Product | ProductRow, *, price: Decimal, moq: int) -> FrozenProduct:
    """Return a product as it is now, at a wholesale price in US dollars and an effective MOQ; that
    a buyer ordered with the rule that gave its price.
    """
    return {
        "product_id": product.id,
        "sku": product.sku,
        "price": str(price),
        "usrp": str(product.usd_price),
        "box_qty": moq,
        "weight_g": product.weight_g,
        "price_rule": product.price.rule if isinstance(product, ProductRow) else "",
    }
