"""The addresses of the pages of one import, product and promotion, each with its permission."""

from apps.catalog.admin import import_pages as pages, pictures, set_prices, stock
from apps.catalog.services.pictures import CHANGE
from apps.catalog.services.set_prices import CHANGE_GROUP, CHANGE_PROMOTION
from apps.common.staff import staff_paths

STOCK, VIEW = "catalog.change_stock", "catalog.view_product"

IMPORT = (
    ("send/", pages.send, "send", pages.ADD),
    ("template/<slug:kind>/<slug:language>/", pages.template, "template", pages.ADD),
    ("<int:pk>/change/", pages.review, "change", pages.VIEW),
    ("<int:pk>/progress/", pages.progress, "progress", pages.VIEW),
    ("<int:pk>/diff/", pages.diff, "diff", pages.VIEW),
    ("<int:pk>/apply/", pages.apply, "apply", pages.CHANGE),
    ("<int:pk>/answer/", pages.answer, "answer", pages.CHANGE),
    ("<int:pk>/undo/", pages.undo, "undo", pages.CHANGE),
    ("<int:pk>/discard/", pages.discard, "discard", pages.CHANGE),
)

PRODUCT = (
    ("picture/", pictures.picture, "picture", CHANGE),
    ("picture/off/", pictures.picture_off, "picture_off", CHANGE),
    ("picture/moved/", pictures.picture_moved, "picture_moved", CHANGE),
    ("picture/original/", pictures.original, "picture_original", VIEW),
    ("recount/", stock.recount, "recount", STOCK),
    ("receive/", stock.receive, "receive", STOCK),
    ("expect/", stock.expect, "expect", STOCK),
)

PROMOTION = (("prices/", set_prices.promotion_prices, "prices", CHANGE_PROMOTION),)

GROUP = (("prices/", set_prices.group_prices, "prices", CHANGE_GROUP),)

urlpatterns = [
    *staff_paths("catalog/import", IMPORT, of_one=False),
    *staff_paths("catalog/product", PRODUCT),
    *staff_paths("catalog/promotion", PROMOTION),
    *staff_paths("accounts/pricegroup", GROUP),
]
