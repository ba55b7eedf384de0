"""The packing list as PDF: equal to the buyer's view to the gram and piece, and opened only by whom
it is for.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from math import inf
from typing import Any

import pytest
from django.core.files.storage import storages
from django.db import connection
from django.test import Client

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.models import Seller
from apps.common.seller import Current, remember
from apps.common.testing import ContractClient
from apps.orders.documents import render
from apps.orders.models import Order
from apps.orders.selectors.papers import PACKING_LIST, file_link
from apps.orders.services import packing
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import PRIVATE_PDF, pages_of, words_of
from apps.orders.tests.factories import make_order_at
from apps.orders.tests.packed import make_box, mark_packed

S = OrderStatus
Packing = Order.Packing


def make_packed(buyer: Buyer, **fields: Any) -> Order:
    """Return a confirmed order in six boxes: three of them alike, one with a product of another."""
    names = (
        "Barrier Bloom Cream 50 ml",
        "Ängström Crème Façade",
        "수분 진정 크림",
        "Kelp Eye Concentrate",
    )
    cream, facade, korean, kelp = (make_product(eng_name=name) for name in names)
    order = make_order_at(S.CONFIRMED, buyer, [(cream, 20), (facade, 20), (korean, 20), (kelp, 20)])
    make_box(order, [(cream, 60)])
    make_box(order, [(facade, 40), (korean, 1_048)], count=3, weight_g=11_600)
    make_box(
        order,
        [(kelp, 10), (cream, 30)],
        weight_g=9_435,
        length=Decimal("44.5"),
        height=Decimal("30.0"),
    )
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
    remember(Current(Seller(tax_number="123-45-67890")), looked_at=inf)
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


ENDINGS: dict[str, Callable[[User], object]] = {
    "deactivated": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "new password": lambda user: User.objects.filter(pk=user.pk).update(session_version=9),
    "closed": lambda user: Company.objects.filter(users=user.pk).update(is_open=False),
}


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
