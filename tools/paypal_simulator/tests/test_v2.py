"""Orders v2 through the plain SDK (design/paypal.md, section F)."""

import json

import pytest
from paypalserversdk.exceptions.api_exception import ApiException

from tools.paypal_simulator.tests.support import (
    captured,
    order_body,
    orders_client,
)

ALL = "return=representation"


@pytest.fixture
def client(paypal):
    return orders_client(paypal)


def refusal(call, options):
    """Return status and issue of a refused call."""
    with pytest.raises(ApiException) as caught:
        call(options)
    return caught.value.response_code, json.loads(caught.value.response.text)["details"][0]["issue"]


def test_an_order_is_created_approved_captured_found_and_refunded(paypal, client):
    new_order = client.orders.create_order(
        {"body": order_body(), "paypal_request_id": "create-1"}
    ).body
    assert new_order.status == "PAYER_ACTION_REQUIRED"
    assert [link.rel for link in new_order.links] == ["self", "payer-action", "capture"]
    assert not hasattr(new_order, "purchase_units")  # unless the caller asks for the whole order

    payer = paypal.approve(new_order.id)
    assert client.orders.get_order({"id": new_order.id}).body.status == "APPROVED"

    captured = client.orders.capture_order({"id": new_order.id, "prefer": ALL}).body
    capture = captured.purchase_units[0].payments.captures[0]
    assert (captured.status, capture.status, capture.amount.value) == (
        "COMPLETED",
        "COMPLETED",
        "1277.77",
    )
    assert (capture.invoice_id, capture.custom_id, captured.payer.payer_id) == (
        "MHW-1-D",
        "attempt-1",
        payer,
    )

    part = {"amount": {"currency_code": "USD", "value": "277.77"}, "invoice_id": "R-1"}
    options = {
        "capture_id": capture.id,
        "body": part,
        "paypal_request_id": "refund-1",
        "prefer": ALL,
    }
    refund = client.payments.refund_captured_payment(options).body
    assert (refund.status, refund.amount.value) == ("COMPLETED", "277.77")
    assert client.payments.refund_captured_payment(options).body.id == refund.id
    assert (
        client.payments.get_captured_payment({"capture_id": capture.id}).body.status
        == "PARTIALLY_REFUNDED"
    )

    rest = client.payments.refund_captured_payment({"capture_id": capture.id, "prefer": ALL}).body
    assert rest.amount.value == "1000.00"
    assert client.payments.get_refund({"refund_id": rest.id}).body.status == "COMPLETED"
    assert (
        client.payments.get_captured_payment({"capture_id": capture.id}).body.status == "REFUNDED"
    )
    over = {"capture_id": capture.id, "body": part}
    assert refusal(client.payments.refund_captured_payment, over) == (422, "CAPTURE_FULLY_REFUNDED")


def test_business_errors_are_issues(paypal, client):
    new_order = client.orders.create_order({"body": order_body()}).body
    capture = client.orders.capture_order
    assert refusal(capture, {"id": new_order.id}) == (422, "ORDER_NOT_APPROVED")
    paypal.approve(new_order.id, "declined")
    assert refusal(capture, {"id": new_order.id}) == (422, "INSTRUMENT_DECLINED")
    paypal.approve(new_order.id)
    assert capture({"id": new_order.id}).body.status == "COMPLETED"
    assert refusal(capture, {"id": new_order.id}) == (422, "ORDER_ALREADY_CAPTURED")

    other = client.orders.create_order({"body": order_body()}).body
    paypal.approve(other.id)
    assert refusal(capture, {"id": other.id}) == (422, "DUPLICATE_INVOICE_ID")
    assert refusal(client.orders.get_order, {"id": "0000000000000000A"}) == (
        404,
        "INVALID_RESOURCE_ID",
    )


def test_the_same_key_shows_the_same_order_and_capture(paypal, client):
    options = {"body": order_body(), "paypal_request_id": "create-1"}
    new_order, again = (client.orders.create_order(options).body for _ in range(2))
    assert new_order.id == again.id
    paypal.approve(new_order.id)
    options = {"id": new_order.id, "paypal_request_id": "capture-1", "prefer": ALL}
    first, second = (client.orders.capture_order(options).body for _ in range(2))
    assert (
        first.purchase_units[0].payments.captures[0].id
        == second.purchase_units[0].payments.captures[0].id
    )
    reused = {"id": new_order.id, "paypal_request_id": "create-1"}
    assert refusal(client.orders.capture_order, reused) == (422, "DUPLICATE_REQUEST_ID")

    paypal.clock.advance(6 * 3600 + 1)
    later = client.orders.create_order({"body": order_body(), "paypal_request_id": "create-1"}).body
    assert later.id != new_order.id


def test_listeners_hear_of_the_approval_and_the_capture(paypal, client):
    _, capture = captured(paypal, client, buyer="echeck")
    paypal.decide(capture.id, "completed")
    client.payments.refund_captured_payment({"capture_id": capture.id})
    assert [event.type for event in paypal.events()] == [
        "CHECKOUT.ORDER.APPROVED",
        "PAYMENT.CAPTURE.PENDING",
        "PAYMENT.CAPTURE.COMPLETED",
        "PAYMENT.CAPTURE.REFUNDED",
    ]
    approval = json.loads(paypal.events()[0].body)
    assert (approval["resource_type"], approval["resource"]["status"]) == (
        "checkout-order",
        "APPROVED",
    )
