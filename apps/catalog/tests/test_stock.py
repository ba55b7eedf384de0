"""Stock moves: what each does to the three columns, and what it refuses."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_staff
from apps.catalog.errors import OutOfStock, StockBelowZero
from apps.catalog.models import Product, Stock, StockChange
from apps.catalog.selectors import price_list_fingerprint
from apps.catalog.services import holds, stock
from apps.catalog.tests.factories import make_product, make_products
from apps.common.errors import NotFound

pytestmark = pytest.mark.django_db


def columns(product: Product) -> tuple[int, int, int]:
    row = Stock.objects.get(product=product)
    return row.on_hand, row.allocated, row.short


def test_take_and_give_back() -> None:
    product = make_product(on_hand=50, allocated=20)
    stock.allocate(quantities={product.pk: 30}, stock_free=False)
    assert columns(product) == (50, 50, 0)
    stock.release(quantities={product.pk: 45})
    assert columns(product) == (50, 5, 0)


def test_take_is_all_or_nothing_and_names_the_skus() -> None:
    enough, little, none = make_product(), make_product(on_hand=9), make_product(on_hand=0)
    with pytest.raises(OutOfStock) as refused:
        stock.allocate(quantities={enough.pk: 10, little.pk: 10, none.pk: 10}, stock_free=False)
    assert set(refused.value.errors or {}) == {little.sku, none.sku}
    assert [columns(product)[1] for product in (enough, little, none)] == [0, 0, 0]


def test_take_refuses_a_product_without_stock_row() -> None:
    product = make_product()
    Stock.objects.all().delete()
    for stock_free in (False, True):
        with pytest.raises(OutOfStock):
            stock.allocate(quantities={product.pk: 10}, stock_free=stock_free)
    stock.add_stock_rows([product])
    assert columns(product) == (0, 0, 0)


def test_a_stock_free_buyer_takes_beyond_the_shelf() -> None:
    product = make_product(on_hand=10, allocated=5)
    stock.allocate(quantities={product.pk: 20}, stock_free=True)
    assert columns(product) == (10, 25, 15)
    with pytest.raises(OutOfStock):
        stock.allocate(quantities={product.pk: 1}, stock_free=False)
    stock.release(quantities={product.pk: 12})
    assert columns(product) == (10, 13, 3)


def test_give_back_refuses_more_than_was_promised() -> None:
    product = make_product(allocated=5)
    with pytest.raises(StockBelowZero):
        stock.release(quantities={product.pk: 6})
    assert columns(product) == (1000, 5, 0)


def test_ship_takes_pieces_off_the_shelf_and_says_so(now: datetime) -> None:
    one, two = make_product(on_hand=50, allocated=20), make_product(on_hand=30, allocated=30)
    staff = make_staff()
    stock.ship(quantities={two.pk: 30, one.pk: 15}, invoice_code="T-1", actor=staff, now=now)
    assert (columns(one), columns(two)) == ((35, 5, 0), (0, 0, 0))
    changes = StockChange.objects.order_by("product_id").values_list(
        "product_id", "change", "on_hand", "invoice_code"
    )
    assert list(changes) == [(one.pk, -15, 35, "T-1"), (two.pk, -30, 0, "T-1")]


def test_ship_refuses_what_is_not_on_the_shelf(now: datetime) -> None:
    product = make_product(on_hand=5, allocated=10)
    with pytest.raises(StockBelowZero) as refused:
        stock.ship(quantities={product.pk: 10}, invoice_code="T-1", actor=None, now=now)
    assert list(refused.value.errors or {}) == [product.sku]
    assert columns(product) == (5, 10, 5)
    assert not StockChange.objects.exists()


def test_recount_and_receive(now: datetime) -> None:
    product, staff = make_product(on_hand=50, allocated=20), make_staff(is_superuser=True)
    stock.recount(product_id=product.pk, on_hand=12, reason="counted", actor=staff, now=now)
    assert columns(product) == (12, 20, 8)
    stock.receive(product_id=product.pk, pieces=30, reason="delivery", actor=staff, now=now)
    assert columns(product) == (42, 20, 0)
    changes = StockChange.objects.order_by("id").values_list("change", "on_hand", "reason", "actor")
    assert list(changes) == [(-38, 12, "counted", staff.pk), (30, 42, "delivery", staff.pk)]


def test_recount_and_receive_refuse(now: datetime) -> None:
    product = make_product()
    who: dict[str, Any] = {"actor": make_staff(is_superuser=True), "now": now}
    with pytest.raises(IntegrityError), transaction.atomic():
        stock.recount(product_id=product.pk, on_hand=-1, reason="counted", **who)
    with pytest.raises(NotFound):
        stock.receive(product_id=0, pieces=1, reason="delivery", **who)
    assert columns(product) == (1000, 0, 0)


def test_what_is_expected_is_said_lessened_by_what_arrives_and_taken_back(now: datetime) -> None:
    product, staff = make_product(on_hand=0), make_staff(is_superuser=True)
    today = timezone.localdate(now)

    def arrivals_of(pieces: int, day: date = today) -> list[tuple[int, date | None]]:
        stock.expect(product_id=product.pk, pieces=pieces, expected_on=day, actor=staff, now=now)
        return list(Stock.objects.values_list("arriving", "expected_on"))

    assert arrivals_of(30) == [(30, today)]
    assert arrivals_of(50, today + timedelta(days=9)) == [(50, today + timedelta(days=9))]
    stock.receive(product_id=product.pk, pieces=20, reason="delivery", actor=staff, now=now)
    assert Stock.objects.get().arriving == 30
    stock.recount(product_id=product.pk, on_hand=60, reason="delivery", actor=staff, now=now)
    assert Stock.objects.get().expected_on is None
    arrivals_of(5)
    assert arrivals_of(0) == [(0, None)]


def test_what_is_expected_changes_no_price_list(buyer: Buyer, now: datetime) -> None:
    product = make_product(on_hand=0)
    who: dict[str, Any] = {"actor": make_staff(is_superuser=True), "now": now}
    before = price_list_fingerprint(buyer=buyer, now=now)
    stock.expect(product_id=product.pk, pieces=20, expected_on=timezone.localdate(now), **who)
    assert price_list_fingerprint(buyer=buyer, now=now) == before
    stock.receive(product_id=product.pk, pieces=20, reason="delivery", **who)
    assert price_list_fingerprint(buyer=buyer, now=now) != before


@pytest.mark.parametrize("lines", [10, 100])
@pytest.mark.parametrize("stock_free", [False, True])
def test_a_take_costs_one_statement(
    django_assert_num_queries, lines: int, stock_free: bool
) -> None:
    quantities = {product.pk: 10 for product in make_products(lines)}
    with transaction.atomic(), django_assert_num_queries(1):
        stock.allocate(quantities=quantities, stock_free=stock_free)


SOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER = SOON + timedelta(hours=1)


def test_holding_again_moves_the_end_and_takes_no_more() -> None:
    product = make_product(on_hand=10)
    for until in (SOON, LATER):
        holds.hold(invoice_code="MHW-1", quantities={product.pk: 10}, stock_free=False, until=until)
    assert Stock.objects.get(product=product).allocated == 10
    assert holds.expired_holds(now=SOON) == []
    assert not holds.release(invoice_code="MHW-1", expired_at=SOON)
    assert holds.expired_holds(now=LATER) == ["MHW-1"]
    assert holds.release(invoice_code="MHW-1", expired_at=LATER)
    assert Stock.objects.get(product=product).allocated == 0
