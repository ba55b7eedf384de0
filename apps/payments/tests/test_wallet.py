"""The wallet: seen by the company, used for a balance as far as it goes, never twice (api.md, Added
calls).
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.tests.factories import make_product
from apps.common.errors import NotFound, WrongStatus
from apps.common.testing import ContractClient
from apps.common.tests.races import race
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.tests.factories import make_sales
from apps.payments.errors import PaymentPending
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.services.wallet import pay_from_wallet, pay_out_wallet
from apps.payments.tests.factories import (
    arrive,
    cancel,
    correct,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

pytestmark = pytest.mark.django_db

SignIn = Callable[[Buyer], ContractClient]
URL = "/api/order/wallet"


def make_credit(buyer: Buyer, amount: str) -> None:
    """Credit a company by an order that the seller cancels."""
    order = make_wire_order(buyer, [(make_product(), 10)])
    arrive(order, Decimal(amount))
    cancel(order)


def use(api: ContractClient, order: Order) -> Any:
    return api.send("POST", URL, {"invoice_code": order.invoice_code})


def test_an_empty_wallet(api: ContractClient) -> None:
    assert api.get("/api/wallet").json() == {"success": 1, "balance": 0.0, "entries": []}


def test_the_credit_pays_the_balance(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    assert use(api, order).json() == {"success": 1, "amount": 50.0, "status_id": 4}
    order.refresh_from_db()
    assert (order.status, order.received, order.credited) == (4, 140, 0)
    payment = Payment.objects.get(method="WALLET")
    assert (payment.state, payment.amount, payment.received) == ("captured", 50, 50)
    assert payment.user_id == buyer.id
    wallet = api.get("/api/wallet").json()
    assert wallet["balance"] == 30.0
    entries = [(row["kind"], row["amount"], row["after"]) for row in wallet["entries"]]
    assert entries == [("use", -50.0, 30.0), ("cancellation", 80.0, 80.0)]
    assert wallet["entries"][0]["invoice_code"] == order.invoice_code
    assert wallet["entries"][0]["at"].endswith("+09:00")  # its day is the seller's


def test_as_far_as_it_goes(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "20.00")
    order = make_confirmed_order(buyer)
    assert use(api, order).json() == {"success": 1, "amount": 20.0, "status_id": 3}
    info = api.send("POST", "/api/order/checkout", {"invoice_code": order.invoice_code}).json()[
        "info"
    ]
    assert info["amount"] == 30.0
    answer = use(api, order)
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_status")
    assert list(answer.json()["errors"]) == ["wallet"]
    make_credit(buyer, "100.00")
    assert use(api, order).json() == {"success": 1, "amount": 30.0, "status_id": 4}


def test_a_cancelled_order_gives_the_credit_back(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    use(api, order)
    cancel(order)
    assert api.get("/api/wallet").json()["balance"] == 170.0


@pytest.mark.parametrize("make", [make_wire_order, make_announced_balance])
def test_only_a_balance_that_nobody_pays(
    api: ContractClient, buyer: Buyer, make: Callable[[Buyer], Order]
) -> None:
    make_credit(buyer, "80.00")
    answer = use(api, make(buyer))
    code = "wrong_status" if make is make_wire_order else PaymentPending.code
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert not WalletEntry.objects.filter(kind="use").exists()


def test_it_is_the_companys_alone(buyer: Buyer, sign_in: SignIn) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    assert use(sign_in(make_buyer()), order).status_code == 404
    colleague = sign_in(make_buyer(company_id=buyer.company_id))
    assert colleague.get("/api/wallet").json()["balance"] == 80.0
    assert use(colleague, order).json()["status_id"] == 4
    assert sign_in(make_buyer()).get("/api/wallet").json()["balance"] == 0.0


@pytest.mark.django_db(transaction=True)
def test_of_payments_at_once_one_spends_the_credit() -> None:
    buyer = make_buyer()
    make_credit(buyer, "50.00")
    codes = [make_confirmed_order(buyer).invoice_code for _ in range(8)]

    def pay(number: int) -> bool:
        now = datetime.now(UTC)
        with suppress(WrongStatus):
            return bool(pay_from_wallet(buyer=buyer, invoice_code=codes[number], now=now))
        return False

    assert sum(race(pay, times=len(codes))) == 1
    assert wallet_balance(company_id=buyer.company_id) == 0


def pay_out(buyer: Buyer, amount: str, *, balance: str = "80.00") -> WalletEntry:
    actor, now = make_sales(), datetime.now(UTC)
    given: dict[str, Any] = {
        "company_id": buyer.company_id,
        "amount": Decimal(amount),
        "seen": Decimal(balance),
    }
    return pay_out_wallet(reason="As you asked", actor=actor, now=now, **given)


@pytest.fixture
def credited(buyer: Buyer) -> Buyer:
    """The buyer, whose company has a credit of 80.00."""
    correct(buyer.company_id, "80.00")
    return buyer


def test_the_wallet_the_account_and_a_mail_say_so(credited: Buyer, api: ContractClient) -> None:
    out = make_buyer(company=User.objects.get(pk=credited.id).company)
    User.objects.filter(pk=out.id).update(is_active=False)
    pay_out(credited, "30.00")
    wallet = api.get("/api/wallet").json()
    entry = {name: wallet["entries"][0][name] for name in ("kind", "amount", "invoice_code")}
    assert wallet["balance"] == 50.0
    assert entry == {"kind": "paid_out", "amount": -30.0, "invoice_code": ""}
    account = api.get("/api/account/statement").json()
    assert [
        (line["text"], line["credit"], line["charge"], line["balance"]) for line in account["lines"]
    ] == [("Wallet credit, owed to you", -30.0, 0.0, -30.0)]
    mail = Email.objects.get()
    assert (mail.to, mail.subject) == ([credited.email], "Wallet payout")
    shown = mail.context["values"]["facts"]
    assert shown == [["Paid out", "$30.00"], ["Left in your wallet", "$50.00"]]
    assert mail.context["values"]["quote"] == "As you asked"
    call_command("audit", without_mails=True)


@pytest.mark.parametrize(
    ("amount", "fields", "words"),
    [
        ("80.01", {}, "The amount is wrong"),
        ("0.00", {}, "The amount is wrong"),
        ("1.005", {}, "The amount is wrong"),
        ("10.00", {"balance": "79.00"}, "is left now, not"),
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
    fields: dict[str, Any] = {"amount": Decimal(1), "reason": "x", "seen": Decimal(0)}
    with pytest.raises(NotFound):
        pay_out_wallet(company_id=0, actor=make_sales(), now=datetime.now(UTC), **fields)


def test_the_page_shows_what_will_happen_and_does_it_once(credited: Buyer) -> None:
    client, company = staff_client("Sales"), credited.company_id
    ledger = f"/admin/payments/walletentry/company/{company}/"
    page = f"{ledger}pay-out/"
    assert page in client.get(ledger).text
    assert page in client.get(f"/admin/accounts/company/{company}/change/").text
    assert "What will happen" not in client.get(page).text
    fields = {"amount": "80.00", "reason": "As you asked"}
    html = client.get(page, fields).text
    effects = ("Send 80.00 back by bank", "80.00 →", "The red button has no shortcut")
    for words in (*effects, credited.email):
        assert words in html
    assert "At most 80.00." in client.get(page, {**fields, "amount": "80.01"}).text
    client.post(page, {**fields, "seen": "80.00"})
    assert "is left now, not" in client.post(page, {**fields, "seen": "80.00"}).text
    assert wallet_balance(company_id=company) == 0
    html = client.get(ledger).text
    assert "Sent back by bank" in html
    assert page not in html
    assert "There is nothing in the wallet" in str(shown_messages(client.get(page, follow=True)))
    customer = client.get(f"/admin/accounts/company/{company}/change/").text
    for words in (">− 80.00</dd>", ">+ 80.00</dd>"):
        assert words in customer
    actions = client.get("/admin/admin/logentry/").text
    message = "80.00 of the wallet to be sent back by bank: 80.00 → 0.00"
    for words in (message, credited.company, "When"):
        assert words in actions
    assert "Action time" not in actions
    own = f"/admin/accounts/company/{company}/"
    for page in ("change/", "history/"):
        assert "80.00" not in staff_client("Approvers").get(own + page).text
