"""Reads of brands, products and the price list: what one buyer may see, at what that buyer pays now."""

from apps.catalog.selectors.pages import PAGE_SIZE, product_page, promotion_page
from apps.catalog.selectors.price_list import price_list, price_list_fingerprint
from apps.catalog.selectors.products import (
    ProductForOrder,
    brand_list,
    cart_stock,
    products_behind_zeros,
    products_for_order,
)

__all__ = [
    "PAGE_SIZE",
    "ProductForOrder",
    "brand_list",
    "cart_stock",
    "price_list",
    "price_list_fingerprint",
    "product_page",
    "products_behind_zeros",
    "products_for_order",
    "promotion_page",
]
