"""The page on which a buyer approves: a form that works without scripts (design/paypal.md, section
D).
"""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tools.paypal_simulator.tests.support import approved, find, order_body, orders_client, payment


@pytest.fixture
def made(sdk):
    made = payment(sdk)
    made.create()
    return made


def link(made):
    return next(link.href for link in made.links if link.rel == "approval_url")


def press(url, act, **fields):
    return requests.post(url, data={"act": act, **fields}, allow_redirects=False, timeout=5)


def destination(answer):
    assert answer.status_code == 303
    parts = urlsplit(answer.headers["Location"])
    return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}


def test_it_shows_what_is_paid_and_that_it_is_a_simulator(made):
    answer = requests.get(link(made), timeout=5)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))
    assert "This is not PayPal, and no money moves." in text
    for part in (
        "Maren &amp; Holt",
        "Order MHW-1",
        "Subtotal 1,234.56 USD",
        "Payment fee 43.21 USD",
    ):
        assert part in text
    assert "Total 1,277.77 USD" in text


def test_pay_now_leads_back_with_everything_that_v1_adds(sdk, made):
    path, query = destination(press(link(made), "pay", buyer="normal"))
    assert path == "/checkout/success/MHW-1/1"
    payer = find(sdk, made.id).payer.payer_info.payer_id
    token = parse_qs(urlsplit(link(made)).query)["token"][0]
    assert query == {"amount": "1277.77", "paymentId": made.id, "token": token, "PayerID": payer}
    assert made.execute({"payer_id": payer})


def test_a_second_press_leads_to_the_same_place(made):
    first, second = (press(link(made), "pay", buyer="normal") for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]


def test_cancel_leads_back_with_the_token_alone(sdk, made):
    path, query = destination(press(link(made), "cancel", buyer="normal"))
    assert path == "/checkout/failure/MHW-1/1"
    assert list(query) == ["token"]
    assert find(sdk, made.id).payer.payer_info is None
    assert requests.get(link(made), timeout=5).status_code == 200


def test_orders_v2_return_without_a_payment_id(paypal):
    order = orders_client(paypal).orders.create_order({"body": order_body()}).body
    url = next(link.href for link in order.links if link.rel == "payer-action")
    assert urlsplit(url).path == "/checkoutnow"
    _, query = destination(press(url, "pay", buyer="normal"))
    assert sorted(query) == ["PayerID", "amount", "token"]
    assert query["token"] == order.id
    assert [event.type for event in paypal.events()] == ["CHECKOUT.ORDER.APPROVED"]


class TestPlainErrors:
    def test_used(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        url = link(made)
        assert "has been used" in requests.get(url, timeout=5).text
        made.execute({"payer_id": payer})
        assert press(url, "pay", buyer="normal").status_code == 410
