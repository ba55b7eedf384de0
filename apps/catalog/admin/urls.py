"""The addresses of the pages of one import and of one product, each with its permission."""

from apps.catalog.admin import import_pages as pages
from apps.catalog.admin import pictures, shelf
from apps.catalog.services.pictures import CHANGE
from apps.common.staff import staff_path

STOCK = "catalog.change_stock"

IMPORT = (
    ("send/", pages.send, "send", pages.ADD),
    ("<int:pk>/change/", pages.review, "change", pages.VIEW),
    ("<int:pk>/progress/", pages.progress, "progress", pages.VIEW),
    ("<int:pk>/diff/", pages.diff, "diff", pages.VIEW),
    ("<int:pk>/apply/", pages.apply, "apply", pages.CHANGE),
    ("<int:pk>/undo/", pages.undo, "undo", pages.CHANGE),
    ("<int:pk>/discard/", pages.discard, "discard", pages.CHANGE),
)

PRODUCT = (
    ("picture/", pictures.picture, "picture", CHANGE),
    ("picture/off/", pictures.picture_off, "picture_off", CHANGE),
    ("recount/", shelf.recount, "recount", STOCK),
    ("receive/", shelf.receive, "receive", STOCK),
    ("expect/", shelf.expect, "expect", STOCK),
)

urlpatterns = [
    *(
        staff_path(
            f"catalog/import/{route}", view, name=f"catalog_import_{name}", permission=permission
        )
        for route, view, name, permission in IMPORT
    ),
    *(
        staff_path(
            f"catalog/product/<int:pk>/{route}",
            view,
            name=f"catalog_product_{name}",
            permission=permission,
        )
        for route, view, name, permission in PRODUCT
    ),
]
