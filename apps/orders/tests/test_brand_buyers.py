"""The sweep that notes who has ordered what brand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Brand
from apps.catalog.tests.factories import make_brand, make_product
from apps.orders import sweeps
from apps.orders.models import BrandBuyer, BrandBuyerMark, Order, OrderLine
from apps.orders.status import OrderStatus
from apps.orders.sweeps import find_brand_buyers
from apps.orders.tests.factories import make_order, make_order_at

pytestmark = pytest.mark.django_db
LATER = timedelta(hours=1)


@pytest.fixture
def brands() -> tuple[Brand, Brand]:
    return make_brand(), make_brand()


def ordered(buyer: Buyer, *brands: Brand) -> Order:
    return make_order(buyer, [(make_product(brand=brand), 20) for brand in brands])


def pairs() -> set[tuple[int, int]]:
    return set(BrandBuyer.objects.values_list("brand_id", "company_id"))


def test_it_notes_each_brand_of_each_company_once(brands: tuple[Brand, Brand]) -> None:
    one, two = make_buyer(), make_buyer()
    ordered(one, *brands)
    ordered(one, brands[0])
    ordered(two, brands[1])
    now = datetime.now(UTC)
    assert find_brand_buyers(now) == 3
    assert pairs() == {
        (brands[0].pk, one.company_id),
        (brands[1].pk, one.company_id),
        (brands[1].pk, two.company_id),
    }
    assert find_brand_buyers(now) == 0
    assert find_brand_buyers(now + LATER) == 0


def test_cancelled_orders_and_lines_that_staff_added_do_not_count(
    brands: tuple[Brand, Brand],
) -> None:
    make_order_at(OrderStatus.CANCELLED, make_buyer(), [(make_product(brand=brands[0]), 20)])
    order = ordered(make_buyer(), brands[1])
    OrderLine.objects.filter(order=order).update(is_ordered=False)
    assert find_brand_buyers(datetime.now(UTC)) == 0
    assert not pairs()


def test_a_later_run_looks_at_the_orders_since_the_last(
    brands: tuple[Brand, Brand], django_assert_num_queries: Any
) -> None:
    ordered(make_buyer(), brands[0])
    later = datetime.now(UTC) + LATER
    find_brand_buyers(later)
    assert BrandBuyerMark.objects.get().order_id == Order.objects.latest("id").pk
    with django_assert_num_queries(
        3
    ):  # the mark, the newest order, those not settled: nothing is searched
        assert find_brand_buyers(later) == 0
    ordered(make_buyer(), brands[1])
    assert find_brand_buyers(later) == 1


def test_an_order_committed_out_of_turn_is_found_too(brands: tuple[Brand, Brand]) -> None:
    slow, quick = ordered(make_buyer(), brands[0]), ordered(make_buyer(), brands[1])
    OrderLine.objects.filter(order=slow).update(
        is_ordered=False
    )  # as if its transaction were still open
    now = datetime.now(UTC)
    assert find_brand_buyers(now) == 1
    assert BrandBuyerMark.objects.get().order_id < slow.pk < quick.pk
    OrderLine.objects.filter(order=slow).update(is_ordered=True)
    assert find_brand_buyers(now + LATER) == 1


def test_the_first_run_goes_through_many_orders_in_short_statements(
    brands: tuple[Brand, Brand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "ORDERS_AT_ONCE", 2)
    for _ in range(5):
        ordered(make_buyer(), brands[0])
    assert find_brand_buyers(datetime.now(UTC) + LATER) == 5
    assert BrandBuyerMark.objects.get().order_id == Order.objects.latest("id").pk
