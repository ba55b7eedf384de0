"""All about one order, as its buyer sees it: its lines with what the seller proposed of them, its
files, its steps.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat

from apps.accounts.selectors import Buyer, address_book
from apps.accounts.shipping import SHIP_COLUMNS, ship_fields
from apps.catalog.rules import images_of
from apps.common.db.prepared import prepared
from apps.common.errors import NotFound
from apps.common.money import ZERO
from apps.common.types import Json
from apps.orders import rules
from apps.orders.carriers import carrier_name
from apps.orders.models import (
    BuyerFile,
    LineProposal,
    Order,
    OrderDocument,
    OrderEvent,
    OrderLine,
    SentSheet,
)
from apps.orders.proposal_rules import proposed, silence
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.selectors.packing import NO_PACKING, packing_of
from apps.orders.selectors.papers import PACKING_LIST, file_link
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PAYMENT,
    day_of,
    next_step,
    payment_json,
    progress_of,
    timeline,
)
from apps.orders.status import LABELS, OrderStatus, allowed

State = LineProposal.State
PROPOSALS = LineProposal.objects.exclude(state=State.WITHDRAWN).order_by("id")


def lines_of(*, order_id: int, buyer: Buyer, has_proposals: bool) -> list[Json]:
    """Return an order's lines as ordered, the parts of a SKU beside each other. One statement, and
    one more for an order that has proposals.
    """
    lines = _lines(order=order_id)
    first: dict[str, int] = {}
    for line in lines:
        first.setdefault(line.sku, line.id)
    # A line had several at times: the last one is the newest.
    newest: dict[int, LineProposal] = {}
    if has_proposals:
        proposals = PROPOSALS.filter(order=order_id).select_related("product", "decided_by")
        newest = {one.line_id: one for one in proposals}
    rows = []
    for line in sorted(lines, key=lambda line: (first[line.sku], line.id)):
        order_price = rules.line_total(price=line.price, quantity=line.quantity)
        proposal = newest.get(line.id)
        waiting = None  # for the buyer's answer, with what accepting it adds in US dollars
        if proposal and proposal.state == State.OPEN:
            waiting = {"text": str(proposed(proposal)), "difference": proposal.difference}
        rows.append(
            {
                "order_product_id": line.id,
                "eng_name": line.name,
                "image": line.image,
                "images": images_of(line.image, line.others),
                "price": line.usrp,
                "box_qty": line.box_qty,
                "sku": line.sku,
                "ean": line.ean,
                "count": line.quantity,
                "order_price": order_price,
                "is_true": int(line.is_confirmed),
                "comment": line.comment,
                "weight": line.weight_g,
                "proposal": waiting,
                "decided": _decided(proposal, line.comment, buyer=buyer) if proposal else "",
                "tag": rules.line_tag(is_confirmed=line.is_confirmed, order_price=order_price),
            }
        )
    return rows


@prepared
def _lines(order: int) -> QuerySet[Any]:
    lines: QuerySet[Any] = OrderLine.objects.filter(order=order).order_by("id")
    return lines.values(
        *("id", "sku", "price", "usrp", "box_qty", "weight_g", "quantity", "is_confirmed"),
        "comment",
        name=F("product__eng_name"),
        image=F("product__image"),
        others=F("product__more_images"),
        ean=F("product__ean"),
    )


def _decided(proposal: LineProposal, comment: str, *, buyer: Buyer) -> str:
    """Return what was decided of a proposal, by whom and when: `You accepted on 21 Nov 2026: 8
    now, 12 dropped.`

    Empty while it is open. What the line's comment says already is not said again.
    """
    if proposal.decided_at is None:
        return ""
    day = day_of(proposal.decided_at)
    if proposal.state == State.EXPIRED:
        text = f"Not answered by {day}: {silence(proposal)}"
    else:
        name = proposal.decided_by.manager if proposal.decided_by else "A colleague"
        name = "You" if proposal.decided_by_id == buyer.id else name
        text = f"{name} {State(proposal.state).label.lower()} on {day}"
    words = str(proposed(proposal))
    if words in comment:
        return f"{text}."
    return f"{text} ({words})." if proposal.state == State.EXPIRED else f"{text}: {words}."


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
# What the answer tells under the column's own name, and what it is made of.
COLUMNS = (
    *("invoice_code", "type", "memo", "count", "pieces", "total", "real_total", "deposit"),
    *("deposit_received", "shipping_fee", "customer_memo", "ship_memo", "payment_type"),
    *("po_number", "former_number", "payment_pending"),
)
PACKED = ("packing_build_date", "packing_remarks", "packing_notify", "packing_terms")
READ = (
    *("id", "status", "status_at", "placed_at", "due_at", "received", "credited", "written_off"),
    *("wire_announced", "cancel_reason", "export_declared", "weight_g", "measured_weight_g"),
    *("packing_status", "tracking_number", "shipping_url", "carrier", "expected_on"),
)
FILE = Concat("storage_name", Value("\n"), "given_name")
COMPUTED = {
    "tax_number": F("company__tax_number"),
    "email": F("user__email"),
    "payment": PAYMENT,
    "has_proposals": Exists(PROPOSALS.filter(order=OuterRef("pk"))),
    "open_proposals": OPEN_PROPOSALS,
    "answer_by": ANSWER_BY,
    "po_file": Subquery(PO_FILES.values(file=FILE)[:1]),
    "sheet": Subquery(SHEETS.values(file=FILE)[:1]),
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
    may = allowed(order, balance_due=bool(balance))
    progress = progress_of(order, _steps(order=order.id), balance=balance, now=now)
    link = partial(file_link, buyer=buyer, invoice_code=invoice_code, now=now)
    measured = order.measured_weight_g if may.documents else None
    packing = {name: getattr(order, name) for name in ("packing_status", *PACKED)}
    if order.status < OrderStatus.CONFIRMED:  # nothing is told of it before
        packing = {
            "packing_status": Order.Packing.NONE,
            **dict.fromkeys(PACKED, ""),
            PACKED[0]: None,
        }
    files = []
    for stored, title in _papers(order=order.id) if may.documents else ():
        url = link(storage_name=stored)
        files.append({"filename": url.rpartition("/")[2], "name": title, "url": url})
    return {
        "order": {
            **{name: getattr(order, name) for name in COLUMNS},
            "order_id": order.id,
            "build_date": seller_date(order.placed_at),
            "message": LABELS[order.status],
            "status_id": order.status,
            "paid": max(ZERO, order.received - order.deposit_received),
            "credited": order.credited,
            "waived": order.written_off,
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
            "po_file": _file(order.po_file, link),
            "sheet": _file(order.sheet, link),
            "balance_due": balance,
            "answers_needed": order.open_proposals or 0,
            "history": [
                {"at": at, "message": status.label} for status, at in progress.reached.items()
            ],
            **payment_json(order.payment),
            "next_step": next_step(progress),
            "timeline": timeline(progress),
            "allowed": vars(may),
        },
        "details": lines,
        "total_weight": order.weight_g,
        "fileList": files,
        **(packing_of(order_id=order.id) if may.packing_list else NO_PACKING),
    }


@prepared
def _orders(company: int, code: str) -> QuerySet[Any]:
    orders: QuerySet[Any] = Order.objects.filter(company=company, invoice_code=code).order_by()
    return orders.values(*COLUMNS, *PACKED, *READ, *SHIP_COLUMNS.values(), **COMPUTED)


def _file(kept: str | None, link: Callable[..., str]) -> Json | None:
    stored, _, name = (kept or "").partition("\n")
    return {"name": name, "url": link(storage_name=stored)} if stored else None


@prepared
def _steps(order: int) -> QuerySet[Any]:
    events = OrderEvent.objects.filter(order=order, kind__in=STEPS).order_by("at", "id")
    return events.values_list("at", "to_status")


@prepared
def _papers(order: int) -> QuerySet[Any]:
    papers = OrderDocument.objects.filter(order=order, replaced_at__isnull=True)
    return papers.values_list("storage_name", "title")
