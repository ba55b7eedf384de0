"""What becomes of proposals: the buyer accepts, declines or asks; without an answer the default
applies.
"""

from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.selectors import quantities
from apps.catalog.services import stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, WrongStatus
from apps.common.mail import queue
from apps.common.texts import Text, joined
from apps.orders import mail, rules
from apps.orders.errors import MessageRequired
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import proposed
from apps.orders.selectors.conversation import open_proposals
from apps.orders.selectors.orders import get_order
from apps.orders.services.confirm import Reason
from apps.orders.services.conversation import keep_message
from apps.orders.services.lines import freeze, line_key, split_unconfirmed, unconfirmed_parts
from apps.orders.services.moves import save_changed
from apps.orders.services.proposals import checked_open, close, named, record_each
from apps.orders.services.wishes import keep_undelivered
from apps.orders.status import OrderStatus

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer
ASK = "ask"
MAX_QUESTION = 500
STATES: dict[str, str] = {Answer.ACCEPT: State.ACCEPTED, Answer.DECLINE: State.DECLINED}
PARTS: dict[str, Reason] = {Kind.SUBSTITUTE: Reason.SUBSTITUTE, Kind.PRICE: Reason.PRICE}
OUTCOMES = {
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
        Invalid: no answer, or two to one proposal.
        MessageRequired: a question without words.
        ProposalClosed: one is not open any more; `errors` says who closed it.
        WrongStatus: the order is not at Preparing.
    """
    by_proposal = {one.proposal_id: one for one in answers}
    is_each_once = bool(answers) and len(by_proposal) == len(answers)
    if not is_each_once or any(one.answer not in (*STATES, ASK) for one in answers):
        raise Invalid(answers="One answer for each proposal.")
    if any(one.answer == ASK and not one.question.strip() for one in answers):
        raise MessageRequired
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    rows = order.proposals.filter(pk__in=by_proposal)
    rest = by_proposal.keys() - {
        one.pk for one in rows if _is_said(one, by_proposal[one.pk], buyer)
    }
    if not rest:
        return order
    proposals = checked_open(order, rest)
    if order.status != OrderStatus.PREPARING:
        raise WrongStatus
    _lock_stock(proposals)
    by = User.objects.get(pk=buyer.id)
    for answer, state in STATES.items():
        alike = [one for one in proposals if by_proposal[one.pk].answer == answer]
        _settle(order, alike, answer=answer, state=state, by=by, now=now)
    for one in proposals:
        if by_proposal[one.pk].answer == ASK:  # a message of the conversation that names the line
            one.question, one.asked_at = by_proposal[one.pk].question.strip(), now
            one.save(update_fields=["question", "asked_at"])
            text = f"{named(one)}: {one.question}"
            keep_message(order, OrderEvent.Kind.MESSAGE, text=text, actor=by, now=now)
    save_changed(order)
    answered = []
    for one in proposals:
        reply = by_proposal[one.pk]
        said = Text("Asked: %(question)s", question=reply.question.strip())
        if reply.answer != ASK:
            outcome = OUTCOMES[State(STATES[reply.answer]), Answer(reply.answer)]
            said = joined(": ", [outcome, proposed(one)])
        answered.append((one, said))
    queue([mail.answered(order, company=buyer.company, answers=answered)])
    return order


def _is_said(proposal: LineProposal, answer: ProposalAnswer, buyer: Buyer) -> bool:
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
    stock.release(wanted=+back)  # `+` leaves out what gives none
    close(proposals, state=state, by=by, now=now)
    keep_undelivered(order, proposals, now=now)
    sent = [line for line in order.lines.all() if line.is_confirmed]
    order.real_total = rules.subtotal(
        rules.line_total(price=line.price, quantity=line.quantity) for line in sent
    )
    order.weight_g = sum(line.weight_g * line.quantity for line in sent)
    order.save(update_fields=["real_total", "weight_g"])
    outcome = OUTCOMES[State(state), Answer(answer)]
    notes = [
        Text(
            "%(line)s: %(outcome)s: %(proposal)s",
            line=named(one),
            outcome=outcome,
            proposal=proposed(one),
        )
        for one in proposals
    ]
    record_each(order, notes, by, now)


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
