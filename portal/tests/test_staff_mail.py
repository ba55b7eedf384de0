"""Mails to the staff's shared mailboxes are in the staff's language, whoever causes them; a buyer's
stay English.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_form, make_link
from apps.accounts.tests.registrations import rejected, send
from apps.catalog.tests.factories import make_product
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.common.texts import Text
from apps.orders.models import LineProposal, Order, OrderEvent
from apps.orders.services.conversation import edit_address, leave_message
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import NewProposal, ProposalAnswer, answer_proposals, propose
from apps.orders.tests.factories import make_order, make_sales, make_shipping
from apps.payments.mail import queue_paypal_order_received
from apps.payments.services.moves import raise_alarm
from apps.payments.services.wire import announce_balance_wire
from apps.payments.states import PaymentState
from apps.payments.tests.factories import arrive, make_confirmed_order, make_wire_order
from portal.tests.test_watch import paypal_payment

NOW = datetime.now(UTC)
Kind = OrderEvent.Kind


@pytest.fixture(autouse=True)
def _korean(db: None, settings: Any) -> None:
    settings.STAFF_LANGUAGE = "ko"


def mail_to(address: str) -> Email:
    """Return the newest mail to an address, as it leaves."""
    return write_texts(Email.objects.filter(to=address).latest("id"))


def message(buyer: Buyer, kind: OrderEvent.Kind = Kind.MESSAGE) -> str:
    order = make_order(buyer)
    code = order.invoice_code
    leave_message(buyer=buyer, invoice_code=code, kind=kind, text="By sea, please", now=NOW)
    return code


def request_for_shipping(buyer: Buyer) -> str:
    return message(buyer, Kind.SHIP_MEMO)


def address(buyer: Buyer) -> str:
    code = make_order(buyer).invoice_code
    shipping = make_shipping(ship_city="Radom")
    edit_address(buyer=buyer, invoice_code=code, shipping=shipping, now=NOW)
    return code


def wire(buyer: Buyer) -> str:
    code = make_confirmed_order(buyer).invoice_code
    announce_balance_wire(buyer=buyer, invoice_code=code, depositor="Glow Trading", now=NOW)
    return code


def proposals(buyer: Buyer) -> str:
    lines = [(make_product(on_hand=100, sku=sku), 30) for sku in ("A", "B", "C")]
    order = make_wire_order(buyer, lines)
    arrive(order)
    order = start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    fewer: dict[str, Any] = {"kind": LineProposal.Kind.FEWER, "pieces": 12, "unanswered": "accept"}
    proposals = propose(
        order_id=order.pk,
        version=order.version,
        proposals=[NewProposal(line.pk, **fewer) for line in order.lines.order_by("id")],
        actor=make_sales(),
        now=NOW,
    )
    answers = [
        ProposalAnswer(one.pk, answer, "When?" if answer == "ask" else "")
        for one, answer in zip(proposals, ("accept", "decline", "ask"), strict=True)
    ]
    answer_proposals(buyer=buyer, invoice_code=order.invoice_code, answers=answers, now=NOW)
    return order.invoice_code


def alarm(buyer: Buyer) -> str:
    payment = paypal_payment(buyer, PaymentState.HELD)
    with transaction.atomic():
        raise_alarm(payment, Text("PayPal denied the payment after its review"))
    return payment.invoice_code


CASES: dict[str, tuple[Callable[[Buyer], str], str, list[str]]] = {
    "message": (
        message,
        "메시지",
        ["메시지를 보냈습니다.", "By sea, please", "주문 열기: http://testserver/admin/"],
    ),
    "request for shipping": (request_for_shipping, "출하 요청 사항", ["요청 사항을 보냈습니다."]),
    "address": (address, "배송지 변경", ["배송지를 변경했습니다.", "Radom"]),
    "wire": (
        wire,
        "송금 통지",
        ["잔금 송금을 통지했습니다.", "금액: $50.00", "송금인: Glow Trading"],
    ),
    "proposals": (proposals, "제안 답변", ["제안에 답변했습니다.", "수락", "거절", "문의: When?"]),
    "alarm": (
        alarm,
        "PayPal 결제 확인 필요",
        ["확인이 필요한 PayPal 결제가 있습니다.", "결제: 예약금", "PayPal이 심사 후 결제를 거절함"],
    ),
}


@pytest.mark.parametrize("reader", ["en", "ko"])
@pytest.mark.parametrize("case", CASES)
def test_sales_read_in_their_language_whoever_causes_it(
    buyer: Buyer, case: str, reader: str
) -> None:
    happen, subject, texts = CASES[case]
    with translation.override(reader):
        code = happen(buyer)
    mail = mail_to("sales@portal.test")
    assert mail.subject == f"{subject}: {code}"
    assert '<html lang="ko">' in mail.html_message
    for text in texts:
        assert text in mail.message
    assert "Open the" not in mail.message + mail.html_message


@pytest.mark.parametrize("reader", ["en", "ko"])
@pytest.mark.parametrize("way", ["wire", "PayPal"])
def test_of_a_new_order_sales_read_in_their_language_and_the_buyer_in_english(
    buyer: Buyer, way: str, reader: str
) -> None:
    with translation.override(reader):
        order = make_wire_order(buyer)
        if way == "PayPal":
            queue_paypal_order_received(order, buyer=buyer, under_review=True)
    ours, theirs = mail_to("sales@portal.test"), mail_to(buyer.email)
    assert ours.subject == f"신규 주문: {order.invoice_code}"
    for text in (
        f"새 주문이 접수되었습니다. 거래처: {buyer.company} ({buyer.manager}, {buyer.email})",
        "주문 상품 수: 1\n",
        "예약금: $",
        "송금인: " if way == "wire" else "결제: PayPal, 심사 중",
    ):
        assert text in ours.message
    assert theirs.subject == f"Order received: {order.invoice_code}"
    assert '<html lang="en">' in theirs.html_message
    assert "Products in order: 1\n" in theirs.message
    assert ("Account name: " if way == "wire" else "Payment: PayPal, under") in theirs.message
    assert "Open the order: http" in theirs.message
    assert no_korean(theirs.subject + theirs.message + theirs.html_message)


def no_korean(text: str) -> bool:
    return not any("가" <= letter <= "힣" for letter in text)


def test_with_english_staff_the_mailbox_reads_english_while_a_page_is_korean(
    buyer: Buyer, settings: Any
) -> None:
    settings.STAFF_LANGUAGE = "en"
    with translation.override("ko"):
        for happen, *_korean in CASES.values():
            happen(buyer)
            Order.objects.update(status=1)
        mails = [write_texts(mail) for mail in Email.objects.filter(to="sales@portal.test")]
    assert len(mails) >= len(CASES)
    for mail in mails:
        assert no_korean(mail.subject + mail.message + mail.html_message)


def test_approvers_read_of_registrations_in_their_language(visitor: ContractClient) -> None:
    assert send(visitor, make_form(make_link(), company="Glow")).json() == {"success": 1}
    mail = mail_to("approvers@portal.test")
    assert mail.subject == "신규 가입 신청: Glow"
    link = "가입 신청 열기: http://testserver/admin/"
    for text in ("새 가입 신청이", "업체: Glow", "국가: ", link):
        assert text in mail.message
    again = make_form(make_link(rejected().email), company="Second Try")
    assert send(visitor, again).json() == {"success": 1}
    mail = mail_to("approvers@portal.test")
    assert mail.subject == "가입 재신청: Second Try"
    assert "다시 제출된 가입 신청이" in mail.message
