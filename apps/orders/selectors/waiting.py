"""What the orders of a company wait for: the buyer's money, and what the seller has promised, with
its day; and what the company ordered, to order it again.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, Window
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.catalog.selectors import FormerLine, as_orderable
from apps.common.errors import NotFound
from apps.common.money import ZERO, dollars, usd
from apps.common.promises import Promise, due_at
from apps.common.types import Json
from apps.orders.models import Order, OrderEvent, OrderLine, OrderTally, month_bucket
from apps.orders.selectors.orders import OPEN_MONEY, orders_for, step_due_at
from apps.orders.selectors.progress import (
    ANSWER_BY,
    COVERED,
    OPEN_PROPOSALS,
    PAYMENT,
    PaymentStatus,
    is_to_wire,
    late_text,
    payment_json,
    promised_day,
    proposals_title,
)
from apps.orders.status import OrderStatus

S, P = OrderStatus, PaymentStatus
SHOWN = 6
LOOKED_AT = 50
WAITING_KINDS = ("answers", "deposit_wire", "deposit", "balance", "review", "promise")
SELLERS = ("review", "promise")  # the kinds that the buyer can only wait for
PAID_AT = Subquery(
    OrderEvent.objects.filter(order=OuterRef("pk"), kind=OrderEvent.Kind.PAYMENT)
    .order_by("-at")
    .values("at")[:1]
)
DUE_A_PAGE = 50
PROMISED = {S.RECEIVED: "Preparation", S.PREPARING: "Confirmation", S.PAID: "Shipment"}
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Step:
    """What an order waits for. `due` is None where no day is promised; `action` is what the buyer
    can do.
    """

    kind: str
    tone: str
    title: str
    text: str
    due: datetime | None = None
    action: str = ""


def what_is_due(*, buyer: Buyer, now: datetime) -> Json:
    """Return six steps of the company's orders, the buyer's own before the seller's, of either the
    nearest day first, and what is owed in all. One statement.
    """
    orders = _under_way(buyer).annotate(
        open_proposals=OPEN_PROPOSALS,
        answer_by=ANSWER_BY,
        paid_at=PAID_AT,
        owed=Window(Sum("missing")),
        orders=Window(Count("pk")),
    )
    rows: list[Any] = list(orders.order_by("due_at", "id")[:LOOKED_AT])
    steps = [(_step(row), row) for row in rows]
    first_steps = sorted(steps, key=lambda one: (one[0].kind in SELLERS, one[0].due or NEVER))[
        :SHOWN
    ]
    listed = []
    for step, row in first_steps:
        day = promised_day(step.due)
        late = late_text(step.due, now) if step.due else ""
        tone, text = step.tone, " · ".join(filter(None, [row.invoice_code, step.text]))
        if step.kind == "promise":
            tone, text = ("bad", f"Promised for {day}") if late else (step.tone, step.text)
        listed.append(
            {
                **vars(step),
                "tone": tone,
                "text": text,
                "due": late or (f"by {day}" if day else ""),
                "late": bool(late),
                "invoice_code": row.invoice_code,
                "status_id": row.status,
            }
        )
    return {
        "owed": usd(rows[0].owed) if rows else ZERO,
        "more": (rows[0].orders if rows else 0) - len(first_steps),
        "steps": listed,
    }


def money_due(*, buyer: Buyer, page: int = 1, now: datetime) -> Json:
    """Return the money that the company's orders wait for, a page of 50 of them, the nearest day
    first.

    `owed` is all that is missing, `reviewed` what of it is announced, both over all orders; amounts
    are US dollars. Two statements.
    """
    sums = _due_sums(buyer)
    before = (page - 1) * DUE_A_PAGE
    orders: Any = _under_way(buyer).filter(missing__gt=0).order_by("due_at", "id")
    rows = list(orders[before : before + DUE_A_PAGE])
    steps = sorted(((_money_step(row), row) for row in rows), key=lambda one: one[0].due or NEVER)
    return {
        "owed": usd(sums["owed"]),
        "reviewed": usd(sums["reviewed"]),
        "orders": sums["orders"],
        "next": page + 1 if before + len(rows) < sums["orders"] and rows else None,
        "rows": [
            {
                "invoice_code": row.invoice_code,
                "po_number": row.po_number,
                "status_id": row.status,
                "kind": "Deposit" if row.status < S.CONFIRMED else "Balance",
                **payment_json(row.payment),
                "amount": row.missing,
                "due": promised_day(step.due),
                "late": bool(step.due and late_text(step.due, now)),
                "action": step.action,
            }
            for step, row in steps
        ],
    }


def total_due(*, buyer: Buyer) -> Decimal:
    """Return what the company's orders wait for in all, in US dollars, as `money_due` sums it.
    One statement.
    """
    return usd(_due_sums(buyer)["owed"])


def _under_way(buyer: Buyer) -> QuerySet[Any]:
    """Return the company's orders that are under way, with how the payment of each stands and what
    is missing of it in US dollars.
    """
    orders = orders_for(buyer).filter(status__range=(S.RECEIVED, S.PAID))
    return orders.annotate(payment=PAYMENT, missing=OPEN_MONEY)


def _due_sums(buyer: Buyer) -> dict[str, Any]:
    """Return what the company's orders wait for in all, what of it is announced, and how many."""
    reviewed = Q(payment=P.REVIEWED)
    orders = _under_way(buyer).filter(missing__gt=0)
    return orders.aggregate(
        owed=Sum("missing", default=ZERO),
        reviewed=Sum("missing", filter=reviewed, default=ZERO),
        orders=Count("pk"),
    )


def ordered_this_year(*, buyer: Buyer, now: datetime) -> Json:
    """Return how many orders the company placed in the seller's year, and for how much at placing,
    in US dollars.

    Cancelled ones are left out, as in the dashboard's months. One statement.
    """
    year = timezone.localtime(now).year
    months = [month_bucket(f"{year}-{month:02d}") for month in range(1, 13)]
    tallies = OrderTally.objects.filter(company_id=buyer.company_id, bucket__in=months)
    sums = tallies.aggregate(orders=Sum("count"), amount=Sum("total"))
    return {"year": year, "orders": sums["orders"] or 0, "amount": usd(sums["amount"] or ZERO)}


def _step(row: Any) -> Step:
    if row.open_proposals:
        title = proposals_title(row.open_proposals)
        return Step("answers", "warn", title, "", row.answer_by, "Answer")
    if row.payment not in (*COVERED, P.PAID):
        return _money_step(row)
    status, due = row.state, row.due_at
    if status is S.RECEIVED and row.paid_at:  # nothing is promised before the deposit is there
        due = step_due_at(status, since=row.paid_at)
    pieces = f"{row.pieces:,} {'piece' if row.pieces == 1 else 'pieces'}"
    title = f"{PROMISED[status]} of {row.invoice_code}"
    return Step("promise", "mute", title, f"{pieces} · {dollars(row.real_total)}", due)


def _money_step(row: Any) -> Step:
    is_deposit, missing = row.status < S.CONFIRMED, dollars(row.missing)
    what = f"{'Deposit' if is_deposit else 'Balance'} {missing}"
    if row.payment == P.WIRE_AWAITED:
        due = due_at(Promise.WIRE, since=row.placed_at)
        text = "waiting for your wire"
        return Step("deposit_wire", "warn", f"{what} by wire", text, due, "Bank details")
    if row.payment == P.REVIEWED:
        return Step("review", "info", what, "under review")
    is_part = row.payment == P.PARTLY_PAID
    received = f"partly paid, {dollars(row.received)} received" if is_part else ""
    if is_deposit and is_to_wire(row):
        text = received or "please wire it"
        return Step("deposit_wire", "warn", what, text, action="Bank details")
    if is_deposit:
        ask = "please write to us how you want to pay it"
        return Step("deposit", "warn", what, received or ask, action="Open")
    return Step("balance", "info" if is_part else "warn", what, received, row.due_at, "Pay")


def order_again(
    *, buyer: Buyer, invoice_code: str = "", month: str = "", sku: str = "", now: datetime
) -> list[Json]:
    """Return what was ordered in one order, or in a month's orders that were not cancelled, as it
    can be ordered now.

    With a `sku`, that line alone. A product in several orders is added up; its price is that of the
    last. Two statements.

    Raises:
        NotFound: no order of the company, or nothing in it that is meant.
    """
    lines = OrderLine.objects.filter(order__company_id=buyer.company_id)
    if invoice_code:
        lines = lines.filter(order__invoice_code=invoice_code)
    else:
        lines = lines.filter(order__month=month).exclude(order__status=S.CANCELLED)
    former = _former_lines(lines.filter(sku=sku) if sku else lines)
    if not former:
        raise NotFound
    return as_orderable(buyer=buyer, lines=former, now=now)


def _former_lines(lines: QuerySet[OrderLine]) -> list[FormerLine]:
    """Return what was ordered of each product, as it was ordered first; its price is that of the
    last order.
    """
    sums = lines.filter(is_ordered=True).order_by().values("sku", "product__eng_name", "price")
    sums = sums.annotate(pieces=Sum("quantity"), newest=Max("order"), first=Min("pk"))
    of_sku: dict[str, list[Any]] = {}
    for row in sums.order_by("first"):
        of_sku.setdefault(row["sku"], []).append(row)
    return [
        FormerLine(
            sku=sku,
            eng_name=parts[0]["product__eng_name"],
            pieces=sum(part["pieces"] for part in parts),
            price=max(parts, key=lambda part: part["newest"])["price"],
        )
        for sku, parts in of_sku.items()
    ]


ORDERS_READ = 100
DAYS_READ = 365
OFTEN = 3  # orders that make a habit
MOST_REGULARS = 4
HABITS_READ = 20
# So much longer than usual is long: a quarter.
PATIENCE = 1.25


class Habit(NamedTuple):
    """How often a product was ordered, first, last, and in which order it was last."""

    sku: str
    times: int
    first: datetime
    last: datetime
    newest: int

    @property
    def usual(self) -> timedelta:
        """Return the time that usually lies between two orders of the product."""
        return (self.last - self.first) / (self.times - 1)

    def pace(self, now: datetime) -> Json:
        """Return in days how often the product is ordered and how long ago it was."""
        return {
            "every_days": max(1, round(self.usual / timedelta(days=1))),
            "days_ago": (now - self.last).days,
        }

    def is_late(self, now: datetime) -> bool:
        """Whether it was not ordered for longer than usual, by the days that are told of it too."""
        pace = self.pace(now)
        return now - self.last > self.usual * PATIENCE and pace["days_ago"] > pace["every_days"]


def not_ordered_for_long(*, buyer: Buyer, now: datetime) -> list[Json]:
    """Return the regular products that were not ordered for longer than usual and can be ordered
    now, at most four.

    Regular is what the last 100 orders of a year have at least three times. The longest overdue
    comes first; its pieces are those of its last order. Three statements.
    """
    orders = Order.objects.filter(
        company_id=buyer.company_id, placed_at__gte=now - timedelta(days=DAYS_READ)
    )
    newest = orders.exclude(status=S.CANCELLED).order_by("-id").values("pk")[:ORDERS_READ]
    ordered = OrderLine.objects.filter(is_ordered=True, order__in=newest).order_by().values("sku")
    sums = ordered.annotate(
        times=Count("order", distinct=True),
        first=Min("order__placed_at"),
        last=Max("order__placed_at"),
        newest=Max("order"),
    )
    habits = [Habit(**row) for row in sums.filter(times__gte=OFTEN)]
    late = {habit.sku: habit for habit in habits if habit.usual and habit.is_late(now)}
    longest = sorted(
        late.values(), key=lambda habit: (now - habit.last) / habit.usual, reverse=True
    )[:HABITS_READ]
    last = Q()
    for habit in longest:
        last |= Q(order=habit.newest, sku=habit.sku)
    former = _former_lines(OrderLine.objects.filter(last)) if longest else []
    newest_lines = {line.sku: line for line in former}
    lines = [newest_lines[habit.sku] for habit in longest if habit.sku in newest_lines]
    some = [line for line in as_orderable(buyer=buyer, lines=lines, now=now) if line["count"]]
    return [{**line, **late[line["sku"]].pace(now)} for line in some[:MOST_REGULARS]]
