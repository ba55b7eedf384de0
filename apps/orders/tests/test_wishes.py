"""Wishes: kept wherever pieces are not given, read and dropped by their company alone."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Arrival, Product, Running
from apps.catalog.tests.factories import make_product, restrict
from apps.common.testing import ContractClient
from apps.orders.models import LineProposal, Order, Wish
from apps.orders.selectors import wishes as selector
from apps.orders.services import wishes as service
from apps.orders.services.confirm import LineDecision
from apps.orders.services.proposals import (
    NewProposal,
    ProposalAnswer,
    answer_proposals,
    expire,
    propose,
)
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, make_sales

URL = "/api/account/wishes"
NOW = datetime.now(UTC)
SOON = date(NOW.year + 1, 1, 7)
Kind = LineProposal.Kind


def wish(client: ContractClient, sku: str, count: int = 20) -> int:
    return int(client.send("POST", URL, {"sku": sku, "count": count}).status_code)


def kept() -> list[tuple[str, int, date | None]]:
    return list(Wish.objects.order_by("id").values_list("why", "pieces", "promised_on"))


@pytest.fixture
def order(buyer: Buyer) -> Order:
    return make_order_at(OrderStatus.PREPARING, buyer, [(make_product(on_hand=100, sku="A"), 30)])


@pytest.mark.parametrize(
    ("reason", "pieces"), [("", [18]), ("short", [18]), ("discontinued", [18]), ("substitute", [])]
)
def test_what_a_confirmation_cuts_is_a_wish(
    buyer: Buyer, order: Order, reason: str, pieces: list[int]
) -> None:
    line = order.lines.get()
    confirm(order, [LineDecision(line.pk, 12, reason)])
    assert kept() == [("cut", count, None) for count in pieces]
    assert [(found.line, found.user_id, found.product_id) for found in Wish.objects.all()] == [
        (line, buyer.id, line.product_id) for _ in pieces
    ]


def test_a_line_that_is_confirmed_whole_is_none(order: Order) -> None:
    confirm(order)
    assert kept() == []


WENT = [
    (Kind.FEWER, "accept", ("cut", 18, None)),
    (Kind.LATER, "accept", ("later", 18, SOON)),
    (Kind.PRICE, "accept", None),
    (Kind.FEWER, "decline", ("declined", 30, None)),
    (Kind.PRICE, "decline", ("declined", 30, None)),
]


@pytest.mark.parametrize(("kind", "answer", "wanted"), WENT)
@pytest.mark.parametrize("silent", [False, True])
def test_what_a_proposal_does_not_give_is_a_wish_by_answer_or_silence(
    buyer: Buyer,
    order: Order,
    kind: str,
    answer: str,
    wanted: tuple[str, int, date | None] | None,
    silent: bool,
) -> None:
    fields = {
        Kind.LATER: {"expected_on": SOON},
        Kind.PRICE: {"price": order.total / 60, "reason": "damaged"},
    }.get(Kind(kind), {})
    given = NewProposal(order.lines.get().pk, kind, 12, unanswered=answer, **fields)
    (proposal,) = propose(
        order_id=order.pk,
        version=Order.objects.get().version,
        proposals=[given],
        actor=make_sales(),
        now=NOW,
    )
    if silent:
        expire(order_id=order.pk, now=NOW + timedelta(days=30))
    else:
        for _ in range(2):  # a repeat keeps nothing twice
            answers = [ProposalAnswer(proposal.pk, answer)]
            answer_proposals(buyer=buyer, invoice_code=order.invoice_code, answers=answers, now=NOW)
    assert kept() == ([wanted] if wanted else [])


def test_a_buyer_is_told_when_what_is_sold_out_is_back(api: ContractClient) -> None:
    product = make_product(on_hand=0, sku="A", eng_name="Night Oil")
    assert (wish(api, "a"), wish(api, "no-such-code")) == (200, 200)
    rows = api.get(URL).json()["wishes"]
    assert [(row["sku"], row["eng_name"], row["count"], row["why"]) for row in rows] == [
        ("A", product.eng_name, 20, "sold_out"),
        ("NO-SUCH-CODE", "", 20, "unknown_sku"),
    ]


def test_a_wish_says_when_pieces_are_expected(
    api: ContractClient, buyer: Buyer, order: Order
) -> None:
    make_product(on_hand=0, sku="B")
    line, promised_on = order.lines.get(), SOON + timedelta(days=5)
    waits = {"product": line.product, "line": line, "pieces": 5, "since": NOW}
    other = make_buyer()
    Wish.objects.create(
        company_id=other.company_id, user_id=other.id, why="later", promised_on=promised_on, **waits
    )
    Wish.objects.create(company_id=buyer.company_id, user_id=buyer.id, why="cut", **waits)
    wish(api, "B")

    def expected() -> list[str]:
        return [row["expected_text"] for row in api.get(URL).json()["wishes"]]

    assert expected() == [f"{promised_on:%a %-d %b}", ""]
    for product in Product.objects.all():
        Arrival.objects.create(product=product, pieces=40, expected_on=SOON)
    assert expected() == [f"{SOON:%a %-d %b}"] * 2
    Arrival.objects.update(expected_on=NOW.date() - timedelta(days=2))
    assert expected() == [f"{promised_on:%a %-d %b}", ""]


def test_asked_again_a_wish_has_the_newest_number_and_more_waits_from_then_on(
    api: ContractClient,
) -> None:
    make_product(on_hand=0, sku="A")
    wish(api, "A", 20)
    first = Wish.objects.get()
    wish(api, "A", 10)
    assert Wish.objects.get().since == first.since
    wish(api, "A", 30)
    assert (Wish.objects.get().pieces, Wish.objects.get().since > first.since) == (30, True)


@pytest.mark.parametrize(
    "fields",
    [{"on_hand": 10}, {"is_running": Running.DISCONTINUED}, {"is_running": Running.CONTACT_US}],
    ids=["there", "discontinued", "asked for"],
)
def test_what_can_be_ordered_or_will_not_be_back_is_no_wish(
    api: ContractClient, fields: dict[str, int]
) -> None:
    make_product(sku="A", **{"on_hand": 0, **fields})
    assert (wish(api, "A"), kept()) == (400, [])


def test_a_buyer_has_so_many_of_his_own(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_OWN", 1)
    assert [wish(api, code) for code in ("X", "X", "Y")] == [200, 200, 400]


def test_a_wish_is_for_so_many_pieces(api: ContractClient) -> None:
    make_product(on_hand=0, sku="A")
    assert [wish(api, "A", pieces) for pieces in (10_001, 10_000, 10_001)] == [400, 200, 400]
    assert Wish.objects.get().pieces == 10_000


def test_wishes_are_searched_by_pages_and_dropped_by_their_company(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selector, "WISHES_A_PAGE", 2)
    for code in ("X", "Y", "Z"):
        wish(api, code)
    service.wish_for(buyer=make_buyer(), sku="FOREIGN", pieces=5, now=NOW)
    first = api.get(URL).json()
    last = api.get(URL, {"after": first["next"]}).json()
    assert [row["sku"] for row in (*first["wishes"], *last["wishes"])] == ["X", "Y", "Z"]
    assert [row["sku"] for row in api.get(URL, {"search": "y"}).json()["wishes"]] == ["Y"]
    foreign, own = Wish.objects.get(code="FOREIGN"), Wish.objects.get(code="Y")
    assert [api.delete(f"{URL}/{found.pk}").status_code for found in (foreign, own, own)] == [
        404,
        200,
        404,
    ]
    own.refresh_from_db()
    assert (own.open, own.dropped, own.closed_at is None) == (0, 20, False)
    assert wish(api, "Y") == 200  # anew


def test_what_a_buyer_does_not_see_any_more_is_not_named(api: ContractClient, buyer: Buyer) -> None:
    make_product(on_hand=0, sku="A")
    wish(api, "A")
    Product.objects.update(is_running=Running.HIDDEN)
    assert api.get(URL).json()["wishes"] == []
    Product.objects.update(is_running=Running.ON_SALE)
    restrict(Company.objects.get(pk=buyer.company_id), [])
    assert api.get(URL).json()["wishes"] == []


def test_the_database_keeps_one_open_wish_for_a_product_and_counts_its_pieces(
    api: ContractClient,
) -> None:
    product = make_product(on_hand=0, sku="A")
    wish(api, "A")
    found = Wish.objects.get()
    again = {
        "company_id": found.company_id,
        "user_id": found.user_id,
        "product": product,
        "why": "sold_out",
    }
    with pytest.raises(IntegrityError, match=r"wish_product_once|UNIQUE"), transaction.atomic():
        Wish.objects.create(**again, pieces=1, since=NOW)
    with pytest.raises(IntegrityError, match="wish_pieces"), transaction.atomic():
        Wish.objects.update(dropped=20)
