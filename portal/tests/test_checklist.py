"""The checkout's checklist and notes: the specification's letters, until staff write their own."""

from decimal import Decimal
from math import inf

import pytest
from django.urls import reverse

from apps.accounts.tests.staff import staff_client
from apps.common import seller
from apps.common.models import Seller
from apps.common.screen_texts import checklist
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
PAGE = reverse("admin:common_mailtext_text", args=["checkout_checklist"])
LETTERS = [
    "The shipping fee is added to the final invoice and is the customer’s responsibility.",
    "A confirmed order cannot be modified.",
    "A PayPal surcharge of 3.5 % for US customers and 5 % for South America applies. Please "
    "contact your sales representative.",
]


def sold_by(**fields) -> None:
    seller.remember(seller.Current(Seller(**fields)), looked_at=inf)


def test_nobody_changed_it(visitor: ContractClient):
    answer = visitor.get("/api/config").json()["checklist"]
    assert answer == {"title": "Checklist", "points": LETTERS}


def test_without_paypal_nothing_names_it():
    sold_by(paypal_on=False)
    assert checklist() == ("Checklist", LETTERS[:2])
    page = staff_client().get(PAGE)
    assert "paypal" not in str(page.context["places"]) + page.context["form"]["body"].value()


def test_staff_write_their_own(visitor: ContractClient):
    client = staff_client()
    body = "Deposit: {deposit_share}.\n\nPayPal costs {paypal_rate}."
    fields = {"version": "", "subject": "Before you pay", "body": body}
    assert client.post(PAGE, fields).status_code == 302
    assert "Deposit: {deposit_share}." in client.get(PAGE).content.decode()
    row = Seller.objects.get()
    row.deposit_rate, row.paypal_fee_rate = Decimal("0.3000"), Decimal("0.0400")
    row.save()
    seller.remember(None)
    answer = visitor.get("/api/config").json()["checklist"]
    assert answer["title"] == "Before you pay"
    assert answer["points"] == ["Deposit: 30 %.", "PayPal costs 4 %."]
    Seller.objects.update(paypal_on=False)
    seller.remember(None)
    assert visitor.get("/api/config").json()["checklist"]["points"] == ["Deposit: 30 %."]


def test_a_note_too_without_its_heading(visitor: ContractClient):
    client, page = staff_client(), reverse("admin:common_mailtext_text", args=["checkout_shipping"])
    assert '<input type="hidden" name="subject" value="Products"' in client.get(page).text
    fields = {"version": "", "subject": "Products", "body": "By sea from Busan.\nAsk us."}
    assert client.post(page, fields).status_code == 302
    seller.remember(None)
    notes = visitor.get("/api/config").json()["notes"]
    assert notes["shipping"] == "By sea from Busan.\nAsk us."
    assert notes["declaration"].startswith("YES declares your order")
    preview = reverse("admin:common_mailtext_preview", args=["checkout_shipping"])
    assert "Ask us.</p>" in client.get(preview).text
