"""What a Korean member of staff causes is for buyers what an English one causes: what is mailed,
stored, printed and answered.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import serializers
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.tests.factories import make_product
from apps.orders.admin.packing_cells import rows_of_file
from apps.orders.models import (
    FormerTracking,
    IssuedDocument,
    LineProposal,
    Order,
    OrderDocument,
    OrderEvent,
    OrderLine,
    Wish,
)
from apps.orders.selectors.orders import due_of
from apps.orders.services.documents import make_file
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import values_of, words_of
from apps.orders.tests.factories import make_order, make_order_at, make_sales, receive
from apps.orders.tests.test_admin_packing import body as packing_of
from apps.orders.tests.test_admin_proposals import proposing
from apps.orders.tests.test_admin_sheet import address, filled

pytestmark = pytest.mark.django_db
KEPT = (
    *(Email, LogEntry, FormerTracking, IssuedDocument, LineProposal, Order, OrderDocument),
    *(OrderEvent, OrderLine, Wish, apps.get_model("payments", "WalletEntry")),
)
HANGUL = re.compile("[가-힣]")
CHANCE = re.compile(r"[0-9a-f]{8,}|\d+")  # ids, moments and figures


class Stop(Exception):
    """Takes back what one language did."""


def page_of(name: str, order: Order) -> str:
    return reverse(f"admin:orders_order_{name}", args=[order.pk])


def work(sales: Client, buyer: Buyer) -> Order:
    """Do everything that staff do with an order: propose, confirm, correct, pack, write, issue,
    ship.
    """
    skus = ("A-1", "B-2", "C-3", "D-4", "E-5")
    products = [make_product(sku=sku, hs_code="3304.99", eng_name=sku, on_hand=900) for sku in skus]
    order = make_order(buyer, [(one, 40) for one in products[:3]])
    receive(order, Decimal(100), is_deposit=True)
    start_preparing(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC))
    first, second, third = order.lines.order_by("id")

    def send(name: str, body: dict[str, Any]) -> None:
        answer = sales.post(page_of(name, order), body)
        assert answer.status_code == 302, (
            name,
            answer.context.get("faults"),
            shown_messages(answer),
        )

    rows = (
        {"line_id": first.pk, "unanswered": "decline"},
        {"line_id": second.pk, "price": "4.00", "why": "short_dated", "unanswered": "accept"},
        {"line_id": third.pk, "expected_on": "2031-01-10", "unanswered": "decline"},
    )
    decisions = ((8, "propose:fewer", "So"), (40, "propose:price", ""), (9, "propose:later", ""))
    send("confirm", proposing(order, *decisions, rows=rows))
    for proposal in order.proposals.all():
        send("confirm", {"withdraw": proposal.pk})
    added = (
        {"sku": "D-4", "quantity": 24, "reason": "free_offer"},
        {"sku": "E-5", "quantity": 10, "reason": "substitute", "price": "3.00"},
    )
    cells = ((0, "discontinued", ""), (25, "short", "Next week"), (40, "", ""))
    send("confirm", filled(order, *cells, added=added, shipping_fee="90.00"))
    sheet = sales.get(page_of("correct", order)).context
    forms = [*sheet["decisions"], *sheet["added"]]
    fields = ("line_id", "confirmed", "reason", "comment", "sku", "quantity", "price")
    correction = {
        form.add_prefix(name): "" if form[name].value() is None else form[name].value()
        for form in forms
        for name in fields
        if name in form.fields
    }
    for name, formset in (("line", sheet["decisions"]), ("added", sheet["added"])):
        total = formset.total_form_count()
        correction |= {f"{name}-TOTAL_FORMS": total, f"{name}-INITIAL_FORMS": 0}
    correction |= {"line-INITIAL_FORMS": 3, "revision": 0, "shipping_fee": "70.00", "why": "Typo"}
    version = Order.objects.get(pk=order.pk).version
    send("correct", {**correction, "version": version, "line-1-confirmed": 20})
    packed = {"C-3": 40, "D-4": 24, "E-5": 10}
    boxes = [
        "1\t1\t9\t52\t40\t34\tB-2\t20",
        *(f"{chr(9) * 6}{sku}\t{n}" for sku, n in packed.items()),
    ]
    send("packing", packing_of(order, "\n".join(boxes), complete="1", weight_is_right="on"))
    send("answer", {"text": "We have shortened it", "_as": "answer", "_opened": "1"})
    send("answer", {"text": "Ask again", "_as": "note", "_opened": "2"})
    prepared = sales.get(page_of("remind", order)).context["form"]
    send("remind", {"text": prepared["text"].value(), "seen": 0})
    receive(order, due_of(Order.objects.get(pk=order.pk)))
    prepared = sales.get(page_of("late", order)).context["form"]
    send("late", {"text": prepared["text"].value(), "seen": 0})
    terms = {"version": Order.objects.get(pk=order.pk).version, "incoterm": "FCA", "place": "Seoul"}
    send("invoice", terms)
    parcel = {"carrier": "dhl", "tracking_number": "4719283056", "expected_on": "2031-01-10"}
    form = {"carrier": "dhl", "tracking_number": "4719283056"}
    soon = timezone.localdate().isoformat()
    send("ship", {**form, "expected_on": soon})
    other = {**parcel, "tracking_number": "4719283057", "expected_on": "", "seen": "4719283056"}
    letter = sales.get(page_of("tracking", order)).context["form"]["letter"].value()
    send("tracking", {**other, "reason": "Two digits swapped", "send": "on", "letter": letter})
    return order


def seen(sales: Client, api: Any, order: Order) -> dict[str, Any]:
    """Return everything that is kept, printed and answered, without what chance makes of it."""
    with translation.override("en"):
        rows = {
            model.__name__: serializers.serialize("json", model.objects.order_by("pk"))
            for model in KEPT
        }
    issued = order.documents.filter(issued__isnull=False)
    files = {
        document.title: make_file(document=document, now=datetime.now(UTC)).read()
        for document in issued
    }
    printed = {
        name: words_of(file) if name.endswith(".pdf") else str(values_of(file))
        for name, file in files.items()
    }
    response: Any = sales.get(page_of("packing_list", order))
    printed["packing list"] = words_of(b"".join(response))
    calls = ("details/{}", "proposals/{}", "messages/{}")
    answers = {
        call: api.get(f"/api/{call.format(order.invoice_code)}").content.decode() for call in calls
    }
    context = sales.get(page_of("as_buyer", order)).context
    quoted = {name: str(context[name]) for name in ("shown", "lines", "money", "said")}
    texts = {**rows, **answers, **quoted, "printed": str(printed)}
    return {name: CHANCE.sub("#", text) for name, text in texts.items()}


def test_what_a_korean_colleague_causes_is_mailed_stored_and_printed_in_english(
    sign_in: Callable[[Buyer], Any],
) -> None:
    texts: dict[str, dict[str, Any]] = {}
    for language in ("en", "ko"):
        sales = staff_client("Sales", language=language, manager="Mina Park")
        try:
            with transaction.atomic():
                buyer = make_buyer(email="lena@nord.example")
                order = work(sales, buyer)
                texts[language] = seen(sales, sign_in(buyer), order)
                history = sales.get(page_of("change", order)).content.decode()
                raise Stop
        except Stop:
            pass
        assert ("주문 확정" in history) == (language == "ko")
    assert texts["ko"] == texts["en"]
    for name, text in texts["ko"].items():
        assert not HANGUL.search(text), (name, HANGUL.search(text))
    assert texts["ko"]["Email"].count('"subject"') >= 9


def test_the_packing_sheet_that_a_korean_colleague_downloads_is_read_again() -> None:
    products = [make_product(sku=sku) for sku in ("A-1", "B-2")]
    order = make_order_at(OrderStatus.PREPARING, make_buyer(), [(one, 20) for one in products])
    sales = staff_client("Sales", language="ko")
    file = sales.get(page_of("packing_file", order))
    rows, unused = rows_of_file(file.content, name="포장.xlsx")
    assert [(row["sku"], row["pieces"]) for row in rows] == [("A-1", "20"), ("B-2", "20")]
    assert unused == []


def test_staff_read_a_note_in_their_own_language_and_peoples_words_as_they_are() -> None:
    order = make_order_at(OrderStatus.PREPARING, make_buyer())
    client = staff_client("Sales", language="ko")
    client.post(page_of("answer", order), {"text": "Shipped", "_as": "note", "_opened": "1"})
    client.post(address(order), filled(order, shipping_fee="5.00"))
    events = {event.kind: event for event in order.events.order_by("pk")}
    confirmed = order.events.get(to_status=OrderStatus.CONFIRMED)
    with translation.override("ko"):
        assert events["note"].text == "Shipped"
        assert confirmed.text.startswith("확정 $")
    assert confirmed.text.startswith("Confirmed $")
    assert Decimal(Order.objects.get(pk=order.pk).shipping_fee) == 5
