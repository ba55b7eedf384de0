"""What a buyer changes of an order: the address, a message, a request for shipping, each while its
status allows it.
"""

from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.models import CompanyAddress, User
from apps.accounts.selectors import Buyer, profile
from apps.accounts.services import addresses
from apps.accounts.tests.factories import buyer_of, make_user
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.orders.errors import MessageRequired
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at, ship_body

S = OrderStatus


def test_an_address_is_shown_and_changed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    answer = api.send("POST", "/api/order/address", {"invoice_code": order.invoice_code})
    info = answer.json()["info"]
    assert info["addressInfo"] == ship_body()
    assert "Poland" in [entry["content"] for entry in info["countryList"]]
    assert "Mazowieckie" in [entry["content"] for entry in info["stateList"]]
    body = {"invoice_code": order.invoice_code, **ship_body(ship_city="Radom")}
    assert api.send("PUT", "/api/order/edit/address", body).json() == {"success": 1}
    order.refresh_from_db()
    assert (order.ship_city, order.address_changed) == ("Radom", True)
    assert "Warszawa" in OrderEvent.objects.get(order=order, kind="address").note
    assert Email.objects.latest("id").to == ["sales@portal.test"]


def test_a_message_is_kept_and_mailed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    for text in ("First", "Second\r\nline"):
        path = f"/api/order/customer/memo/{order.invoice_code}"
        assert api.send("PUT", path, {"customer_memo": text}).json() == {"success": 1}
    order.refresh_from_db()
    assert (order.customer_memo, order.message_unread) == ("Second\nline", True)
    notes = order.events.filter(kind="message").values_list("note", flat=True)
    assert list(notes) == ["First", "Second\nline"]
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
    """Make one of the three calls by which a buyer changes an order; without a text its field is
    missing.
    """
    if call == "address":
        return client.send("PUT", "/api/order/edit/address", {"invoice_code": code, **ship_body()})
    path = f"/api/order/customer/{'memo' if call == 'message' else 'ship-memo'}/{code}"
    if call == "message":
        body = {} if text is None else {"customer_memo": text}
        return client.send("PUT", path, body, **options)
    return client.send("POST", path, {"ship_memo": text}, **options)


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
@pytest.mark.parametrize("text", ["", "   ", "\n\t", None])
def test_an_empty_message_is_refused(
    api: ContractClient, buyer: Buyer, call: str, text: Any
) -> None:
    answer = change(api, call, make_order(buyer).invoice_code, text)
    assert (answer.status_code, answer.json()["message"]) == (400, MessageRequired.message)


@pytest.mark.parametrize("text", ["a\x00b", "x" * 2001, 5, ["a"]])
def test_a_malformed_message_is_refused(api: ContractClient, buyer: Buyer, text: Any) -> None:
    assert change(api, "message", make_order(buyer).invoice_code, text).status_code == 400


# The company's address book


def add(api: ContractClient, name: str, **fields: Any) -> Any:
    return api.send("POST", "/api/account/addresses", {"name": name, **ship_body(**fields)})


def book(api: ContractClient) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = api.get("/api/account/addresses").json()["addresses"]
    return rows


def test_addresses_are_kept_for_the_company_by_name(api: ContractClient, buyer: Buyer) -> None:
    add(api, "Store Berlin", ship_city="Berlin")
    first = add(api, "Hamburg", ship_city="Hamburg").json()["address_id"]
    shown = [(row["name"], row["ship_city"], row["country"]) for row in book(api)]
    assert shown == [("Hamburg", "Hamburg", "Poland"), ("Store Berlin", "Berlin", "Poland")]
    response = add(api, "store berlin")
    assert (response.status_code, list(response.json()["errors"])) == (400, ["name"])
    path = f"/api/account/addresses/{first}"
    assert api.send("PUT", path, {"name": "Hamburg 2", **ship_body()}).status_code == 200
    assert api.send("DELETE", path).json() == {"success": 1}
    assert [row["name"] for row in book(api)] == ["Store Berlin"]


@pytest.mark.parametrize(
    "field", ["name", "ship_country", "ship_city", "ship_zipcode", "ship_address1", "ship_phone"]
)
def test_an_address_is_whole(api: ContractClient, buyer: Buyer, field: str) -> None:
    body = {"name": "Store", "invoice_code": make_order(buyer).invoice_code, **ship_body()}
    answers = [api.send("POST", "/api/account/addresses", {**body, field: ""})]
    if field != "name":
        answers.append(api.send("PUT", "/api/order/edit/address", {**body, field: ""}))
    for answer in answers:
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_the_default_is_the_buyers_own_and_follows_a_change(
    api: ContractClient, buyer: Buyer
) -> None:
    colleague = make_user(company_id=buyer.company_id, ship_city="Kielce")
    address_id = add(api, "Store Berlin", ship_city="Berlin").json()["address_id"]
    add(api, "Hamburg", ship_city="Hamburg")
    assert api.send("PUT", f"/api/account/addresses/{address_id}/default").json() == {"success": 1}
    assert [row["name"] for row in book(api) if row["is_default"]] == ["Store Berlin"]
    assert profile(buyer=buyer)["ship_city"] == "Berlin"
    assert profile(buyer=buyer_of(User.objects.get(pk=colleague.pk)))["ship_city"] == "Kielce"
    body = {"name": "Store Berlin", **ship_body(ship_city="Potsdam")}
    api.send("PUT", f"/api/account/addresses/{address_id}", body)
    assert profile(buyer=buyer)["ship_city"] == "Potsdam"


def test_the_default_before_stays_in_the_book(api: ContractClient, buyer: Buyer) -> None:
    registered = profile(buyer=buyer)["ship_city"]
    lyon, _ = (add(api, name, ship_city="Lyon").json()["address_id"] for name in ("Lyon", "Paris"))
    for _ in range(2):
        api.send("PUT", f"/api/account/addresses/{lyon}/default")
    names = {row["name"]: (row["ship_city"], row["is_default"]) for row in book(api)}
    assert names.pop("Registered address") == (registered, False)
    assert names == {"Lyon": ("Lyon", True), "Paris": ("Lyon", True)}
    add(api, "registered ADDRESS 2")
    User.objects.filter(pk=buyer.id).update(ship_city="Gdynia")
    api.send("PUT", f"/api/account/addresses/{lyon}/default")
    assert [row["name"] for row in book(api) if row["ship_city"] == "Gdynia"] == [
        "Registered address 3"
    ]


def test_the_book_is_full_at_some_point(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "MAX_ADDRESSES", 1)
    assert [add(api, name).status_code for name in ("One", "Two")] == [200, 400]
    assert CompanyAddress.objects.filter(company_id=buyer.company_id).count() == 1
