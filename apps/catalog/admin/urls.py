"""The addresses of the pages of one import, product and promotion, each with its permission."""

from apps.catalog.admin import import_pages as pages, pictures, set_prices, stock
from apps.catalog.services.pictures import CHANGE
from apps.catalog.services.set_prices import CHANGE_GROUP, CHANGE_PROMOTION
from apps.common.staff import staff_paths

STOCK, VIEW = "catalog.change_stock", "catalog.view_product"

IMPORT = (
    ("send/", pages.send, pages.ADD),
    ("template/<slug:kind>/<slug:language>/", pages.template, pages.ADD),
    ("<int:pk>/change/", pages.review, pages.VIEW, "change"),
    ("<int:pk>/progress/", pages.progress, pages.VIEW),
    ("<int:pk>/diff/", pages.diff, pages.VIEW),
    ("<int:pk>/apply/", pages.apply, pages.CHANGE),
    ("<int:pk>/answer/", pages.answer, pages.CHANGE),
    ("<int:pk>/undo/", pages.undo, pages.CHANGE),
    ("<int:pk>/discard/", pages.discard, pages.CHANGE),
)

PRODUCT = (
    ("picture/", pictures.picture, CHANGE),
    ("picture/off/", pictures.picture_off, CHANGE),
    ("picture/moved/", pictures.picture_moved, CHANGE),
    ("picture/original/", pictures.picture_original, VIEW),
    ("recount/", stock.recount, STOCK),
    ("receive/", stock.receive, STOCK),
    ("expect/", stock.expect, STOCK),
)

PROMOTION = (("prices/", set_prices.promotion_prices, CHANGE_PROMOTION, "prices"),)

GROUP = (("prices/", set_prices.group_prices, CHANGE_GROUP, "prices"),)

urlpatterns = [
    *staff_paths("catalog/import", IMPORT, of_one=False),
    *staff_paths("catalog/product", PRODUCT),
    *staff_paths("catalog/promotion", PROMOTION),
    *staff_paths("accounts/pricegroup", GROUP),
]
