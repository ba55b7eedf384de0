"""Arrivals, orders of what is held, drops and the sweep at once: no piece is held twice, none is
lost.
"""

from datetime import UTC, datetime
from itertools import product as pairs
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.tests.factories import make_buyer
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.tests.races import race
from apps.orders.models import Wish
from apps.orders.services.wishes import drop_wish, wish_for
from apps.orders.sweeps import pass_offers_on
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.tests.factories import make_wire_order
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.django_db(transaction=True)


def test_pieces_are_conserved_whoever_acts_at_once() -> None:
    sales, now = make_sales(), datetime.now(UTC)
    products = [make_product(on_hand=0) for _ in range(2)]
    buyers = [make_buyer() for _ in range(4)]
    for buyer, product in pairs(buyers, products):
        wish_for(buyer=buyer, sku=product.sku, pieces=10, now=now)

    def arrive(number: int) -> None:
        pieces: dict[str, Any] = {"pieces": 10, "reason": "Delivery", "actor": sales, "now": now}
        stock.receive(product_id=products[number % 2].pk, **pieces)

    def order(number: int) -> None:
        make_wire_order(buyers[number % 4], [(product, 10) for product in products])

    def drop(number: int) -> None:
        user = buyers[number % 4]
        drop_wish(
            buyer=user, wish_id=Wish.objects.filter(user_id=user.id).earliest("pk").pk, now=now
        )

    def sweep(number: int) -> None:
        pass_offers_on(now)

    deeds = (arrive, arrive, order, drop, sweep)

    def work(number: int) -> None:
        try:
            deeds[number // 4](number)
        except PortalError:
            return

    race(work, times=20, threads=10)
    assert [stock_of(product)[0] for product in products] == [40, 40]
    assert (
        User.objects.filter(offers_told_on__isnull=False).count()
        == Email.objects.filter(subject__icontains="reserved for you").count()
        <= 4
    )
    offered = Wish.objects.filter(closed_at__isnull=True)
    assert all(wish.held + wish.waiting == 10 for wish in offered)
    assert audit() == ""


def test_sweeps_at_once_tell_a_buyer_once_a_day() -> None:
    sales, buyer, now = make_sales(), make_buyer(), datetime.now(UTC)
    products = [make_product(on_hand=0) for _ in range(8)]
    for product in products:
        wish_for(buyer=buyer, sku=product.sku, pieces=10, now=now)

    def arrive_and_sweep(number: int) -> None:
        pieces: dict[str, Any] = {"pieces": 10, "reason": "Delivery", "actor": sales, "now": now}
        stock.receive(product_id=products[number].pk, **pieces)
        pass_offers_on(now)

    race(arrive_and_sweep, times=8, threads=2)
    assert Wish.objects.filter(held=10).count() == 8
    assert Email.objects.filter(subject__icontains="reserved for you").count() == 1
