"""A Korean member of staff causes what an English one causes: mails, papers, answers and what is
stored are the same English texts.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.common.texts import Text, read
from apps.orders.models import Order, OrderEvent
from apps.orders.tests.document_files import documents_of, file_of, words_of
from apps.payments.models import BankTransfer, Payment, PaymentEvent, WalletEntry
from apps.payments.services.moves import fitted
from apps.payments.tests.factories import make_announced_balance, make_confirmed_order

pytestmark = pytest.mark.django_db
HANGUL = re.compile("[\u3131-\u318e\uac00-\ud7a3]")
CODE = re.compile(r"[A-Z]{3}-\d{6}-\d{4}")
# Numbers of rows, clocks, addresses of files, and of whom the row is.
VARYING = re.compile(
    r"(?<=/)\d+(?=/)|(?<=id)(\\?\": ?)\d+|\d\d:\d\d(:\d\d(\.\d+)?)?|FT ?\d+|[\w.]+@[\w.]+"
    r"|[\w-]{30,}|(Company|Buyer|Staff|User|Product|SKU)[ -]\d+|\.\d{3,6}"
)
DAY = str(timezone.localdate())


def page(name: str, *args: int) -> str:
    return reverse(f"admin:{name}", args=args)


def post(client: Client, url: str, **fields: object) -> None:
    answer = client.post(url, {name: str(value) for name, value in fields.items()})
    assert answer.status_code == 302, shown_messages(answer)


def captured(order: Order) -> int:
    return Payment.objects.filter(order=order, state="captured", method="T/T").latest("id").pk


def work(client: Client, buyer: Buyer) -> list[Order]:
    """Confirm, refuse, book, move, refund and send back money, and cancel an order."""
    paid, refused = make_announced_balance(buyer), make_announced_balance(buyer)
    moved, cancelled = make_confirmed_order(buyer), make_confirmed_order(buyer)
    advice = {"value_date": DAY, "reference": f"FT {paid.pk}"}
    wires = {
        order: Payment.objects.get(order=order, state="announced") for order in (paid, refused)
    }
    url = page("payments_payment_confirm", wires[paid].pk)
    post(client, url, received="45.00", write_off_reason="Bank charges", **advice)
    post(client, page("payments_payment_refuse", wires[refused].pk), reason="It never came")
    url = page("orders_order_book", moved.pk)
    advice["reference"] = f"FT {moved.pk}"
    post(client, url, amount="60.00", depositor="Glow", seen="90.00", **advice)
    url = page("payments_payment_move", captured(moved))
    values = {"to": refused.invoice_code, "asked": "50.00", "reason": "The other order"}
    post(client, url, amount="20.00", seen="60.00", **values)
    for way, amount in (("bank", "45.00"), ("wallet", "40.00")):
        url = page("payments_payment_refund_wire", captured(paid))
        post(client, url, amount="5.00", way=way, reason="Two were broken", seen=amount)
    transfer = BankTransfer.objects.latest("id")
    url = page("payments_payment_transfer_sent", transfer.pk)
    post(client, url, sent_on=DAY, reference="HB 1")
    figures = {"by_terms": "0", "kind": "Other", "seen_terms": "0.00", "seen_full": "90.00"}
    url = page("orders_order_cancel", cancelled.pk)
    post(client, url, words="It burned", letter="Dear all", **figures)
    balance = sum(entry.amount for entry in WalletEntry.objects.filter(company_id=buyer.company_id))
    url = page("payments_walletentry_pay_out", buyer.company_id)
    post(client, url, amount="10.00", reason="As asked", seen=balance)
    return [paid, refused, moved, cancelled]


def made(api: ContractClient, orders: list[Order]) -> str:
    """Return all that was mailed, stored, printed and answered, but for numbers of rows."""
    codes = {order.invoice_code: f"order {place}" for place, order in enumerate(orders)}
    mails = [write_texts(mail) for mail in Email.objects.order_by("id")]
    payments = Payment.objects.filter(order__in=orders).order_by("id")
    entries = WalletEntry.objects.filter(company_id=orders[0].company_id)
    history = OrderEvent.objects.filter(order__in=orders)
    events = PaymentEvent.objects.filter(payment__in=payments)
    papers = [(order, name) for order in orders for name in documents_of(order)]
    calls = ("wallet", "order/0", *(f"details/{code}" for code in codes))
    values = [
        [[mail.subject, mail.message, mail.html_message] for mail in mails],
        list(history.order_by("id").values_list("kind", "note")),
        list(events.order_by("id").values_list("to_state", "note")),
        list(payments.values_list("reason", "alarm")),
        list(entries.order_by("id").values_list("kind", "note")),
        list(LogEntry.objects.order_by("id").values_list("object_repr", "change_message")),
        [words_of(file_of(*paper)) for paper in papers if paper[1].endswith(".pdf")],
        [re.sub(r"[\w.]+\.(pdf|xlsx)|\d", "", api.get(f"/api/{call}").text) for call in calls],
    ]
    text = CODE.sub(
        lambda code: codes.get(code[0], code[0]), json.dumps(values, ensure_ascii=False)
    )
    return re.sub(VARYING, "", text)


def test_what_a_korean_causes_is_what_an_english_colleague_causes(
    sign_in: Callable[[Buyer], ContractClient],
) -> None:
    texts = {}
    for language in ("en", "ko"):
        for model in (Email, LogEntry):
            model.objects.all().delete()
        buyer = make_buyer()
        orders = work(staff_client("Sales", language=language), buyer)
        texts[language] = made(sign_in(buyer), orders)
    assert not HANGUL.search(texts["ko"])
    assert texts["ko"].split(", ") == texts["en"].split(", ")


def test_a_note_is_read_in_the_language_of_its_reader() -> None:
    note = Text("%(amount)s moved to %(order)s: %(reason)s", amount="$5.00", order="A", reason="No")
    text = fitted(note, 500)
    assert read(text) == "$5.00 moved to A: No"
    with translation.override("ko"):
        assert read(text) == "$5.00, A 주문으로 이동: No"
        assert fitted(note, 20) == "$5.00 moved to A: No", "what does not fit is English"
        assert fitted("typed by staff", 5) == "typed"
