"""Webhooks: what is told, signed and delivered, and how PayPal's own check sees it
(design/paypal.md, A2 and D).
"""

import json

import pytest

from tools.paypal_simulator.testing import WEBHOOK_ID
from tools.paypal_simulator.tests.support import approved, bearer, connect, sold

COMPLETED, PENDING = "PAYMENT.SALE.COMPLETED", "PAYMENT.SALE.PENDING"


def types(shop):
    return [json.loads(body)["event_type"] for _, body in shop.arrived]


def verify(simulator, headers, raw, *, webhook_id=WEBHOOK_ID, **change):
    """Ask as a careful listener does: the body goes in as it came."""
    names = ("AUTH-ALGO", "CERT-URL", "TRANSMISSION-ID", "TRANSMISSION-SIG", "TRANSMISSION-TIME")
    values = {name.lower().replace("-", "_"): headers[f"PAYPAL-{name}"] for name in names}
    fields = {**values, "webhook_id": webhook_id, **change}
    text = json.dumps(fields)[:-1].encode() + b', "webhook_event": ' + raw + b"}"
    answer = bearer(simulator).post(
        f"{simulator.url}/v1/notifications/verify-webhook-signature",
        data=text,
        headers={"Content-Type": "application/json"},
    )
    return answer.json()["verification_status"]


def test_a_sale_is_told_after_its_answer_and_verifies(notified, shop):
    sale = sold(notified, connect(notified))
    assert notified.courier.settle()
    [(headers, raw)] = shop.arrived
    event = json.loads(raw)
    assert (event["event_type"], event["resource_type"], event["event_version"]) == (
        COMPLETED,
        "sale",
        "1.0",
    )
    assert (event["resource"]["id"], event["resource"]["parent_payment"]) == (
        sale.id,
        sale.parent_payment,
    )
    assert verify(notified, headers, raw) == "SUCCESS"


class TestVerification:
    RAW = (
        '{"id": "WH-1", "resource": {"name": "Zoë", "total":"1.00"}, "list": [1, '
        '{"webhook_event": 2}]}'
    ).encode()

    def test_an_altered_body_fails(self, paypal):
        message = paypal.message(self.RAW)
        assert verify(paypal, message.headers, self.RAW.replace(b"1.00", b"9.00")) == "FAILURE"

    def test_a_body_written_anew_fails(self, paypal):
        message = paypal.message(self.RAW)
        assert (
            verify(paypal, message.headers, json.dumps(json.loads(self.RAW)).encode()) == "FAILURE"
        )

    @pytest.mark.parametrize(
        "change",
        [
            {"webhook_id": "WH-OTHER"},
            {"transmission_id": "another"},
            {"transmission_time": "2026-01-01T00:00:00Z"},
            {"transmission_sig": "bm9uc2Vuc2U="},
            {"transmission_sig": "not base64"},
            {"auth_algo": "none"},
            {"cert_url": "http://evil.test/cert"},
        ],
    )
    def test_anything_else_altered_fails(self, paypal, change):
        message = paypal.message(self.RAW)
        assert verify(paypal, message.headers, message.body, **change) == "FAILURE"


class TestLife:
    def test_a_review_ends_and_money_goes_back(self, notified, shop):
        sdk = connect(notified)
        sale = sold(notified, sdk, buyer="review")
        notified.decide(sale.id, "completed")
        sale.refund({"amount": {"total": "0.01", "currency": "USD"}})
        notified.decide(sale.id, "reversed")
        assert notified.courier.settle()
        assert types(shop) == [PENDING, COMPLETED, "PAYMENT.SALE.REFUNDED", "PAYMENT.SALE.REVERSED"]
        refund = json.loads(shop.arrived[2][1])["resource"]
        assert (refund["amount"]["total"], refund["sale_id"]) == ("-0.01", sale.id)

    def test_what_is_refused_comes_again_until_it_is_taken(self, notified, shop):
        shop.answers = [503, 400]
        sold(notified, connect(notified))
        assert notified.courier.settle()
        assert len(shop.arrived) == 1
        for count in (2, 3, 3):
            notified.clock.advance(notified.courier.retry_seconds + 1)
            assert notified.courier.settle()
            assert len(shop.arrived) == count
        assert notified.courier.deliveries[0].statuses == [503, 400, 200]
        assert len({body for _, body in shop.arrived}) == 1
        assert len({headers["PAYPAL-TRANSMISSION-ID"] for headers, _ in shop.arrived}) == 3


class TestFaults:
    def test_drop(self, notified, shop):
        notified.fault("webhook_drop")
        sold(notified, connect(notified))
        assert notified.courier.settle()
        assert shop.arrived == []

    def test_duplicate(self, notified, shop):
        notified.fault("webhook_duplicate", count=5)
        sold(notified, connect(notified))
        assert notified.courier.settle()
        assert types(shop) == [COMPLETED] * 5
        assert len({json.loads(body)["id"] for _, body in shop.arrived}) == 1

    def test_late(self, notified, shop):
        notified.fault("webhook_late", seconds=24 * 3600)
        sold(notified, connect(notified))
        assert notified.courier.settle()
        assert shop.arrived == []
        notified.clock.advance(24 * 3600 + 1)
        assert notified.courier.settle()
        assert types(shop) == [COMPLETED]

    def test_before_the_response(self, notified, shop):
        sdk = connect(notified)
        made, payer = approved(notified, sdk)
        notified.fault("webhook_before_response", payment=made.id)
        notified.fault("timeout_after", payment=made.id, seconds=0)
        with pytest.raises(OSError):
            made.execute({"payer_id": payer})
        assert types(shop) == [
            COMPLETED
        ]  # nobody waited for it: it came before the answer that never came
        assert notified.courier.settle()
        assert len(shop.arrived) == 1

    def test_out_of_order(self, notified, shop):
        notified.fault("webhook_out_of_order")
        sale = sold(notified, connect(notified), buyer="review")
        notified.decide(sale.id, "completed")
        assert notified.courier.settle()
        assert types(shop) == [COMPLETED, PENDING]

    @pytest.mark.parametrize("kind", ["webhook_bad_signature", "webhook_wrong_id"])
    def test_not_genuine(self, notified, shop, kind):
        notified.fault(kind)
        sold(notified, connect(notified))
        assert notified.courier.settle()
        [(headers, raw)] = shop.arrived
        assert verify(notified, headers, raw) == "FAILURE"
