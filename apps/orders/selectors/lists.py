"""The list of a company's orders: one statement, a page at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.catalog.rules import end_of_ean, search_words, searchable
from apps.common.days import midnight
from apps.common.db.rows import containing, each_row, fetch_all
from apps.common.errors import NotFound
from apps.common.money import ZERO, usd
from apps.common.tables.download import MOST_ROWS, Cell
from apps.common.types import Json
from apps.orders.selectors.orders import due
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PaymentStatus,
    answers_text,
    payment_json,
    payment_sql,
)
from apps.orders.status import LABELS, OrderStatus

PAGE_SIZE = 50
MAX_WORDS = 10
# Ids are below it; it stands for "from the newest".
NEWEST = 2**62
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
class Wanted:
    """Which orders of a tab are wanted, and from which end. Days are the seller's, both
    included.
    """

    search: str = ""
    since: date | None = None
    until: date | None = None
    payment: Sequence[str] = ()
    sort: str = "newest"


EVERYTHING = Wanted()


class ListedOrder(NamedTuple):
    """An order as the list shows it. Amounts are US dollars."""

    id: int
    invoice_code: str
    status: int
    placed_on: str
    pieces: int
    po_number: str
    real_total: Decimal
    shipping_fee: Decimal
    payment: str
    open_proposals: int
    answer_by: datetime | None


class ExportedOrder(NamedTuple):
    """An order as a row of the exported list. Amounts are US dollars."""

    invoice_code: str
    po_number: str
    placed_on: str
    status: int
    payment: str
    pieces: int
    real_total: Decimal
    shipping_fee: Decimal
    received: Decimal
    credited: Decimal
    written_off: Decimal


class PaymentSum(NamedTuple):
    """How many orders stand so with their payment, how many of them cancelled; what the others cost
    in US dollars.
    """

    payment: str
    orders: int
    cancelled: int
    amount: Decimal


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


def _select(row: type[ListedOrder] | type[ExportedOrder], most: int) -> str:
    names = ", ".join(f"o.{name}" for name in row._fields)
    names = names.replace("o.placed_on", "{day}").replace("o.payment", payment_sql("o"))
    names = names.replace("o.open_proposals", OPEN_PROPOSALS).replace("o.answer_by", ANSWER_BY)
    return f"""SELECT {names} FROM orders_order o
WHERE o.company_id = %s {{where}} ORDER BY o.id {{direction}} LIMIT {most}"""  # noqa: S608 - constants only


Condition = tuple[str, Sequence[Any]]
PAGE = _select(ListedOrder, PAGE_SIZE + 1)
EXPORT = _select(ExportedOrder, MOST_ROWS)
SUMS = f"""SELECT {payment_sql("o")}, COUNT(*), SUM(CASE WHEN o.status = {OrderStatus.CANCELLED:d} THEN 1 ELSE 0 END),
 SUM(CASE WHEN o.status = {OrderStatus.CANCELLED:d} THEN 0 ELSE o.real_total + o.shipping_fee END) FROM orders_order o
WHERE o.company_id = %s {{where}} GROUP BY 1"""  # noqa: S608 - constants only
# A word is looked for in the code, in the buyer's own number, in each product's name, SKU and
# brand, or ends its EAN.
WORD = """AND (LOWER(o.invoice_code) LIKE %s ESCAPE '\\' OR LOWER(o.po_number) LIKE %s ESCAPE '\\'
 OR EXISTS (SELECT 1 FROM orders_orderline l JOIN catalog_product p ON p.id = l.product_id
 WHERE l.order_id = o.id AND (p.search_text LIKE %s ESCAPE '\\' OR p.ean LIKE %s)))"""


def order_list(
    *, buyer: Buyer, status: OrderStatus | None, after: str = "", wanted: Wanted = EVERYTHING
) -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    conditions = [*_tab(status), *_conditions(wanted), *_beyond(after, wanted)]
    rows = _rows(buyer, conditions, direction="DESC" if wanted.sort == "newest" else "ASC")
    page = rows[:PAGE_SIZE]
    has_next = len(rows) > PAGE_SIZE
    return {
        "orderList": [_item(order) for order in page],
        "has_next": has_next,
        "next": str(page[-1].id) if has_next else None,
    }


def _beyond(after: str, wanted: Wanted) -> list[Condition]:
    """Return what leaves out the pages that were shown; nothing stands beyond what is no id."""
    if not after:
        return []
    last = int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
    if wanted.sort == "newest":
        return [("AND o.id < %s", [last])]
    return [("AND o.id > %s", [last or NEWEST])]


def order_in_list(*, buyer: Buyer, status: OrderStatus | None, invoice_code: str) -> Json:
    """Return one order as a list, empty when it is not in the tab. One statement.

    Raises:
        NotFound: unknown, or another company's.
    """
    rows = _rows(buyer, [("AND o.invoice_code = %s", [invoice_code])], direction="DESC")
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row.status == status]
    return {"orderList": [_item(order) for order in in_tab], "has_next": False, "next": None}


def order_sums(*, buyer: Buyer, status: OrderStatus | None, wanted: Wanted = EVERYTHING) -> Json:
    """Return how many of the company's orders are wanted and their sum in US dollars, as the list
    shows their amounts.

    What is cancelled is counted, and not in the sum. `payments` counts what each choice of the
    payment would leave, whatever is chosen of it. One statement.
    """
    conditions = [*_tab(status), *_conditions(replace(wanted, payment=()))]
    sql, values = _filled(SUMS, buyer, conditions)
    rows = fetch_all(PaymentSum, sql, values)
    states = _states(wanted)
    shown = [row for row in rows if not states or row.payment in states]
    return {
        "orders": sum(row.orders for row in shown),
        "cancelled": sum(row.cancelled for row in shown),
        "amount": usd(sum((row.amount for row in shown), ZERO)),
        "payments": [
            {
                "payment": name,
                "text": text,
                "orders": sum(row.orders for row in rows if row.payment in choice),
            }
            for name, (text, choice) in PAYMENTS.items()
        ],
    }


def exported_orders(
    *, buyer: Buyer, status: OrderStatus | None, wanted: Wanted = EVERYTHING
) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each of the company's orders that are wanted. One
    statement.
    """
    yield HEADINGS
    direction = "DESC" if wanted.sort == "newest" else "ASC"
    sql, values = _asked(EXPORT, buyer, [*_tab(status), *_conditions(wanted)], direction=direction)
    for order in each_row(ExportedOrder, sql, values):
        state = OrderStatus(order.status)
        yield (
            order.invoice_code,
            order.po_number,
            order.placed_on,
            LABELS[state],
            order.payment,
            order.pieces,
            order.real_total + order.shipping_fee,
            order.received,
            due(
                status=state,
                real_total=order.real_total,
                shipping_fee=order.shipping_fee,
                received=order.received,
                credited=order.credited,
                written_off=order.written_off,
            ),
        )


def _rows(buyer: Buyer, conditions: Sequence[Condition], *, direction: str) -> list[ListedOrder]:
    sql, values = _asked(PAGE, buyer, conditions, direction=direction)
    return fetch_all(ListedOrder, sql, values)


def _asked(
    select: str, buyer: Buyer, conditions: Sequence[Condition], *, direction: str
) -> tuple[str, Sequence[Any]]:
    # The database cuts and writes the day in the seller's time zone: moments cost more to make than
    # to read.
    day, zone = connection.ops.datetime_cast_date_sql(
        "o.placed_at", (), timezone.get_default_timezone_name()
    )
    sql, values = _filled(
        select, buyer, conditions, day=f"CAST({day} AS text)", direction=direction
    )
    return sql, [*zone, *values]


def _filled(
    select: str, buyer: Buyer, conditions: Sequence[Condition], **parts: str
) -> tuple[str, Sequence[Any]]:
    where = " ".join(sql for sql, _ in conditions)
    values = [buyer.company_id, *(value for _, values in conditions for value in values)]
    return select.format(where=where, **parts), values


def _states(wanted: Wanted) -> list[str]:
    """Return how the payment may stand; empty where it may stand as it does."""
    return [state.value for name in wanted.payment for state in PAYMENTS[name][1]]


def _tab(status: OrderStatus | None) -> list[Condition]:
    return [] if status is None else [("AND o.status = %s", [int(status)])]


def _conditions(wanted: Wanted) -> list[Condition]:
    found: list[Condition] = []
    words = search_words(wanted.search)[:MAX_WORDS]
    for word in words:
        name = containing(searchable(word) or word)
        ean = f"%{digits}" if (digits := end_of_ean(word)) else ""
        found.append((WORD, [containing(word), containing(word), name, ean]))
    if wanted.since:
        found.append(("AND o.placed_at >= %s", [_midnight(wanted.since)]))
    if wanted.until:
        found.append(("AND o.placed_at < %s", [_midnight(wanted.until + timedelta(days=1))]))
    if states := _states(wanted):
        places = ", ".join(["%s"] * len(states))
        found.append((f"AND ({payment_sql('o')}) IN ({places})", states))
    return found


def _midnight(day: date) -> Any:
    return connection.ops.adapt_datetimefield_value(midnight(day))


def _item(order: ListedOrder) -> Json:
    return {
        "order_id": order.id,
        "invoice_code": order.invoice_code,
        "message": LABELS[OrderStatus(order.status)],
        "status_id": order.status,
        "build_date": order.placed_on,
        "amount": order.real_total + order.shipping_fee,
        "pieces": order.pieces,
        "po_number": order.po_number,
        **payment_json(order.payment),
        "answers": answers_text(order.open_proposals, order.answer_by),
    }
