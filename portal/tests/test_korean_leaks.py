"""What buyers get, papers show and rows keep is English, whatever the language of who causes it.

Staff work in a language in which each text is marked: where the mark is found, a text was
translated that leaves the page.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.utils import translation
from django.utils.translation import trans_real
from post_office.models import Email
from pypdf import PdfReader

from apps.accounts import mail as account_mails
from apps.accounts.models import User
from apps.accounts.services.approval import approve, reject, send_password_mail
from apps.accounts.tests.factories import buyer_of, make_buyer
from apps.accounts.tests.registrations import decision, make_registration
from apps.accounts.tests.staff import staff_in
from apps.catalog.tests.factories import make_product
from apps.common.mail import write_texts
from apps.orders.documents.customs import Terms
from apps.orders.models import Order, OrderDocument
from apps.orders.selectors.orders import due_of
from apps.orders.services.commercial import issue_commercial_invoice
from apps.orders.services.confirm import LineDecision
from apps.orders.services.conversation import answer_buyer
from apps.orders.services.correct import correct_confirmation
from apps.orders.services.documents import open_document
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import correct_tracking, ship_order
from apps.orders.tests.factories import (
    TRACKING,
    confirm,
    pack,
    receive,
)
from apps.payments.services.cancel import cancel_order
from apps.payments.services.refunds import Way, movable, refund_wire
from apps.payments.services.wire import refuse_wire
from apps.payments.tests.factories import announced, arrive, make_wire_order

pytestmark = pytest.mark.django_db
MARK = "※"


@pytest.fixture
def _marked_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def marking(original: Any) -> Any:
        def say(*texts: Any) -> str:
            text: str = original(*texts)
            return MARK + text if translation.get_language() == "ko" and text else text

        return say

    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        say = marking(getattr(trans_real, name))
        monkeypatch.setattr(translation._trans, name, say, raising=False)  # type: ignore[attr-defined]


def stories(actor: User) -> Order:
    """Play what staff do for buyers, and return an order that went all the way."""
    now, buyer = datetime.now(UTC), make_buyer()
    goods = make_product(hs_code="3304.99", origin="KR")
    order = make_wire_order(buyer, [(goods, 20)])
    arrive(order, actor=actor)
    start_preparing(order_id=order.pk, actor=actor, now=now)
    line = order.lines.get()
    confirm(order, [LineDecision(line.pk, 20, comment="All of it")], actor=actor)
    step: dict[str, Any] = {"order_id": order.pk, "actor": actor, "now": datetime.now(UTC)}
    correct_confirmation(
        version=Order.objects.get(pk=order.pk).version,
        decisions=[LineDecision(line.pk, 19, reason="short")],
        shipping_fee=Decimal("90.00"),
        reason="One is broken",
        **step,
    )
    answer_buyer(text="It leaves on Friday.", **step)
    order.refresh_from_db()
    receive(order, due_of(order))
    pack(order, actor=actor)
    version = Order.objects.get(pk=order.pk).version
    issue_commercial_invoice(version=version, terms=Terms("FCA", "Seoul"), **step)
    ship_order(**step, **TRACKING)
    other = {**TRACKING, "tracking_number": "DHL-124", "seen": "DHL-123"}
    correct_tracking(reason="Typo", letter="Sorry.", **other, **step)
    refuse_wire(
        payment_id=announced(make_wire_order(buyer)).pk, reason="Test", actor=actor, now=now
    )
    cancelled = arrive(make_wire_order(buyer), actor=actor).order
    cancel_order(
        order_id=cancelled.pk,
        by_terms=True,
        reason="Sold out",
        letter="Sorry.",
        actor=actor,
        now=now,
    )
    wire = arrive(make_wire_order(buyer), actor=actor)
    refund_wire(
        payment_id=wire.pk,
        amount=Decimal("5.00"),
        way=Way.WALLET,
        reason="Damaged",
        seen=movable(wire),
        actor=actor,
        now=now,
    )
    people = make_registration(), make_registration(email="other@wanted.test")
    approve(actor=actor, company_id=None, stock_free=False, **decision(people[0]))
    reject(
        actor=actor,
        **decision(people[1], account_mails.rejected, reason="No shop"),
    )
    send_password_mail(actor=actor, user_id=people[0].pk, now=now)
    return order


def kept() -> Iterator[tuple[str, str]]:
    """Yield every text that a row keeps, with where."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.CharField | models.TextField | models.JSONField):
                for value in model._base_manager.values_list(field.name, flat=True):
                    yield f"{model.__name__}.{field.name}", str(value)


@pytest.mark.usefixtures("_marked_texts")
def test_nothing_that_staff_cause_in_korean_is_translated(sign_in: Any) -> None:
    with translation.override("ko"):
        order = stories(staff_in())
        mails = [write_texts(mail) for mail in Email.objects.all()]
        papers = [
            (paper.title, page.extract_text())
            for paper in OrderDocument.objects.filter(content_type="application/pdf")
            for page in PdfReader(open_document(document=paper, now=datetime.now(UTC))).pages
        ]
    sent = [(mail.subject, f"{mail.message} {mail.html_message}") for mail in mails]
    assert len(sent) > 8
    assert len(papers) > 1
    api = sign_in(buyer_of(order.user))
    pages = [
        (address, api.get(f"/api/{address}").text)
        for address in (
            f"details/{order.invoice_code}",
            f"order/customer/messages/{order.invoice_code}",
            "order/4",
        )
    ]
    texts = [*kept(), *sent, *papers, *pages]
    assert [(where, text) for where, text in texts if MARK in text] == []
