"""What no log may hold (design/paypal.md, test 34)."""

import logging
from typing import Any

import pytest
from django.conf import settings

from apps.orders.tests.factories import make_draft
from apps.payments import paypal, paypal_orders
from apps.payments.tests.paypal.support import DEPOSIT, NO_LINK, Desk


def test_no_log_holds_a_secret_at_any_level(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    for module in (paypal, paypal_orders):
        module._of_thread.__dict__.clear()
    caplog.set_level(logging.DEBUG)
    journey = desk.deposit()
    payer = journey.approve()
    desk.paypal.fault("token_401", "execute")
    journey.come_back(payer)
    for kind in ("500_before", "malformed_json", "html_400", "decline", "redirect_302"):
        other = desk.deposit()
        desk.paypal.fault(kind, "execute")
        other.pay()
    desk.paypal.fault("500_before", "create", calls=None)
    assert desk.post(DEPOSIT, desk.body(make_draft(desk.buyer))) == NO_LINK
    desk.deliver(desk.paypal.events()[-1])
    text = caplog.text
    assert text
    client = paypal.api()
    secrets = [settings.PAYPAL_CLIENT_SECRET, client.basic_auth(), "Bearer ", "Basic "]
    secrets += [journey.token, desk.api.token]
    secrets += [client.token_hash["access_token"]] if client.token_hash else []
    assert [secret for secret in secrets if secret and secret in text] == []


@pytest.mark.parametrize("desk", ["v2"], indirect=True)
@pytest.mark.parametrize("text", ['{"py/object": "os.system"}', "[1]", "null", "id: 5"])
def test_the_second_sdk_is_given_plain_objects_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    import requests

    request = requests.Session.request

    def spoilt(
        session: requests.Session, method: str, url: str, *args: Any, **options: Any
    ) -> requests.Response:
        answer = request(session, method, url, *args, **options)
        if "checkout/orders" in url:
            answer._content = text.encode()
        return answer

    monkeypatch.setattr(requests.Session, "request", spoilt)
    assert desk.post(DEPOSIT, desk.body(make_draft(desk.buyer))) == NO_LINK
