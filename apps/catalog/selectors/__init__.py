"""Reads of brands, products and the price list: what one buyer may see, at what that buyer pays
now.
"""

from apps.catalog.selectors.again import FormerLine, as_orderable
from apps.catalog.selectors.pages import PAGE_SIZE, ProductListRequest, product_page
from apps.catalog.selectors.price_list import price_list, price_list_fingerprint
from apps.catalog.selectors.prices import PromotionPrices, open_promotions, prices_for
from apps.catalog.selectors.products import (
    ProductRow,
    brand_list,
    cart_stock,
    products_by_sku,
    quantities,
    shown_to,
    shown_to_buyer,
)
from apps.catalog.selectors.search import products_like, products_with, suggestions, with_word
