"""What is owed by bank, a refund, credit of a wallet or a credit that went astray, until it is
sent: the desk, the home page, the account and the mails agree.
"""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.utils import timezone
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.errors import NotFound
from apps.common.testing import ContractClient
from apps.orders.errors import StaffRefusal
from apps.orders.tests.factories import make_sales
from apps.payments.bank.statements import keep_credit, send_back_credit
from apps.payments.models import BankCredit, BankTransfer
from apps.payments.services.receive import Way, movable, record_transfer_sent, refund_wire
from apps.payments.services.wallet import correct_wallet, pay_out_wallet
from apps.payments.tests.bank.files import import_statement
from apps.payments.tests.factories import make_confirmed_order

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)
TODAY = timezone.localdate(NOW)


def owed_refund(buyer: Buyer) -> BankTransfer:
    wire = make_confirmed_order(buyer).payments.get()
    refund = refund_wire(
        payment_id=wire.pk,
        amount=Decimal("15.50"),
        way=Way.BANK,
        reason="Damaged",
        seen=movable(wire),
        actor=make_sales(),
        now=NOW,
    )
    return refund.transfer


def owed_credit_of_wallet(buyer: Buyer) -> BankTransfer:
    given: dict[str, Any] = {"reason": "Goodwill", "seen": Decimal(0), "amount": Decimal(80)}
    correct_wallet(company_id=buyer.company_id, actor=staff_in(), now=NOW, **given)
    given = {"reason": "As asked", "seen": Decimal(80), "amount": Decimal("15.50")}
    actor = make_sales()
    return pay_out_wallet(company_id=buyer.company_id, actor=actor, now=NOW, **given).transfer


def owed_bank_credit(buyer: Buyer) -> BankTransfer:
    content = b"Date,Amount USD,Name\n2026-11-20,15.50,Nobody Ltd\n"
    import_statement(content=content, name="x.csv", actor=make_sales(), now=NOW)
    credit = BankCredit.objects.get()
    send_back_credit(credit_id=credit.pk, reason="Unknown", actor=make_sales(), now=NOW)
    return credit.transfer


OWED = {"refund": owed_refund, "wallet": owed_credit_of_wallet, "credit": owed_bank_credit}


def record(transfer: BankTransfer, **fields: Any) -> BankTransfer:
    given = {"sent_on": TODAY, "reference": "HB-7731", "actor": make_sales(), "now": NOW, **fields}
    return record_transfer_sent(transfer_id=transfer.pk, **given)


@pytest.mark.parametrize("kind", OWED)
def test_it_stands_on_the_desk_and_the_home_page_until_it_is_sent(buyer: Buyer, kind: str) -> None:
    transfer, client = OWED[kind](buyer), staff_client("Sales")
    page = f"/admin/payments/payment/desk/transfers/{transfer.pk}/sent/"
    assert page in client.get("/admin/payments/payment/desk/").text
    BankTransfer.objects.update(owed_at=NOW - timedelta(days=40))
    home = client.get("/admin/").context
    rows = {row["label"]: row for card in home["cards"] for row in card["rows"]}
    assert (rows["To send by bank"]["count"], rows["To send by bank"]["late"]) == (1, "1 late")
    assert [row.url for row in home["late"]["rows"] if row.step == "Send by bank"] == [page]
    desk = client.get("/admin/payments/payment/desk/").text
    assert "business days late" in desk.split('id="transfers"')[1].split("</section>")[0]
    sent = {"sent_on": f"{TODAY}", "reference": "HB-7731"}
    answer = client.post(page, sent, follow=True)
    assert shown_messages(answer) == [f"{transfer}: Sent by bank."]
    assert page not in answer.text
    assert ("Sent by bank", 1, Decimal("15.50")) in answer.context["today"]
    assert "It is marked as sent already: sent" in client.post(page, sent).text
    assert "To send by bank" not in client.get("/admin/").text.split('id="late"')[1]
    call_command("audit", without_mails=True)


@pytest.mark.parametrize(
    ("kind", "owed", "sent", "subject"),
    [
        ("refund", "Refund owed to you", "Refund, sent by bank, HB-7731", "Refund sent: "),
        (
            "wallet",
            "Wallet credit, owed to you",
            "Wallet credit, sent by bank, HB-7731",
            "Wallet balance sent",
        ),
    ],
)
def test_the_account_and_the_mail_say_when_it_is_owed_and_when_it_is_sent(
    buyer: Buyer, api: ContractClient, kind: str, owed: str, sent: str, subject: str
) -> None:
    transfer = OWED[kind](buyer)
    before = api.get("/api/account/statement").json()
    Email.objects.all().delete()
    record(transfer)
    after = api.get("/api/account/statement").json()
    code = transfer.about if kind == "refund" else ""
    new = {
        (one["text"], one["invoice_code"], one["charge"], one["credit"]) for one in after["lines"]
    }
    assert (sent, code, 15.5, 0.0) in new
    assert (owed, code, 0.0, -15.5) in new
    assert [one["text"] for one in before["lines"]] == [
        one["text"] for one in after["lines"] if one["text"] != sent
    ]
    assert after["closing"] == before["closing"] + 15.5
    mail = Email.objects.get()
    assert mail.subject.startswith(subject)
    assert mail.context["values"]["facts"] == [
        ["Sent", "$15.50"],
        ["Sent on", f"{TODAY:%-d %B %Y}"],
        ["Reference", "HB-7731"],
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sent_on": TODAY + timedelta(days=1)}, "The day is wrong"),
        ({"sent_on": TODAY - timedelta(days=1)}, "The day is wrong"),
    ],
)
def test_what_cannot_be_is_refused(buyer: Buyer, fields: dict[str, Any], words: str) -> None:
    transfer = owed_refund(buyer)
    with pytest.raises(StaffRefusal, match=words):
        record(transfer, **fields)
    with pytest.raises(PermissionDenied):
        record(transfer, actor=staff_in("Approvers"))
    with pytest.raises(NotFound):
        record(BankTransfer(pk=0))
    assert BankTransfer.objects.get().sent_on is None


def test_a_credit_is_kept_after_all_until_it_is_sent(buyer: Buyer) -> None:
    credit = owed_bank_credit(buyer).credit
    keep_credit(credit_id=credit.pk, actor=make_sales(), now=NOW)
    assert not BankTransfer.objects.exists()
    send_back_credit(credit_id=credit.pk, reason="Unknown", actor=make_sales(), now=NOW)
    record(BankTransfer.objects.get())
    with pytest.raises(StaffRefusal, match=r"The bank has sent .*, HB-7731"):
        keep_credit(credit_id=credit.pk, actor=make_sales(), now=NOW)
    call_command("audit", without_mails=True)


def test_what_went_back_before_is_owed_unless_it_was_noted_as_sent(buyer: Buyer) -> None:
    made = [owe(buyer) for owe in OWED.values()]
    BankTransfer.objects.all().delete()
    import_module("apps.payments.migrations.0023_bank_transfers").write_transfers(apps, None)
    rows = BankTransfer.objects.order_by("id").values_list("payee", "amount", "sent_on")
    days: list[date | None] = [None, None, TODAY]
    assert list(rows) == [(one.payee, one.amount, day) for one, day in zip(made, days, strict=True)]
    call_command("audit", without_mails=True)
