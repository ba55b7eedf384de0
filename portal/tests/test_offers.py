"""Offers: what arrives goes to the oldest entitled, is held, ordered, lapses to the next; one mail
a buyer a day.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import openpyxl
import pytest
from django.db import IntegrityError, transaction
from post_office.models import Email
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_country, make_user
from apps.catalog import pricelist
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Product, Stock
from apps.catalog.selectors import product_page
from apps.catalog.selectors.pages import ProductListRequest
from apps.catalog.services import holds, stock
from apps.catalog.tests.factories import close_brand, make_product, restrict
from apps.common.testing import ContractClient
from apps.orders.mail import offered
from apps.orders.models import GivenPieces, Wish
from apps.orders.services.baskets import edit_basket
from apps.orders.services.place import hold_stock
from apps.orders.services.wishes import tell_offers, wish_for
from apps.orders.sweeps import pass_offers_on
from apps.orders.tests.factories import make_draft, make_order, make_order_of, make_sales, stock_of
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 23, 3, 0, tzinfo=UTC)  # Monday noon in Seoul
DAY = timedelta(days=1)


@pytest.fixture
def product() -> Product:
    return make_product(on_hand=0, sku="A", eng_name="Night Oil")


@pytest.fixture
def buyers(product: Product) -> list[Buyer]:
    """Three customers who want 30, 20 and 10 pieces, the first the longest."""
    users = [make_buyer() for _ in range(3)]
    for number, buyer in enumerate(users):
        wish_for(buyer=buyer, sku="A", pieces=30 - 10 * number, now=NOW - DAY * (9 - number))
    return users


def arrive(product: Product, pieces: int, *, now: datetime = NOW) -> None:
    stock.receive(
        product_id=product.pk, pieces=pieces, reason="Delivery", actor=make_sales(), now=now
    )


def held() -> list[tuple[int, int, int, int]]:
    """Return held, given, expired and dropped of the wishes by age."""
    return list(Wish.objects.order_by("since").values_list("held", "given", "expired", "dropped"))


def faults() -> str:
    """Return what the audit finds wrong with stock and offers."""
    return "\n".join(line for line in audit().splitlines() if line.startswith("1."))


def mails() -> list[str]:
    sent = Email.objects.filter(subject__icontains="reserved for you")
    return list(sent.order_by("id").values_list("to", flat=True))


@pytest.mark.parametrize("counted", ["recount", "recount_many"])
def test_a_recount_that_finds_more_is_an_arrival(
    product: Product, buyers: list[Buyer], counted: str
) -> None:
    fields: dict[str, Any] = {"reason": "Counted", "actor": make_sales(), "now": NOW}
    if counted == "recount":
        stock.recount(product_id=product.pk, on_hand=12, **fields)
    else:
        with transaction.atomic():
            stock.lock_shelves(product_ids=[product.pk])
            stock.recount_many(counted={product.pk: 12}, **fields)
    assert [row[0] for row in held()] == [12, 0, 0]


def test_what_others_were_promised_comes_first(product: Product, buyers: list[Buyer]) -> None:
    make_order(buyer_of(make_user(stock_free=True)), [(product, 20)])
    arrive(product, 25)
    assert ([row[0] for row in held()], stock_of(product)) == ([5, 0, 0], (25, 25, 0))


def test_who_may_not_order_it_is_passed_over(product: Product, buyers: list[Buyer]) -> None:
    restrict(Company.objects.get(pk=buyers[0].company_id), [])
    User.objects.filter(pk=buyers[1].id).update(is_active=False)
    arrive(product, 35)
    assert [row[0] for row in held()] == [0, 0, 10]


def test_no_mail_tells_of_a_brand_that_is_closed(product: Product, buyers: list[Buyer]) -> None:
    arrive(product, 30)
    country = make_country("DE", "Germany")
    theirs = Company.objects.filter(pk__in=[buyer.company_id for buyer in buyers[:2]])
    theirs.update(country=country)
    close_brand(product.brand_id, country=country.pk)
    arrive(product, 30)
    assert [row[0] for row in held()] == [30, 0, 10]
    pass_offers_on(NOW)
    assert [mail.to for mail in Email.objects.all()] == [[buyers[2].email]]


def test_held_pieces_are_ordered_by_their_company_alone_whatever_the_moq(
    product: Product, buyers: list[Buyer]
) -> None:
    arrive(product, 33)  # 30 for the first, 3 for the second
    with pytest.raises(OutOfStock):
        make_draft(buyers[2], [(product, 10)])
    order = make_order(buyers[1], [(product, 3)])
    assert held()[:2] == [(30, 0, 0, 0), (0, 3, 0, 0)]
    given = GivenPieces.objects.values_list("invoice_code", "pieces")
    assert list(given) == [(order.invoice_code, 3)]
    make_order(buyers[0], [(product, 20)])
    assert (held()[0], stock_of(product), faults()) == ((10, 20, 0, 0), (33, 33, 0), "")
    make_order(buyers[0], [(product, 10)])
    assert Wish.objects.filter(closed_at__isnull=False).count() == 1


Shown = tuple[int, int, int, str, int]


def shown(api: ContractClient, buyer: Buyer, path: str) -> Shown:
    """Return what a list or a basket says of the product: qty, expect_qty, held, availability,
    selectable.
    """
    address = f"/api/product/{path.format(uuid=buyer.uuid)}"
    body = {"uuid": str(buyer.uuid), "skuData": [{"sku": "A", "count": 3}]}
    asked: Any = ("POST", address, body) if "cart" in path else ("GET", address)
    (row,) = api.send(*asked).json()["result"]
    return row["qty"], row["expect_qty"], row["held"], row["availability"], row["selectable"]


PATHS = ["stock/{uuid}/0", "stock/{uuid}/0?search=night", "stock/{uuid}/0?sort=price", "cart/stock"]


@pytest.mark.parametrize("path", PATHS)
def test_lists_and_the_basket_count_in_what_is_held_for_the_company(
    product: Product,
    buyers: list[Buyer],
    sign_in: Callable[[Buyer], ContractClient],
    django_assert_max_num_queries: Callable,
    path: str,
) -> None:
    arrive(product, 33)  # 30 for the first, 3 for the second
    expected: list[Shown] = [
        (30, 30, 30, "On sale", 1),
        (3, 3, 3, "On sale", 1),
        (0, 0, 0, "Sold out", 0),
    ]
    for buyer, row in zip(buyers, expected, strict=True):
        api = sign_in(buyer)
        with django_assert_max_num_queries(2):
            assert shown(api, buyer, path) == row
    Stock.objects.filter(product=product).update(on_hand=40)
    assert shown(sign_in(buyers[1]), buyers[1], path) == (10, 10, 3, "On sale", 1)


@pytest.mark.parametrize(
    "query", [{"in_stock": 1}, {"on_sale": 1}, {"in_stock": 1, "search": "oil"}], ids=str
)
def test_what_is_held_is_in_stock_for_its_company_alone_in_one_statement(
    product: Product,
    buyers: list[Buyer],
    query: dict[str, Any],
    sign_in: Callable[[Buyer], ContractClient],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    other = make_product(on_hand=50, sku="B", eng_name="Day Oil")
    url = "/api/product/stock/{}/0"
    with django_assert_num_queries(1):
        product_page(buyer=buyers[0], request=ProductListRequest(**query), now=NOW)
    arrive(product, 30)
    assert stock_of(product) == (30, 30, 0)
    pieces = [
        {row["sku"] for row in sign_in(buyer).get(url.format(buyer.uuid), query).json()["result"]}
        for buyer in buyers[:2]
    ]
    assert pieces == [{"A", other.sku}, {other.sku}]


def test_the_price_list_counts_in_what_is_held_and_is_made_anew_when_it_changes(
    product: Product,
    buyers: list[Buyer],
    sign_in: Callable[[Buyer], ContractClient],
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.DATA_DIR = tmp_path

    def row(buyer: Buyer) -> tuple[Any, Any]:
        """Return the availability and the stock that the file says."""
        address = f"/api/excel/product-setting/{buyer.uuid}"
        content = sign_in(buyer).get(address, {"format": "xlsx"}).getvalue()
        cells = openpyxl.load_workbook(BytesIO(content)).worksheets[0][pricelist.FIRST]
        said = dict(zip(pricelist.TITLES, (cell.value for cell in cells), strict=False))
        return said["Availability"], said["Stock"]

    owner, other = buyers[0], buyers[1]
    assert (row(owner), row(other)) == (("Sold out", "0"), ("Sold out", "0"))
    arrive(product, 30)
    assert (row(owner), row(other)) == (("On sale", "In stock"), ("Sold out", "0"))
    # And nothing of the catalogue.
    nothing: Any = {"held": 0, "held_until": None, "told_at": None}
    Wish.objects.filter(company_id=owner.company_id).update(**nothing)
    assert row(owner) == ("Sold out", "0")


def test_a_basket_of_held_pieces_is_not_short(product: Product, buyers: list[Buyer]) -> None:
    arrive(product, 33)
    for buyer, short in zip(buyers, (True, False, True), strict=True):
        pieces = 31 if buyer is buyers[0] else 3
        edit: dict[str, Any] = {"device": uuid4(), "sequence": 1, "edits": [("A", pieces)]}
        basket, _, _ = edit_basket(buyer=buyer, now=NOW, **edit)
        assert [line["short"] for line in basket.lines] == [short]


def test_a_buyer_has_one_mail_a_day_of_all_that_is_held(
    product: Product, buyers: list[Buyer]
) -> None:
    other = make_product(on_hand=0, sku="B", eng_name="Day Oil")
    wish_for(buyer=buyers[0], sku="B", pieces=10, now=NOW)
    arrive(product, 30)
    arrive(other, 10)
    assert (pass_offers_on(NOW), pass_offers_on(NOW)) == (1, 0)
    mail = Email.objects.get(subject="Reserved for you: 40 pieces")
    for text in ("Night Oil (A)", "Day Oil (B)", "Thu 26 Nov", "/account/wishes"):
        assert text in str(mail.context)
    wish_for(buyer=buyers[0], sku="C", pieces=5, now=NOW)
    make_product(on_hand=0, sku="D")
    wish_for(buyer=buyers[0], sku="D", pieces=5, now=NOW)
    arrive(Product.objects.get(sku="D"), 5, now=NOW)
    assert (pass_offers_on(NOW + timedelta(hours=5)), len(mails())) == (0, 1)
    assert tell_offers(user_id=buyers[0].id, now=NOW) is False
    assert (pass_offers_on(NOW + DAY), len(mails())) == (1, 2)
    assert tell_offers(user_id=buyers[0].id, now=NOW + DAY) is False


def test_the_mail_names_a_product_once(product: Product, buyers: list[Buyer]) -> None:
    user = User.objects.get(pk=buyers[0].id)
    wish = Wish(user=user, product=product, held=12, held_until=NOW)
    facts = offered([wish, wish]).context["facts"]
    assert [tuple(fact) for fact in facts] == [("Night Oil (A)", "24 pieces")]


def test_an_offer_goes_to_the_next_once_its_buyer_was_told(
    product: Product, buyers: list[Buyer]
) -> None:
    arrive(product, 30)
    pass_offers_on(NOW + 30 * DAY)  # late itself: the time to order begins with the mail
    assert held()[0] == (30, 0, 0, 0)
    pass_offers_on(NOW + 60 * DAY)
    assert held() == [(0, 0, 30, 0), (20, 0, 0, 0), (10, 0, 0, 0)]


def test_a_payment_that_fails_gives_the_offer_back(product: Product, buyers: list[Buyer]) -> None:
    arrive(product, 30)
    with transaction.atomic():
        draft = make_draft(buyers[0], [(product, 20)])
        for _ in range(2):  # the second prolongs the hold
            hold_stock(draft, buyer=buyers[0], until=NOW + DAY, now=NOW)
    assert (held()[0], faults()) == ((10, 20, 0, 0), "")
    with transaction.atomic():
        holds.release(invoice_code=draft.invoice_code)
    assert (held()[0], GivenPieces.objects.count(), faults()) == ((30, 0, 0, 0), 0, "")
    make_order_of(draft, buyers[0])
    assert (held()[0], stock_of(product), faults()) == ((10, 20, 0, 0), (30, 30, 0), "")


def test_the_database_holds_no_more_than_is_open(product: Product, buyers: list[Buyer]) -> None:
    arrive(product, 30)
    with pytest.raises(IntegrityError, match="wish_held"), transaction.atomic():
        Wish.objects.filter(held__gt=0).update(held=31)
