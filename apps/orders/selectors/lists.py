"""The list of a company's orders: one statement, a page at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from apps.accounts.selectors import Buyer
from apps.catalog.rules import end_of_ean, search_words, searchable
from apps.common.days import midnight
from apps.common.db.prepared import prepared
from apps.common.errors import NotFound
from apps.common.money import ZERO, usd
from apps.common.tables.download import MOST_ROWS, Cell
from apps.common.types import Json
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.orders import OPEN_MONEY, seller_date
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PAYMENT,
    PaymentStatus,
    answers_text,
    payment_json,
)
from apps.orders.status import LABELS, OrderStatus

PAGE_SIZE = 50
MAX_WORDS = 10
P = PaymentStatus
# The list's choices of how the payment stands, by name: their words, in their order.
PAYMENTS: dict[str, tuple[str, tuple[PaymentStatus, ...]]] = {
    "deposit": ("Deposit due", (P.DEPOSIT_DUE,)),
    "wire": ("Waiting for wire", (P.WIRE_AWAITED,)),
    "review": ("Under review", (P.REVIEWED,)),
    "received": ("Deposit received", (P.NO_DEPOSIT, P.DEPOSIT_RECEIVED)),
    "partly": ("Partly paid", (P.PARTLY_PAID,)),
    "balance": ("Balance due", (P.BALANCE_DUE,)),
    "paid": ("Paid", (P.PAID,)),
    "refunded": ("Refunded", (P.REFUNDED,)),
}


@dataclass(frozen=True)
class OrderQuery:
    """Which orders of a tab, and from which end. Days are the seller's, both included."""

    search: str = ""
    since: date | None = None
    until: date | None = None
    payment: tuple[str, ...] = ()
    sort: str = "newest"


EVERYTHING = OrderQuery()


HEADINGS = (
    *("Invoice", "PO number", "Date", "Status", "Payment"),
    *("Pieces", "Total $", "Received $", "Due $"),
)
LISTED = (
    *("id", "invoice_code", "status", "placed_on", "pieces", "po_number", "real_total"),
    *("shipping_fee", "payment", "open_proposals", "answer_by"),
)
ORDER = {"newest": "-id", "oldest": "id"}
FIRST, LAST = "0", "9" * 18  # before and after all ids
IS_CANCELLED = Q(status=OrderStatus.CANCELLED)


def order_list(
    *, buyer: Buyer, status: OrderStatus | None, after: str = "", query: OrderQuery = EVERYTHING
) -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    place = after or (FIRST if query.sort == "oldest" else LAST)
    rows = []
    if place.isascii() and place.isdigit() and len(place) <= len(LAST):
        rows = _page(company=buyer.company_id, place=int(place), status=status, query=query)
    page, has_next = rows[:PAGE_SIZE], len(rows) > PAGE_SIZE
    return {
        "orderList": [_item(row) for row in page],
        "has_next": has_next,
        "next": str(page[-1].id) if has_next else None,
    }


def order_in_list(*, buyer: Buyer, status: OrderStatus | None, invoice_code: str) -> Json:
    """Return one order as a list, empty when it is not in the tab. One statement.

    Raises:
        NotFound: unknown, or another company's.
    """
    rows = _one(company=buyer.company_id, code=invoice_code)
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row.status == status]
    return {"orderList": [_item(row) for row in in_tab], "has_next": False, "next": None}


def order_sums(*, buyer: Buyer, status: OrderStatus | None, query: OrderQuery = EVERYTHING) -> Json:
    """Return how many of the company's orders a query finds and their sum in US dollars, as the
    list shows their amounts.

    What is cancelled is counted, and not in the sum. `payments` counts what each choice of the
    payment would leave, whatever is chosen of it. One statement.
    """
    orders = (
        _orders(buyer.company_id, status, replace(query, payment=())).order_by().values("payment")
    )
    rows = orders.annotate(
        orders=Count("pk"),
        cancelled=Count("pk", filter=IS_CANCELLED),
        amount=Sum(F("real_total") + F("shipping_fee"), filter=~IS_CANCELLED, default=ZERO),
    )
    states = _states(query)
    selected = [row for row in rows if not states or row["payment"] in states]
    return {
        "orders": sum(row["orders"] for row in selected),
        "cancelled": sum(row["cancelled"] for row in selected),
        "amount": usd(sum((row["amount"] for row in selected), ZERO)),
        "payments": [
            {
                "payment": name,
                "text": text,
                "orders": sum(row["orders"] for row in rows if row["payment"] in choice),
            }
            for name, (text, choice) in PAYMENTS.items()
        ],
    }


def exported_orders(
    *, buyer: Buyer, status: OrderStatus | None, query: OrderQuery = EVERYTHING
) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each of the company's orders that a query finds; what is
    due is the deposit before the confirmation, then the balance. One statement.
    """
    yield HEADINGS
    orders = _orders(buyer.company_id, status, query).annotate(due=OPEN_MONEY)
    for order in orders.order_by(ORDER[query.sort])[:MOST_ROWS].iterator():
        yield (
            order.invoice_code,
            order.po_number,
            f"{seller_date(order.placed_at)}",
            LABELS[order.status],
            order.payment,
            order.pieces,
            order.real_total + order.shipping_fee,
            order.received,
            usd(order.due),
        )


@prepared
def _page(company: int, place: int, status: OrderStatus | None, query: OrderQuery) -> QuerySet[Any]:
    is_oldest = query.sort == "oldest"
    orders = _orders(company, status, query).filter(("id__gt" if is_oldest else "id__lt", place))
    return _listed(orders.order_by("id" if is_oldest else "-id")[: PAGE_SIZE + 1])


@prepared
def _one(company: int, code: str) -> QuerySet[Any]:
    return _listed(_orders(company, None, EVERYTHING).filter(invoice_code=code))


def _listed(orders: QuerySet[Any]) -> QuerySet[Any]:
    # The day alone: reading moments takes a tenth of the call.
    orders = orders.annotate(placed_on=TruncDate("placed_at"))
    orders = orders.annotate(open_proposals=OPEN_PROPOSALS, answer_by=ANSWER_BY)
    return orders.values(*LISTED)


def _states(query: OrderQuery) -> list[str]:
    """Return the payment filter, or nothing for any payment."""
    return [state.value for name in query.payment for state in PAYMENTS[name][1]]


def _orders(company: int, status: OrderStatus | None, query: OrderQuery) -> QuerySet[Any]:
    """Return the company's orders that a query finds, each with how its payment stands.

    A word is looked for in the code, in the buyer's own number, in a product's name, SKU and brand,
    and at the end of its EAN.
    """
    orders: QuerySet[Any] = Order.objects.filter(company=company).annotate(payment=PAYMENT)
    if status is not None:
        orders = orders.filter(status=status)
    for word in search_words(query.search)[:MAX_WORDS]:
        product = Q(product__search_text__contains=searchable(word) or word)
        if digits := end_of_ean(word):
            product |= Q(product__ean__endswith=digits)
        lines = OrderLine.objects.filter(product, order=OuterRef("pk"))
        code = Q(invoice_code__icontains=word) | Q(po_number__icontains=word)
        code |= Q(former_number__iexact=word)
        orders = orders.filter(code | Q(Exists(lines)))
    if query.since:
        orders = orders.filter(placed_at__gte=midnight(query.since))
    if query.until:
        orders = orders.filter(placed_at__lt=midnight(query.until + timedelta(days=1)))
    if states := _states(query):
        orders = orders.filter(payment__in=states)
    return orders


def _item(order: Any) -> Json:
    return {
        "order_id": order.id,
        "invoice_code": order.invoice_code,
        "message": LABELS[order.status],
        "status_id": order.status,
        "build_date": order.placed_on,
        "amount": order.real_total + order.shipping_fee,
        "pieces": order.pieces,
        "po_number": order.po_number,
        **payment_json(order.payment),
        "answers": answers_text(order.open_proposals, order.answer_by),
    }
