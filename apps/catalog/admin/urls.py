"""The addresses of the pages of one import, each with the permission that it needs."""

from apps.catalog.admin import import_pages as pages
from apps.common.staff import staff_path

IMPORT = (
    ("send/", pages.send, "send", pages.ADD),
    ("<int:pk>/change/", pages.review, "change", pages.VIEW),
    ("<int:pk>/progress/", pages.progress, "progress", pages.VIEW),
    ("<int:pk>/diff/", pages.diff, "diff", pages.VIEW),
    ("<int:pk>/apply/", pages.apply, "apply", pages.CHANGE),
    ("<int:pk>/undo/", pages.undo, "undo", pages.CHANGE),
    ("<int:pk>/discard/", pages.discard, "discard", pages.CHANGE),
)

urlpatterns = [
    staff_path(
        f"catalog/import/{route}", view, name=f"catalog_import_{name}", permission=permission
    )
    for route, view, name, permission in IMPORT
]
