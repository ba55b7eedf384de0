"""A long import, and its undoing, hold nobody up: between their parts others sign in and order, on
either database.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import PASSWORD, buyer_of, make_user
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Brand, Import, Product, Stock, StockChange
from apps.catalog.services import import_writing
from apps.catalog.services.import_kinds import ImportKind
from apps.catalog.services.imports import apply_import, undo_import
from apps.catalog.tests.factories import make_brand, make_products
from apps.catalog.tests.import_files import applied, sent, undone, work
from apps.common.testing import ContractClient
from apps.common.texts import read
from apps.orders.models import Basket, Order, OrderLine, SavedBasket
from apps.orders.services.baskets import save_basket
from apps.orders.tests.factories import make_draft, make_order

pytestmark = pytest.mark.django_db(transaction=True)
NEW_HEAD = ("SKU", "Product", "Brand", "USRP ($)", "Wholesale ($)", "Weight (g)", "On hand")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Have imports written two rows at a time, with something done by somebody else between the
    parts.
    """
    monkeypatch.setattr(ImportKind, "part", 2)

    def between(deed: Callable[[], None]) -> None:
        def rest() -> None:
            assert not connection.in_atomic_block
            with ThreadPoolExecutor(1) as second_person:
                second_person.submit(deed_on_own_connection).result(timeout=30)

        def deed_on_own_connection() -> None:
            try:
                deed()
            finally:
                connection.close()

        monkeypatch.setattr(import_writing, "rest", rest)

    return between


def test_a_second_person_signs_in_and_orders_between_the_parts(small_parts: Any) -> None:
    products = make_products(7, on_hand=100)
    user = make_user(email="ines@portal.test", password=PASSWORD)
    source = sent(*((product.sku, "5.00", 90) for product in products), actor=staff_in())
    prices: list[str] = []

    def sign_in_and_order() -> None:
        answer = ContractClient().send(
            "POST", "/api/login", {"email": user.email, "password": PASSWORD}
        )
        assert answer.status_code == 200
        order = make_order(buyer_of(user), [(products[-1], 10), (products[0], 10)])
        prices.append("/".join(str(line.price) for line in order.lines.order_by("id")))

    small_parts(sign_in_and_order)
    applied(source)
    # Each part was there for the next order at once; the last product had its turn in the last
    # part.
    assert prices == ["4.50/5.00"] * 3 + ["5.00/5.00"]
    assert (source.state, read(source.remark), source.rows_written) == ("applied", "", 7)
    assert Order.objects.count() == 4
    prices.clear()
    undone(source)
    assert len(prices) == 4
    assert source.state == "undone"
    figures = (
        LogEntry.objects.filter(object_repr="stock.csv")
        .order_by("id")
        .values_list("change_message", flat=True)
    )
    assert list(map(read, figures)) == ["Applied: 7 rows", "Undone: 7 rows"]
    assert set(Product.objects.values_list("usd_supply", flat=True)) == {products[0].usd_supply}


def test_what_somebody_changes_between_the_parts_is_left_alone_and_named(small_parts: Any) -> None:
    products = make_products(5)
    source = sent(*((product.sku, "5.00", "") for product in products), actor=staff_in())
    small_parts(
        lambda: Product.objects.filter(pk=products[3].pk).update(usd_supply="7.00") and None
    )
    applied(source)
    assert source.state == "applied"
    assert read(source.remark) == f"Left out, changed meanwhile: {products[3].sku}."
    prices = [
        str(price) for price in Product.objects.order_by("pk").values_list("usd_supply", flat=True)
    ]
    assert prices == ["5.00", "5.00", "5.00", "7.00", "5.00"]
    undone(source)
    prices = [
        str(price) for price in Product.objects.order_by("pk").values_list("usd_supply", flat=True)
    ]
    assert (source.state, prices) == ("undone", ["4.50", "4.50", "4.50", "7.00", "4.50"])


@pytest.mark.parametrize("undo", [False, True])
def test_a_worker_that_dies_between_two_parts_is_followed_by_one_that_goes_on(
    small_parts: Any, undo: bool
) -> None:
    products = make_products(5)
    source = sent(*((product.sku, "5.00", "") for product in products), actor=staff_in())
    if undo:
        applied(source)
        undo_import(import_id=source.pk, actor=source.created_by)
    else:
        apply_import(import_id=source.pk, ticked=(), actor=source.created_by)
    source.refresh_from_db()

    def die() -> None:
        raise KeyboardInterrupt

    small_parts(die)
    with pytest.raises(KeyboardInterrupt):
        import_writing.carry_out(source=source, now=timezone.now())
    source.refresh_from_db()
    assert (source.state, source.rows_written) == ("undoing" if undo else "applying", 2)
    small_parts(lambda: None)
    work(source)
    assert (source.state, source.rows_written) == ("undone" if undo else "applied", 5)
    prices = {str(price) for price in Product.objects.values_list("usd_supply", flat=True)}
    assert prices == {"4.50" if undo else "5.00"}


def added_by_import(*skus: str) -> Import:
    brand = make_brand(eng="Aurora")
    rows = [(sku, f"Cream {sku}", brand.eng, "9.50", "4.00", 120, 300) for sku in skus]
    return applied(sent(*rows, head=NEW_HEAD, actor=staff_in()))


def test_undoing_deletes_what_nobody_named_and_discontinues_the_rest(buyer: Buyer) -> None:
    source = added_by_import("N-1", "N-2", "N-3", "N-4", "N-5")
    product = {product.sku: product for product in Product.objects.all()}
    order = make_order(buyer, [(product["N-1"], 10)])
    make_draft(buyer, [(product["N-2"], 10)], now=datetime.now(UTC))
    Basket.objects.create(
        user_id=buyer.id, lines=[{"sku": "N-3", "count": 10, "price": "4.00", "short": False}]
    )
    save_basket(
        buyer=buyer,
        uuid=uuid4(),
        kind=SavedBasket.Kind.NAMED,
        name="Easter",
        lines=[("N-5", 10)],
        now=timezone.now(),
    )
    OrderLine.objects.filter(order=order).update(allocated=0)
    Stock.objects.update(allocated=0)
    undone(source)
    assert source.state == "undone"
    rows = Product.objects.order_by("sku").values_list("sku", "is_running", "stock__on_hand")
    assert list(rows) == [("N-1", 0, 0), ("N-2", 0, 0), ("N-3", 0, 0), ("N-5", 0, 0)]
    assert Brand.objects.get(eng="Aurora").product_count == 4
    assert not StockChange.objects.filter(product__sku="N-4").exists()
