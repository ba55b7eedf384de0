"""All about one order, as its buyer sees it."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from apps.accounts.selectors import Buyer, address_book
from apps.accounts.shipping import ship_fields
from apps.common.db.prepared import PreparedPair, PreparedQuery, Row
from apps.common.errors import NotFound
from apps.common.money import ZERO
from apps.common.storage.files import file_signer, file_url, signed_name
from apps.common.types import Json
from apps.orders import rules
from apps.orders.models import Order, OrderDocument, OrderEvent, OrderLine
from apps.orders.selectors.links import packing_list_url
from apps.orders.selectors.orders import due, seller_date
from apps.orders.selectors.packing import NO_PACKING, packing_of
from apps.orders.status import OrderStatus, allowed


class OrderRow(NamedTuple):
    """The columns of an order that its buyer sees, and the address of who ordered."""

    pk: int
    invoice_code: str
    status: int
    placed_at: datetime
    type: str
    memo: str
    line_count: int
    total: Decimal
    real_total: Decimal
    deposit: Decimal
    deposit_received: Decimal
    received: Decimal
    written_off: Decimal
    shipping_fee: Decimal
    weight_g: int
    measured_weight_g: int | None
    packing_status: int
    packing_build_date: date | None
    packing_remarks: str
    packing_notify: str
    packing_terms: str
    tracking_number: str
    shipping_url: str
    customer_memo: str
    ship_memo: str
    export_declared: bool
    payment_type: str
    payment_pending: bool
    wire_announced: bool
    ship_country_id: int | None
    ship_state_id: int | None
    ship_city: str
    ship_zipcode: str
    ship_address1: str
    ship_address2: str
    ship_phone: str
    email: str


ORDER_COLUMNS = [{"line_count": "count", "email": "user__email"}.get(name, name) for name in OrderRow._fields]


def _order_with_steps(company: int, code: str) -> QuerySet[Order, Any]:
    """Return an order once for each change of its status; the relation is made here because a query writes to it."""
    steps = FilteredRelation("events", condition=Q(events__kind=OrderEvent.Kind.STATUS))
    orders = Order.objects.annotate(step=steps).filter(company_id=company, invoice_code=code)
    return orders.order_by("step__at", "step__id").values_list(*ORDER_COLUMNS, "step__at", "step__to_status")


ORDER = PreparedQuery(_order_with_steps, company=int, code=str)
LINE_COLUMNS = ("id", "product__eng_name", "product__image", "usrp", "box_qty", "sku", "quantity", "price")
LINES = PreparedQuery(
    lambda company, code: OrderLine.objects.filter(order__company_id=company, order__invoice_code=code).values_list(
        *LINE_COLUMNS, "is_confirmed", "comment", "weight_g"
    ),
    company=int,
    code=str,
)
ORDER_AND_LINES = PreparedPair(ORDER, LINES)
DOCUMENTS = PreparedQuery(
    lambda order: OrderDocument.objects.filter(order_id=order, replaced_at__isnull=True).values_list(
        "storage_name", "title"
    ),
    order=int,
)


def order_details(*, buyer: Buyer, invoice_code: str, now: datetime) -> Json:
    """Return all about one order (api.md, GET /details). At most three statements, four on SQLite.

    Raises:
        NotFound: unknown, or another company's.
    """
    found, lines = ORDER_AND_LINES(company=buyer.company_id, code=invoice_code)
    if not found:
        raise NotFound
    order = OrderRow(*found[0][:-2])
    steps = [row[-2:] for row in found if row[-1] is not None]
    status = OrderStatus(order.status)
    balance = due(
        status=status,
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received,
        written_off=order.written_off,
    )
    may = allowed(
        status=status,
        packing_status=order.packing_status,
        balance_due=bool(balance),
        payment_pending=order.payment_pending or order.wire_announced,
    )
    return {
        "order": {
            **_order_columns(order, buyer=buyer),
            "weight": order.measured_weight_g if may.documents else None,
            "weight_kg": _optional_kilograms(order.measured_weight_g) if may.documents else None,
            "products_weight_kg": rules.kilograms(order.weight_g),
            "tracking_number": order.tracking_number if may.tracking else None,
            "shipping_url": order.shipping_url if may.tracking else None,
            "packing_list_pdf": _packing_list(order, buyer=buyer, now=now) if may.packing_list else None,
            "balance_due": balance,
            "history": [{"at": at, "message": OrderStatus(to).label} for at, to in steps],
            "allowed": may.as_dict(),
        },
        "details": _lines(lines),
        "total_weight": order.weight_g,
        "fileList": _files(order, buyer=buyer, now=now) if may.documents else [],
        **(packing_of(order_id=order.pk) if may.packing_list else NO_PACKING),
    }


def _order_columns(order: OrderRow, *, buyer: Buyer) -> Json:
    return {
        "order_id": order.pk,
        "invoice_code": order.invoice_code,
        "build_date": seller_date(order.placed_at),
        "message": OrderStatus(order.status).label,
        "status_id": order.status,
        "type": order.type,
        "memo": order.memo,
        "count": order.line_count,
        "total": order.total,
        "real_total": order.real_total,
        "deposit": order.deposit,
        "deposit_received": order.deposit_received,
        "paid": max(ZERO, order.received - order.deposit_received),
        "shipping_fee": order.shipping_fee,
        "packing_status": order.packing_status,
        "customer_memo": order.customer_memo,
        "ship_memo": order.ship_memo,
        "export_report": int(order.export_declared),
        "payment_type": order.payment_type,
        "payment_pending": order.payment_pending,
        "email": order.email,
        "company": buyer.company,
        "country": address_book.name(order.ship_country_id),
        "state": address_book.name(order.ship_state_id),
        **ship_fields(order),
        "packing_build_date": order.packing_build_date,
        "packing_remarks": order.packing_remarks,
        "packing_notify": order.packing_notify,
        "packing_terms": order.packing_terms,
    }


def _optional_kilograms(grams: int | None) -> Decimal | None:
    return None if grams is None else rules.kilograms(grams)


def _lines(rows: list[Row]) -> list[Json]:
    """Return an order's lines as ordered, the parts of a SKU beside each other."""
    place: dict[str, int] = {}
    lines = []
    for id_, name, image, usrp, box_qty, sku, quantity, price, is_confirmed, comment, weight_g in rows:
        order_price = rules.line_total(price=price, quantity=quantity)
        place.setdefault(sku, id_)
        lines.append(
            {
                "order_product_id": id_,
                "eng_name": name,
                "image": image,
                "price": usrp,
                "box_qty": box_qty,
                "sku": sku,
                "count": quantity,
                "order_price": order_price,
                "is_true": int(is_confirmed),
                "comment": comment,
                "weight": weight_g,
                "tag": rules.line_tag(is_confirmed=is_confirmed, order_price=order_price),
            }
        )
    return sorted(lines, key=lambda line: (place[line["sku"]], line["order_product_id"]))


def _packing_list(order: OrderRow, *, buyer: Buyer, now: datetime) -> str:
    signer = file_signer(buyer.uuid, buyer.session_version)
    return packing_list_url(signer=signer, invoice_code=order.invoice_code, now=now)


def _files(order: OrderRow, *, buyer: Buyer, now: datetime) -> list[Json]:
    files = []
    signer = file_signer(buyer.uuid, buyer.session_version)
    for storage_name, title in DOCUMENTS(order=order.pk):
        name = signed_name(signer=signer, scope=order.invoice_code, storage_name=storage_name, now=now)
        files.append({"filename": name, "name": title, "url": file_url(scope=order.invoice_code, name=name)})
    return files
