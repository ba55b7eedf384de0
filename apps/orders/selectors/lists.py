"""The list of a company's orders: one statement, a page at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from apps.accounts.selectors import Buyer
from apps.catalog.rules import end_of_ean, search_words, searchable
from apps.common.days import midnight
from apps.common.errors import NotFound
from apps.common.money import ZERO, usd
from apps.common.tables.download import MOST_ROWS, Cell
from apps.common.types import Json
from apps.orders.models import OrderLine
from apps.orders.selectors.orders import due, orders_for, seller_date
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
# What a buyer asks for by how the payment stands, each by its name, in the words and the order of
# the list's choices.
PAYMENTS: dict[str, tuple[str, tuple[PaymentStatus, ...]]] = {
    "deposit": ("Deposit due", (P.DEPOSIT_DUE,)),
    "wire": ("Waiting for wire", (P.WIRE_AWAITED,)),
    "review": ("Under review", (P.DEPOSIT_REVIEWED, P.BALANCE_REVIEWED)),
    "received": ("Deposit received", (P.DEPOSIT_RECEIVED,)),
    "partly": ("Partly paid", (P.PARTLY_PAID,)),
    "balance": ("Balance due", (P.BALANCE_DUE,)),
    "paid": ("Paid", (P.PAID,)),
    "refunded": ("Refunded", (P.REFUNDED,)),
}


@dataclass(frozen=True)
class OrderQuery:
    """Which orders of a tab are wanted, and from which end. Days are the seller's, both
    included.
    """

    search: str = ""
    since: date | None = None
    until: date | None = None
    payment: Sequence[str] = ()
    sort: str = "newest"


EVERYTHING = OrderQuery()


HEADINGS = (
    "Invoice",
    "PO number",
    "Date",
    "Status",
    "Payment",
    "Pieces",
    "Total $",
    "Received $",
    "Balance due $",
)


LISTED = (
    *("id", "invoice_code", "status", "placed_at", "pieces", "po_number", "real_total"),
    *("shipping_fee", "payment", "open_proposals", "answer_by"),
)
MONEY = ("real_total", "shipping_fee", "received", "credited", "written_off")
EXPORTED = ("invoice_code", "po_number", "placed_at", "status", "payment", "pieces", *MONEY)
IS_CANCELLED = Q(status=OrderStatus.CANCELLED)


def order_list(
    *, buyer: Buyer, status: OrderStatus | None, after: str = "", wanted: OrderQuery = EVERYTHING
) -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    orders = _beyond(_wanted(buyer, status, wanted), after, wanted)
    rows = _rows(orders.order_by("-id" if wanted.sort == "newest" else "id")[: PAGE_SIZE + 1])
    page, has_next = rows[:PAGE_SIZE], len(rows) > PAGE_SIZE
    return {
        "orderList": [_item(order) for order in page],
        "has_next": has_next,
        "next": str(page[-1]["id"]) if has_next else None,
    }


def _beyond(orders: QuerySet[Any], after: str, wanted: OrderQuery) -> QuerySet[Any]:
    """Leave out the pages that were shown; nothing stands beyond what is no id."""
    if not after:
        return orders
    if not (after.isascii() and after.isdigit() and len(after) < 19):
        return orders.none()
    last = int(after)
    return orders.filter(id__lt=last) if wanted.sort == "newest" else orders.filter(id__gt=last)


def order_in_list(*, buyer: Buyer, status: OrderStatus | None, invoice_code: str) -> Json:
    """Return one order as a list, empty when it is not in the tab. One statement.

    Raises:
        NotFound: unknown, or another company's.
    """
    rows = _rows(_with_payment(orders_for(buyer).filter(invoice_code=invoice_code)))
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row["status"] == status]
    return {"orderList": [_item(order) for order in in_tab], "has_next": False, "next": None}


def order_sums(
    *, buyer: Buyer, status: OrderStatus | None, wanted: OrderQuery = EVERYTHING
) -> Json:
    """Return how many of the company's orders are wanted and their sum in US dollars, as the list
    shows their amounts.

    What is cancelled is counted, and not in the sum. `payments` counts what each choice of the
    payment would leave, whatever is chosen of it. One statement.
    """
    orders = _wanted(buyer, status, replace(wanted, payment=())).order_by().values("payment")
    rows = orders.annotate(
        orders=Count("pk"),
        cancelled=Count("pk", filter=IS_CANCELLED),
        amount=Sum(F("real_total") + F("shipping_fee"), filter=~IS_CANCELLED, default=ZERO),
    )
    states = _states(wanted)
    shown = [row for row in rows if not states or row["payment"] in states]
    return {
        "orders": sum(row["orders"] for row in shown),
        "cancelled": sum(row["cancelled"] for row in shown),
        "amount": usd(sum((row["amount"] for row in shown), ZERO)),
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
    *, buyer: Buyer, status: OrderStatus | None, wanted: OrderQuery = EVERYTHING
) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each of the company's orders that are wanted. One
    statement.
    """
    yield HEADINGS
    orders = _wanted(buyer, status, wanted).order_by("-id" if wanted.sort == "newest" else "id")
    for order in orders.values(*EXPORTED)[:MOST_ROWS].iterator():
        state = OrderStatus(order["status"])
        yield (
            order["invoice_code"],
            order["po_number"],
            f"{seller_date(order['placed_at'])}",
            LABELS[state],
            order["payment"],
            order["pieces"],
            order["real_total"] + order["shipping_fee"],
            order["received"],
            due(status=state, **{name: order[name] for name in MONEY}),
        )


def _rows(orders: QuerySet[Any]) -> list[Json]:
    orders = orders.annotate(open_proposals=OPEN_PROPOSALS, answer_by=ANSWER_BY)
    return list(orders.values(*LISTED))


def _states(wanted: OrderQuery) -> list[str]:
    """Return how the payment may stand; empty where it may stand as it does."""
    return [state.value for name in wanted.payment for state in PAYMENTS[name][1]]


def _with_payment(orders: QuerySet[Any]) -> Any:
    return orders.annotate(payment=PAYMENT)


def _wanted(buyer: Buyer, status: OrderStatus | None, wanted: OrderQuery) -> QuerySet[Any]:
    """Return the company's orders that are wanted, each with how its payment stands."""
    orders: QuerySet[Any] = _with_payment(orders_for(buyer))
    if status is not None:
        orders = orders.filter(status=status)
    for word in search_words(wanted.search)[:MAX_WORDS]:
        orders = orders.filter(_names(word))
    if wanted.since:
        orders = orders.filter(placed_at__gte=midnight(wanted.since))
    if wanted.until:
        orders = orders.filter(placed_at__lt=midnight(wanted.until + timedelta(days=1)))
    if states := _states(wanted):
        orders = orders.filter(payment__in=states)
    return orders


def _names(word: str) -> Q:
    """Find a word in the code, in the buyer's own number, in a product's name, SKU and brand, or
    at the end of its EAN.
    """
    product = Q(product__search_text__contains=searchable(word) or word)
    if digits := end_of_ean(word):
        product |= Q(product__ean__endswith=digits)
    lines = OrderLine.objects.filter(product, order=OuterRef("pk"))
    return Q(invoice_code__icontains=word) | Q(po_number__icontains=word) | Q(Exists(lines))


def _item(order: Json) -> Json:
    return {
        "order_id": order["id"],
        "invoice_code": order["invoice_code"],
        "message": LABELS[OrderStatus(order["status"])],
        "status_id": order["status"],
        "build_date": seller_date(order["placed_at"]),
        "amount": order["real_total"] + order["shipping_fee"],
        "pieces": order["pieces"],
        "po_number": order["po_number"],
        **payment_json(order["payment"]),
        "answers": answers_text(order["open_proposals"], order["answer_by"]),
    }
