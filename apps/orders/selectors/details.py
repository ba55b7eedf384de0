"""All about one order, as its buyer sees it."""

from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from apps.accounts.selectors import Buyer, address_book
from apps.accounts.shipping import SHIP_COLUMNS, ship_fields
from apps.common.db.prepared import prepared
from apps.common.errors import NotFound
from apps.common.money import ZERO
from apps.common.types import Json
from apps.orders import rules
from apps.orders.carriers import carrier_name
from apps.orders.models import BuyerFile, Order, OrderDocument, OrderEvent, SentSheet
from apps.orders.selectors.order_lines import PROPOSALS, lines_of
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.selectors.packing import NO_PACKING, packing_of
from apps.orders.selectors.papers import PACKING_LIST, file_link
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PAYMENT,
    next_step,
    payment_json,
    progress_of,
    timeline,
)
from apps.orders.status import LABELS, PACKING_NONE, OrderStatus, allowed

# The last sheet that its buyer ordered from before, if no other order of his came of it.
BETWEEN = Order.objects.filter(
    user=OuterRef("user"),
    placed_at__gte=OuterRef("sent_at"),
    placed_at__lt=OuterRef(OuterRef("placed_at")),
)
SHEETS = SentSheet.objects.filter(
    ~Exists(BETWEEN), user=OuterRef("user"), sent_at__lte=OuterRef("placed_at")
).order_by("-id")
PO_FILES = BuyerFile.objects.filter(order=OuterRef("pk"), kind=BuyerFile.Kind.PO)
# What the answer tells under the column's own name, and what else it is made of.
TOLD = (
    *("invoice_code", "type", "memo", "count", "total", "real_total", "deposit"),
    *("deposit_received", "shipping_fee", "customer_memo", "ship_memo", "payment_type"),
    *("po_number", "former_number", "payment_pending"),
)
PACKED = ("packing_build_date", "packing_remarks", "packing_notify", "packing_terms")
COLUMNS = (
    *("id", "status", "status_at", "placed_at", "due_at", "expected_on", "export_declared"),
    *("received", "credited", "written_off", "wire_announced", "cancel_reason"),
    *("weight_g", "measured_weight_g", "packing_status", "tracking_number", "shipping_url"),
    *("carrier", *SHIP_COLUMNS.values()),
)
COMPUTED = {
    "tax_number": F("company__tax_number"),
    "email": F("user__email"),
    "payment": PAYMENT,
    "has_proposals": Exists(PROPOSALS.filter(order=OuterRef("pk"))),
    "open_proposals": OPEN_PROPOSALS,
    "answer_by": ANSWER_BY,
    # A column each: a SQLite that is busy at first sight has no JSON for Django, for good.
    "po_file_name": Subquery(PO_FILES.values("given_name")[:1]),
    "po_file_stored": Subquery(PO_FILES.values("storage_name")[:1]),
    "sheet_name": Subquery(SHEETS.values("given_name")[:1]),
    "sheet_stored": Subquery(SHEETS.values("storage_name")[:1]),
}
STEPS = (OrderEvent.Kind.STATUS, OrderEvent.Kind.PAYMENT)


def order_details(*, buyer: Buyer, invoice_code: str, now: datetime) -> Json:
    """Return all about one order (api.md, GET /details). At most six statements.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = next(iter(_orders(company=buyer.company_id, code=invoice_code)), None)
    if order is None:
        raise NotFound
    lines = lines_of(order_id=order.id, buyer=buyer, has_proposals=order.has_proposals)
    balance = due_of(order)
    may = allowed(
        status=OrderStatus(order.status),
        packing_status=order.packing_status,
        balance_due=bool(balance),
        payment_pending=order.payment_pending or order.wire_announced,
        is_paid=bool(order.received),
    )
    progress = progress_of(order, _steps(order=order.id), balance=balance, now=now)
    link = partial(file_link, buyer=buyer, invoice_code=invoice_code, now=now)
    measured = order.measured_weight_g if may.documents else None
    packing = {name: getattr(order, name) for name in ("packing_status", *PACKED)}
    if order.status < OrderStatus.CONFIRMED:  # nothing is told of it before
        packing = {"packing_status": PACKING_NONE, **dict.fromkeys(PACKED, ""), PACKED[0]: None}
    files = []
    for stored, title in _papers(order=order.id) if may.documents else ():
        url = link(storage_name=stored)
        files.append({"filename": url.rpartition("/")[2], "name": title, "url": url})
    return {
        "order": {
            **{name: getattr(order, name) for name in TOLD},
            "order_id": order.id,
            "build_date": seller_date(order.placed_at),
            "message": LABELS[order.status],
            "status_id": order.status,
            "paid": max(ZERO, order.received - order.deposit_received),
            **packing,
            "export_report": int(order.export_declared),
            "email": order.email,
            "company": buyer.company,
            "tax_number": order.tax_number,
            "country": address_book.name(order.ship_country_id),
            "state": address_book.name(order.ship_state_id),
            **ship_fields(order),
            # The weights and where the parcel is, as far as the buyer may know them by now.
            "weight": measured,
            "weight_kg": None if measured is None else rules.kilograms(measured),
            "products_weight_kg": rules.kilograms(order.weight_g),
            "tracking_number": order.tracking_number if may.tracking else None,
            "shipping_url": order.shipping_url if may.tracking else None,
            "carrier": carrier_name(order.carrier) if may.tracking else "",
            "expected_on": order.expected_on if may.tracking else None,
            "packing_list_pdf": link(storage_name=PACKING_LIST) if may.packing_list else None,
            **{
                key: {"name": name, "url": link(storage_name=stored)} if stored else None
                for key, name, stored in (
                    ("po_file", order.po_file_name, order.po_file_stored),
                    ("sheet", order.sheet_name, order.sheet_stored),
                )
            },
            "balance_due": balance,
            "answers_needed": order.open_proposals or 0,
            "history": [
                {"at": at, "message": status.label} for status, at in progress.reached.items()
            ],
            **payment_json(order.payment),
            "next_step": next_step(progress),
            "timeline": timeline(progress),
            "allowed": may.as_dict(),
        },
        "details": lines,
        "total_weight": order.weight_g,
        "fileList": files,
        **(packing_of(order_id=order.id) if may.packing_list else NO_PACKING),
    }


@prepared
def _orders(company: int, code: str) -> QuerySet[Any]:
    orders = Order.objects.filter(company=company, invoice_code=code)
    return orders.only(*TOLD, *PACKED, *COLUMNS).annotate(**COMPUTED)


@prepared
def _steps(order: int) -> QuerySet[Any]:
    events = OrderEvent.objects.filter(order=order, kind__in=STEPS).order_by("at", "id")
    return events.values_list("at", "to_status")


@prepared
def _papers(order: int) -> QuerySet[Any]:
    papers = OrderDocument.objects.filter(order=order, replaced_at__isnull=True)
    return papers.values_list("storage_name", "title")
