"""What a buyer changes of an order: the address, a message, a request for shipping, each while its
status allows it.
"""

from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.orders.errors import MessageRequired
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at, ship_body

S = OrderStatus


def test_an_address_is_shown_and_changed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    info = api.send("POST", "/api/order/address", {"invoice_code": order.invoice_code}).json()[
        "info"
    ]
    assert info["addressInfo"] == ship_body()
    assert "Poland" in [entry["content"] for entry in info["countryList"]]
    assert "Mazowieckie" in [entry["content"] for entry in info["stateList"]]
    body = {"invoice_code": order.invoice_code, **ship_body(ship_city="Radom")}
    assert api.send("PUT", "/api/order/edit/address", body).json() == {"success": 1}
    order.refresh_from_db()
    assert (order.ship_city, order.address_changed) == ("Radom", True)
    assert "Warszawa" in OrderEvent.objects.get(order=order, kind="address").note
    assert Email.objects.latest("id").to == ["sales@portal.test"]


@pytest.mark.parametrize(
    "field", ["ship_country", "ship_city", "ship_zipcode", "ship_address1", "ship_phone"]
)
def test_a_changed_address_is_whole(api: ContractClient, buyer: Buyer, field: str) -> None:
    order = make_order(buyer)
    body = {"invoice_code": order.invoice_code, **ship_body(), field: ""}
    answer = api.send("PUT", "/api/order/edit/address", body)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_a_message_is_kept_and_mailed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    for text in ("First", "Second\r\nline"):
        path = f"/api/order/customer/memo/{order.invoice_code}"
        assert api.send("PUT", path, {"customer_memo": text}).json() == {"success": 1}
    order.refresh_from_db()
    assert (order.customer_memo, order.message_unread) == ("Second\nline", True)
    assert list(order.events.filter(kind="message").values_list("note", flat=True)) == [
        "First",
        "Second\nline",
    ]
    assert "Second\nline" in write_texts(Email.objects.latest("id")).message


def test_a_shipping_request_is_kept_and_mailed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    path = f"/api/order/customer/ship-memo/{order.invoice_code}"
    assert api.send("POST", path, {"ship_memo": "By sea"}).json() == {"success": 1}
    order.refresh_from_db()
    assert (order.ship_memo, order.ship_memo_unread) == ("By sea", True)
    assert Email.objects.latest("id").subject == f"Request for shipping: {order.invoice_code}"


@pytest.mark.parametrize("call", ["message", "ship_memo"])
def test_a_message_that_is_sent_again_under_its_key_is_left_once(
    api: ContractClient, buyer: Buyer, call: str
) -> None:
    order = make_order(buyer)
    key = {"Idempotency-Key": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}
    mails = Email.objects.count()
    assert change(api, call, order.invoice_code, headers=key).json() == {"success": 1}
    # Sent again after a lost answer, when a new one would be too late.
    Order.objects.filter(pk=order.pk).update(status=S.CANCELLED, cancelled_at=order.placed_at)
    assert change(api, call, order.invoice_code, headers=key).json() == {"success": 1}
    assert order.events.filter(kind=call).count() == 1
    assert Email.objects.count() == mails + 1
    other = change(api, call, order.invoice_code, "Another text", headers=key)
    assert (other.status_code, list(other.json()["errors"])) == (400, ["idempotency_key"])
    malformed = change(api, call, order.invoice_code, headers={"Idempotency-Key": "mine"})
    assert malformed.status_code == 400


def change(
    client: ContractClient, call: str, code: str, text: str = "Hello", **options: Any
) -> Any:
    """Make one of the three calls by which a buyer changes an order."""
    if call == "address":
        return client.send("PUT", "/api/order/edit/address", {"invoice_code": code, **ship_body()})
    if call == "message":
        return client.send(
            "PUT", f"/api/order/customer/memo/{code}", {"customer_memo": text}, **options
        )
    return client.send(
        "POST", f"/api/order/customer/ship-memo/{code}", {"ship_memo": text}, **options
    )


@pytest.mark.parametrize(
    ("call", "last"), [("address", S.PREPARING), ("ship_memo", S.CONFIRMED), ("message", S.PAID)]
)
def test_a_status_ends_what_a_buyer_may_change(
    api: ContractClient, buyer: Buyer, call: str, last: S
) -> None:
    for status in S:
        order = make_order_at(status, buyer)
        answer = change(api, call, order.invoice_code)
        if S.RECEIVED <= status <= last:
            assert answer.status_code == 200
        else:
            assert (answer.status_code, answer.json()["code"]) == (409, "wrong_status")
        events = order.events.filter(kind__in=["address", "message", "ship_memo"])
        assert events.exists() is (answer.status_code == 200)


@pytest.mark.parametrize("call", ["message", "ship_memo"])
@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_message_is_refused(
    api: ContractClient, buyer: Buyer, call: str, text: str
) -> None:
    answer = change(api, call, make_order(buyer).invoice_code, text)
    assert (answer.status_code, answer.json()["message"]) == (400, MessageRequired.message)


@pytest.mark.parametrize("text", ["a\x00b", "x" * 2001, None, 5, ["a"]])
def test_a_malformed_message_is_refused(api: ContractClient, buyer: Buyer, text: Any) -> None:
    assert change(api, "message", make_order(buyer).invoice_code, text).status_code == 400
