"""Packing: pieces packed against confirmed, the measured weight, what completes it and what opens
it again.
"""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product, make_products
from apps.common.errors import WrongStatus
from apps.orders.errors import StaffRefusal, StaleOrder
from apps.orders.models import Order, OrderEvent, PackingBox, PackingItem
from apps.orders.rules import (
    Box,
    Contents,
    LineToPack,
    box_labels,
    differences,
    is_unusual,
    percent_above,
)
from apps.orders.selectors.packing import boxes_of, lines_to_pack
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.packing import (
    PackingListDetails,
    complete_packing,
    reopen_packing,
    save_packing,
    ship_order,
)
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import (
    DETAILS,
    TRACKING,
    confirm,
    make_order_at,
    make_sales,
    one_box,
    pack,
)

S = OrderStatus
NOW = datetime.now(UTC)
SIZE = (Decimal("52.0"), Decimal("40.0"), Decimal("34.0"))


def fresh(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def send(order: Order, boxes: list[Box], *, service: Any = save_packing, **fields: Any) -> Any:
    given = {
        "order_id": order.pk,
        "version": fresh(order).version,
        "boxes": boxes,
        "details": DETAILS,
        "now": NOW,
    }
    return service(**{**given, "actor": make_sales(), **fields})


def last_note(order: Order) -> str:
    return OrderEvent.objects.filter(order=order, kind="packing").latest("id").text


@pytest.mark.parametrize(
    ("measured", "products", "percent", "unusual"),
    [
        (58_100, 47_600, 22, True),
        (115, 100, 15, False),
        (116, 100, 16, True),
        (104, 100, 4, False),
        (103, 100, 3, True),
        (90, 100, -10, True),
        (1_155, 1_000, 16, True),
        (0, 100, None, False),
        (100, 0, None, False),
    ],
)
def test_the_measured_weight_is_usual_from_4_to_15_percent_above(
    measured, products, percent, unusual
):
    found = percent_above(measured=measured, products=products)
    assert (found, is_unusual(found)) == (percent, unusual)


def test_differences_are_signed_and_name_what_is_not_in_the_order():
    lines = [
        LineToPack(1, "A", "", 10, 1),
        LineToPack(2, "B", "", 5, 1),
        LineToPack(3, "C", "", 7, 1),
    ]
    assert differences(packed={1: 10, 2: 3, 3: 9, 4: 1}, lines=lines) == {2: -2, 3: 2, 4: 1}


def test_boxes_of_a_kind_are_numbered_one_by_one():
    boxes = [Box(count, 0, *SIZE) for count in (1, 2, 1, 3)]
    assert box_labels(boxes) == ["1", "2–3", "4", "5–7"]


def test_what_is_packed_are_confirmed_pieces_substitutes_and_free_offers(buyer: Buyer):
    one, refused, other, gift = make_products(4)
    order = make_order_at(S.PREPARING, buyer, [(one, 30), (refused, 20)])
    first, second = order.lines.order_by("id")
    added = [
        AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer"),
        AddedLine(other.pk, 7, Decimal("1.10"), "substitute"),
    ]
    confirm(
        order,
        [LineDecision(first.pk, 10, "short"), LineDecision(second.pk, 0, "short")],
        added=added,
    )
    packed = [(line.sku, line.pieces) for line in lines_to_pack(order_id=order.pk)]
    assert packed == [(one.sku, 10), (gift.sku, 5), (other.sku, 7)]


def test_a_saved_packing_is_kept_whole_and_is_being_edited(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)
    item = order.lines.get().product_id
    boxes = [
        Box(2, 1_100, *SIZE, (Contents(item, 3), Contents(item, 2))),
        Box(1, 0, Decimal(0), Decimal(0), Decimal(0)),
    ]
    details = PackingListDetails(" Keep\r\ndry ", "", "FCA Incheon", date(2026, 11, 14))
    saved = send(order, boxes, details=details)
    assert boxes_of(order_id=order.pk) == [
        replace(boxes[0], contents=(Contents(item, 5),)),
        boxes[1],
    ]
    assert (saved.packing_status, saved.measured_weight_g, saved.version) == (
        1,
        None,
        order.version + 1,
    )
    assert (saved.packing_remarks, saved.packing_terms) == ("Keep\ndry", "FCA Incheon")
    assert last_note(order) == "3 boxes, 10 pieces, 2.2 kg"


def test_saving_again_puts_the_new_boxes_in_place_of_the_old(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)
    send(order, [one_box(order), one_box(order)])
    send(order, [one_box(order)])
    assert boxes_of(order_id=order.pk) == [one_box(order)]
    assert (PackingBox.objects.count(), PackingItem.objects.count()) == (1, 1)


def test_completing_sets_the_measured_weight_of_all_boxes(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)  # 20 pieces of 120 g
    box = Box(2, 1_300, *SIZE, (Contents(order.lines.get().product_id, 10),))
    complete = send(order, [box], service=complete_packing)
    assert (complete.packing_status, complete.measured_weight_g) == (2, 2_600)
    assert last_note(order) == "Complete: 2 boxes, 20 pieces, 2.6 kg"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"pieces": 19}, "SKU-1: 1 not packed."),
        ({"pieces": 23}, "SKU-1: 3 too many."),
        ({"count": 2}, "SKU-1: 20 too many."),
        ({"weight_g": 0}, "Box 1 has no weight."),
        ({"height": Decimal(0)}, "Box 1 has no size."),
        ({"other": 1}, "OTHER: 1 too many."),
        ({"empty": True}, "Box 2 is empty."),
        ({"build_date": None}, "The build date is missing."),
    ],
)
def test_an_incomplete_packing_is_refused_and_nothing_is_written(buyer: Buyer, change, fault):
    order = make_order_at(S.CONFIRMED, buyer, [(make_product(sku="SKU-1"), 20)])
    item, other = order.lines.get().product_id, make_product(sku="OTHER").pk
    contents = [Contents(item, change.pop("pieces", 20))] + [Contents(other, 1)] * change.pop(
        "other", 0
    )
    extra = [Box(1, 100, *SIZE)] * change.pop("empty", False)
    details = replace(
        DETAILS, **{name: change.pop(name) for name in list(change) if name == "build_date"}
    )
    box = replace(Box(1, 2_640, *SIZE, tuple(contents)), **change)
    with pytest.raises(StaffRefusal) as refusal:
        send(order, [box, *extra], service=complete_packing, details=details)
    assert refusal.value.errors == {"packing": [fault]}
    assert str(refusal.value) == f"Packing is not complete: {fault}"
    assert (fresh(order).packing_status, PackingBox.objects.count()) == (0, 0)


def test_an_unusual_weight_has_to_be_called_right_and_the_history_keeps_that(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)
    heavy = replace(one_box(order), weight_g=3_000)
    with pytest.raises(StaffRefusal) as refusal:
        send(order, [heavy], service=complete_packing)
    assert "25 % above the products' 2.4 kg" in str(refusal.value)
    assert fresh(order).packing_status == 0
    send(order, [heavy], service=complete_packing, weight_is_right=True)
    assert last_note(order).endswith("25 % above the products' 2.4 kg, said to be right as it is")


@pytest.mark.parametrize("status", [S.CANCELLED, S.RECEIVED, S.SHIPPED])
@pytest.mark.parametrize("service", [save_packing, complete_packing])
def test_only_an_order_in_work_is_packed(buyer: Buyer, status, service):
    order = make_order_at(status, buyer)
    before = boxes_of(order_id=order.pk)
    with pytest.raises(WrongStatus):
        send(order, [], service=service)
    assert boxes_of(order_id=order.pk) == before


def test_a_complete_packing_is_opened_by_saving_or_by_name(buyer: Buyer):
    order = make_order_at(S.PAID, buyer)
    pack(order)
    opened = reopen_packing(
        order_id=order.pk, version=fresh(order).version, actor=make_sales(), now=NOW
    )
    assert (opened.packing_status, opened.measured_weight_g) == (1, None)
    with pytest.raises(StaffRefusal):
        reopen_packing(order_id=order.pk, version=opened.version, actor=make_sales(), now=NOW)
    pack(order)
    assert send(order, [one_box(order)]).packing_status == 1
    with pytest.raises(StaffRefusal, match="Packing is not complete"):
        ship_order(order_id=order.pk, actor=make_sales(), now=NOW, **TRACKING)
    assert fresh(order).status == S.PAID


def test_whoever_was_quicker_is_named(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)
    version = fresh(order).version
    send(order, [one_box(order)], actor=make_sales(manager="Jun Lim"))
    for service in (save_packing, complete_packing, reopen_packing):
        given: Any = {} if service is reopen_packing else {"boxes": [], "details": DETAILS}
        with pytest.raises(StaleOrder) as refusal:
            service(order_id=order.pk, version=version, actor=make_sales(), now=NOW, **given)
        assert "Jun Lim changed this order" in str(refusal.value.errors)


def test_saving_costs_the_same_statements_for_one_box_and_for_many(
    buyer: Buyer, django_assert_max_num_queries
):
    products = make_products(12)
    order = make_order_at(S.CONFIRMED, buyer, [(product, 10) for product in products])
    actor = make_sales()
    box = one_box(order)
    send(order, [box], actor=actor)
    with django_assert_max_num_queries(20) as one:
        send(order, [box], actor=actor)
    with django_assert_max_num_queries(20) as many:
        send(order, [box] * 12, actor=actor)
    assert len(one) == len(many)
