"""Staff receive and recount pieces while buyers take them: nothing is lost, nothing promised twice
(19.1).
"""

from datetime import UTC, datetime
from threading import Barrier

import pytest
from django.db import connection

from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Stock, StockChange
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.tests.races import race
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, make_sales, stock_of
from apps.payments.services.deposit import checkout_deposit_by_wire
from apps.payments.tests.factories import wire_form
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.usefixtures("transactional_db")

DELIVERIES, BUYERS, PIECES = 8, 16, 10


def test_deliveries_and_checkouts_at_once() -> None:
    product, sales = make_product(on_hand=2 * PIECES), make_sales()
    buyers = [make_buyer() for _ in range(BUYERS)]
    drafts = [make_draft(buyer, [(product, PIECES)]) for buyer in buyers]

    def deliver_or_buy(number: int) -> str:
        now = datetime.now(UTC)
        if number % 3 == 0:
            stock.receive(
                product_id=product.pk, pieces=PIECES, reason="Delivery", actor=sales, now=now
            )
            return "delivered"
        index = number - number // 3 - 1
        try:
            checkout_deposit_by_wire(buyer=buyers[index], form=wire_form(drafts[index]), now=now)
        except PortalError as error:
            return error.code
        return "bought"

    results = race(deliver_or_buy, times=DELIVERIES + BUYERS, threads=8)
    bought = results.count("bought")
    assert set(results) <= {"delivered", "bought", "out_of_stock"}
    assert stock_of(product) == (2 * PIECES + DELIVERIES * PIECES, bought * PIECES, 0)
    changes = StockChange.objects.filter(product=product).values_list("change", flat=True)
    assert sum(changes) == DELIVERIES * PIECES
    assert Order.objects.count() == bought >= 2
    assert audit() == ""


def test_a_recount_below_what_is_promised_is_short_and_sells_no_more() -> None:
    product, sales = make_product(on_hand=BUYERS * PIECES), make_sales()
    buyers = [make_buyer() for _ in range(BUYERS)]
    drafts = [make_draft(buyer, [(product, PIECES)]) for buyer in buyers]

    def recount_or_buy(number: int) -> bool:
        now = datetime.now(UTC)
        if number == BUYERS // 2:
            stock.recount(
                product_id=product.pk, on_hand=PIECES, reason="Counted", actor=sales, now=now
            )
            return False
        index = number - (number > BUYERS // 2)
        try:
            checkout_deposit_by_wire(buyer=buyers[index], form=wire_form(drafts[index]), now=now)
        except PortalError:
            return False
        return True

    sold = sum(race(recount_or_buy, times=BUYERS + 1, threads=8)) * PIECES
    assert stock_of(product) == (PIECES, sold, max(0, sold - PIECES))
    assert audit() == ""


def test_control_a_delivery_that_looked_before_its_lock_is_lost() -> None:
    product = make_product(on_hand=0)
    everybody_looked = Barrier(DELIVERIES)

    def careless(_: int) -> None:
        on_hand = Stock.objects.get(product=product).on_hand
        connection.close()
        everybody_looked.wait(timeout=30)
        Stock.objects.filter(product=product).update(on_hand=on_hand + PIECES)

    race(careless, times=DELIVERIES, threads=DELIVERIES)
    assert stock_of(product) == (PIECES, 0, 0)  # of eight deliveries one is left
