"""Proposals: what staff may propose, what each answer makes of the line, and that one of two who
act at once wins.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from post_office.models import Email

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_user
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Product, Running
from apps.catalog.tests.factories import make_product
from apps.common.errors import WrongStatus
from apps.orders.errors import MessageRequired, ProposalClosed, StaffRefusal, StaleOrder
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import pieces_of
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import (
    NewProposal,
    ProposalAnswer,
    answer_proposals,
    expire,
    propose,
    withdraw,
)
from apps.orders.status import OrderStatus
from apps.orders.sweeps import expire_proposals
from apps.orders.tests.factories import all_as_ordered, confirm, make_order_at, make_sales, stock_of
from apps.payments.tests.factories import arrive, make_wire_order
from apps.payments.tests.paypal.support import audit

NOW = datetime.now(UTC)
LATER = NOW + timedelta(days=30)
SOON = date(NOW.year + 1, 1, 7)
Kind, State = LineProposal.Kind, LineProposal.State


@pytest.fixture
def order(buyer: Buyer) -> Order:
    product = make_product(
        on_hand=100, sku="A", eng_name="Night Oil", usd_supply=Decimal("6.00"), weight_g=100
    )
    order = make_wire_order(buyer, [(product, 30), (make_product(on_hand=100, sku="B"), 10)])
    arrive(order)
    return start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)


def line_of(order: Order, sku: str = "A") -> OrderLine:
    return order.lines.get(sku=sku, is_confirmed=True, is_ordered=True)


def ask_for(order: Order, *proposals: NewProposal, **how: Any) -> list[LineProposal]:
    version = Order.objects.get(pk=order.pk).version
    return propose(
        order_id=order.pk,
        **{"version": version, "proposals": proposals, "actor": make_sales(), "now": NOW, **how},
    )


def fewer(order: Order, pieces: int = 12, **fields: Any) -> NewProposal:
    return NewProposal(
        line_of(order).pk,
        **{"kind": Kind.FEWER, "pieces": pieces, "unanswered": "accept", **fields},
    )


def later(order: Order, pieces: int = 12) -> NewProposal:
    return fewer(order, pieces, kind=Kind.LATER, expected_on=SOON)


def price(order: Order, amount: str = "4.50", unanswered: str = "decline") -> NewProposal:
    why = {"reason": "short_dated", "price": Decimal(amount)}
    return fewer(order, 0, kind=Kind.PRICE, unanswered=unanswered, **why)


def substitute(order: Order, pieces: int = 20, on_hand: int = 50) -> NewProposal:
    product = make_product(on_hand=on_hand, sku="C", eng_name="Day Oil")
    other = {"product_id": product.pk, "price": Decimal("5.00")}
    return fewer(order, pieces, kind=Kind.SUBSTITUTE, unanswered="decline", **other)


def say(
    buyer: Buyer,
    order: Order,
    answer: str,
    *proposals: LineProposal,
    question: str = "",
    now: datetime | None = None,
) -> Order:
    answers = [ProposalAnswer(one.pk, answer, question) for one in proposals]
    return answer_proposals(
        buyer=buyer, invoice_code=order.invoice_code, answers=answers, now=now or NOW
    )


def lines_of(order: Order) -> list[tuple[str, int, bool, int, Decimal]]:
    columns = ("sku", "quantity", "is_confirmed", "allocated", "price")
    return list(order.lines.order_by("id").values_list(*columns))


SIX, FIVE = Decimal("6.00"), Decimal("5.00")
MAKERS: dict[str, Callable[[Order], NewProposal]] = {
    "fewer": fewer,
    "later": later,
    "substitute": substitute,
    "price": price,
}


AGREED: dict[str, tuple[list[tuple[str, int, bool, int, Decimal]], str]] = {
    "fewer": ([("A", 12, True, 12, SIX), ("A", 18, False, 0, SIX)], "-108.00"),
    "later": ([("A", 12, True, 12, SIX), ("A", 18, False, 0, SIX)], "-108.00"),
    "substitute": ([("A", 30, False, 0, SIX), ("C", 20, True, 20, FIVE)], "-80.00"),
    "price": ([("A", 30, False, 0, SIX), ("A", 30, True, 30, Decimal("4.50"))], "-45.00"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_accepted_is_what_is_sent_and_paid(buyer: Buyer, order: Order, kind: str) -> None:
    total = order.real_total
    (proposal,) = ask_for(order, MAKERS[kind](order))
    mail = Email.objects.get(subject__startswith="Proposals need your answer")
    assert (mail.to, "Night Oil" in str(mail.context)) == ([order.user.email], True)
    say(buyer, order, "accept", proposal)
    order.refresh_from_db()
    lines, change = AGREED[kind]
    assert [line for line in lines_of(order) if line[0] != "B"] == lines
    assert order.real_total == total + Decimal(change)
    assert audit() == ""
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by_id) == (State.ACCEPTED, buyer.id)
    assert pieces_of(proposal).ordered == 30
    called = set(order.lines.exclude(reason="").values_list("reason", flat=True))
    assert called == {kind if kind in ("substitute", "price") else "short"}
    confirmed = confirm(order, all_as_ordered(order))
    assert (confirmed.real_total, audit()) == (total + Decimal(change), "")


def test_later_pieces_are_told_with_their_day(buyer: Buyer, order: Order) -> None:
    (proposal,) = ask_for(order, later(order))
    say(buyer, order, "accept", proposal)
    rest = order.lines.get(sku="A", is_confirmed=False)
    assert (rest.reason, rest.comment) == ("short", f"12 now, 18 about {SOON:%a %-d %b}")
    assert pieces_of(LineProposal.objects.get()).later == 18
    assert stock_of(rest.product) == (100, 12, 0)


def test_an_order_with_open_proposals_is_not_confirmed(buyer: Buyer, order: Order) -> None:
    proposals = ask_for(order, fewer(order))
    with pytest.raises(
        StaffRefusal, match=r"One proposal waits for the buyer's answer until .* Seoul"
    ):
        confirm(order)
    withdraw(order_id=order.pk, proposal_ids=[proposals[0].pk], actor=make_sales(), now=NOW)
    assert confirm(order).status == OrderStatus.CONFIRMED


def test_a_substitute_that_is_not_there_is_not_proposed(order: Order) -> None:
    with pytest.raises(OutOfStock):
        ask_for(order, substitute(order, 20, on_hand=19))
    assert not LineProposal.objects.exists()


@pytest.mark.parametrize("hides", ["the product", "its brand"])
def test_what_the_customer_does_not_see_is_not_proposed(order: Order, hides: str) -> None:
    proposal = substitute(order)
    assert proposal.product_id is not None
    if hides == "the product":
        Product.objects.filter(pk=proposal.product_id).update(is_running=Running.HIDDEN)
    else:
        Company.objects.filter(pk=order.company_id).update(brands_restricted=True)
    with pytest.raises(StaffRefusal) as refused:
        ask_for(order, proposal)
    assert "This customer does not see that product" in str(refused.value.errors)
    assert not LineProposal.objects.exists()


REFUSED: dict[str, tuple[Callable[[Order], NewProposal], str]] = {
    "as many as ordered": (lambda order: fewer(order, 30), "From 0 to 29 now."),
    "below none": (lambda order: fewer(order, -1), "From 0 to 29 now."),
    "later without a day": (
        lambda order: fewer(order, 3, kind=Kind.LATER),
        "When is the rest expected",
    ),
    "later in the past": (
        lambda order: fewer(order, 3, kind=Kind.LATER, expected_on=date(2020, 1, 1)),
        "A day after today.",
    ),
    "no product": (
        lambda order: fewer(order, 3, kind=Kind.SUBSTITUTE, price=FIVE),
        "Choose a product.",
    ),
    "no price": (
        lambda order: fewer(order, kind=Kind.PRICE, reason="damaged"),
        "A price from 0.01 up.",
    ),
    "no reason": (lambda order: fewer(order, kind=Kind.PRICE, price=FIVE), "Why another price?"),
    "the same price": (lambda order: price(order, "6.00"), "That is the price as ordered."),
    "silence that costs more": (
        lambda order: price(order, "6.01", "accept"),
        "silence cannot accept it",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_proposed_is_refused_at_its_line(order: Order, case: str) -> None:
    make, text = REFUSED[case]
    with pytest.raises(StaffRefusal) as refusal:
        ask_for(order, make(order))
    (faults,) = (refusal.value.errors or {}).values()
    assert text in faults[0]
    assert not LineProposal.objects.exists()


def test_one_proposal_a_line_waits_at_a_time(order: Order) -> None:
    ask_for(order, fewer(order))
    with pytest.raises(StaffRefusal) as refusal:
        ask_for(order, later(order))
    assert "waits for its answer" in str(refusal.value.errors)
    row = LineProposal.objects.get()
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


@pytest.mark.parametrize("status", [OrderStatus.RECEIVED, OrderStatus.CONFIRMED, OrderStatus.PAID])
def test_only_a_preparing_order_is_proposed_on(buyer: Buyer, status: OrderStatus) -> None:
    order = make_order_at(status, buyer, [(make_product(sku="A"), 20)])
    with pytest.raises(WrongStatus):
        ask_for(order, fewer(order))


def test_a_sheet_that_is_older_than_an_answer_is_refused(buyer: Buyer, order: Order) -> None:
    version = Order.objects.get(pk=order.pk).version
    say(buyer, order, "accept", *ask_for(order, fewer(order)))
    with pytest.raises(StaleOrder) as refusal:
        ask_for(order, fewer(order, 3), version=version)
    assert buyer.manager in str(refusal.value.errors)


def test_the_second_of_two_is_told_who_was_faster(buyer: Buyer, order: Order) -> None:
    colleague = buyer_of(make_user(company_id=buyer.company_id, manager="Lena Vogt"))
    (proposal,) = ask_for(order, fewer(order))
    say(colleague, order, "accept", proposal)
    with pytest.raises(ProposalClosed) as refusal:
        say(buyer, order, "decline", proposal)
    assert "Answered by Lena Vogt on" in str(refusal.value.errors)
    with pytest.raises(ProposalClosed):
        withdraw(order_id=order.pk, proposal_ids=[proposal.pk], actor=make_sales(), now=NOW)
    assert Email.objects.filter(subject__startswith="Proposals answered").count() == 1


def test_answers_are_taken_all_or_none(buyer: Buyer, order: Order) -> None:
    first, second = ask_for(order, fewer(order), NewProposal(line_of(order, "B").pk, Kind.FEWER, 3))
    withdraw(order_id=order.pk, proposal_ids=[second.pk], actor=make_sales(), now=NOW)
    before = lines_of(order)
    with pytest.raises(ProposalClosed):
        say(buyer, order, "accept", first, second)
    first.refresh_from_db()
    assert (first.state, lines_of(order)) == (State.OPEN, before)


def test_the_same_answer_again_changes_nothing(buyer: Buyer, order: Order) -> None:
    (proposal,) = ask_for(order, fewer(order))
    for _ in range(2):
        say(buyer, order, "accept", proposal)
    # Proposed, and accepted.
    assert OrderEvent.objects.filter(order=order, kind="proposal").count() == 2
    assert Email.objects.filter(subject__startswith="Proposals answered").count() == 1


def test_a_question_is_a_message_that_names_the_line(buyer: Buyer, order: Order) -> None:
    (proposal,) = ask_for(order, fewer(order))
    for _ in range(2):
        say(buyer, order, "ask", proposal, question=" Is that before Christmas? ")
    order.refresh_from_db()
    assert order.customer_memo == "Night Oil (A): Is that before Christmas?"
    assert order.message_unread
    assert OrderEvent.objects.filter(order=order, kind="message").count() == 1
    proposal.refresh_from_db()
    assert (proposal.state, proposal.question) == (State.OPEN, "Is that before Christmas?")
    with pytest.raises(MessageRequired):
        say(buyer, order, "ask", proposal, question="  ")
    say(buyer, order, "decline", proposal)


def test_without_an_answer_it_is_decided_by_its_deadline_once(order: Order) -> None:
    (proposal,) = ask_for(order, fewer(order, unanswered="decline"))
    moments = (proposal.answer_by - timedelta(minutes=1), LATER, LATER)
    assert [expire_proposals(moment) for moment in moments] == [0, 1, 0]
    proposal.refresh_from_db()
    assert proposal.state == State.EXPIRED
    assert len(Email.objects.filter(subject__startswith="Proposals decided without")) == 1
    assert (expire(order_id=order.pk, now=LATER), audit()) == (0, "")


def test_each_proposal_has_a_deadline_of_its_own(order: Order) -> None:
    (first,) = ask_for(order, fewer(order), days=1)
    (second,) = ask_for(order, NewProposal(line_of(order, "B").pk, Kind.FEWER, 3), days=5)
    assert expire_proposals(first.answer_by) == 1
    second.refresh_from_db()
    assert second.state == State.OPEN


@pytest.mark.parametrize(("end", "ordered"), [("taken back", 30), ("declined", 0), ("late", 0)])
def test_what_nobody_accepts_holds_nothing(
    buyer: Buyer, order: Order, end: str, ordered: int
) -> None:
    (proposal,) = ask_for(order, substitute(order))
    assert proposal.product is not None
    assert stock_of(proposal.product) == (50, 20, 0)
    if end == "taken back":
        withdraw(order_id=order.pk, proposal_ids=[proposal.pk], actor=make_sales(), now=NOW)
    elif end == "declined":
        say(buyer, order, "decline", proposal)
    else:
        expire(order_id=order.pk, now=LATER)
    assert stock_of(proposal.product) == (50, 0, 0)
    assert stock_of(proposal.line.product) == (100, ordered, 0)
    proposal.refresh_from_db()
    assert pieces_of(proposal).confirmed == ordered
    assert audit() == ""


def test_the_deadline_is_in_business_days(order: Order, settings: Any) -> None:
    friday = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
    (proposal,) = ask_for(order, fewer(order), now=friday)
    assert proposal.answer_by == datetime(2026, 11, 25, 6, 0, tzinfo=UTC)
