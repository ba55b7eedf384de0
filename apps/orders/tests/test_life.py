"""The order's life: each step, what it writes, and what it refuses."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.errors import OutOfStock, StockBelowZero
from apps.catalog.models import Stock, StockChange
from apps.catalog.services.stock import recount
from apps.catalog.tests.factories import make_product
from apps.common.errors import WrongStatus
from apps.common.testing import selling
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderEvent
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import ship_order
from apps.orders.status import OrderStatus
from apps.orders.sweeps import renew_due_times
from apps.orders.tests.factories import (
    TRACKING,
    confirm,
    make_order,
    make_order_at,
    make_sales,
    pack,
    stock_of,
)

S = OrderStatus
NOW = datetime.now(UTC)


def subjects() -> list[str]:
    return list(Email.objects.order_by("id").values_list("subject", flat=True))


def lines_of(order: Order) -> list[tuple[str, int, bool, int]]:
    rows = order.lines.order_by("id")
    return list(rows.values_list("sku", "quantity", "is_confirmed", "allocated"))


def test_an_order_goes_its_way_and_every_step_is_recorded(buyer: Buyer) -> None:
    product = make_product(on_hand=100)
    order = make_order_at(S.SHIPPED, buyer, [(product, 20)])
    moves = OrderEvent.objects.filter(order=order, kind="status").values_list(
        "from_status", "to_status"
    )
    assert list(moves) == [(None, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert order.tracking_number == "DHL-123"
    assert order.shipping_url == "https://carrier.test/DHL-123"
    assert (stock_of(product), order.lines.get().allocated) == ((80, 0, 0), 0)
    (change,) = StockChange.objects.filter(product=product)
    assert (change.change, change.on_hand, change.invoice_code) == (-20, 80, order.invoice_code)
    shown = [text.partition(":")[0] for text in subjects()]
    assert shown == ["Order confirmed", "Payment completed", "Order shipped"]


STEPS: dict[OrderStatus, Callable[[Order], object]] = {
    S.RECEIVED: lambda order: start_preparing(order_id=order.pk, actor=make_sales(), now=NOW),
    S.PREPARING: confirm,
    S.PAID: lambda order: ship_order(order_id=order.pk, actor=make_sales(), now=NOW, **TRACKING),
}


@pytest.mark.parametrize(
    ("at", "status"), [(at, status) for at in STEPS for status in S if status != at]
)
def test_a_step_is_taken_at_its_own_status_alone(
    buyer: Buyer, at: OrderStatus, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    with pytest.raises(WrongStatus):
        STEPS[at](order)
    assert Order.objects.get(pk=order.pk).status == status


def test_what_is_not_on_the_shelf_can_be_neither_packed_nor_shipped(db: None) -> None:
    product = make_product(on_hand=19)
    order = make_order_at(S.PAID, make_buyer(stock_free=True), [(product, 20)])
    assert order.is_back_order
    with pytest.raises(StaffRefusal, match="20 pieces, and 19 on the shelf"):
        pack(order)
    Stock.objects.filter(product=product).update(on_hand=20, short=0)
    pack(order)
    Stock.objects.filter(product=product).update(on_hand=19, short=1)
    with pytest.raises(StockBelowZero):
        ship_order(order_id=order.pk, actor=make_sales(), now=NOW, **TRACKING)
    assert (stock_of(product), Order.objects.get(pk=order.pk).status) == ((19, 20, 1), S.PAID)


def test_a_short_line_is_split_and_gives_its_rest_back(buyer: Buyer) -> None:
    product, other, gone = (make_product(on_hand=100, sku=sku) for sku in "ABC")
    order = make_order_at(S.PREPARING, buyer, [(product, 30), (other, 10), (gone, 10)])
    first, second, third = order.lines.order_by("id")
    decisions = [LineDecision(second.pk, 10), LineDecision(third.pk, 0, "discontinued")]
    order = confirm(order, [LineDecision(first.pk, 10, "short", "Rest next month"), *decisions])
    kept = [("A", 10, True, 10), ("B", 10, True, 10)]
    assert lines_of(order) == [*kept, ("C", 10, False, 0), ("A", 20, False, 0)]
    rest = order.lines.get(sku="A", is_confirmed=False)
    assert (rest.reason, rest.comment, rest.price) == ("short", "Rest next month", first.price)
    assert order.lines.get(sku="C").reason == "discontinued"
    assert [stock_of(one)[1] for one in (product, other, gone)] == [10, 10, 0]
    assert (order.total, order.real_total, order.weight_g) == (225, 90, 20 * 120)


def test_added_lines_take_stock_and_a_free_offer_costs_nothing(buyer: Buyer) -> None:
    ordered, substitute, gift = make_product(), make_product(on_hand=100), make_product(on_hand=100)
    order = make_order_at(S.PREPARING, buyer, [(ordered, 10)])
    order = confirm(
        order,
        added=[
            AddedLine(substitute.pk, 7, Decimal("3.00"), "substitute", "Instead"),
            AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer"),
        ],
    )
    assert order.real_total == Decimal("45.00") + Decimal("21.00")
    free = order.lines.get(product=gift)
    assert (free.is_confirmed, free.is_ordered) == (False, False)
    assert (free.price, free.allocated) == (Decimal("0.00"), 5)
    assert (stock_of(substitute)[1], stock_of(gift)[1]) == (7, 5)
    assert order.weight_g == (10 + 7 + 5) * 120


WRONG: dict[str, Callable[[int], list[LineDecision]]] = {
    "undecided": lambda line: [],
    "more than ordered": lambda line: [LineDecision(line, 21)],
    "negative": lambda line: [LineDecision(line, -1, "short")],
    "none without reason": lambda line: [LineDecision(line, 0)],
    "foreign line": lambda line: [LineDecision(line, 20), LineDecision(line + 1000, 5)],
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_decisions_change_nothing(buyer: Buyer, case: str) -> None:
    order = make_order_at(S.PREPARING, buyer)
    before = lines_of(order)
    with pytest.raises(StaffRefusal):
        confirm(order, WRONG[case](order.lines.get().pk))
    assert (Order.objects.get(pk=order.pk).status, lines_of(order)) == (S.PREPARING, before)
    assert not IssuedDocument.objects.exists()


@pytest.mark.parametrize(("price", "reason"), [("1.00", "free_offer"), ("0.00", "substitute")])
def test_wrong_added_lines_are_refused(buyer: Buyer, price: str, reason: str) -> None:
    order, product = make_order_at(S.PREPARING, buyer), make_product()
    with pytest.raises(StaffRefusal):
        confirm(order, added=[AddedLine(product.pk, 5, Decimal(price), reason)])
    assert stock_of(product)[1] == 0


def test_an_added_line_needs_stock_and_its_refusal_undoes_everything(buyer: Buyer) -> None:
    ordered, scarce = make_product(on_hand=100), make_product(on_hand=3)
    order = make_order_at(S.PREPARING, buyer, [(ordered, 20)])
    line = order.lines.get()
    with pytest.raises(OutOfStock):
        confirm(
            order,
            [LineDecision(line.pk, 10, "short")],
            added=[AddedLine(scarce.pk, 5, Decimal("1.00"), "substitute")],
        )
    assert (stock_of(ordered), lines_of(order)) == ((100, 20, 0), [(ordered.sku, 20, True, 20)])


def test_pieces_that_a_recount_did_not_find_cannot_be_confirmed(buyer: Buyer) -> None:
    product = make_product(on_hand=100)
    order = make_order_at(S.PREPARING, buyer, [(product, 20)])
    recount(product_id=product.pk, on_hand=15, reason="Counted", actor=make_sales(), now=NOW)
    line = order.lines.get()
    with pytest.raises(StaffRefusal) as refusal:
        confirm(order, [LineDecision(line.pk, 16, "short")])
    assert "Only 15 available." in str(refusal.value.errors)
    confirm(order, [LineDecision(line.pk, 15, "short")])
    assert stock_of(product) == (15, 15, 0)


def test_of_a_shelf_that_is_short_the_order_that_came_first_has_its_pieces(buyer: Buyer) -> None:
    product = make_product(on_hand=40)
    first, second = (make_order_at(S.PREPARING, buyer, [(product, 20)]) for _ in range(2))
    recount(product_id=product.pk, on_hand=30, reason="Counted", actor=make_sales(), now=NOW)
    with pytest.raises(StaffRefusal) as refusal:
        confirm(second)
    assert "Only 10 available." in str(refusal.value.errors)
    assert confirm(first).real_total == first.total


def test_a_later_back_order_does_not_take_an_earlier_orders_pieces(buyer: Buyer) -> None:
    product = make_product(on_hand=20)
    first = make_order_at(S.PREPARING, buyer, [(product, 20)])
    make_order(make_buyer(stock_free=True), [(product, 50)])
    assert stock_of(product) == (20, 70, 50)
    assert confirm(first).status == S.CONFIRMED


def test_nothing_due_at_the_confirmation_is_paid_at_once(buyer: Buyer) -> None:
    order = make_order_at(S.PREPARING, buyer)
    order = confirm(order, shipping_fee=Decimal("0.00"))
    assert order.status == S.PAID
    shown = [text.partition(":")[0] for text in subjects()]
    assert shown == ["Order confirmed", "Payment completed"]


def test_an_order_is_of_the_day_and_the_month_that_the_seller_has(buyer: Buyer) -> None:
    order = make_order(buyer, now=datetime(2026, 10, 31, 15, 30, tzinfo=UTC))  # 0:30 in Seoul
    assert (order.invoice_code.split("-")[-2], order.month) == ("261101", "2026-11")


def test_a_step_is_late_after_business_days(buyer: Buyer) -> None:
    friday = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
    order = make_order(buyer, now=friday)
    assert order.due_at == datetime(2026, 11, 23, 3, 0, tzinfo=UTC)
    start_preparing(order_id=order.pk, actor=make_sales(), now=friday)
    assert Order.objects.get().due_at == datetime(2026, 11, 25, 3, 0, tzinfo=UTC)


def test_a_changed_calendar_moves_what_is_stored(buyer: Buyer) -> None:
    order = make_order(buyer, now=datetime(2026, 11, 20, 3, 0, tzinfo=UTC))
    assert renew_due_times(NOW) == 0
    selling(closed={date(2026, 11, 23)})
    assert (renew_due_times(NOW), renew_due_times(NOW)) == (1, 0)
    order.refresh_from_db()
    assert order.due_at == datetime(2026, 11, 24, 3, 0, tzinfo=UTC)


@pytest.mark.parametrize("orders", [3, 4])
def test_a_changed_calendar_is_worked_through_in_parts(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, orders: int
) -> None:
    for _ in range(orders):
        make_order(buyer, now=datetime(2026, 11, 20, 3, 0, tzinfo=UTC))
    selling(closed={date(2026, 11, 23)})
    monkeypatch.setattr("apps.orders.sweeps.ORDERS_AT_ONCE", 2)
    with CaptureQueriesContext(connection) as statements:
        assert renew_due_times(NOW) == orders
    reads = [query["sql"] for query in statements if query["sql"].startswith("SELECT")]
    assert len(reads) == orders // 2 + 1
    assert all("LIMIT 2" in statement for statement in reads)
