"""The buyer's own number of an order: given at the checkout or later, on every paper, found by
buyer and staff.
"""

import pytest
from django.db import DatabaseError, transaction

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.common.testing import ContractClient
from apps.orders.models import IssuedDocument, Order
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import cells_of
from apps.orders.tests.factories import make_order, make_order_at

S = OrderStatus


def give(client: ContractClient, order: Order, po_number: str) -> int:
    path = f"/api/order/po-number/{order.invoice_code}"
    return int(client.send("PUT", path, {"po_number": po_number}).status_code)


def found(client: ContractClient, words: str) -> list[tuple[str, str]]:
    rows = client.get("/api/order/0", {"search": words}).json()["orderList"]
    return [(row["invoice_code"], row["po_number"]) for row in rows]


def test_a_number_is_given_shown_found_and_taken_away(api: ContractClient, buyer: Buyer) -> None:
    order, _ = make_order(buyer), make_order(buyer)
    assert give(api, order, " 4500131 ") == 200
    assert api.get(f"/api/details/{order.invoice_code}").json()["order"]["po_number"] == "4500131"
    assert found(api, "00131") == [(order.invoice_code, "4500131")]
    assert found(api, "00132") == []
    assert order.events.get(kind="po_number").text == "4500131, before: none"
    assert give(api, order, "") == 200
    assert found(api, "00131") == []
    assert order.events.filter(kind="po_number").count() == 2


def test_a_number_is_at_most_40_characters_long(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    for number, status in (("x" * 40, 200), ("x" * 41, 400), ("a\nb", 400)):
        assert give(api, order, number) == status
    with pytest.raises(DatabaseError), transaction.atomic():
        Order.objects.filter(pk=order.pk).update(po_number="x" * 41)


def test_a_number_can_change_until_the_order_is_cancelled(
    api: ContractClient, buyer: Buyer
) -> None:
    for status in S:
        order = make_order_at(status, buyer)
        assert give(api, order, "PO-1") == (409 if status is S.CANCELLED else 200)


def test_the_papers_carry_the_number(buyer: Buyer) -> None:
    order = make_order_at(S.PAID, buyer, po_number="PO 12")
    papers = IssuedDocument.objects.filter(order=order)
    assert papers
    for paper in papers:
        lines = [line for box in paper.content["boxes"] for line in box["lines"]]
        assert "PO number PO 12" in lines, paper.kind


def test_staff_find_an_order_by_it(buyer: Buyer) -> None:
    order, other = make_order(buyer, po_number="PO-77"), make_order(buyer)
    client = staff_client()
    listed = client.get("/admin/orders/order/?q=PO-77").text
    assert (order.invoice_code in listed, other.invoice_code in listed) == (True, False)
    assert "PO PO-77" in listed
    page = f"/admin/orders/order/{order.pk}/change/"
    assert "PO PO-77" in client.get(page).text
    assert client.get("/admin/jump/?q=PO-77")["Location"] == page


def test_the_list_is_exported_as_it_is_filtered(api: ContractClient, buyer: Buyer) -> None:
    order, _ = make_order(buyer, po_number="=PO"), make_order(buyer)
    make_order(make_buyer(), po_number="=PO")
    answer = api.get("/api/order/0", {"search": "=po", "format": "csv"})
    heading, row = answer.content.decode("utf-8-sig").splitlines()
    assert heading.startswith("Invoice,PO number,Date,Status,")
    assert row.split(",")[:2] == [order.invoice_code, "'=PO"]
    assert row.split(",")[-3:] == [str(order.total), "0.00", str(order.deposit)]  # due
    rows = cells_of(api.get("/api/order/1", {"format": "xlsx"}).content)
    assert (len(rows), rows[2][1].value, rows[2][1].data_type) == (3, "=PO", "s")
    assert api.get("/api/order/0", {"format": "pdf"}).status_code == 400
