"""Proposals on the confirmation sheet: sent from it, refused at their cells, shown with their
answers, taken back.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from apps.accounts.tests.factories import buyer_of, make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.tests.factories import make_product
from apps.orders.models import LineProposal, Order
from apps.orders.services.proposals import ProposalAnswer, answer_proposals
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, stock_of
from apps.orders.tests.test_admin_sheet import address, filled

pytestmark = pytest.mark.django_db
FEWER = (8, "propose:fewer", ""), (40, "", "")


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales", manager="Min-ji Park")


@pytest.fixture
def order() -> Order:
    lines = [(make_product(sku="A-1"), 20), (make_product(sku="B-2"), 40)]
    return make_order_at(OrderStatus.PREPARING, make_buyer(), lines)


def say(order: Order, *answers: ProposalAnswer) -> None:
    buyer, now = buyer_of(order.user), datetime.now(UTC)
    answer_proposals(buyer=buyer, invoice_code=order.invoice_code, answers=answers, now=now)


def proposing(
    order: Order,
    *decisions: tuple[int, str, str],
    rows: tuple[dict[str, Any], ...] = (),
    **fields: Any,
):
    """Return the sheet as a browser sends it with proposals."""
    body = {"propose": "1", "shipping_fee": "", "days": "3", "proposal-TOTAL_FORMS": len(rows)}
    body |= {"proposal-INITIAL_FORMS": 0}
    for place, cells in enumerate(rows):
        body |= {f"proposal-{place}-{name}": value for name, value in cells.items()}
    return filled(order, *decisions, **{**body, **fields})


def test_proposals_are_sent_from_the_sheet_without_a_fee(sales, order):
    first, second = order.lines.order_by("id")
    make_product(sku="C-3", usd_supply=Decimal("3.90"), on_hand=50)
    rows = (
        {"line_id": first.pk, "expected_on": "2031-01-10", "unanswered": "accept"},
        {"line_id": second.pk, "sku": "c-3", "pieces": "40", "price": "", "unanswered": "accept"},
    )
    body = proposing(
        order, (8, "propose:later", "From the maker"), (40, "propose:substitute", ""), rows=rows
    )
    page = sales.post(address(order), body, follow=True)
    assert shown_messages(page) == [f"{order}: 2 proposals sent to {order.user.manager}."]
    columns = ("kind", "pieces", "price", "comment", "unanswered", "proposed_by__manager")
    assert list(order.proposals.values_list(*columns)) == [
        ("later", 8, Decimal("4.50"), "From the maker", "accept", "Min-ji Park"),
        ("substitute", 40, Decimal("3.90"), "", "accept", "Min-ji Park"),
    ]
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
    assert "8 now, 12 about" in page.text
    message = LogEntry.objects.get().get_change_message()
    assert message.startswith("Proposals sent: A-1: 8 now, 12 about")
    assert message.endswith("(C-3) at $3.90")
    assert "C-3" in page.text
    assert "disabled" in page.text.partition('id="confirm-order"')[2][:60]


def test_another_price_needs_its_reason_at_its_line(sales, order):
    first, _ = order.lines.order_by("id")
    rows = ({"line_id": first.pk, "price": "4.00", "why": ""},)
    decisions = (20, "propose:price", ""), (40, "", "")
    page = sales.post(address(order), proposing(order, *decisions, rows=rows))
    assert "Why another price?" in page.text
    assert 'value="4.00"' in page.text
    assert not order.proposals.exists()
    rows = ({"line_id": first.pk, "price": "4.00", "why": "damaged"},)
    sales.post(address(order), proposing(order, *decisions, rows=rows))
    assert order.proposals.get().difference == Decimal("-10.00")


WRONG = [
    ("fewer", {}, "line-0-confirmed", "From 0 to 19 now."),
    ("later", {}, "line-0-confirmed", "From 0 to 19 now."),
    ("substitute", {}, "proposal-0-sku", "Choose a product."),
    ("substitute", {"sku": "C-3"}, "proposal-0-pieces", "At least one piece."),
    ("substitute", {"sku": "C-3", "pieces": "99"}, "proposal-0-pieces", "Not enough in stock."),
    ("price", {"price": "4.00"}, "proposal-0-why", "Why another price?"),
    ("price", {"price": "4.50", "why": "damaged"}, "proposal-0-price", "as ordered"),
    (
        "price",
        {"price": "5.00", "why": "damaged", "unanswered": "accept"},
        "proposal-0-unanswered",
        "silence cannot accept it",
    ),
]


@pytest.mark.parametrize(("kind", "cells", "cell", "fault"), WRONG)
def test_a_fault_stands_at_its_cell_and_the_list_on_top_leads_there(
    sales, order, kind, cells, cell, fault
):
    first, _ = order.lines.order_by("id")
    make_product(sku="C-3", usd_supply=Decimal("3.90"), on_hand=50)
    rows = ({"line_id": first.pk, **cells},)
    decisions = (20, f"propose:{kind}", ""), (40, "", "")
    page = sales.post(address(order), proposing(order, *decisions, rows=rows))
    ((target, text),) = page.context["faults"]
    assert target == f"id_{cell}"
    assert fault in text
    assert page.text.count(f'id="{target}"') == 1
    forms = [*page.context["decisions"], *page.context["proposed"]]
    marked = [form[name].html_name for form in forms for name in form.errors]
    assert marked == [cell]
    assert page.text.count(text) > 1, "on top and at the cell"


def test_a_day_that_is_over_stands_at_the_day(sales, order):
    first, _ = order.lines.order_by("id")
    rows = ({"line_id": first.pk, "expected_on": "2020-01-10"},)
    decisions = (8, "propose:later", ""), (40, "", "")
    page = sales.post(address(order), proposing(order, *decisions, rows=rows))
    assert [target for target, _ in page.context["faults"]] == ["id_proposal-0-expected_on"]


@pytest.mark.parametrize(
    "cells", [{"expected_on": "soon"}, {"price": "x"}, {"pieces": "-1"}, {"why": "none"}]
)
def test_a_cell_that_cannot_be_read_is_refused(sales, order, cells):
    first, _ = order.lines.order_by("id")
    rows = ({"line_id": first.pk, **cells},)
    page = sales.post(address(order), proposing(order, *FEWER, rows=rows))
    ((_, fault),) = page.context["faults"]
    assert fault.startswith("Proposal, A-1: ")
    assert not order.proposals.exists()


def test_a_sheet_with_proposals_is_not_confirmed_before_they_are_sent(sales, order):
    page = sales.post(address(order), filled(order, *FEWER))
    assert "Send this proposal first, or take it off." in page.text
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


def test_an_open_proposal_is_taken_back_and_the_order_confirmed(sales, order):
    sales.post(address(order), proposing(order, *FEWER), follow=True)
    refused = sales.post(address(order), filled(order))
    assert "One proposal waits for the buyer" in shown_messages(refused)[0]
    proposal = order.proposals.get()
    sales.post(address(order), {"withdraw": proposal.pk}, follow=True)
    assert order.proposals.get().state == LineProposal.State.WITHDRAWN
    page = sales.post(address(order), {"withdraw": proposal.pk}, follow=True)
    assert "Taken back by Min-ji Park" in shown_messages(page)[0]
    sales.post(address(order), filled(order))
    assert Order.objects.get(pk=order.pk).status == OrderStatus.CONFIRMED


def test_answers_stand_on_the_sheet_and_make_an_older_one_stale(sales, order):
    sales.post(address(order), proposing(order, *FEWER))
    older = filled(order, (20, "", ""), (40, "", "Kept words"))
    say(order, ProposalAnswer(order.proposals.get().pk, "accept"))
    page = sales.get(address(order))
    lines = [(row["line"].sku, row["line"].quantity) for row in page.context["rows"]]
    assert lines == [("A-1", 8), ("B-2", 40)]
    assert "8 confirmed + 12 declined = 20" in page.text
    assert stock_of(order.lines.first().product)[1] == 8
    body = {**older, "line-TOTAL_FORMS": 2, "line-INITIAL_FORMS": 2}
    late = sales.post(address(order), body)
    assert late.status_code == 409
    assert f"{order.user.manager} changed this order" in shown_messages(late)[0]
    assert "Kept words" in late.text


def test_the_sheet_says_how_long_proposals_wait(sales, order):
    sales.post(address(order), proposing(order, *FEWER), follow=True)
    page = sales.get(address(order))
    assert "business days left" in page.text
    assert (page.context["if_accepted"], page.context["if_declined"]) == (216, 180)


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "0"])
def test_taking_back_what_is_no_proposal_is_refused(sales, order, number):
    page = sales.post(address(order), {"withdraw": number}, follow=True)
    assert page.status_code == 200
    assert shown_messages(page)


def test_the_home_page_counts_what_proposals_wait_for_and_leads_to_their_orders(sales, order):
    line, other = order.lines.order_by("id")
    quiet = make_order_at(OrderStatus.PREPARING, make_buyer(), [(make_product(sku="D-4"), 20)])
    for of, lines in ((order, (line, other)), (quiet, (quiet.lines.get(),))):
        rows = tuple(
            {"line_id": one.pk, "expected_on": "2031-01-10", "unanswered": "decline"}
            for one in lines
        )
        decisions = [(8, "propose:later", "") for _ in lines]
        sales.post(address(of), proposing(of, *decisions, rows=rows))
    LineProposal.objects.filter(order=quiet).update(answer_by=timezone.now())
    question, declined = order.proposals.order_by("id")

    def counts() -> dict[str, int]:
        cache.clear()
        cards = {card["name"]: card for card in sales.get("/admin/").context["cards"]}
        rows = cards["Proposals and wishes"]["rows"][:3]
        for row in rows:
            changelist = sales.get(row["url"]).context["cl"]
            assert changelist.result_count == row["count"], row["label"]
        return {row["label"]: row["count"] for row in rows}

    questions, answered = "Questions about proposals", "Answered, to confirm"
    waiting = {questions: 0, answered: 0, "Unanswered, expiring today": 1}
    assert counts() == waiting
    say(
        order,
        ProposalAnswer(question.pk, "ask", "Which batch?"),
        ProposalAnswer(declined.pk, "decline"),
    )
    assert counts() == {**waiting, questions: 1}
    sales.post(f"/admin/orders/order/{order.pk}/answer/", {"text": "That of May", "_as": "answer"})
    assert counts()[questions] == 0
    say(order, ProposalAnswer(question.pk, "accept"))
    assert counts() == {**waiting, answered: 1}
