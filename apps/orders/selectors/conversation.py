"""What buyers and the seller say to each other on an order: the conversation, and the proposals for
its lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _, ngettext

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.money import ZERO
from apps.common.seller import seller
from apps.common.texts import phrase
from apps.common.types import Json
from apps.orders import rules
from apps.orders.models import LineProposal, Order, OrderEvent
from apps.orders.proposal_rules import deadline_text
from apps.orders.selectors.orders import get_order
from apps.orders.selectors.progress import promised_day
from apps.orders.status import OrderStatus

PAGE_SIZE = 50
Kind = OrderEvent.Kind
BUYERS_WORDS = (Kind.MESSAGE, Kind.SHIP_MEMO)
UNANSWERED = Q(message_unread=True) | Q(ship_memo_unread=True)
# What a buyer reads of an order's history: these and nothing else, so that notes for colleagues
# stay with them.
THREAD = {Kind.MESSAGE: "message", Kind.SHIP_MEMO: "shipping", Kind.MEMO: "answer"}


def conversation(*, buyer: Buyer, invoice_code: str, before: int | None = None) -> Json:
    """Return what was written on an order, the oldest first, by pages from the newest backwards.
    Two statements.

    `before` is the last page's `next`. `unread` names the newest answer, while nobody of the
    company has seen it.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    read_at = order.answer_read_at
    events = order.events.filter(kind__in=list(THREAD)).exclude(note="")
    if before is not None:
        at = Subquery(OrderEvent.objects.filter(pk=before, order=order).values("at"))
        events = events.filter(Q(at__lt=at) | Q(at=at, id__lt=before))
    rows = list(events.select_related("actor").order_by("-at", "-id")[: PAGE_SIZE + 1])
    page = rows[:PAGE_SIZE]
    answers = [one for one in page if one.kind == Kind.MEMO and before is None]
    unread = next((one.pk for one in answers[:1] if read_at is None or read_at < one.at), None)
    return {
        "messages": [
            {
                "message_id": one.pk,
                "kind": THREAD[Kind(one.kind)],
                "at": one.at,
                "name": (one.actor and one.actor.manager) or seller().title,
                "is_own": one.actor_id == buyer.id,
                "text": one.note,
            }
            for one in reversed(page)
        ],
        "unread": unread,
        "next": str(page[-1].pk) if len(rows) > PAGE_SIZE else None,
    }


def messages_to_answer() -> QuerySet[OrderEvent]:
    """Return what buyers wrote and staff neither answered nor let stand, the oldest first."""
    answers = OrderEvent.objects.filter(
        order=OuterRef("order"), kind__in=(Kind.MEMO, Kind.READ), pk__gt=OuterRef("pk")
    )
    unread = Q(kind=Kind.MESSAGE, order__message_unread=True) | Q(
        kind=Kind.SHIP_MEMO, order__ship_memo_unread=True
    )
    # The orders first: they are few and have an index.
    waiting = OrderEvent.objects.filter(unread, order__in=Order.objects.filter(UNANSWERED))
    return waiting.exclude(Exists(answers)).order_by("pk")


def all_messages() -> QuerySet[OrderEvent]:
    """Return what buyers wrote, the newest first, each with whether it `waits` for an answer."""
    messages = OrderEvent.objects.filter(kind__in=BUYERS_WORDS)
    return messages.annotate(waits=Exists(messages_to_answer().filter(pk=OuterRef("pk")))).order_by(
        "-pk"
    )


def reader_of(order: Order) -> User:
    """Return to whom an answer goes: who wrote last of the company's people, else who ordered."""
    words = OrderEvent.objects.filter(
        order=order,
        kind__in=BUYERS_WORDS,
        actor__is_active=True,
        actor__company_id=order.company_id,
    )
    newest = words.select_related("actor").order_by("-at", "-id").first()
    return newest.actor if newest is not None and newest.actor is not None else order.user


State, Answer = LineProposal.State, LineProposal.Answer
# What is told of a proposal under the column's own name.
COLUMNS = (
    *("kind", "state", "applied", "comment", "difference", "unanswered"),
    *("question", "asked_at", "proposed_at"),
)
OF_ORDER = LineProposal.objects.filter(order=OuterRef("pk"))
OPEN_OF_ORDER = OF_ORDER.filter(state=State.OPEN)
ANSWERED_OF_ORDER = OF_ORDER.filter(state__in=(State.ACCEPTED, State.DECLINED, State.EXPIRED))
QUESTIONS = OPEN_OF_ORDER.exclude(question="")


def proposals_that_wait(*, until: datetime) -> dict[str, Q]:
    """Return which orders wait for staff by their proposals: a question, all answered, answers due
    before `until`.
    """
    preparing = Q(status=OrderStatus.PREPARING)
    return {
        "question": preparing & Q(message_unread=True) & Q(Exists(QUESTIONS)),
        "answered": preparing & Q(Exists(ANSWERED_OF_ORDER)) & ~Q(Exists(OPEN_OF_ORDER)),
        "ending": preparing & Q(Exists(OPEN_OF_ORDER.filter(answer_by__lt=until))),
    }


def count_proposals(*, until: datetime) -> dict[str, Any]:
    """Return how many orders wait by `proposals_that_wait`, and of each kind `…_since` or `…_at`.
    One statement.
    """
    waits = proposals_that_wait(until=until)
    orders = Order.objects.filter(status=OrderStatus.PREPARING).annotate(
        asked=Subquery(QUESTIONS.order_by("asked_at").values("asked_at")[:1]),
        decided=Subquery(ANSWERED_OF_ORDER.order_by("-decided_at").values("decided_at")[:1]),
        proposed=Subquery(OPEN_OF_ORDER.order_by("proposed_at").values("proposed_at")[:1]),
        ends=Subquery(OPEN_OF_ORDER.order_by("answer_by").values("answer_by")[:1]),
        **{f"is_{name}": condition for name, condition in waits.items()},
    )
    return orders.order_by().aggregate(
        **{name: Count("pk", filter=Q(**{f"is_{name}": True})) for name in waits},
        question_since=Min("asked", filter=Q(is_question=True)),
        answered_since=Min("decided", filter=Q(is_answered=True)),
        ending_since=Min("proposed", filter=Q(is_ending=True)),
        ending_at=Min("ends", filter=Q(is_ending=True)),
    )


def open_proposals(order: Order) -> QuerySet[LineProposal]:
    """Return the proposals of an order that wait for their answer."""
    return order.proposals.filter(state=State.OPEN).order_by("pk")


def waiting_text(proposals: Sequence[LineProposal]) -> str:
    """Return how many proposals wait, and until when: why an order is not confirmed yet."""
    number, until = len(proposals), max(proposal.answer_by for proposal in proposals)
    text = ngettext(
        "One proposal waits for the buyer's answer until %(until)s. Take it back, or wait.",
        "%(number)s proposals wait for the buyer's answer until %(until)s. "
        "Take them back, or wait.",
        number,
    )
    return text % {"number": number, "until": deadline_text(until)}


def proposals_of(*, buyer: Buyer, invoice_code: str) -> Json:
    """Return the proposals of an order with what it costs as it stands. Two statements.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    rows = order.proposals.exclude(state=State.WITHDRAWN)
    proposals = list(
        rows.select_related("line__product", "product", "proposed_by", "decided_by").order_by("pk")
    )
    waiting = [proposal.answer_by for proposal in proposals if proposal.state == State.OPEN]
    return {
        "order_count": order.count,
        "open": len(waiting),
        "answer_by": min(waiting) if waiting else None,
        "deadline": deadline_text(min(waiting)) if waiting else "",
        "proposals": [_row(proposal) for proposal in proposals],
        **new_figures(order, []),
    }


def new_totals(*, buyer: Buyer, invoice_code: str, answers: Mapping[int, str]) -> Json:
    """Return what an order would cost with such answers to its open proposals. Two statements.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    proposals = open_proposals(order).filter(pk__in=answers)
    return new_figures(order, [(proposal, answers[proposal.pk]) for proposal in proposals])


def new_figures(order: Order, answers: Iterable[tuple[LineProposal, str]]) -> Json:
    """Return what an order's products cost now, with such answers, and what that leaves to pay
    before shipping.
    """
    change = sum((change_of(proposal, answer) for proposal, answer in answers), ZERO)
    sums = {
        "real_total": order.real_total + change,
        "shipping_fee": order.shipping_fee,
        "received": order.received,
    }
    return {
        "real_total": order.real_total,
        "change": change,
        "new_total": sums["real_total"],
        "received": order.received,
        "balance": rules.balance_due(**sums),
        "overpayment": rules.overpayment(**sums),
    }


def change_of(proposal: LineProposal, answer: str) -> Decimal:
    """Return what an answer adds to the price of the products, in US dollars; a question adds
    nothing.
    """
    if answer == Answer.ACCEPT:
        return Decimal(proposal.difference)
    return -proposal.ordered_total if answer == Answer.DECLINE else ZERO


def closed_text(proposal: LineProposal) -> str:
    """Return who closed a proposal and when, in words."""
    at: datetime | None = proposal.decided_at
    if at is None:
        return _("Open.")
    when = deadline_text(at)
    if proposal.decided_by is None:
        answer = _("accepted") if proposal.unanswered == Answer.ACCEPT else _("declined")
        return phrase("Expired on %(when)s: %(answer)s.", when=when, answer=answer)
    name = proposal.decided_by.manager or seller().title
    if proposal.state == State.WITHDRAWN:
        return phrase("Taken back by %(name)s on %(when)s.", name=name, when=when)
    return phrase("Answered by %(name)s on %(when)s.", name=name, when=when)


def _row(proposal: LineProposal) -> Json:
    line, product = proposal.line, proposal.product or proposal.line.product
    is_open = proposal.state == State.OPEN
    return {
        **{name: getattr(proposal, name) for name in COLUMNS},
        "proposal_id": proposal.pk,
        "order_product_id": line.pk,
        "sku": line.sku,
        "eng_name": line.product.eng_name,
        "image": line.product.image,
        "ordered": {
            "count": proposal.ordered_pieces,
            "price": proposal.ordered_price,
            "order_price": proposal.ordered_total,
        },
        "proposed": {
            "sku": product.sku,
            "eng_name": product.eng_name,
            "image": product.image,
            "count": proposal.pieces,
            "price": proposal.price,
            "order_price": proposal.total,
            "later": proposal.later,
            "expected": proposal.expected_on,
            "expected_text": promised_day(proposal.expected_on),
        },
        "reason": proposal.get_reason_display() if proposal.reason else "",
        "proposed_by": proposal.proposed_by.manager or seller().title,
        "closed": "" if is_open else closed_text(proposal),
    }
