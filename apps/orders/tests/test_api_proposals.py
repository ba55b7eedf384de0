"""The calls of proposals: what the buyer reads, what he sends, what is refused."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import LineProposal, Order
from apps.orders.selectors.details import order_details
from apps.orders.services.proposals import (
    NewProposal,
    ProposalAnswer,
    answer_proposals,
    expire,
    propose,
    withdraw,
)
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)


@pytest.fixture
def order(buyer: Buyer) -> Order:
    lines = [
        (make_product(sku=sku, usd_supply=Decimal("6.00"), on_hand=100), 20) for sku in ("A", "B")
    ]
    return make_order_at(OrderStatus.PREPARING, buyer, lines)


@pytest.fixture
def proposals(order: Order) -> list[LineProposal]:
    first, second = order.lines.order_by("id")
    answers = [
        NewProposal(first.pk, "fewer", 8, "accept", comment="Eight are left."),
        NewProposal(second.pk, "price", 0, price=Decimal("6.50"), reason="raised"),
    ]
    sales = make_sales()
    return propose(
        order_id=order.pk, version=order.version, proposals=answers, actor=sales, now=NOW
    )


def address(order: Order, more: str = "") -> str:
    return f"/api/order/proposals/{order.invoice_code}{more}"


def details(api: ContractClient, order: Order) -> Json:
    shown: Json = api.get(f"/api/details/{order.invoice_code}").json()
    return shown


def listed(api: ContractClient) -> str:
    """Return what the list says of the order's answers."""
    return str(api.get("/api/order/2").json()["orderList"][0]["answers"])


def test_the_buyer_reads_old_and_new_pieces_and_prices(
    api: ContractClient, order: Order, proposals
) -> None:
    answer = api.send("GET", address(order)).json()
    first, second = answer["proposals"]
    head = {"open": 2, "order_count": 2, "deadline": "Wed 25 Nov, 15:00 Seoul"}
    sums = {"real_total": 240.0, "change": 0.0, "balance": 0.0, "overpayment": 0.0}
    assert {**answer, **head, **sums} == answer
    assert first["ordered"] == {"count": 20, "price": 6.0, "order_price": 120.0}
    assert (first["proposed"]["count"], first["proposed"]["order_price"]) == (8, 48.0)
    told: dict[str, Any] = {"comment": "Eight are left.", "unanswered": "accept", "closed": ""}
    assert {**first, **told, "difference": -72.0} == first
    told = {"reason": "The maker's price rose", "unanswered": "decline", "difference": 10.0}
    assert {**second, **told} == second


def test_the_order_says_that_answers_are_due(api: ContractClient, order: Order, proposals) -> None:
    step = details(api, order)["order"]["next_step"]
    assert (step["kind"], step["tone"]) == ("proposals", "warn")
    assert step["title"] == "2 proposals need your answer"
    assert step["text"].startswith("By Wed 25 Nov, 15:00 Seoul.")
    ids = [one.pk for one in proposals]
    withdraw(order_id=order.pk, proposal_ids=ids, actor=make_sales(), now=NOW)
    assert details(api, order)["order"]["next_step"]["kind"] == "wait"


def test_order_and_list_name_what_waits(api: ContractClient, order: Order, proposals) -> None:
    body = details(api, order)
    assert body["order"]["answers_needed"] == 2
    assert [line["proposal"] for line in body["details"]] == [
        {"text": "8 now, 12 dropped", "difference": -72.0},
        {"text": "20 at $6.50 instead of $6.00, the maker's price rose", "difference": 10.0},
    ]
    for one, left in zip(proposals, ("1 answer by 25 Nov", ""), strict=True):
        assert listed(api) != left
        withdraw(order_id=order.pk, proposal_ids=[one.pk], actor=make_sales(), now=NOW)
        assert listed(api) == left
    body = details(api, order)
    assert body["order"]["answers_needed"] == 0
    assert {line["proposal"] for line in body["details"]} == {None}


def test_each_line_says_what_was_decided_by_whom_and_when(
    api: ContractClient, buyer: Buyer, order: Order, proposals, django_assert_max_num_queries
) -> None:
    first, second = proposals
    say(buyer, order, {first.pk: "accept", second.pk: "decline"})
    with django_assert_max_num_queries(6):
        lines = order_details(buyer=buyer, invoice_code=order.invoice_code, now=NOW)["details"]
    assert [(line["sku"], line["count"], line["decided"]) for line in lines] == [
        ("A", 8, "You accepted on 20 Nov 2026: 8 now, 12 dropped."),
        ("A", 12, ""),
        ("B", 20, "You declined on 20 Nov 2026."),  # its comment says what
    ]
    assert lines[2]["comment"].startswith("Declined: 20 at $6.50")
    User.objects.filter(pk=buyer.id).update(manager="Lena Vogt")
    colleague = replace(buyer, id=buyer.id + 1)
    details = order_details(buyer=colleague, invoice_code=order.invoice_code, now=NOW)["details"]
    assert details[0]["decided"] == "Lena Vogt accepted on 20 Nov 2026: 8 now, 12 dropped."


def test_a_line_says_that_silence_decided_and_only_the_newest_decision(
    api: ContractClient, buyer: Buyer, order: Order, proposals
) -> None:
    late = max(one.answer_by for one in proposals) + timedelta(minutes=1)
    expire(order_id=order.pk, now=late)
    first, *_, second = details(api, order)["details"]
    assert first["decided"] == "Not answered by 25 Nov 2026: accepted (8 now, 12 dropped)."
    assert second["decided"] == "Not answered by 25 Nov 2026: the line is dropped."
    order.refresh_from_db()
    other = make_product(sku="C", eng_name="Other cream", usd_supply=Decimal("5.00"), on_hand=100)
    line = order.lines.earliest("id").pk
    again = NewProposal(line, "substitute", 10, price=Decimal("5.00"), product_id=other.pk)
    (newer,) = propose(
        order_id=order.pk, version=order.version, proposals=[again], actor=make_sales(), now=late
    )
    waiting = details(api, order)["details"][0]
    assert waiting["decided"] == ""
    assert waiting["proposal"]["text"] == "10 × Other cream (C) at $5.00"
    say(buyer, order, {newer.pk: "decline"})
    line = details(api, order)["details"][0]
    assert (line["decided"], line["proposal"]) == ("You declined on 20 Nov 2026.", None)


def say(buyer: Buyer, order: Order, answers: dict[int, str]) -> None:
    given = [ProposalAnswer(proposal_id, answer) for proposal_id, answer in answers.items()]
    answer_proposals(buyer=buyer, invoice_code=order.invoice_code, answers=given, now=NOW)


def test_what_is_due_asks_for_the_answers(
    api: ContractClient, buyer: Buyer, order: Order, proposals
) -> None:
    (step,) = api.send("GET", f"/api/dashboard/due/{buyer.uuid}").json()["steps"]
    assert (step["kind"], step["tone"], step["action"]) == ("answers", "warn", "Answer")
    assert (step["title"], step["text"]) == ("2 proposals need your answer", order.invoice_code)


def test_new_totals_are_told_before_anything_is_sent(
    api: ContractClient, order: Order, proposals
) -> None:
    first, second = (one.pk for one in proposals)
    answers = [
        {"proposal_id": first, "answer": "accept"},
        {"proposal_id": second, "answer": "decline"},
    ]
    totals = api.send("POST", address(order, "/totals"), {"answers": answers}).json()
    assert (totals["change"], totals["new_total"], totals["overpayment"]) == (-192.0, 48.0, 192.0)
    answers = [{"proposal_id": second, "answer": "accept"}, {"proposal_id": first, "answer": "ask"}]
    totals = api.send("POST", address(order, "/totals"), {"answers": answers}).json()
    assert (totals["change"], totals["new_total"], totals["balance"]) == (10.0, 250.0, 10.0)
    assert LineProposal.objects.filter(state="open").count() == 2


def test_answers_are_sent_at_once_and_shown(api: ContractClient, order: Order, proposals) -> None:
    first, second = (one.pk for one in proposals)
    answers = [
        {"proposal_id": first, "answer": "accept"},
        {"proposal_id": second, "answer": "ask", "question": "From when on?"},
    ]
    body = api.send("POST", address(order), {"answers": answers}).json()
    assert [one["state"] for one in body["proposals"]] == ["accepted", "open"]
    assert body["proposals"][1]["question"] == "From when on?"
    assert (body["open"], body["real_total"]) == (1, 168.0)
    thread = api.get(f"/api/order/customer/messages/{order.invoice_code}").json()["messages"]
    assert thread[-1]["text"].endswith("(B): From when on?")


def test_the_second_is_told_by_409(api: ContractClient, order: Order, proposals) -> None:
    withdraw(order_id=order.pk, proposal_ids=[proposals[0].pk], actor=make_sales(), now=NOW)
    body = {"answers": [{"proposal_id": proposals[0].pk, "answer": "accept"}]}
    answer = api.send("POST", address(order), body)
    assert (answer.status_code, answer.json()["code"]) == (409, "proposal_closed")
    assert "Taken back by Mina Park" in answer.json()["errors"][str(proposals[0].pk)][0]


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [{"proposal_id": 1}],
        [{"proposal_id": 1, "answer": "perhaps"}],
        [{"proposal_id": 1, "answer": "ask"}],
        [{"proposal_id": 1, "answer": "accept"}, {"proposal_id": 1, "answer": "decline"}],
    ],
)
def test_a_wrong_body_is_refused(api: ContractClient, order: Order, answers) -> None:
    assert api.send("POST", address(order), {"answers": answers}).status_code == 400
