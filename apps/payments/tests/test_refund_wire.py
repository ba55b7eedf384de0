"""A booked wire that goes back: to the wallet or by bank, never more than it brought, seen in every
paper and sum.
"""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils import timezone
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.errors import NotFound
from apps.common.mail import Mail, queue, write_texts
from apps.common.money import ZERO
from apps.common.testing import ContractClient
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_sales
from apps.payments.account import lines_of_orders
from apps.payments.bank.statements import keep_credit, send_back_credit
from apps.payments.models import BankCredit, BankTransfer, Payment, WalletEntry, WireRefund
from apps.payments.selectors import wallet_balance
from apps.payments.services.refunds import Way, movable, record_transfer_sent, refund_wire
from apps.payments.services.wallet import pay_out_wallet
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import book, correct, make_confirmed_order, unexplained

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def refund(wire: Payment, amount: str, way: Way = Way.WALLET, **fields) -> WireRefund:
    wire = Payment.objects.get(pk=wire.pk)
    given = {"seen": movable(wire), "actor": make_sales(), "now": NOW, **fields}
    given = {"reason": "Ten could not be delivered", "amount": Decimal(amount), **given}
    return refund_wire(payment_id=wire.pk, way=way, **given)


def sound(order: Order) -> None:
    """Assert that the account explains the order's money and that every rule of the audit holds."""
    assert unexplained(order.company_id) == {}
    call_command("audit", without_mails=True)


@pytest.fixture
def confirmed() -> Order:
    """A confirmed order: its deposit of 90.00 came by wire, the shipping fee is due."""
    return make_confirmed_order(make_buyer(email="anna@portal.test"))


@pytest.fixture
def paid(confirmed) -> tuple[Order, Payment]:
    wire = book(confirmed)
    Email.objects.all().delete()
    assert again(confirmed).status == OrderStatus.PAID
    return again(confirmed), wire


def test_a_refund_to_the_wallet_is_credit_at_once_and_a_paid_order_does_not_ask_for_it_again(paid):
    order, wire = paid
    refunded = refund(wire, "20.00", now=datetime.now(UTC))
    after = again(order)
    assert (after.received, due_of(after)) == (order.received - 20, ZERO)
    assert after.status == OrderStatus.PAID
    assert wallet_balance(company_id=order.company_id) == Decimal("20.00")
    assert refunded.entry.kind == "refund"
    mail = write_texts(Email.objects.get())
    assert mail.to == ["anna@portal.test"]
    assert "in your company" in mail.message
    assert "Ten could not be delivered" in mail.message
    assert movable(Payment.objects.get(pk=wire.pk)) == SHIPPING_FEE - 20
    lines = lines_of_orders(company_id=order.company_id)[order.invoice_code]
    shown = {line.text: line.amount for line in lines if "efund" in line.text}
    assert shown == {"Refund of a wire, to the wallet": 20, "Refund, waived": -20}
    sound(order)


def test_a_refund_by_bank_moves_no_credit_and_a_confirmed_order_asks_again(confirmed):
    wire = confirmed.payments.get()
    due = due_of(confirmed)
    assert refund(wire, "15.50", Way.BANK).entry is None
    after = again(confirmed)
    assert (after.status, due_of(after)) == (OrderStatus.CONFIRMED, due + Decimal("15.50"))
    assert wallet_balance(company_id=confirmed.company_id) == 0
    assert "within 15 business days" in write_texts(Email.objects.latest("id")).message
    sound(confirmed)


@pytest.mark.parametrize(
    ("amount", "fields", "words"),
    [
        ("50.01", {}, "The amount is wrong."),
        ("0.00", {}, "The amount is wrong."),
        ("1.005", {}, "The amount is wrong."),
        ("10.00", {"seen": Decimal("49.00")}, "is left now"),
    ],
)
def test_what_is_refused_changes_nothing(paid, amount, fields, words):
    order, wire = paid
    with pytest.raises(StaffRefusal, match=words):
        refund(wire, amount, **fields)
    assert again(order).version == order.version
    assert not WireRefund.objects.exists()
    assert not WalletEntry.objects.exists()


def test_all_parts_together_are_at_most_what_came(paid):
    order, wire = paid
    refund(wire, "30.00")
    refund(wire, "20.00", Way.BANK)
    with pytest.raises(StaffRefusal, match="The amount is wrong"):
        refund(wire, "0.01")
    sound(order)


def test_what_went_to_the_wallet_already_is_not_refunded_once_more(confirmed):
    deposit, wire = confirmed.payments.get(), book(confirmed, SHIPPING_FEE + 10)
    refund(wire, "60.00")
    with pytest.raises(StaffRefusal, match="The amount is wrong"):
        refund(deposit, "80.01")
    refund(deposit, "80.00")
    assert wallet_balance(company_id=confirmed.company_id) == wire.amount + confirmed.total
    sound(confirmed)


def test_there_is_nothing_to_refund_of_no_payment():
    given: dict[str, Any] = {"amount": Decimal(1), "seen": Decimal(1), "reason": "x"}
    with pytest.raises(NotFound):
        refund_wire(payment_id=0, way=Way.BANK, actor=make_sales(), now=NOW, **given)


def test_a_refund_is_never_edited(paid):
    refunded = refund(paid[1], "1.00")
    for change in (lambda: WireRefund.objects.update(amount=2), refunded.delete):
        with pytest.raises((DatabaseError, TypeError)), transaction.atomic():
            change()


def test_the_page_shows_what_will_happen_and_does_it_once(paid):
    order, wire = paid
    client, page = staff_client("Sales"), f"/admin/payments/payment/{wire.pk}/refund-wire/"
    assert page in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "What will happen" not in client.get(page).text
    fields = {"amount": "20.00", "way": "wallet", "reason": "Ten could not be delivered"}
    answer = client.get(page, fields)
    html, letter = answer.text, answer.context["letter"]
    effects = ("Refund 20.00 to the wallet", "0.00 →", "The red button has no shortcut")
    for words in (*effects, "anna@portal.test"):
        assert words in html
    assert "At most 50.00." in client.get(page, {**fields, "amount": "60"}).text
    client.post(page, {**fields, "seen": "50.00"})
    email = Email.objects.latest("id")
    assert email.subject == letter.subject
    assert email.context["values"]["text"] == letter.context["text"]
    assert email.context["values"]["facts"] == [list(fact) for fact in letter.context["facts"]]
    assert letter.context["text"] in unescape(html)
    refused = client.post(page, {**fields, "seen": "50.00"})
    assert "is left now" in refused.text
    assert WireRefund.objects.get().amount == 20
    assert "Refunded to the wallet" in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "Refunded to the wallet" in client.get(f"/admin/payments/payment/{wire.pk}/change/").text
    refund(wire, "30.00")
    assert "nothing of it is left to refund" in str(shown_messages(client.get(page, follow=True)))


def test_the_order_page_says_how_much_may_be_refunded_at_most(paid):
    order, wire = paid
    client, page = staff_client("Sales"), f"/admin/orders/order/{order.pk}/change/"
    brought = sum((movable(one) for one in order.payments.all()), Decimal(0))
    cell = 'Refundable, at most</th><td role="cell" class="num strong">'
    assert f"{cell}{brought:,.2f}" in client.get(page).text
    refund(wire, "20.00")
    assert f"{cell}{brought - 20:,.2f}" in client.get(page).text


def test_the_order_page_shows_the_mails_to_its_buyers_alone(paid):
    order, _ = paid
    other = make_confirmed_order(make_buyer(email="other@portal.test"))
    for to, what in ((order.user.email, "Order confirmed"), ("sales@portal.test", "New order")):
        queue([Mail(to, f"{what}: {order.invoice_code}", "order", {"text": what})])
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/change/").text
    rows = page.split('id="mails"')[1]
    assert f"Order confirmed: {order.invoice_code}" in rows.split("</section>")[0]
    assert "New order" not in rows.split("</section>")[0]
    assert other.invoice_code not in rows


TODAY = timezone.localdate(NOW)


def owed_refund(buyer: Buyer) -> BankTransfer:
    return refund(make_confirmed_order(buyer).payments.get(), "15.50", Way.BANK).transfer


def owed_credit_of_wallet(buyer: Buyer) -> BankTransfer:
    correct(buyer.company_id, "80.00")
    fields: dict[str, Any] = {"reason": "As asked", "seen": Decimal(80), "amount": Decimal("15.50")}
    actor = make_sales()
    return pay_out_wallet(company_id=buyer.company_id, actor=actor, now=NOW, **fields).transfer


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
    body = {"sent_on": f"{TODAY}", "reference": "HB-7731"}
    answer = client.post(page, body, follow=True)
    assert shown_messages(answer) == [f"{transfer}: Sent by bank."]
    assert page not in answer.text
    assert ("Sent by bank", 1, Decimal("15.50")) in answer.context["today"]
    assert "It is marked as sent already: sent" in client.post(page, body).text
    assert "To send by bank" not in client.get("/admin/").text.split('id="late"')[1]
    call_command("audit", without_mails=True)


@pytest.mark.parametrize(
    ("kind", "text_owed", "text_sent", "subject"),
    [
        (
            "refund",
            "Refund owed to you",
            "Refund, sent by bank, HB-7731",
            "Refund sent: ",
        ),
        (
            "wallet",
            "Wallet credit, owed to you",
            "Wallet credit, sent by bank, HB-7731",
            "Wallet balance sent",
        ),
    ],
)
def test_the_account_and_the_mail_say_when_it_is_owed_and_when_it_is_sent(
    buyer: Buyer, api: ContractClient, kind: str, text_owed: str, text_sent: str, subject: str
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
    assert (text_sent, code, 15.5, 0.0) in new
    assert (text_owed, code, 0.0, -15.5) in new
    shown = [one["text"] for one in before["lines"]]
    assert shown == [one["text"] for one in after["lines"] if one["text"] != text_sent]
    assert after["closing"] == before["closing"] + 15.5
    mail = Email.objects.get()
    assert mail.subject.startswith(subject)
    told = mail.context["values"]["facts"]
    assert told == [["Sent", "$15.50"], ["Sent on", f"{TODAY:%-d %B %Y}"], ["Reference", "HB-7731"]]


@pytest.mark.parametrize("days", [-1, 1])
def test_what_cannot_be_is_refused(buyer: Buyer, days: int) -> None:
    transfer = owed_refund(buyer)
    with pytest.raises(StaffRefusal, match="The day is wrong"):
        record(transfer, sent_on=TODAY + timedelta(days=days))
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
    transfers = [owe(buyer) for owe in OWED.values()]
    BankTransfer.objects.all().delete()
    import_module("apps.payments.migrations.0023_bank_transfers").write_transfers(apps, None)
    rows = BankTransfer.objects.order_by("id").values_list("payee", "amount", "sent_on")
    days: list[date | None] = [None, None, TODAY]
    assert list(rows) == [
        (one.payee, one.amount, day) for one, day in zip(transfers, days, strict=True)
    ]
    call_command("audit", without_mails=True)
