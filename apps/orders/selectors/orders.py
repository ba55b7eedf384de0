"""Reads of orders. Each takes the buyer and starts from the rows that the buyer may see. What
orders still have to bring stands here as expressions of a statement too, for lists and sums.
"""

from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Case, DecimalField, ExpressionWrapper, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest, Round
from django.utils import timezone

from apps.accounts.selectors import Buyer, address_book, postal_address
from apps.accounts.shipping import ship_fields
from apps.catalog.selectors import shown_to_buyer
from apps.common.errors import NotFound, row_or_404
from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.types import Json
from apps.orders import rules
from apps.orders.errors import Expired, OrderExists
from apps.orders.models import Order, OrderLine, TemporaryOrder
from apps.orders.proposal_rules import deadline_text
from apps.orders.status import OrderStatus

MONEY: DecimalField = DecimalField(max_digits=16, decimal_places=2)
NOTHING = Value(Decimal("0.00"), output_field=MONEY)
S = OrderStatus


def _money(expression: Any) -> Round:
    return Round(ExpressionWrapper(expression, output_field=MONEY), 2)


def cost(order: str = "") -> Round:
    """Return what an order costs by now, confirmed lines and shipping fee; `order` leads to it, as
    `orders__`.
    """
    return _money(F(f"{order}real_total") + F(f"{order}shipping_fee"))


def balance(order: str = "") -> Round:
    """Return what is still to pay of a confirmed order, below zero where too much came."""
    paid = F(f"{order}received") - F(f"{order}credited") + F(f"{order}written_off")
    return _money(F(f"{order}real_total") + F(f"{order}shipping_fee") - paid)


def open_money(order: str = "") -> Case:
    """Return the deposit that has not come, or the balance until the order ships."""
    deposit = _money(F(f"{order}deposit") - F(f"{order}deposit_received"))
    status = f"{order}status__in"
    return Case(
        When(Q((status, (S.RECEIVED, S.PREPARING))), then=Greatest(deposit, NOTHING)),
        When(Q((status, (S.CONFIRMED, S.PAID))), then=Greatest(balance(order), NOTHING)),
        default=NOTHING,
        output_field=MONEY,
    )


COST, OPEN_MONEY = cost(), open_money()


def is_overdue(now: datetime, order: str = "") -> Q:
    """Return which orders' balance is late: the buyer's own step (docs/orders.md, What is late)."""
    return Q((f"{order}status", S.CONFIRMED), (f"{order}due_at__lte", now))


# When the step after a status is late: an order's own part of what the seller promises.
STEP_PROMISES: dict[OrderStatus, Promise] = {
    S.RECEIVED: Promise.PREPARE,
    S.PREPARING: Promise.CONFIRM,
    S.CONFIRMED: Promise.BALANCE,
    S.PAID: Promise.SHIP,
}


def step_due_at(status: OrderStatus, *, since: datetime) -> datetime | None:
    """Return when an order that reached a status then is late; None where nothing follows."""
    promise = STEP_PROMISES.get(status)
    return None if promise is None else due_at(promise, since=since)


MONTHS_SHOWN = 3
REQUESTS_SHOWN = 20
MAX_CODE = 40


def orders_for(buyer: Buyer) -> QuerySet[Order]:
    """Return the orders that a buyer may see: the company's."""
    return Order.objects.filter(company_id=buyer.company_id)


def get_order(*, buyer: Buyer, invoice_code: str, lock: bool = False) -> Order:
    """Return an order of the buyer's company, with the user who ordered; locked when it is about to
    change.

    Raises:
        NotFound: unknown, or another company's.
    """
    orders = orders_for(buyer).select_related("user")
    if lock:
        orders = orders.select_for_update(of=("self",))
    return row_or_404(orders.filter(invoice_code=invoice_code))


def get_order_for_staff(*, order_id: int, lock: bool = False) -> Order:
    """Return an order with its company and the user who ordered; locked when it is about to change.

    Raises:
        NotFound: there is none.
    """
    orders = Order.objects.select_related("company", "user")
    if lock:
        orders = orders.select_for_update(of=("self",))
    return row_or_404(orders.filter(pk=order_id))


def seller_date(moment: datetime) -> date:
    """Return the day of a moment in the seller's time zone."""
    return moment.astimezone(timezone.get_default_timezone()).date()


def number_of(invoice_code: str) -> int:
    """Return the number at a code's end, which is its temporary order's; 0 for what is no such
    code.
    """
    number = invoice_code.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0


def get_temporary_order(*, buyer: Buyer, invoice_code: str, lock: bool = False) -> TemporaryOrder:
    """Return the buyer's own temporary order, whatever has become of it.

    Raises:
        NotFound: unknown, or somebody else's, a colleague's included.
    """
    drafts = TemporaryOrder.objects.filter(user_id=buyer.id, pk=number_of(invoice_code))
    draft = (drafts.select_for_update() if lock else drafts).first()
    if draft is None or draft.invoice_code != invoice_code:
        raise NotFound
    return draft


def get_open_temporary_order(*, buyer: Buyer, invoice_code: str, now: datetime) -> TemporaryOrder:
    """Return the buyer's temporary order while it can be checked out.

    Raises:
        NotFound: unknown, or somebody else's.
        OrderExists: it is an order already.
        Expired: it is older than 7 days.
    """
    if orders_for(buyer).filter(invoice_code=invoice_code).exists():
        raise OrderExists
    draft = get_temporary_order(buyer=buyer, invoice_code=invoice_code)
    if draft.expires_at <= now:
        raise Expired
    return draft


def unfinished_requests(*, buyer: Buyer, now: datetime) -> list[Json]:
    """Return the buyer's requests that he left before the checkout and that have not expired, the
    newest first.

    At most 20 of them. `until` says in words how long the prices hold; nothing else does (readings,
    The trade). One statement.
    """
    drafts = TemporaryOrder.objects.filter(
        user_id=buyer.id, ordered_at__isnull=True, expires_at__gt=now
    )
    newest = drafts.defer("lines").order_by("-id")[:REQUESTS_SHOWN]
    return [
        {
            "invoice_code": draft.invoice_code,
            "build_date": seller_date(draft.created_at),
            "total": draft.total,
            "count": draft.count,
            "until": f"Prices are held until {deadline_text(draft.expires_at)}.",
        }
        for draft in newest
    ]


def is_ordered(*, buyer: Buyer, invoice_code: str) -> bool:
    """Return whether a code is an order of the company already (api.md, POST /order/check).

    Raises:
        NotFound: neither an order of the company nor a temporary order of the buyer.
    """
    if orders_for(buyer).filter(invoice_code=invoice_code).exists():
        return True
    get_temporary_order(buyer=buyer, invoice_code=invoice_code)
    return False


def find_invoice_code(*, buyer: Buyer, text: str) -> str | None:
    """Return the code of the company's order that a search names whole, case ignored (section 5,
    Quick search).
    """
    code = text.strip().upper()
    if "\x00" in code or len(code) > MAX_CODE:
        return None
    return (
        orders_for(buyer).filter(invoice_code=code).values_list("invoice_code", flat=True).first()
    )


def recent_orders(*, buyer: Buyer, limit: int) -> list[Json]:
    """Return the company's newest orders with what was ordered of the products that the buyer sees.
    Two statements.
    """
    orders = list(orders_for(buyer)[:limit])
    lines = OrderLine.objects.filter(order__in=orders, is_ordered=True)
    pieces: dict[int, Counter[str]] = {order.pk: Counter() for order in orders}
    for line in lines.filter(shown_to_buyer(buyer, "product__")):
        # The parts of a split line are one line of the order again.
        pieces[line.order_id][line.sku] += line.quantity
    return [
        {
            "invoice_code": order.invoice_code,
            "build_date": seller_date(order.placed_at),
            "total": order.total,
            "count": order.count,
            "details": [{"sku": sku, "count": n} for sku, n in pieces[order.pk].items()],
        }
        for order in orders
    ]


def order_address(*, buyer: Buyer, invoice_code: str) -> Json:
    """Return an order's shipping address, the countries, and the states of its country.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    return {
        "addressInfo": ship_fields(order),
        "countryList": entries(None),
        "stateList": entries(order.ship_country_id) if order.ship_country_id else [],
    }


def address_text(row: Order | TemporaryOrder) -> str:
    """Return a shipping address in lines, as people write it."""
    to = postal_address(row, prefix="ship_")
    place = " ".join(part for part in (to.city, to.zipcode) if part)
    parts = (to.address1, to.address2, place, to.state, to.country, row.ship_phone)
    return "\n".join(part for part in parts if part)


def entries(country: int | None) -> list[Json]:
    """Return the countries, or a country's states, as address entries."""
    places = address_book.countries() if country is None else address_book.states(country)
    return [{"address_id": entry.pk, "content": entry.content} for entry in places]


def due_of(order: Any) -> Decimal:
    """Return what is still to pay of an order in US dollars: nothing before it is confirmed or once
    cancelled.

    What was credited to the wallet pays no order any more: it counts where a wire is moved away
    afterwards.
    """
    if not OrderStatus(order.status).is_priced:
        return ZERO
    return rules.balance_due(
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received - order.credited + order.written_off,
    )


def month_of(moment: datetime) -> str:
    """Return the calendar month of a moment in the seller's time zone, as `2026-11`."""
    return f"{timezone.localtime(moment):%Y-%m}"


def last_months(now: datetime, count: int = MONTHS_SHOWN, *, before: int = 0) -> list[str]:
    """Return the last calendar months in the seller's time zone, up to the one `before` this one,
    oldest first.
    """
    today = timezone.localtime(now)
    serial = today.year * 12 + today.month - before
    return [f"{one // 12}-{one % 12 + 1:02d}" for one in range(serial - count, serial)]
