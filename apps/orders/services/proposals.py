"""Staff propose something else for lines of a preparing order, and take proposals back."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.models import Product
from apps.catalog.selectors import shown_to
from apps.catalog.services import stock
from apps.common.business_days import business_days_later
from apps.common.mail import queue
from apps.common.money import usd
from apps.common.promises import Promise, term_of
from apps.common.texts import Text, joined
from apps.orders import mail
from apps.orders.errors import ProposalClosed, StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import proposed, silence
from apps.orders.selectors.conversation import closed_text, open_proposals
from apps.orders.selectors.orders import seller_date
from apps.orders.services.confirm import available_pieces
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.status import OrderStatus, check_move

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer


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


@changes_order
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
    order = locked_order(order_id, version=version)
    check_move(order.state, OrderStatus.CONFIRMED)
    days = term_of(Promise.ANSWER).days if days is None else days
    answer_by = business_days_later(now, days)
    made = _checked(order, proposals, today=seller_date(now))
    stock.allocate(wanted=held_pieces(made), stock_free=order.user.stock_free)
    for proposal in made:
        proposal.proposed_by, proposal.proposed_at, proposal.answer_by = actor, now, answer_by
    LineProposal.objects.bulk_create(made)
    save_changed(order)
    record_each(
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


@changes_order
def withdraw(*, order_id: int, proposal_ids: Collection[int], actor: User, now: datetime) -> None:
    """Take open proposals of an order back: their lines are as they were ordered, held pieces are
    free again.

    Raises:
        NotFound: there is no such order.
        ProposalClosed: one is answered or closed by now; none is taken back.
    """
    order = locked_order(order_id)
    proposals = checked_open(order, proposal_ids)
    withdraw_all(order=order, proposals=proposals, actor=actor, now=now)


def withdraw_all(
    *,
    order: Order,
    proposals: Sequence[LineProposal] | None = None,
    actor: User,
    now: datetime,
) -> None:
    """Take open proposals of a locked order back, in the caller's transaction: all of them unless
    some are named, as it will not be confirmed.
    """
    if proposals is None:
        proposals = list(open_proposals(order).select_related("line__product", "product"))
    if not proposals:
        return
    stock.release(wanted=held_pieces(proposals))
    close(proposals, state=State.WITHDRAWN, by=actor, now=now)
    save_changed(order)
    record_each(
        order, [Text("%(line)s: taken back", line=named(one)) for one in proposals], actor, now
    )


def checked_open(order: Order, proposal_ids: Collection[int]) -> list[LineProposal]:
    """Return proposals of a locked order that are open, in the order of their numbers.

    Raises:
        ProposalClosed: one is not open any more, or no proposal of this order.
    """
    rows = order.proposals.filter(pk__in=proposal_ids)
    proposals = list(rows.select_related("line__product", "product", "decided_by").order_by("pk"))
    closed = {str(one.pk): [closed_text(one)] for one in proposals if one.state != State.OPEN}
    closed |= {
        str(pk): [_("No proposal of this order.")]
        for pk in set(proposal_ids) - {one.pk for one in proposals}
    }
    if closed or not proposals:
        raise ProposalClosed(errors=closed)
    return proposals


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


def held_pieces(proposals: Sequence[LineProposal]) -> Counter[int]:
    """Return the pieces that proposals hold, by product id."""
    held: Counter[int] = Counter()
    for proposal in proposals:
        if proposal.product_id is not None:
            held[proposal.product_id] += proposal.held
    return held


def named(proposal: LineProposal) -> str:
    """Return the product of a proposal's line, as the history names it."""
    return f"{proposal.line.product.eng_name} ({proposal.line.sku})"


def record_each(order: Order, notes: Sequence[Text], actor: User | None, now: datetime) -> None:
    """Write what happened to proposals into the history, as one entry."""
    note = joined("\n", list(notes))
    record(order, OrderEvent.Kind.PROPOSAL, note, actor=actor, now=now)


def _checked(order: Order, proposals: Sequence[NewProposal], *, today: date) -> list[LineProposal]:
    """Return the proposals as rows, each checked against its line, the stock and what the order has
    already. What one would send counts for those after it.
    """
    lines = {line.pk: line for line in order.lines.select_related("product")}
    named_products = Product.objects.filter(
        pk__in=[one.product_id for one in proposals if one.product_id is not None]
    )
    products = named_products.in_bulk()
    shown = set(named_products.filter(shown_to(order.company)).values_list("pk", flat=True))
    available = available_pieces(
        order=order, product_ids=[line.product_id for line in lines.values()]
    )
    waiting = list(open_proposals(order))
    busy = {one.line_id for one in waiting}
    goods = {(line.product_id, line.price) for line in lines.values()} | set(map(_goods, waiting))
    faults: dict[str, list[str]] = {}
    made = []
    for one in proposals:
        line = lines.get(one.line_id)
        if line is None or not line.is_confirmed:
            fault = _("No longer in this order.")
        elif line.pk in busy:
            fault = _("A proposal for it waits for its answer.")
        elif not (fault := _fault(one, line, products, shown, today=today)):
            row = _row(order, line, one, products)
            fault = _row_fault(row, goods, available[line.product_id], order.user.stock_free)
            made.append(row)
            busy.add(line.pk)
            goods.add(_goods(row))
        if fault:
            faults[f"line-{one.line_id}"] = [f"{line.sku if line else _('A line')}: {fault}"]
    if faults:
        raise StaffRefusal(_("Some proposals cannot be made like this."), errors=faults)
    if not made:
        raise StaffRefusal(_("Choose on a line what to propose."))
    return made


def _goods(row: LineProposal) -> tuple[int, Decimal]:
    """Return the product and price that would be sent: such a line stands once in an order."""
    return row.product_id or row.line.product_id, row.price


def _fault(
    one: NewProposal,
    line: OrderLine,
    products: Mapping[int, Product],
    shown: Collection[int],
    *,
    today: date,
) -> str:
    """Return what is wrong with the fields of a proposal, empty if nothing is."""
    if not line.price:
        return _("It costs nothing; there is nothing to agree on.")
    if one.kind in (Kind.FEWER, Kind.LATER):
        if not 0 <= one.pieces < line.quantity:
            return _("From 0 to %(most)s now.") % {"most": line.quantity - 1}
        if one.kind == Kind.LATER and (one.expected_on is None or one.expected_on <= today):
            return _("When is the rest expected? A day after today.")
        return ""
    return _price_fault(one, line, products, shown)


def _price_fault(
    one: NewProposal, line: OrderLine, products: Mapping[int, Product], shown: Collection[int]
) -> str:
    """Return what is wrong with another product or another price, empty if nothing is."""
    if one.kind == Kind.SUBSTITUTE:
        if one.product_id not in products:
            return _("Choose a product.")
        if one.pieces < 1:
            return _("At least one piece.")
    elif not one.reason or one.reason not in LineProposal.Reason.values:
        return _("Why another price?")
    elif one.price == line.price:
        return _("That is the price as ordered.")
    if one.price is None or usd(one.price) <= 0:
        return _("A price from 0.01 up.")
    if one.kind == Kind.SUBSTITUTE and one.product_id not in shown:
        return _("This customer does not see that product: it is hidden, or of another brand.")
    return ""


def _row(
    order: Order, line: OrderLine, one: NewProposal, products: Mapping[int, Product]
) -> LineProposal:
    is_other = one.kind == Kind.SUBSTITUTE
    row = LineProposal(
        order=order,
        line=line,
        kind=one.kind,
        ordered_pieces=line.quantity,
        ordered_price=line.price,
        pieces=line.quantity if one.kind == Kind.PRICE else one.pieces,
        price=usd(one.price or 0) if one.kind in (Kind.SUBSTITUTE, Kind.PRICE) else line.price,
        product=products.get(one.product_id or 0) if is_other else None,
        expected_on=one.expected_on if one.kind == Kind.LATER else None,
        reason=one.reason if one.kind == Kind.PRICE else "",
        comment=one.comment.strip(),
        held=one.pieces if is_other else 0,
        unanswered=one.unanswered,
    )
    row.difference = row.total - row.ordered_total
    return row


def _row_fault(
    row: LineProposal, goods: Collection[tuple[int, Decimal]], available: int, stock_free: bool
) -> str:
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
