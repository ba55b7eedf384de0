"""An import while buyers order: nothing is promised twice, nobody waits for somebody who waits for
them.
"""

import random
import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.tests.staff import staff_in
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Import, Product, Stock
from apps.catalog.services import stock
from apps.catalog.services.import_writing import carry_out
from apps.catalog.services.imports import apply_import
from apps.catalog.tests.factories import make_products
from apps.catalog.tests.import_files import sent
from apps.common.tests.races import race

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = 50


@pytest.mark.parametrize("counted", [30, 5], ids=["enough for all", "too few"])
def test_an_import_and_checkouts_leave_stock_that_adds_up(counted) -> None:
    products = [product.pk for product in make_products(12, on_hand=BEFORE)]
    rows = ((sku, "5.00", counted) for sku in Product.objects.values_list("sku", flat=True))
    source = sent(*rows, actor=staff_in())
    apply_import(import_id=source.pk, ticked=(), actor=source.created_by)
    source.refresh_from_db()
    started = threading.Event()

    def buy_or_import(number: int) -> bool:
        if number == 8:
            started.set()
            carry_out(source=source, now=timezone.now())
            return False
        if number > 8:
            started.wait(10)
        try:
            with transaction.atomic():
                stock.allocate(
                    wanted=dict.fromkeys(random.Random(number).sample(products, 6), 1),
                    stock_free=False,
                )
        except OutOfStock:
            return False
        return True

    won = sum(race(buy_or_import, times=40, threads=8))
    connection.close()
    state = Import.objects.get(pk=source.pk).state
    shelves = list(Stock.objects.values_list("on_hand", "allocated", "short"))
    assert {on_hand for on_hand, _, _ in shelves} == {counted if state == "applied" else BEFORE}
    assert set(Product.objects.values_list("usd_supply", flat=True)) == {
        5 if state == "applied" else 4.5
    }
    assert sum(allocated for _, allocated, _ in shelves) == won * 6
    assert all(allocated <= on_hand and not short for on_hand, allocated, short in shelves)
    assert state == "applied" if counted == 30 else state in ("applied", "reading")
