"""The addresses of the pages of one order, each with the permission that it needs."""

from apps.common.staff import staff_paths
from apps.orders.admin import as_buyer, confirm, packing, steps
from apps.orders.admin.base import of_order

CHANGE, VIEW = "orders.change_order", "orders.view_order"
PAGES = (
    ("as-buyer/", as_buyer.as_buyer, "as_buyer", VIEW),
    ("late/", steps.late, "late", CHANGE),
    ("remind/", steps.remind, "remind", CHANGE),
    ("prepare/", steps.prepare, "prepare", CHANGE),
    ("confirm/", confirm.confirm, "confirm", CHANGE),
    ("correct/", confirm.correct, "correct", CHANGE),
    ("products/", confirm.products, "products", CHANGE),
    ("packing/", packing.packing, "packing", CHANGE),
    ("packing/check/", packing.packing_check, "packing_check", CHANGE),
    ("packing/sheet.xlsx", packing.packing_file, "packing_file", CHANGE),
    ("packing/list.pdf", packing.packing_list, "packing_list", CHANGE),
    ("invoice/", packing.invoice, "invoice", CHANGE),
    ("ship/", steps.ship, "ship", CHANGE),
    ("tracking/", steps.tracking, "tracking", CHANGE),
    ("answer/", steps.answer, "answer", CHANGE),
    ("read/", steps.read, "read", CHANGE),
    ("documents/add/", steps.document, "document", CHANGE),
    ("documents/<int:document>/remove/", steps.remove, "remove", CHANGE),
    ("documents/<int:document>/", steps.document_file, "file", "orders.view_orderdocument"),
    ("buyer-files/<int:file>/", steps.buyer_file, "buyer_file", VIEW),
)

urlpatterns = [
    *staff_paths(
        "orders/order",
        [(at, of_order(view), name, permission) for at, view, name, permission in PAGES],
    ),
    *staff_paths("orders/message", [("", steps.inbox, "list", VIEW)], of_one=False),
]
