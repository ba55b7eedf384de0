"""Packing: pieces packed against confirmed, the measured weight, what completes it and what opens
it again.
"""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.storage import storages
from django.db import connection
from django.test import Client

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product, make_products
from apps.common.errors import WrongStatus
from apps.common.testing import ContractClient, selling
from apps.orders.documents import render
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderEvent, PackingBox, PackingItem
from apps.orders.rules import Box, Contents, is_unusual, percent_above
from apps.orders.selectors.packing import boxes_of, lines_to_pack
from apps.orders.selectors.papers import PACKING_LIST, file_link
from apps.orders.services import packing
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.packing import (
    PackingListDetails,
    complete_packing,
    reopen_packing,
    save_packing,
    ship_order,
)
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import PRIVATE_PDF, pages_of, words_of
from apps.orders.tests.factories import (
    DETAILS,
    TRACKING,
    confirm,
    make_box,
    make_order_at,
    make_sales,
    mark_packed,
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
    share = percent_above(measured=measured, products=products)
    assert (share, is_unusual(share)) == (percent, unusual)


def test_what_is_packed_are_confirmed_pieces_substitutes_and_free_offers(buyer: Buyer):
    one, refused, other, gift = make_products(4)
    order = make_order_at(S.PREPARING, buyer, [(one, 30), (refused, 20)])
    first, second = order.lines.order_by("id")
    added = [
        AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer"),
        AddedLine(other.pk, 7, Decimal("1.10"), "substitute"),
    ]
    decisions = [LineDecision(first.pk, 10, "short"), LineDecision(second.pk, 0, "short")]
    confirm(order, decisions, added=added)
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
    whole = replace(boxes[0], contents=(Contents(item, 5),))
    assert boxes_of(order_id=order.pk) == [whole, boxes[1]]
    assert (saved.packing_status, saved.measured_weight_g) == (1, None)
    assert saved.version == order.version + 1
    assert (saved.packing_remarks, saved.packing_terms) == ("Keep\ndry", "FCA Incheon")
    assert last_note(order) == "3 boxes, 10 pieces, 2.2 kg"


def test_saving_again_puts_the_new_boxes_in_place_of_the_old(buyer: Buyer):
    order = make_order_at(S.CONFIRMED, buyer)
    send(order, [one_box(order), one_box(order)])
    send(order, [one_box(order)])
    assert boxes_of(order_id=order.pk) == [one_box(order)]
    assert (PackingBox.objects.count(), PackingItem.objects.count()) == (1, 1)


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


# The packing list as PDF


Packing = Order.Packing


def make_packed(buyer: Buyer, **fields: Any) -> Order:
    """Return a confirmed order in six boxes: three of them alike, one with a product of another."""
    cream, facade, korean, kelp = products = [
        make_product(eng_name="Barrier Bloom Cream 50 ml"),
        make_product(eng_name="Ängström Crème Façade"),
        make_product(eng_name="수분 진정 크림"),
        make_product(eng_name="Kelp Eye Concentrate"),
    ]
    order = make_order_at(S.CONFIRMED, buyer, [(product, 20) for product in products])
    make_box(order, [(cream, 60)])
    make_box(order, [(facade, 40), (korean, 1_048)], count=3, weight_g=11_600)
    size: dict[str, Any] = {"length": Decimal("44.5"), "height": Decimal("30.0")}
    make_box(order, [(kelp, 10), (cream, 30)], weight_g=9_435, **size)
    make_box(order, [(kelp, 5)], weight_g=7)
    return mark_packed(order, **fields)


def link(order: Order, buyer: Buyer, *, now: datetime | None = None) -> str:
    """Return the link as the details give it to a buyer."""
    code, at = order.invoice_code, now or datetime.now(UTC)
    return file_link(buyer=buyer, invoice_code=code, storage_name=PACKING_LIST, now=at)


def pdf_of(order: Order, buyer: Buyer) -> bytes:
    answer = Client().get(link(order, buyer))
    assert answer.status_code == 200
    return answer.getvalue()


# What it says


def test_it_is_the_buyers_view_to_the_gram_and_piece(api: ContractClient, buyer: Buyer) -> None:
    order = make_packed(buyer)
    view = api.get(f"/api/details/{order.invoice_code}").json()
    words = words_of(pdf_of(order, buyer))
    table = words.partition("L × W × H (CM) CBM")[2].partition("Packing list")[0].split()
    assert " ".join(table) == (
        "No. 1 Barrier Bloom Cream 50 ml 60 14.200 52 × 40 × 34 0.071 No. 2–4 "
        "Ängström Crème Façade 120 3 × 40 34.800 3 × 11.600 52 × 40 × 34 0.212 수분 진정 "
        "크림 3,144 3 × 1,048 No. 5 Kelp Eye Concentrate 10 9.435 44.5 × 40 × 30 0.053 "
        "Barrier Bloom Cream 50 ml 30 No. 6 Kelp Eye Concentrate 5 0.007 52 × 40 × 34 "
        "0.071 Total 6 boxes 3,369 58.442 0.407"
    )
    assert (view["packint_cbm_total"], view["box"][1]["cbm"]) == (0.407, 0.212)
    assert view["packint_qty_total"] == 3_369
    assert view["packint_weight_total"] == 58_442
    assert sum(box["count"] for box in view["box"]) == 6


def test_it_names_the_parties_and_the_terms(buyer: Buyer) -> None:
    Company.objects.filter(pk=buyer.company_id).update(
        name="Kim 뷰티 주식회사", address1="not where the goods go", tax_number="PL5260001246"
    )
    selling(tax_number="123-45-67890")
    order = make_packed(
        buyer,
        packing_remarks="Keep dry.\nBelow 25 °C.",
        packing_terms="EXW Seoul",
        packing_notify="Søren, Århus",
    )
    words = words_of(pdf_of(order, buyer))
    for text in (
        "PACKING LIST",
        "SHIPPER Test Shipper Seoul +82 2 0 Tax/EORI number 123-45-67890",
        f"INVOICE NUMBER AND DATE {order.invoice_code} 2026-11-14",
        "CONSIGNEE Kim 뷰티 주식회사 ul. Lipowa 51 00-682 Warszawa, Poland +48 22 555 01 74 "
        "Tax/EORI number PL5260001246",
        "REMARKS Keep dry. Below 25 °C.",
        "NOTIFY PARTY Søren, Århus",
        "TERMS EXW Seoul",
    ):
        assert text in words
    assert "not where the goods go" not in words


def test_an_empty_notify_party_is_the_consignee(buyer: Buyer) -> None:
    assert "NOTIFY PARTY Same as consignee" in words_of(pdf_of(make_packed(buyer), buyer))


def test_a_changed_packing_gives_another_file(buyer: Buyer) -> None:
    order = make_packed(buyer)
    url = link(order, buyer)
    make_box(order, [], weight_g=1_000)
    mark_packed(order)
    words = words_of(Client().get(url).getvalue())
    assert "Total 7 boxes 3,369 59.442" in words


def test_boxes_without_a_size_have_no_volume(buyer: Buyer) -> None:
    order = make_packed(buyer)
    make_box(order, [], length=Decimal(0))
    words = words_of(pdf_of(mark_packed(order), buyer))
    assert "No. 7 14.200 0 × 40 × 34 – Total 7 boxes 3,369 72.642 –" in words


# Who may open it


@pytest.mark.parametrize("packing", list(Packing))
@pytest.mark.parametrize("status", [S.PREPARING, S.CONFIRMED, S.PAID])
def test_it_opens_when_the_view_does(
    api: ContractClient, buyer: Buyer, status: OrderStatus, packing: Order.Packing
) -> None:
    order = make_order_at(status, buyer)
    Order.objects.filter(pk=order.pk).update(packing_status=packing)
    head = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    is_open = status >= S.CONFIRMED and packing == Packing.COMPLETE
    assert head["allowed"]["packing_list"] == is_open
    assert (head["packing_list_pdf"] is not None) == is_open
    assert Client().get(link(order, buyer)).status_code == (200 if is_open else 404)


def test_the_details_give_a_link_that_downloads(api: ContractClient, buyer: Buyer) -> None:
    order = make_packed(buyer)
    url = api.get(f"/api/details/{order.invoice_code}").json()["order"]["packing_list_pdf"]
    answer = Client().get(url)
    assert answer.getvalue().startswith(b"%PDF-")
    assert PRIVATE_PDF.items() <= answer.headers.items()
    name = f"Packing_List_{order.invoice_code}.pdf"
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="{name}"')


def test_the_storage_is_not_asked(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("the storage is down")

    order = make_packed(buyer)
    for call in ("save", "open", "delete", "exists", "size"):
        monkeypatch.setattr(storages["private"], call, fail)
    assert pages_of(pdf_of(order, buyer))


@pytest.mark.django_db(transaction=True)
def test_the_file_is_made_outside_any_transaction(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_inside: list[bool] = []

    def watched(*args: Any, **kwargs: Any) -> bytes:
        made_inside.append(connection.in_atomic_block)
        return render(*args, **kwargs)

    monkeypatch.setattr(packing, "render", watched)
    assert pdf_of(make_packed(buyer), buyer)
    assert made_inside == [False]
