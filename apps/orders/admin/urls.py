"""The addresses of the pages of one order, each with the permission that it needs; a page is named
as its view is.
"""

from apps.common.staff import staff_paths
from apps.orders.admin import as_buyer, confirm, packing, steps
from apps.orders.admin.base import of_order

CHANGE, VIEW = "orders.change_order", "orders.view_order"
PAGES = (
    ("as-buyer/", as_buyer.as_buyer, VIEW),
    ("late/", steps.late, CHANGE),
    ("remind/", steps.remind, CHANGE),
    ("prepare/", steps.prepare, CHANGE),
    ("confirm/", confirm.confirm, CHANGE),
    ("correct/", confirm.correct, CHANGE),
    ("products/", confirm.products, CHANGE),
    ("packing/", packing.packing, CHANGE),
    ("packing/check/", packing.packing_check, CHANGE),
    ("packing/sheet.xlsx", packing.packing_file, CHANGE),
    ("packing/list.pdf", packing.packing_list, CHANGE),
    ("invoice/", packing.invoice, CHANGE),
    ("ship/", steps.ship, CHANGE),
    ("tracking/", steps.tracking, CHANGE),
    ("answer/", steps.answer, CHANGE),
    ("read/", steps.read, CHANGE),
    ("documents/add/", steps.document, CHANGE),
    ("documents/<int:document>/remove/", steps.remove, CHANGE),
    ("documents/<int:document>/", steps.file, "orders.view_orderdocument"),
    ("buyer-files/<int:file>/", steps.buyer_file, VIEW),
)

urlpatterns = [
    *staff_paths(
        "orders/order", [(at, of_order(view), permission) for at, view, permission in PAGES]
    ),
    *staff_paths("orders/message", [("", steps.inbox, VIEW, "list")], of_one=False),
]
