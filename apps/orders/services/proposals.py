"""Staff propose something else for lines of a preparing order, and take proposals back; the buyer
accepts, declines or asks, and without an answer the default applies.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.selectors import quantities, shown_to
from apps.catalog.services import stock
from apps.common.days import business_days_later
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, WrongStatus
from apps.common.mail import queue
from apps.common.money import usd
from apps.common.promises import Promise, term_of
from apps.common.texts import Text, gettext as _, joined, phrase
from apps.orders import mail, rules
from apps.orders.errors import MessageRequired, ProposalClosed, StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import proposed, silence
from apps.orders.selectors.conversation import closed_text, open_proposals
from apps.orders.selectors.orders import get_order, seller_date
from apps.orders.services.confirm import available_pieces
from apps.orders.services.conversation import keep_message
from apps.orders.services.lines import freeze, line_key, split_unconfirmed, unconfirmed_parts
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.services.wishes import keep_undelivered
from apps.orders.status import OrderStatus, check_move

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer
Reason = OrderLine.Reason
Fault = tuple[str, str]  # the field of a new proposal, and what is wrong with it


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
        StaffRefusal: a proposal that cannot be made; `errors` by line and field.
        OutOfStock: a substitute has too few pieces.
    """
    order = locked_order(order_id, version=version)
    check_move(order.state, OrderStatus.CONFIRMED)
    days = term_of(Promise.ANSWER).days if days is None else days
    answer_by = business_days_later(now, days)
    new = _checked(order, proposals, today=seller_date(now))
    stock.allocate(quantities=held_pieces(new), stock_free=order.user.stock_free)
    for proposal in new:
        proposal.proposed_by, proposal.proposed_at, proposal.answer_by = actor, now, answer_by
    LineProposal.objects.bulk_create(new)
    save_changed(order)
    notes = [
        Text(
            "%(line)s: %(proposal)s; unanswered: %(silence)s",
            line=product_name(one),
            proposal=proposed(one),
            silence=silence(one),
        )
        for one in new
    ]
    _record(order, notes, actor=actor, now=now)
    queue([mail.proposals(order, new)])
    return new


@changes_order
def withdraw(*, order_id: int, proposal_ids: Collection[int], actor: User, now: datetime) -> None:
    """Take open proposals of an order back: their lines are as they were ordered, held pieces are
    free again.

    Raises:
        NotFound: there is no such order.
        ProposalClosed: one is answered or closed by now; none is taken back.
    """
    order = locked_order(order_id)
    proposals = _checked_open(order, proposal_ids)
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
    stock.release(quantities=held_pieces(proposals))
    close(proposals, state=State.WITHDRAWN, by=actor, now=now)
    save_changed(order)
    notes = [Text("%(line)s: taken back", line=product_name(one)) for one in proposals]
    _record(order, notes, actor=actor, now=now)


def _checked_open(order: Order, proposal_ids: Collection[int]) -> list[LineProposal]:
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
    columns = ["state", "decided_by", "decided_at", "held"]
    LineProposal.objects.bulk_update(proposals, columns)


def held_pieces(proposals: Sequence[LineProposal]) -> Counter[int]:
    """Return the pieces that proposals hold, by product id."""
    pieces: Counter[int] = Counter()
    for proposal in proposals:
        if proposal.product_id is not None:
            pieces[proposal.product_id] += proposal.held
    return pieces


def product_name(proposal: LineProposal) -> str:
    """Return the product of a proposal's line, as the history names it."""
    return f"{proposal.line.product.eng_name} ({proposal.line.sku})"


def _record(order: Order, notes: list[Text], *, actor: User | None, now: datetime) -> None:
    """Write what happened to proposals into the history, as one entry."""
    record(order, OrderEvent.Kind.PROPOSAL, joined("\n", notes), actor=actor, now=now)


def _checked(order: Order, proposals: Sequence[NewProposal], *, today: date) -> list[LineProposal]:
    """Return the proposals as rows, each checked against its line, the stock and what the order has
    already. What one would send counts for those after it.
    """
    lines = {line.pk: line for line in order.lines.select_related("product")}
    substitutes = Product.objects.filter(
        pk__in=[one.product_id for one in proposals if one.product_id]
    )
    products = substitutes.in_bulk()
    visible = set(substitutes.filter(shown_to(order.company)).values_list("pk", flat=True))
    available = available_pieces(
        order=order, product_ids=[line.product_id for line in lines.values()]
    )
    waiting = list(open_proposals(order))
    busy = {one.line_id for one in waiting}
    goods = {(line.product_id, line.price) for line in lines.values()} | set(map(_goods, waiting))
    faults: dict[str, list[str]] = {}
    checked = []
    for one in proposals:
        line = lines.get(one.line_id)
        fault: Fault | None
        if line is None or not line.is_confirmed:
            fault = "kind", _("No longer in this order.")
        elif line.pk in busy:
            fault = "kind", _("A proposal for it waits for its answer.")
        elif not (fault := _fault(one, line, products, visible, today=today)):
            row = _row(order, line, one, products)
            fault = _row_fault(row, goods, available[line.product_id], order.user.stock_free)
            checked.append(row)
            busy.add(line.pk)
            goods.add(_goods(row))
        if fault:
            field, text = fault
            name = line.sku if line else _("A line")
            faults[f"line-{one.line_id}-{field}"] = [f"{name}: {text}"]
    if faults:
        raise StaffRefusal(_("Some proposals cannot be made like this."), errors=faults)
    if not checked:
        raise StaffRefusal(_("Choose on a line what to propose."))
    return checked


def _goods(row: LineProposal) -> tuple[int, Decimal]:
    """Return the product and price that would be sent: such a line stands once in an order."""
    return row.product_id or row.line.product_id, row.price


def _fault(
    one: NewProposal,
    line: OrderLine,
    products: Mapping[int, Product],
    visible: Collection[int],
    *,
    today: date,
) -> Fault | None:
    """Return what is wrong with the fields of a proposal, if anything is."""
    if not line.price:
        return "kind", _("It costs nothing; there is nothing to agree on.")
    if one.kind in (Kind.FEWER, Kind.LATER):
        if not 0 <= one.pieces < line.quantity:
            return "pieces", phrase("From 0 to %(most)s now.", most=line.quantity - 1)
        if one.kind == Kind.LATER and (one.expected_on is None or one.expected_on <= today):
            return "expected_on", _("When is the rest expected? A day after today.")
        return None
    return _price_fault(one, line, products, visible)


def _price_fault(
    one: NewProposal, line: OrderLine, products: Mapping[int, Product], visible: Collection[int]
) -> Fault | None:
    """Return what is wrong with another product or another price, if anything is."""
    if one.kind == Kind.SUBSTITUTE:
        if one.product_id not in products:
            return "product_id", _("Choose a product.")
        if one.pieces < 1:
            return "pieces", _("At least one piece.")
    elif not one.reason:
        return "reason", _("Why another price?")
    elif one.price == line.price:
        return "price", _("That is the price as ordered.")
    if one.price is None or usd(one.price) <= 0:
        return "price", _("A price from 0.01 up.")
    if one.kind == Kind.SUBSTITUTE and one.product_id not in visible:
        text = _("This customer does not see that product: it is hidden, or of another brand.")
        return "product_id", text
    return None


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
        comment=one.comment,
        held=one.pieces if is_other else 0,
        unanswered=one.unanswered,
    )
    row.difference = row.total - row.ordered_total
    return row


def _row_fault(
    row: LineProposal, goods: Collection[tuple[int, Decimal]], available: int, stock_free: bool
) -> Fault | None:
    """Return what stands against a proposal in this order, if anything does."""
    is_new = row.kind in (Kind.SUBSTITUTE, Kind.PRICE)
    if is_new and _goods(row) in goods:
        return "price", _("This product is in the order already at this price.")
    if row.kind != Kind.SUBSTITUTE and row.pieces > available and not stock_free:
        return "pieces", phrase("Only %(pieces)s available.", pieces=available)
    if row.unanswered == Answer.ACCEPT and row.difference > 0:
        text = phrase(
            "It costs %(amount)s more than ordered, so silence cannot accept it.",
            amount=usd(row.difference),
        )
        return "unanswered", text
    return None


# What becomes of them: the buyer accepts, declines or asks; without an answer the default applies.

ASK = "ask"
MAX_QUESTION = 500
STATES: dict[str, str] = {Answer.ACCEPT: State.ACCEPTED, Answer.DECLINE: State.DECLINED}
PARTS: dict[str, str] = {
    Kind.SUBSTITUTE: Reason.SUBSTITUTE,
    Kind.PRICE: Reason.PRICE,
}
OUTCOMES: dict[tuple[str, str], Text] = {
    (State.ACCEPTED, Answer.ACCEPT): Text("accepted"),
    (State.DECLINED, Answer.DECLINE): Text("declined"),
    (State.EXPIRED, Answer.ACCEPT): Text("expired, accepted"),
    (State.EXPIRED, Answer.DECLINE): Text("expired, declined"),
}
COLUMNS = ["quantity", "allocated", "is_confirmed", "reason", "comment"]


@dataclass(frozen=True)
class ProposalAnswer:
    """What a buyer answers to a proposal: accept, decline, or ask with a question."""

    proposal_id: int
    answer: str
    question: str = ""


@one_transaction
def answer_proposals(
    *, buyer: Buyer, invoice_code: str, answers: Sequence[ProposalAnswer], now: datetime
) -> Order:
    """Answer proposals of an order, all or none; sales get one mail. The same answers of the same
    buyer change nothing.

    Raises:
        NotFound: unknown, or another company's.
        Invalid: two to one proposal.
        MessageRequired: a question without words.
        ProposalClosed: one is not open any more; `errors` says who closed it.
        WrongStatus: the order is not at Preparing.
    """
    by_proposal = {one.proposal_id: one for one in answers}
    if len(by_proposal) != len(answers):
        raise Invalid(answers="One answer for each proposal.")
    if any(one.answer == ASK and not one.question.strip() for one in answers):
        raise MessageRequired
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    rows = order.proposals.filter(pk__in=by_proposal)
    rest = by_proposal.keys() - {
        one.pk for one in rows if _is_repeat(one, by_proposal[one.pk], buyer)
    }
    if not rest:
        return order
    proposals = _checked_open(order, rest)
    if order.status != OrderStatus.PREPARING:
        raise WrongStatus
    _lock_stock(proposals)
    by = User.objects.get(pk=buyer.id)
    for answer, state in STATES.items():
        alike = [one for one in proposals if by_proposal[one.pk].answer == answer]
        _settle(order, alike, answer=answer, state=state, by=by, now=now)
    answered = []
    for one in proposals:
        reply = by_proposal[one.pk]
        if reply.answer == ASK:  # a message of the conversation that names the line
            one.question, one.asked_at = reply.question.strip(), now
            one.save(update_fields=["question", "asked_at"])
            text = f"{product_name(one)}: {one.question}"
            keep_message(order, OrderEvent.Kind.MESSAGE, text=text, actor=by, now=now)
            words = Text("Asked: %(question)s", question=one.question)
        else:
            words = joined(": ", [OUTCOMES[one.state, reply.answer], proposed(one)])
        answered.append((one, words))
    save_changed(order)
    queue([mail.answered(order, company=buyer.company, answers=answered)])
    return order


def _is_repeat(proposal: LineProposal, answer: ProposalAnswer, buyer: Buyer) -> bool:
    """Return whether this buyer gave this answer before: a repeat of a call whose own answer was
    lost.
    """
    if answer.answer == ASK:
        return proposal.question == answer.question.strip()
    return proposal.decided_by_id == buyer.id and proposal.state == STATES.get(answer.answer)


@one_transaction
def expire(*, order_id: int, now: datetime) -> int:
    """Apply the defaults of an order's proposals whose time is over; the buyer gets a mail. Return
    how many.

    Somebody who answers meanwhile comes first or is told that they are closed.
    """
    order = Order.objects.select_for_update(of=("self",)).select_related("user").get(pk=order_id)
    late = list(
        open_proposals(order).filter(answer_by__lte=now).select_related("line__product", "product")
    )
    _lock_stock(late)
    for answer in Answer:
        silent = [one for one in late if one.unanswered == answer]
        _settle(order, silent, answer=answer, state=State.EXPIRED, by=None, now=now)
    if late:
        save_changed(order)
        queue([mail.expired(order, late)])
    return len(late)


def _lock_stock(proposals: Sequence[LineProposal]) -> None:
    """Lock what the answers will give back at once: two movements one after the other keep one
    order of locks.
    """
    products = {one.line.product_id for one in proposals} | {one.product_id for one in proposals}
    stock.lock_shelves(product_ids={product_id for product_id in products if product_id})


def _settle(
    order: Order,
    proposals: Sequence[LineProposal],
    *,
    answer: str,
    state: str,
    by: User | None,
    now: datetime,
) -> None:
    """Close proposals with an answer: lines, stock, money and history follow."""
    if not proposals:
        return
    every = {line.pk: line for line in order.lines.select_related("product")}
    aside = unconfirmed_parts(every.values())
    back: Counter[int] = Counter()
    changed: list[OrderLine] = []
    for proposal in proposals:
        line = every[proposal.line_id]
        before, pieces, comment = line.allocated, line.quantity, f"{proposed(proposal)}"
        if answer == Answer.ACCEPT:
            pieces -= proposal.pieces if proposal.kind in (Kind.FEWER, Kind.LATER) else 0
            if proposal.kind in PARTS:
                before -= _add_agreed(order, line, proposal)
        else:
            comment = f"Declined: {comment}"
            back[proposal.product_id or line.product_id] += proposal.held
        part = aside.get(line_key(line))
        reason = PARTS.get(proposal.kind, Reason.SHORT)
        rest = split_unconfirmed(line, part=part, pieces=pieces, reason=reason, comment=comment)
        changed.append(line)
        if rest is None and part is not None:
            part.delete()  # the line takes its place
        elif rest is not None and rest.pk:
            changed.append(rest)
        elif rest is not None:
            rest.save()
        back[line.product_id] += before - line.allocated
    OrderLine.objects.bulk_update(changed, COLUMNS)
    stock.release(quantities=+back)  # `+` leaves out what gives none
    close(proposals, state=state, by=by, now=now)
    keep_undelivered(order, proposals, now=now)
    confirmed = [line for line in order.lines.all() if line.is_confirmed]
    order.real_total = rules.subtotal(
        rules.line_total(price=line.price, quantity=line.quantity) for line in confirmed
    )
    order.weight_g = sum(line.weight_g * line.quantity for line in confirmed)
    order.save(update_fields=["real_total", "weight_g"])
    outcome = OUTCOMES[state, answer]
    notes = [
        Text(
            "%(line)s: %(outcome)s: %(proposal)s",
            line=product_name(one),
            outcome=outcome,
            proposal=proposed(one),
        )
        for one in proposals
    ]
    _record(order, notes, actor=by, now=now)


def _add_agreed(order: Order, line: OrderLine, proposal: LineProposal) -> int:
    """Add the line of a substitute or of another price; return how many pieces of the line's stock
    it takes over.
    """
    agreed, allocated = copy(line), line.allocated
    agreed.pk, agreed.price, agreed.price_rule = None, proposal.price, ""
    agreed.is_confirmed, agreed.is_ordered = True, False
    agreed.quantity = agreed.allocated = proposal.pieces
    agreed.reason, agreed.comment = PARTS[proposal.kind], proposal.comment
    if (product := proposal.product) is not None:
        allocated, (moq, _) = 0, quantities(product.minimum, product.is_special)
        for name, value in freeze(product, price=proposal.price, moq=moq).items():
            setattr(agreed, name, value)
    agreed.save(force_insert=True)
    return allocated
