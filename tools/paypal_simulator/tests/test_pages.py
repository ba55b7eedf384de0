"""The page on which a buyer approves: a form that works without scripts (design/paypal.md, section
D).
"""

import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tools.paypal_simulator.tests.support import approved, find, order_body, orders_client, payment

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"


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


def test_its_policy_allows_no_script_and_no_other_destination(made):
    answer = requests.get(link(made), timeout=5)
    assert answer.headers["Content-Security-Policy"] == f"{POLICY} http://portal.test"
    assert "<script" not in answer.text
    assert " style=" not in answer.text
    assert requests.get(f"{link(made).split('/cgi-bin')[0]}/_assets/page.css", timeout=5).ok


def test_every_choice_has_a_label(made):
    class Labels(HTMLParser):
        depth, labelled, fields = 0, 0, 0

        def handle_starttag(self, tag, attributes):
            self.depth += tag == "label"
            if tag == "input":
                self.fields += 1
                self.labelled += self.depth > 0

        def handle_endtag(self, tag):
            self.depth -= tag == "label"

    labels = Labels()
    labels.feed(requests.get(link(made), timeout=5).text)
    assert labels.labelled == labels.fields == 4


def test_what_a_merchant_writes_is_escaped(sdk):
    made = payment(sdk, description="<b>bold</b>$total")
    made.create()
    text = requests.get(link(made), timeout=5).text
    assert "&lt;b&gt;bold&lt;/b&gt;$total" in text
    assert "<b>bold" not in text


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


def test_a_buyer_may_be_declined(sdk, made):
    _, query = destination(press(link(made), "pay", buyer="declined"))
    assert not made.execute({"payer_id": query["PayerID"]})
    assert requests.get(link(made), timeout=5).status_code == 200


def test_without_a_choice_nothing_happens(sdk, made):
    assert press(link(made), "pay").status_code == 400
    assert find(sdk, made.id).payer.payer_info is None


def test_orders_v2_return_without_a_payment_id(paypal):
    order = orders_client(paypal).orders.create_order({"body": order_body()}).body
    url = next(link.href for link in order.links if link.rel == "payer-action")
    assert urlsplit(url).path == "/checkoutnow"
    _, query = destination(press(url, "pay", buyer="normal"))
    assert sorted(query) == ["PayerID", "amount", "token"]
    assert query["token"] == order.id
    assert [event.type for event in paypal.events()] == ["CHECKOUT.ORDER.APPROVED"]


class TestPlainErrors:
    def test_unknown(self, paypal):
        answer = requests.get(f"{paypal.url}/checkoutnow?token=EC-NONE", timeout=5)
        assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (404, POLICY)
        assert "This payment does not exist" in answer.text

    def test_used(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        url = link(made)
        assert "has been used" in requests.get(url, timeout=5).text
        made.execute({"payer_id": payer})
        assert press(url, "pay", buyer="normal").status_code == 410

    def test_expired(self, paypal, made):
        paypal.clock.advance(3 * 3600 + 1)
        answer = requests.get(link(made), timeout=5)
        assert (answer.status_code, "has expired" in answer.text) == (410, True)
        assert press(link(made), "pay", buyer="normal").status_code == 410
