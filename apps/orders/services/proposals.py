"""Staff propose something else for lines of a preparing order, and take proposals back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.models import Product
from apps.catalog.selectors import shown_to
from apps.catalog.services import stock
from apps.common.business_days import business_days_later
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import usd
from apps.common.permissions import needs
from apps.common.promises import Promise, term_of
from apps.common.seller import seller
from apps.common.texts import Text, joined
from apps.orders import mail
from apps.orders.errors import ProposalClosed, StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import (
    MOST_DAYS,
    deadline,
    deadline_text,
    later_answers,
    proposed,
    silence,
)
from apps.orders.selectors import get_order_for_staff, seller_date
from apps.orders.selectors.proposals import closed_text, open_proposals
from apps.orders.services.confirm import MAX_PRICE, available_pieces, too_long
from apps.orders.services.stale import stale
from apps.orders.status import OrderStatus, check_move

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer
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
    """Propose something else for lines of a preparing order; the buyer gets one mail, and so many
    business days.

    What was ordered stays as it is until the buyer answers. The pieces of a substitute are promised
    at once.

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
        raise StaffRefusal(
            _("The answer's date is wrong."),
            errors={"days": [_("From 1 to %(most)s business days.") % {"most": MOST_DAYS}]},
        )
    answer_by = business_days_later(timezone.localtime(now), days, closed=seller().closed_days)
    made = _checked(order, proposals, today=seller_date(now))
    stock.allocate(wanted=held_pieces(made), stock_free=order.user.stock_free)
    for proposal in made:
        proposal.proposed_by, proposal.proposed_at, proposal.answer_by = actor, now, answer_by
    LineProposal.objects.bulk_create(made)
    order.version += 1
    order.save(update_fields=["version"])
    record(
        order,
        [
            Text(
                "%(line)s: %(proposal)s; unanswered: %(silence)s",
                line=named(one),
                proposal=proposed(one),
                silence=silence(one),
            )
            for one in made
        ],
        actor,
        now,
    )
    queue([mail.proposals(order, made)])
    return made


@needs("orders.change_order")
@one_transaction
def withdraw(*, order_id: int, proposal_ids: Collection[int], actor: User, now: datetime) -> None:
    """Take open proposals of an order back: their lines are as they were ordered, held pieces are
    free again.

    Raises:
        NotFound: there is no such order.
        ProposalClosed: one is answered or closed by now; none is taken back.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    close_open(order, checked_open(order, proposal_ids), actor=actor, now=now)


@needs("orders.change_order")
@one_transaction
def give_more_time(*, order_id: int, until: date, actor: User, now: datetime) -> list[LineProposal]:
    """Move the answer's date of an order's open proposals; the buyer is mailed. What silence means
    applies only then.

    What is answered by now stays so. `until` is a day of `later_answers`, which keeps their time of
    day.

    Raises:
        NotFound: there is no such order.
        ProposalClosed: none is open any more; `errors` says who closed the last.
        StaffRefusal: no such day, it is not later than it was, or later than a proposal may wait.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    waiting = list(open_proposals(order).select_related("line__product", "product"))
    if not waiting:
        last = order.proposals.select_related("decided_by").order_by("decided_at").last()
        raise ProposalClosed(errors={str(last.pk): [closed_text(last)]} if last else None)
    days = {moment.date(): moment for moment in later_answers(waiting, now=now)}
    if until not in days:
        was = deadline_text(max(one.answer_by for one in waiting))
        text = _(
            "The buyer has time until %(moment)s. Choose a business day after that, "
            "at most %(most)s after it was proposed."
        )
        raise StaffRefusal(text % {"moment": was, "most": MOST_DAYS})
    moment = days[until]
    LineProposal.objects.filter(pk__in=[one.pk for one in waiting]).update(answer_by=moment)
    for proposal in waiting:
        proposal.answer_by = moment
    record(
        order,
        [
            Text(
                "%(line)s: more time to answer, until %(until)s",
                line=named(one),
                until=deadline(moment),
            )
            for one in waiting
        ],
        actor,
        now,
    )
    queue([mail.more_time(order, waiting)])
    return waiting


def withdraw_all(*, order: Order, actor: User, now: datetime) -> None:
    """Take every open proposal of a locked order back, in the caller's transaction: it will not be
    confirmed.
    """
    close_open(
        order,
        list(open_proposals(order).select_related("line__product", "product")),
        actor=actor,
        now=now,
    )


def close_open(
    order: Order, proposals: Sequence[LineProposal], *, actor: User, now: datetime
) -> None:
    """Take open proposals of a locked order back."""
    if not proposals:
        return
    stock.release(wanted=held_pieces(proposals))
    close(proposals, state=State.WITHDRAWN, by=actor, now=now)
    order.version += 1
    order.save(update_fields=["version"])
    record(order, [Text("%(line)s: taken back", line=named(one)) for one in proposals], actor, now)


def checked_open(order: Order, proposal_ids: Collection[int]) -> list[LineProposal]:
    """Return proposals of a locked order that are open, in the order of their numbers.

    Raises:
        ProposalClosed: one is not open any more, or no proposal of this order.
    """
    rows = LineProposal.objects.filter(order=order, pk__in=proposal_ids)
    found = list(rows.select_related("line__product", "product", "decided_by").order_by("pk"))
    closed = {str(one.pk): [closed_text(one)] for one in found if one.state != State.OPEN}
    closed |= {
        str(pk): [_("No proposal of this order.")]
        for pk in set(proposal_ids) - {one.pk for one in found}
    }
    if closed or not found:
        raise ProposalClosed(errors=closed)
    return found


def close(proposals: Sequence[LineProposal], *, state: str, by: User | None, now: datetime) -> None:
    """Write the end of open proposals; what they held is with a line by now, or given back. One
    statement.
    """
    for proposal in proposals:
        proposal.state, proposal.decided_by, proposal.decided_at, proposal.held = state, by, now, 0
    pks = [proposal.pk for proposal in proposals]
    LineProposal.objects.filter(pk__in=pks).update(
        state=state, decided_by=by, decided_at=now, held=0
    )


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


def record(order: Order, notes: Sequence[Text], actor: User | None, now: datetime) -> None:
    """Write what happened to proposals into the history."""
    kind = OrderEvent.Kind.PROPOSAL
    OrderEvent.objects.create(
        order=order, kind=kind, actor=actor, note=joined("\n", list(notes)).stored(), at=now
    )


def _checked(order: Order, proposals: Sequence[NewProposal], *, today: date) -> list[LineProposal]:
    """Return the proposals as rows, each checked against its line, the stock and what the order has
    already.
    """
    checks = _Checks(order, proposals, today=today)
    faults: dict[str, list[str]] = {}
    made = []
    for one in proposals:
        row, fault = checks.row_of(one)
        if fault:
            faults[f"line-{one.line_id}"] = [f"{checks.name_of(one)}: {fault}"]
        elif row is not None:
            made.append(row)
    if faults:
        raise StaffRefusal(_("Some proposals cannot be made like this."), errors=faults)
    if not made:
        raise StaffRefusal(_("Choose on a line what to propose."))
    return made


class _Checks:
    """What proposals are checked against: the order's lines, what waits at them, what would be
    sent, what is free.
    """

    def __init__(self, order: Order, proposals: Sequence[NewProposal], *, today: date) -> None:
        self.order, self.today = order, today
        self.lines = {line.pk: line for line in order.lines.select_related("product")}
        others = Product.objects.filter(
            pk__in=[one.product_id for one in proposals if one.product_id is not None]
        )
        self.products = others.in_bulk()
        shown = others.filter(shown_to(order.company)).values_list("pk", flat=True)
        self.shown = set(shown) if self.products else set()
        self.available = available_pieces(
            order=order, product_ids=[line.product_id for line in self.lines.values()]
        )
        waiting = list(open_proposals(order))
        self.busy = {one.line_id for one in waiting}
        self.goods = {(line.product_id, line.price) for line in self.lines.values()} | set(
            map(_goods, waiting)
        )

    def name_of(self, one: NewProposal) -> str:
        """Return what a refusal calls a proposal's line."""
        line = self.lines.get(one.line_id)
        return line.sku if line else _("A line")

    def row_of(self, one: NewProposal) -> tuple[LineProposal | None, str]:
        """Return a proposal as a row, and what is wrong with it. What it would send counts for
        those after it.
        """
        line = self.lines.get(one.line_id)
        fault = _line_fault(line, is_busy=one.line_id in self.busy)
        fault = fault or _fault(one, line, self.products, today=self.today) or self._seen_fault(one)
        if line is None or fault:
            return None, fault
        row = _row(self.order, line, one, self.products)
        fault = _row_fault(
            row, self.goods, self.available[line.product_id], self.order.user.stock_free
        )
        self.busy.add(line.pk)
        self.goods.add(_goods(row))
        return row, fault

    def _seen_fault(self, one: NewProposal) -> str:
        is_other = one.kind == Kind.SUBSTITUTE and one.product_id not in self.shown
        return (
            _("This customer does not see that product: it is hidden, or of another brand.")
            if is_other
            else ""
        )


def _goods(row: LineProposal) -> tuple[int, Decimal]:
    """Return the product and price that would be sent: such a line stands once in an order."""
    return row.product_id or row.line.product_id, row.price


def _line_fault(line: OrderLine | None, *, is_busy: bool) -> str:
    if line is None or not line.is_confirmed:
        return _("Not in this order any more.")
    if is_busy:
        return _("A proposal for it waits for its answer.")
    return "" if line.price else _("It costs nothing; there is nothing to agree on.")


def _fault(
    one: NewProposal, line: OrderLine | None, products: dict[int, Product], *, today: date
) -> str:
    """Return what is wrong with the fields of a proposal, empty if nothing is."""
    if one.unanswered not in Answer.values:
        return _("Choose what applies without an answer.")
    if fault := too_long(one.comment):
        return fault
    match one.kind:
        case Kind.FEWER | Kind.LATER:
            return _fewer_fault(one, line, today=today)
        case Kind.SUBSTITUTE:
            return _substitute_fault(one, products)
        case Kind.PRICE:
            return _price_fault(one, line)
    return _("Choose what to propose.")


def _fewer_fault(one: NewProposal, line: OrderLine | None, *, today: date) -> str:
    if line is None or not 0 <= one.pieces < line.quantity:
        return _("From 0 to %(most)s now.") % {"most": line.quantity - 1 if line else 0}
    if one.kind == Kind.LATER and (one.expected_on is None or one.expected_on <= today):
        return _("When is the rest expected? A day after today.")
    return ""


def _substitute_fault(one: NewProposal, products: dict[int, Product]) -> str:
    if one.product_id not in products:
        return _("Choose a product.")
    if one.pieces < 1:
        return _("At least one piece.")
    return _amount_fault(one.price)


def _price_fault(one: NewProposal, line: OrderLine | None) -> str:
    if not one.reason or one.reason not in LineProposal.Reason.values:
        return _("Why another price?")
    if line is not None and one.price == line.price:
        return _("That is the price as ordered.")
    return _amount_fault(one.price)


def _amount_fault(price: Decimal | None) -> str:
    is_right = price is not None and 0 < usd(price) <= MAX_PRICE
    return "" if is_right else _("A price from 0.01 up.")


def _row(
    order: Order, line: OrderLine, one: NewProposal, products: dict[int, Product]
) -> LineProposal:
    is_other = one.kind == Kind.SUBSTITUTE
    price = (
        usd(one.price)
        if one.price is not None and one.kind in (Kind.SUBSTITUTE, Kind.PRICE)
        else line.price
    )
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
        return _("This product is in the order already at this price.")
    if row.kind != Kind.SUBSTITUTE and row.pieces > available and not stock_free:
        return _("Only %(pieces)s available.") % {"pieces": available}
    if row.unanswered == Answer.ACCEPT and row.difference > 0:
        text = _("It costs %(amount)s more than ordered, so silence cannot accept it.")
        return text % {"amount": usd(row.difference)}
    return ""
