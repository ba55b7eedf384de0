"""Staff propose something else for lines of a preparing order, and take proposals back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from apps.accounts.models import User
from apps.catalog.models import Product
from apps.catalog.services import stock
from apps.common.business_days import business_days_later
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import usd
from apps.common.permissions import needs
from apps.common.promises import Promise, term_of
from apps.orders import mail
from apps.orders.errors import ProposalClosed, StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import proposed_text, silence_text
from apps.orders.selectors import get_order_for_staff, seller_date
from apps.orders.selectors.proposals import closed_text, open_proposals
from apps.orders.services.confirm import MAX_PRICE, available_pieces, stale
from apps.orders.services.line_parts import MAX_COMMENT
from apps.orders.status import OrderStatus, check_move

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer
MOST_DAYS = 20
Goods = set[tuple[int, Decimal]]


@dataclass(frozen=True)
class NewProposal:
    """What staff propose of a line; which of the later fields it needs depends on its kind."""

    line_id: int
    kind: str
    pieces: int
    unanswered: str = Answer.DECLINE
    price: Decimal | None = None
    product_id: int | None = None
    expected_on: date | None = None
    reason: str = ""
    comment: str = ""


@needs("orders.change_order")
@one_transaction
def propose(
    *,
    order_id: int,
    version: int,
    proposals: Sequence[NewProposal],
    days: int | None = None,
    actor: User,
    now: datetime,
) -> list[LineProposal]:
    """Propose something else for lines of a preparing order; the buyer gets one mail, and so many business days.

    What was ordered stays as it is until the buyer answers. The pieces of a substitute are promised at once.

    Raises:
        NotFound: there is no such order.
        StaleOrder: somebody changed it since the page was opened.
        WrongStatus: it is not at Preparing.
        StaffRefusal: a proposal that cannot be made; `errors` by line.
        OutOfStock: a substitute has too few pieces.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    if order.version != version:
        raise stale(order)
    check_move(OrderStatus(order.status), OrderStatus.CONFIRMED)
    days = term_of(Promise.ANSWER).days if days is None else days
    if not 1 <= days <= MOST_DAYS:
        raise StaffRefusal("The answer's date is wrong.", errors={"days": [f"From 1 to {MOST_DAYS} business days."]})
    answer_by = business_days_later(timezone.localtime(now), days, closed=settings.CLOSED_DAYS)
    made = _checked(order, proposals, today=seller_date(now))
    stock.allocate(wanted=held_pieces(made), stock_free=order.user.stock_free)
    for proposal in made:
        proposal.proposed_by, proposal.proposed_at, proposal.answer_by = actor, now, answer_by
    LineProposal.objects.bulk_create(made)
    order.version += 1
    order.save(update_fields=["version"])
    record(order, [f"{named(one)}: {proposed_text(one)}; unanswered: {silence_text(one)}" for one in made], actor, now)
    queue([mail.proposals(order, made)])
    return made


@needs("orders.change_order")
@one_transaction
def withdraw(*, order_id: int, proposal_ids: Collection[int], actor: User, now: datetime) -> None:
    """Take open proposals of an order back: their lines are as they were ordered, held pieces are free again.

    Raises:
        NotFound: there is no such order.
        ProposalClosed: one is answered or closed by now; none is taken back.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    close_open(order, checked_open(order, proposal_ids), actor=actor, now=now)


def withdraw_all(*, order: Order, actor: User, now: datetime) -> None:
    """Take every open proposal of a locked order back, in the caller's transaction: it will not be confirmed."""
    close_open(order, list(open_proposals(order).select_related("line__product", "product")), actor=actor, now=now)


def close_open(order: Order, proposals: Sequence[LineProposal], *, actor: User, now: datetime) -> None:
    """Take open proposals of a locked order back."""
    if not proposals:
        return
    stock.release(wanted=held_pieces(proposals))
    close(proposals, state=State.WITHDRAWN, by=actor, now=now)
    order.version += 1
    order.save(update_fields=["version"])
    record(order, [f"{named(one)}: taken back" for one in proposals], actor, now)


def checked_open(order: Order, proposal_ids: Collection[int]) -> list[LineProposal]:
    """Return proposals of a locked order that are open, in the order of their numbers.

    Raises:
        ProposalClosed: one is not open any more, or no proposal of this order.
    """
    rows = LineProposal.objects.filter(order=order, pk__in=proposal_ids)
    found = list(rows.select_related("line__product", "product", "decided_by").order_by("pk"))
    closed = {str(one.pk): [closed_text(one)] for one in found if one.state != State.OPEN}
    closed |= {str(pk): ["No proposal of this order."] for pk in set(proposal_ids) - {one.pk for one in found}}
    if closed or not found:
        raise ProposalClosed(errors=closed)
    return found


def close(proposals: Sequence[LineProposal], *, state: str, by: User | None, now: datetime) -> None:
    """Write the end of open proposals; what they held is with a line by now, or given back. One statement."""
    for proposal in proposals:
        proposal.state, proposal.decided_by, proposal.decided_at, proposal.held = state, by, now, 0
    pks = [proposal.pk for proposal in proposals]
    LineProposal.objects.filter(pk__in=pks).update(state=state, decided_by=by, decided_at=now, held=0)


def held_pieces(proposals: Sequence[LineProposal]) -> dict[int, int]:
    """Return the pieces that proposals hold, by product id."""
    held: dict[int, int] = {}
    for proposal in proposals:
        if proposal.product_id is not None:
            held[proposal.product_id] = held.get(proposal.product_id, 0) + proposal.held
    return held


def named(proposal: LineProposal) -> str:
    """Return the product of a proposal's line, as the history names it."""
    return f"{proposal.line.product.eng_name} ({proposal.line.sku})"


def record(order: Order, notes: Sequence[str], actor: User | None, now: datetime) -> None:
    """Write what happened to proposals into the history."""
    kind = OrderEvent.Kind.PROPOSAL
    OrderEvent.objects.create(order=order, kind=kind, actor=actor, note="\n".join(notes), at=now)


def _checked(order: Order, proposals: Sequence[NewProposal], *, today: date) -> list[LineProposal]:
    """Return the proposals as rows, each checked against its line, the stock and what the order has already."""
    every = {line.pk: line for line in order.lines.select_related("product")}
    products = Product.objects.in_bulk([one.product_id for one in proposals if one.product_id is not None])
    available = available_pieces(order=order, product_ids=[line.product_id for line in every.values()])
    waiting = list(open_proposals(order))
    busy = {one.line_id for one in waiting}
    goods = {(line.product_id, line.price) for line in every.values()} | {_goods(one) for one in waiting}
    faults: dict[str, list[str]] = {}
    made = []
    for one in proposals:
        line = every.get(one.line_id)
        fault = _line_fault(line, is_busy=one.line_id in busy) or _fault(one, line, products, today=today)
        if line is not None and not fault:
            row = _row(order, line, one, products)
            fault = _row_fault(row, goods, available[line.product_id], order.user.stock_free)
            made.append(row)
            busy.add(line.pk)
            goods.add(_goods(row))
        if fault:
            faults[f"line-{one.line_id}"] = [f"{line.sku if line else 'A line'}: {fault}"]
    if faults:
        raise StaffRefusal("Some proposals cannot be made like this.", errors=faults)
    if not made:
        raise StaffRefusal("Choose on a line what to propose.")
    return made


def _goods(row: LineProposal) -> tuple[int, Decimal]:
    """Return the product and price that would be sent: such a line stands once in an order."""
    return row.product_id or row.line.product_id, row.price


def _line_fault(line: OrderLine | None, *, is_busy: bool) -> str:
    if line is None or not line.is_confirmed:
        return "Not in this order any more."
    if is_busy:
        return "A proposal for it waits for its answer."
    return "" if line.price else "It costs nothing; there is nothing to agree on."


def _fault(one: NewProposal, line: OrderLine | None, products: dict[int, Product], *, today: date) -> str:
    """Return what is wrong with the fields of a proposal, empty if nothing is."""
    if one.unanswered not in Answer.values:
        return "Choose what applies without an answer."
    if len(one.comment) > MAX_COMMENT:
        return f"At most {MAX_COMMENT} characters."
    match one.kind:
        case Kind.FEWER | Kind.LATER:
            return _fewer_fault(one, line, today=today)
        case Kind.SUBSTITUTE:
            return _substitute_fault(one, products)
        case Kind.PRICE:
            return _price_fault(one, line)
    return "Choose what to propose."


def _fewer_fault(one: NewProposal, line: OrderLine | None, *, today: date) -> str:
    if line is None or not 0 <= one.pieces < line.quantity:
        return f"From 0 to {line.quantity - 1 if line else 0} now."
    if one.kind == Kind.LATER and (one.expected_on is None or one.expected_on <= today):
        return "When is the rest expected? A day after today."
    return ""


def _substitute_fault(one: NewProposal, products: dict[int, Product]) -> str:
    if one.product_id not in products:
        return "Choose a product."
    if one.pieces < 1:
        return "At least one piece."
    return _amount_fault(one.price)


def _price_fault(one: NewProposal, line: OrderLine | None) -> str:
    if not one.reason or one.reason not in LineProposal.Reason.values:
        return "Why another price?"
    if line is not None and one.price == line.price:
        return "That is the price as ordered."
    return _amount_fault(one.price)


def _amount_fault(price: Decimal | None) -> str:
    return "" if price is not None and 0 < usd(price) <= MAX_PRICE else "A price from 0.01 up."


def _row(order: Order, line: OrderLine, one: NewProposal, products: dict[int, Product]) -> LineProposal:
    is_other = one.kind == Kind.SUBSTITUTE
    price = usd(one.price) if one.price is not None and one.kind in (Kind.SUBSTITUTE, Kind.PRICE) else line.price
    row = LineProposal(
        order=order,
        line=line,
        kind=one.kind,
        ordered_pieces=line.quantity,
        ordered_price=line.price,
        pieces=line.quantity if one.kind == Kind.PRICE else one.pieces,
        price=price,
        product=products[one.product_id] if is_other and one.product_id is not None else None,
        expected_on=one.expected_on if one.kind == Kind.LATER else None,
        reason=one.reason if one.kind == Kind.PRICE else "",
        comment=one.comment.strip(),
        held=one.pieces if is_other else 0,
        unanswered=one.unanswered,
    )
    row.difference = row.total - row.ordered_total
    return row


def _row_fault(row: LineProposal, goods: Goods, available: int, stock_free: bool) -> str:
    """Return what stands against a proposal in this order, empty if nothing does."""
    is_new = row.kind in (Kind.SUBSTITUTE, Kind.PRICE)
    if is_new and _goods(row) in goods:
        return "This product is in the order already at this price."
    if row.kind != Kind.SUBSTITUTE and row.pieces > available and not stock_free:
        return f"Only {available} available."
    if row.unanswered == Answer.ACCEPT and row.difference > 0:
        return f"It costs {usd(row.difference)} more than ordered, so silence cannot accept it."
    return ""
