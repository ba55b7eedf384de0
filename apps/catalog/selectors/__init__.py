"""Reads of brands, products and the price list: what one buyer may see, at what that buyer pays
now.
"""

from apps.catalog.selectors.again import FormerLine, fitted
from apps.catalog.selectors.codes import skus_of_codes
from apps.catalog.selectors.like import products_like
from apps.catalog.selectors.lists import read_list
from apps.catalog.selectors.own_codes import own_codes, pieces_of_cartons, skus_behind
from apps.catalog.selectors.pages import PAGE_SIZE, WantedProducts, product_page, promotion_page
from apps.catalog.selectors.price_list import price_list, price_list_fingerprint
from apps.catalog.selectors.products import (
    ProductRow,
    brand_list,
    cart_stock,
    products_behind_zeros,
    products_by_sku,
)
from apps.catalog.selectors.reading import catalogue_for, reader_for, whole_catalogue
from apps.catalog.selectors.search import products_with, with_word
from apps.catalog.selectors.shown import shown_to
from apps.catalog.selectors.suggestions import suggestions

__all__ = [
    "PAGE_SIZE",
    "FormerLine",
    "ProductRow",
    "WantedProducts",
    "brand_list",
    "cart_stock",
    "catalogue_for",
    "fitted",
    "own_codes",
    "pieces_of_cartons",
    "price_list",
    "price_list_fingerprint",
    "product_page",
    "products_behind_zeros",
    "products_by_sku",
    "products_like",
    "products_with",
    "promotion_page",
    "read_list",
    "reader_for",
    "shown_to",
    "skus_behind",
    "skus_of_codes",
    "suggestions",
    "whole_catalogue",
    "with_word",
]
