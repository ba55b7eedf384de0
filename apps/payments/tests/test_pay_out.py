"""Credit of a wallet that goes back by bank: the ledger, the account, the mail, and the page that
does it once.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.errors import NotFound
from apps.common.testing import ContractClient
from apps.orders.errors import StaffRefusal
from apps.orders.tests.factories import make_sales
from apps.payments.models import WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.services.wallet import correct_wallet, pay_out_wallet

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def pay_out(
    buyer: Buyer, amount: str, *, seen: str = "80.00", reason: str = "As you asked"
) -> WalletEntry:
    return pay_out_wallet(
        company_id=buyer.company_id,
        amount=Decimal(amount),
        reason=reason,
        seen=Decimal(seen),
        actor=make_sales(),
        now=NOW,
    )


@pytest.fixture
def credited(buyer: Buyer) -> Buyer:
    """The buyer, whose company has a credit of 80.00."""
    given: dict[str, Any] = {"amount": Decimal("80.00"), "reason": "Goodwill", "seen": Decimal(0)}
    correct_wallet(company_id=buyer.company_id, actor=staff_in(), now=NOW, **given)
    return buyer


def test_the_wallet_the_account_and_a_mail_say_so(credited: Buyer, api: ContractClient) -> None:
    out = make_buyer(company=User.objects.get(pk=credited.id).company)
    User.objects.filter(pk=out.id).update(is_active=False)
    pay_out(credited, "30.00")
    wallet = api.get("/api/wallet").json()
    entry = {name: wallet["entries"][0][name] for name in ("kind", "amount", "invoice_code")}
    assert (wallet["balance"], entry) == (
        50.0,
        {"kind": "paid_out", "amount": -30.0, "invoice_code": ""},
    )
    account = api.get("/api/account/statement").json()
    assert [
        (line["text"], line["credit"], line["charge"], line["balance"]) for line in account["lines"]
    ] == [("Wallet credit, owed to you", -30.0, 0.0, -30.0)]
    mail = Email.objects.get()
    assert (mail.to, mail.subject) == ([credited.email], "Wallet payout")
    assert mail.context["values"]["facts"] == [
        ["Paid out", "$30.00"],
        ["Left in your wallet", "$50.00"],
    ]
    assert mail.context["values"]["quote"] == "As you asked"
    call_command("audit", without_mails=True)


@pytest.mark.parametrize(
    ("amount", "fields", "words"),
    [
        ("80.01", {}, "The amount is wrong"),
        ("0.00", {}, "The amount is wrong"),
        ("1.005", {}, "The amount is wrong"),
        ("10.00", {"seen": "79.00"}, "is left now, not"),
    ],
)
def test_what_cannot_go_back(
    credited: Buyer, amount: str, fields: dict[str, str], words: str
) -> None:
    with pytest.raises(StaffRefusal, match=words):
        pay_out(credited, amount, **fields)
    assert wallet_balance(company_id=credited.company_id) == 80
    assert not Email.objects.exists()


def test_an_unknown_company_is_not_found() -> None:
    given: dict[str, Any] = {"amount": Decimal(1), "reason": "x", "seen": Decimal(0)}
    with pytest.raises(NotFound):
        pay_out_wallet(company_id=0, actor=make_sales(), now=NOW, **given)


def test_the_page_shows_what_will_happen_and_does_it_once(credited: Buyer) -> None:
    client, company = staff_client("Sales"), credited.company_id
    ledger = f"/admin/payments/walletentry/company/{company}/"
    page = f"{ledger}pay-out/"
    assert page in client.get(ledger).text
    assert page in client.get(f"/admin/accounts/company/{company}/change/").text
    assert "What will happen" not in client.get(page).text
    asked = {"amount": "80.00", "reason": "As you asked"}
    shown = client.get(page, asked).text
    for words in (
        "Send 80.00 back by bank",
        "80.00 →",
        credited.email,
        "The red button has no shortcut",
    ):
        assert words in shown
    assert "At most 80.00." in client.get(page, {**asked, "amount": "80.01"}).text
    client.post(page, {**asked, "seen": "80.00"})
    assert "is left now, not" in client.post(page, {**asked, "seen": "80.00"}).text
    assert wallet_balance(company_id=company) == 0
    left = client.get(ledger).text
    assert "Sent back by bank" in left
    assert page not in left
    assert "There is nothing in the wallet" in str(shown_messages(client.get(page, follow=True)))
    customer = client.get(f"/admin/accounts/company/{company}/change/").text
    for words in (">− 80.00</dd>", ">+ 80.00</dd>"):
        assert words in customer
    actions = client.get("/admin/admin/logentry/").text
    said = "80.00 of the wallet to be sent back by bank: 80.00 → 0.00"
    for words in (said, credited.company, "When"):
        assert words in actions
    assert "Action time" not in actions
    own = f"/admin/accounts/company/{company}/"
    for page in ("change/", "history/"):
        assert "80.00" not in staff_client("Approvers").get(own + page).text
