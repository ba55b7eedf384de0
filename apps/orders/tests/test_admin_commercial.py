"""The commercial invoice in admin: what it will say, issued by a click; and the packing list for
staff.
"""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.orders.models import IssuedDocument, Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at
from apps.orders.tests.test_commercial_invoice import make_sold, name_of

S = OrderStatus


def url_of(order: Order) -> str:
    return reverse("admin:orders_order_invoice", args=[order.pk])


def send(client: Client, order: Order, **fields: Any) -> Any:
    version = Order.objects.get(pk=order.pk).version
    body = {"version": version, "incoterm": "FCA", "place": "Incheon", **fields}
    return client.post(url_of(order), body)


def declaring_client() -> Client:
    client = staff_client("Sales")
    actor = User.objects.get(groups__name="Sales")
    actor.groups.add(Group.objects.get(name="Declared values"))
    return client


def test_the_page_shows_what_it_will_say_and_issues_it(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    page = client.get(url_of(order)).content.decode()
    for text in (
        "Ängström Crème Façade",
        "0304991000",
        "1,010.70",
        "17.314",
        "DAP Warszawa",
        "Not yet.",
    ):
        assert text in page
    answer = send(client, order)
    assert answer.url == reverse("admin:orders_order_change", args=[order.pk])
    invoice = IssuedDocument.objects.get(kind="commercial")
    assert {
        "label": "Terms",
        "lines": ["FCA Incheon", "Currency USD", "Export declaration YES"],
    } in invoice.content["boxes"]
    page = client.get(answer.url).content.decode()
    assert name_of(order) in page
    assert "Packing list (PDF)" in page


def test_it_begins_with_the_terms_of_the_packing_then_with_those_issued(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    Order.objects.filter(pk=order.pk).update(packing_terms="EXW Seoul")
    assert "EXW Seoul" in client.get(url_of(order)).content.decode()
    send(client, order)
    page = client.get(url_of(order)).content.decode()
    assert "FCA Incheon" in page
    assert "Issue again" in page


def test_other_terms_are_shown_before_anything_is_issued(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    page = send(client, order, incoterm="DDP", place="Łódź", show="1").content.decode()
    assert "DDP Łódź" in page
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


def test_another_value_is_offered_only_to_those_who_may_declare_one(buyer: Buyer) -> None:
    order, sales = make_sold(buyer), staff_client("Sales")
    assert "Another value" not in sales.get(url_of(order)).content.decode()
    send(sales, order, declared="28.00", reason="Agreed")
    (issued,) = IssuedDocument.objects.filter(kind="commercial")
    assert issued.content["table"]["total"][-1] == {"usd": "924.30"}


def test_another_value_needs_its_reason_at_the_field(buyer: Buyer) -> None:
    order, client = make_sold(buyer), declaring_client()
    answer = send(client, order, declared="28.00")
    for text in ("Why is another value declared?", "Declared value of goods"):
        assert text in answer.content.decode()
    assert not IssuedDocument.objects.filter(kind="commercial").exists()
    send(client, order, declared="28.00", reason="Samples")
    assert IssuedDocument.objects.get(kind="commercial").content["table"]["total"][-1] == {
        "usd": "28.00"
    }
    assert order.events.filter(kind="declared").exists()


def test_somebody_who_was_quicker_is_named_and_the_next_click_counts(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    answer = send(client, order, version=order.version - 1)
    assert "changed this order" in " ".join(shown_messages(answer))
    assert f'name="version" value="{order.version}"' in answer.content.decode()
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


@pytest.mark.parametrize("status", [S.PREPARING, S.CONFIRMED, S.CANCELLED])
def test_an_order_that_cannot_have_one_says_why(buyer: Buyer, status: OrderStatus) -> None:
    order, client = make_order_at(status, buyer), staff_client("Sales")
    page = client.get(url_of(order)).content.decode()
    why = "Packing is not complete" if status == S.CONFIRMED else "needs a confirmed order"
    assert why in page
    assert "Issue the invoice" not in page
    assert send(client, order).status_code == 200
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


def test_staff_open_the_packing_list_as_the_buyer_gets_it(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    url = reverse("admin:orders_order_packing_list", args=[order.pk])
    answer = client.get(url)
    assert answer.getvalue().startswith(b"%PDF-")
    assert f"Packing_List_{order.invoice_code}.pdf" in answer.headers["Content-Disposition"]
    Order.objects.filter(pk=order.pk).update(packing_status=Order.Packing.EDITED)
    assert client.get(url).status_code == 404
