"""All about one order, as its buyer sees it."""

from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from apps.accounts.selectors import Buyer, address_book
from apps.accounts.shipping import ship_fields
from apps.common.db.prepared import prepared
from apps.common.errors import NotFound
from apps.common.money import ZERO
from apps.common.types import Json
from apps.orders import rules
from apps.orders.carriers import carrier_name
from apps.orders.due import step_due_at
from apps.orders.models import BuyerFile, Order, OrderDocument, OrderEvent, SentSheet
from apps.orders.selectors.links import PACKING_LIST, file_link
from apps.orders.selectors.order_lines import PROPOSALS, lines_of
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.selectors.packing import NO_PACKING, packing_of
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PAYMENT,
    OrderSnapshot,
    PaymentStatus,
    next_step,
    payment_json,
    timeline,
)
from apps.orders.status import PACKING_NONE, OrderStatus, allowed

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
COMPUTED = {
    "tax_number": F("company__tax_number"),
    "email": F("user__email"),
    "payment": PAYMENT,
    "has_proposals": Exists(PROPOSALS.filter(order=OuterRef("pk"))),
    "open_proposals": OPEN_PROPOSALS,
    "answer_by": ANSWER_BY,
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
    lines = lines_of(order_id=order.pk, buyer=buyer, has_proposals=order.has_proposals)
    steps = _steps(order=order.pk)
    status = OrderStatus(order.status)
    balance = due_of(order)
    may = allowed(
        status=status,
        packing_status=order.packing_status,
        balance_due=bool(balance),
        payment_pending=order.payment_pending or order.wire_announced,
        is_paid=bool(order.received),
    )
    snapshot = _snapshot(order, steps, balance=balance, now=now)
    link = partial(file_link, buyer=buyer, invoice_code=invoice_code, now=now)
    measured = order.measured_weight_g if may.documents else None
    files = []
    for stored, title in _papers(order=order.pk) if may.documents else ():
        url = link(storage_name=stored)
        files.append({"filename": url.rpartition("/")[2], "name": title, "url": url})
    return {
        "order": {
            **_order_columns(order, buyer=buyer),
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
                {"at": at, "message": status.label} for status, at in snapshot.reached.items()
            ],
            **payment_json(snapshot.payment.value),
            "next_step": next_step(snapshot),
            "timeline": timeline(snapshot),
            "allowed": may.as_dict(),
        },
        "details": lines,
        "total_weight": order.weight_g,
        "fileList": files,
        **(packing_of(order_id=order.pk) if may.packing_list else NO_PACKING),
    }


@prepared
def _orders(company: int, code: str) -> QuerySet[Any]:
    return Order.objects.filter(company=company, invoice_code=code).annotate(**COMPUTED)


@prepared
def _steps(order: int) -> QuerySet[Any]:
    events = OrderEvent.objects.filter(order=order, kind__in=STEPS).order_by("at", "id")
    return events.values_list("at", "to_status")


@prepared
def _papers(order: int) -> QuerySet[Any]:
    papers = OrderDocument.objects.filter(order=order, replaced_at__isnull=True)
    return papers.values_list("storage_name", "title")


def _snapshot(
    order: Any, steps: list[tuple[datetime, int | None]], *, balance: Decimal, now: datetime
) -> OrderSnapshot:
    reached = {OrderStatus(status): at for at, status in steps if status is not None}
    paid_at = [at for at, status in steps if status is None]
    prepared = reached.get(OrderStatus.PREPARING, now)
    status = OrderStatus(order.status)
    deposits = [at for at in paid_at if at <= prepared]
    deposit_at = deposits[-1] if deposits and order.deposit_received else None
    due_at = order.due_at
    if status is OrderStatus.RECEIVED and deposit_at is not None:
        # Nothing is promised before the deposit is there, nor before the order moved in.
        due_at = step_due_at(status, since=max(deposit_at, order.status_at))
    return OrderSnapshot(
        status=status,
        payment=PaymentStatus(order.payment),
        reached=reached,
        deposit_at=deposit_at,
        due_at=due_at,
        placed_at=order.placed_at,
        deposit_missing=max(ZERO, order.deposit - order.deposit_received),
        balance=balance,
        received=order.received,
        credited=order.credited,
        cancel_reason=order.cancel_reason,
        now=now,
        goods=order.real_total,
        shipping_fee=order.shipping_fee,
        written_off=order.written_off,
        proposals=order.open_proposals or 0,
        answer_by=order.answer_by,
        wire_announced=order.wire_announced,
        expected_on=order.expected_on,
        city=order.ship_city,
        paid_at=paid_at,
    )


def _order_columns(order: Any, *, buyer: Buyer) -> Json:
    return {
        "order_id": order.pk,
        "invoice_code": order.invoice_code,
        "build_date": seller_date(order.placed_at),
        "message": OrderStatus(order.status).label,
        "status_id": order.status,
        "type": order.type,
        "memo": order.memo,
        "count": order.count,
        "total": order.total,
        "real_total": order.real_total,
        "deposit": order.deposit,
        "deposit_received": order.deposit_received,
        "paid": max(ZERO, order.received - order.deposit_received),
        "shipping_fee": order.shipping_fee,
        **_packing(order),
        "customer_memo": order.customer_memo,
        "ship_memo": order.ship_memo,
        "export_report": int(order.export_declared),
        "payment_type": order.payment_type,
        "po_number": order.po_number,
        "former_number": order.former_number,
        "payment_pending": order.payment_pending,
        "email": order.email,
        "company": buyer.company,
        "tax_number": order.tax_number,
        "country": address_book.name(order.ship_country_id),
        "state": address_book.name(order.ship_state_id),
        **ship_fields(order),
    }


def _packing(order: Any) -> Json:
    """Return how far an order is packed and what its list says: nothing before it is confirmed."""
    if not OrderStatus(order.status).is_priced:
        texts = dict.fromkeys(("packing_remarks", "packing_notify", "packing_terms"), "")
        return {"packing_status": PACKING_NONE, "packing_build_date": None, **texts}
    return {
        "packing_status": order.packing_status,
        "packing_build_date": order.packing_build_date,
        "packing_remarks": order.packing_remarks,
        "packing_notify": order.packing_notify,
        "packing_terms": order.packing_terms,
    }
