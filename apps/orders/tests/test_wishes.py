"""Wishes: kept wherever pieces are not given, read and dropped by their company alone."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product, Running, Stock
from apps.catalog.tests.factories import make_brand, make_product, restrict
from apps.common.testing import ContractClient
from apps.orders.admin import records
from apps.orders.models import LineProposal, Order, Wish
from apps.orders.selectors import wishes as selector
from apps.orders.selectors.wishes import WishQuery, wish_totals
from apps.orders.services import wishes as service
from apps.orders.services.confirm import LineDecision
from apps.orders.services.proposals import (
    NewProposal,
    ProposalAnswer,
    answer_proposals,
    expire,
    propose,
)
from apps.orders.services.wishes import wish_for
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import values_of
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
    shown = [(wish.line, wish.user_id, wish.product_id) for wish in Wish.objects.all()]
    assert shown == [(line, buyer.id, line.product_id) for _ in pieces]


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


@pytest.mark.parametrize(("kind", "answer", "wish"), WENT)
@pytest.mark.parametrize("silent", [False, True])
def test_what_a_proposal_does_not_give_is_a_wish_by_answer_or_silence(
    buyer: Buyer, order: Order, kind: str, answer: str, wish: tuple | None, silent: bool
) -> None:
    fields = {
        Kind.LATER: {"expected_on": SOON},
        Kind.PRICE: {"price": order.total / 60, "reason": "damaged"},
    }.get(Kind(kind), {})
    given = [NewProposal(order.lines.get().pk, kind, 12, unanswered=answer, **fields)]
    version, actor = Order.objects.get().version, make_sales()
    (proposal,) = propose(order_id=order.pk, version=version, proposals=given, actor=actor, now=NOW)
    if silent:
        expire(order_id=order.pk, now=NOW + timedelta(days=30))
    else:
        for _ in range(2):  # a repeat keeps nothing twice
            answers = [ProposalAnswer(proposal.pk, answer)]
            answer_proposals(buyer=buyer, invoice_code=order.invoice_code, answers=answers, now=NOW)
    assert kept() == ([wish] if wish else [])


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
    Stock.objects.update(arriving=40, expected_on=SOON)
    assert expected() == [f"{SOON:%a %-d %b}"] * 2
    Stock.objects.update(expected_on=NOW.date() - timedelta(days=2))
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
    own = Wish.objects.get(code="Y")
    for found, status in ((Wish.objects.get(code="FOREIGN"), 404), (own, 200), (own, 404)):
        assert api.delete(f"{URL}/{found.pk}").status_code == status
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
    again = {"company_id": found.company_id, "user_id": found.user_id, "product": product}
    with pytest.raises(IntegrityError, match=r"wish_product_once|UNIQUE"), transaction.atomic():
        Wish.objects.create(**again, why="sold_out", pieces=1, since=NOW)
    with pytest.raises(IntegrityError, match="wish_pieces"), transaction.atomic():
        Wish.objects.update(dropped=20)


# What staff see of them


pytestmark = pytest.mark.django_db
WANTED = "/admin/orders/wish/"
TODAY = NOW.date()


@pytest.fixture
def wished(buyer: Buyer) -> Buyer:
    """Two customers want two products of two brands and a code; the oldest waits for 40 days."""
    oil = make_product(on_hand=0, sku="OIL", eng_name="Night Oil", brand=make_brand(eng="Zephyr"))
    make_product(on_hand=0, sku="GONE", eng_name="Day Oil", brand=make_brand(eng="Aurora"))
    other = make_buyer()
    wishes = ((buyer, "OIL", 30), (other, "OIL", 20), (buyer, "GONE", 10), (buyer, "NB-7", 5))
    for who, sku, pieces in wishes:
        wish_for(buyer=who, sku=sku, pieces=pieces, now=NOW)
    Wish.objects.filter(product=oil, user_id=buyer.id).update(since=NOW - timedelta(days=40))
    Stock.objects.filter(product=oil).update(on_hand=12)
    return buyer


def groups(**query: Any) -> list[tuple[str, int, int, int, int]]:
    totals = wish_totals(WishQuery(**query), today=TODAY).groups
    return [(one.name, one.wanted, len(one.companies), one.available, one.to_buy) for one in totals]


def test_what_is_wanted_is_counted_by_product_brand_and_customer(wished: Buyer) -> None:
    shown = groups()
    assert shown == [("Night Oil", 50, 2, 12, 38), ("Day Oil", 10, 1, 0, 10), ("NB-7", 5, 1, 0, 0)]
    assert groups(by="brand") == [
        ("Zephyr", 50, 2, 12, 38),
        ("Aurora", 10, 1, 0, 10),
        ("Unknown codes", 5, 1, 0, 0),
    ]
    assert next(row[:2] for row in groups(by="customer")) == (wished.company, 45)
    assert [row[1] for row in groups(by="wish")] == [30, 20, 10, 5]
    whole = wish_totals(WishQuery(), today=TODAY)
    assert (whole.pieces, whole.skus, whole.customers, whole.to_buy) == (65, 3, 2, 48)


def test_what_is_wanted_is_searched_and_filtered(wished: Buyer) -> None:
    assert [row[0] for row in groups(words="oil")] == ["Night Oil", "Day Oil"]
    assert [row[0] for row in groups(words=wished.company)] == ["Night Oil", "Day Oil", "NB-7"]
    assert [row[0] for row in groups(why="unknown_sku")] == ["NB-7"]
    assert groups(overdue=True) == [("Night Oil", 30, 1, 12, 18)]


def test_nothing_is_bought_of_what_is_not_sold_any_more(wished: Buyer) -> None:
    product = Product.objects.get(sku="GONE")
    product.is_running = Running.DISCONTINUED
    product.save()
    assert ("Day Oil", 10, 1, 0, 0) in groups()
    assert "Discontinued" in staff_client("Sales").get(WANTED).text


def test_the_page_says_who_waits_for_what_and_home_leads_to_it(wished: Buyer) -> None:
    client = staff_client("Sales")
    page = client.get(WANTED).text
    for text in ("65 pieces of 3 SKUs", '<b class="late">40 d</b>', "Sold out", "Unknown code"):
        assert text in page
    found = client.get(WANTED, {"q": "NB-7"}).text
    assert "All: <b>5</b> pieces of <b>1</b> SKU, 1 customer." in found
    home = client.get("/admin/").text
    for text in ("Wanted and not available", f'href="{WANTED}?overdue=1"'):
        assert text in home


def test_what_is_on_its_way_need_not_be_bought(wished: Buyer) -> None:
    oil = Product.objects.get(sku="OIL")
    client = staff_client("Sales")
    page = f"/admin/catalog/product/{oil.pk}/expect/"
    day = TODAY + timedelta(days=20)
    assert client.post(page, {"pieces": "30", "expected_on": "2020-01-01"}).status_code == 200
    assert client.post(page, {"pieces": "30", "expected_on": str(day)}).status_code == 302
    assert groups()[0] == ("Night Oil", 50, 2, 12, 8)
    assert f'30<span class="second">{day:%m-%d}</span>' in client.get(WANTED).text
    rows = values_of(client.get(WANTED, {"format": "xlsx"}).content)
    assert [12, 30, str(day), 8] in [row[7:11] for row in rows]


def test_each_customer_leads_to_its_wishes(wished: Buyer) -> None:
    client = staff_client("Sales")
    link = f"?by=wish&amp;company={wished.company_id}"
    assert f'href="{link}"' in client.get(WANTED, {"by": "customer"}).text
    page = client.get(WANTED, {"by": "wish", "company": str(wished.company_id)}).text
    assert f"Of {wished.company} alone." in page
    assert "All: <b>45</b> pieces of <b>3</b> SKUs, 1 customer." in page


def test_the_purchase_list_is_a_workbook_brand_by_brand(wished: Buyer) -> None:
    client = staff_client("Sales")
    head, *rows = values_of(client.get(WANTED, {"format": "xlsx", "by": "brand"}).content)
    assert head[:4] == ["Brand", "SKU", "Product", "Wanted"]
    assert [(*row[:5], row[10]) for row in rows] == [
        ("", "NB-7", "", 5, 1, 0),
        ("Aurora", "GONE", "Day Oil", 10, 1, 10),
        ("Zephyr", "OIL", "Night Oil", 50, 2, 38),
    ]
    product = Product.objects.get(sku="GONE")
    some: list[tuple[dict[str, Any], list[str]]] = [
        ({"brand": str(product.brand_id)}, ["GONE"]),
        ({"pick": str(product.pk)}, ["GONE"]),
        ({"pick": [str(product.pk), "code:NB-7"]}, ["NB-7", "GONE"]),
        ({"pick": [str(product.pk), "code:NB-7"], "why": "unknown_sku"}, ["NB-7"]),
        ({"pick": "x"}, []),
    ]
    for query, skus in some:
        rows = values_of(client.get(WANTED, {"format": "xlsx", **query}).content)
        assert [row[1] for row in rows] == ["SKU", *skus]


def test_many_products_are_shown_by_pages(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "A_PAGE", 2)
    products = [make_product(on_hand=0) for _ in range(3)]
    for place, product in enumerate(products, 1):
        wish_for(buyer=buyer, sku=product.sku, pieces=place, now=NOW)
    client = staff_client("Sales")
    picked = {"pick": str(products[0].pk)}
    first, second, third = (client.get(WANTED, {"page": page, **picked}) for page in "12x")
    boxes = [page.text.count('type="checkbox" name="pick"') for page in (first, second, third)]
    assert boxes == [2, 1, 2]
    assert "Page: <b>1</b> piece." in second.text
    assert 'href="?page=1"' in second.text  # without what was ticked
    assert "All: <b>6</b> pieces of <b>3</b> SKUs" in second.text
    assert 'name="pick"' not in client.get(WANTED, {"by": "brand"}).text
