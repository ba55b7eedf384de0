"""Many buyers for the last pieces: exactly those are sold, and nobody waits for somebody who waits
for them.
"""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Barrier

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from apps.accounts.tests.staff import staff_in
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Import, Product, Stock
from apps.catalog.services import stock
from apps.catalog.services.import_writing import carry_out
from apps.catalog.services.imports import apply_import
from apps.catalog.tests.factories import make_product, make_products
from apps.catalog.tests.import_files import sent
from apps.common.tests.races import THREADS, race

pytestmark = pytest.mark.django_db(transaction=True)

CONSTRAINT = "stock_not_oversold"


def test_the_last_ten_go_to_ten_of_64_buyers() -> None:
    product = make_product(on_hand=10)

    def buy(number: int) -> bool:
        try:
            with transaction.atomic():
                stock.allocate(quantities={product.pk: 1}, stock_free=False)
        except OutOfStock:
            return False
        return True

    assert sum(race(buy, times=64)) == 10
    shown = Stock.objects.filter(product=product).values_list("on_hand", "allocated", "short").get()
    assert shown == (10, 10, 0)


def test_long_baskets_in_any_order_do_not_lock_each_other_out() -> None:
    products = [product.pk for product in make_products(15, on_hand=200)]

    def buy(number: int) -> bool:
        basket = random.Random(number).sample(products, 10)
        try:
            with transaction.atomic():
                stock.allocate(quantities=dict.fromkeys(basket, 10), stock_free=False)
                stock.release(quantities=dict.fromkeys(basket[:2], 10))
                stock.allocate(quantities=dict.fromkeys(basket[:2], 10), stock_free=False)
        except OutOfStock:
            return False
        return True

    won = sum(race(buy, times=64))
    rows = Stock.objects.values_list("on_hand", "allocated", "short")
    assert sum(allocated for _, allocated, _ in rows) == won * 100
    assert all(allocated <= on_hand and not short for on_hand, allocated, short in rows)
    assert won >= 20


@contextmanager
def without_the_check() -> Iterator[None]:
    """Drop the constraint; SQLite is told to overlook it by each connection for itself."""
    if connection.vendor == "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE catalog_stock DROP CONSTRAINT {CONSTRAINT}")
    try:
        yield
    finally:
        Stock.objects.update(allocated=0)
        with connection.cursor() as cursor:
            cursor.execute(
                f"ALTER TABLE catalog_stock ADD CONSTRAINT {CONSTRAINT} "
                "CHECK (allocated <= on_hand + short)"
            )


@pytest.mark.postgresql
def test_shelves_that_an_import_reads_stay_as_they_are_until_it_has_written() -> None:
    product = make_product(on_hand=10)

    def peek(_: int) -> bool:
        with transaction.atomic():
            return (
                Stock.objects.select_for_update(skip_locked=True).filter(product=product).exists()
            )

    with transaction.atomic():
        stock.lock_shelves(product_ids=[product.pk])
        assert race(peek, times=1) == [False]


def careless(product_id: int, *, overlook: bool) -> int:
    """Sell to as many buyers as there are threads, each of whom looks before anybody takes: no
    lock, no condition.
    """
    everybody_looked = Barrier(THREADS)

    def buy(number: int) -> bool:
        if overlook and connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA ignore_check_constraints = ON")
        row = Stock.objects.get(product_id=product_id)
        everybody_looked.wait()
        if row.on_hand - row.allocated < 1:
            return False
        try:
            Stock.objects.filter(product_id=product_id).update(allocated=F("allocated") + 1)
        except (IntegrityError, OperationalError):
            return False
        return True

    return sum(race(buy, times=THREADS))


def test_control_without_lock_and_condition_the_check_still_holds() -> None:
    product = make_product(on_hand=10)
    assert careless(product.pk, overlook=False) == 10
    assert Stock.objects.get(product=product).allocated == 10


def test_control_without_the_check_too_it_oversells() -> None:
    product = make_product(on_hand=10)
    with without_the_check():
        assert careless(product.pk, overlook=True) == THREADS
        assert Stock.objects.get(product=product).allocated == THREADS


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
                    quantities=dict.fromkeys(random.Random(number).sample(products, 6), 1),
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
    shown = set(Product.objects.values_list("usd_supply", flat=True))
    assert shown == {5 if state == "applied" else 4.5}
    assert sum(allocated for _, allocated, _ in shelves) == won * 6
    assert all(allocated <= on_hand and not short for on_hand, allocated, short in shelves)
    assert state == "applied" if counted == 30 else state in ("applied", "reading")
