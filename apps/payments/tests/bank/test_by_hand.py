"""Wires booked by hand with the bank's own words, and the files that show them before or after."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages
from apps.orders.models import Order
from apps.orders.tests.factories import SHIPPING_FEE
from apps.payments.models import BankCredit, Payment
from apps.payments.tests.bank.statement_desk import HEAD, import_rows, page
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()


def book(client: Client, order: Order, **fields: Any) -> Any:
    form = {
        "amount": str(SHIPPING_FEE),
        "depositor": "Glow Trading",
        "seen": str(order.received),
        "value_date": str(TODAY),
        "reference": "FT-26331 77",
        **fields,
    }
    return client.post(reverse("admin:orders_order_book", args=[order.pk]), form, follow=True)


def show(client: Client, *, text: str = "", reference: str = "", days: int = 0) -> BankCredit:
    """Import a file that shows one transfer, and return the credit that it is."""
    day = TODAY + timedelta(days)
    line = f"{day},{SHIPPING_FEE},USD,GLOW TRADING,{text},{reference}"
    (row,) = import_rows(client, line, head=HEAD).context["rows"]
    credit: BankCredit = row.credit
    return credit


@pytest.mark.parametrize(
    ("fields", "booked", "is_asked"),
    [
        ({"reference": "FT2633177"}, True, False),
        ({"reference": "FT2633177", "days": 2}, True, False),
        ({}, True, False),
        ({"text": "no code at all"}, True, False),
        ({"days": 2}, False, True),
        ({"text": "MHW-200101-0009"}, False, True),
        ({"reference": "OTHER1"}, True, False),
        ({"days": 5}, False, False),
    ],
)
def test_a_file_that_shows_it_later_finds_it_booked_or_asks(
    sales: Client, buyer: Buyer, fields: dict[str, Any], booked: bool, is_asked: bool
) -> None:
    book(sales, make_confirmed_order(buyer))
    credit = show(sales, **fields)
    assert (credit.booked_at is not None, credit.like_id is not None) == (booked, is_asked)
    assert Payment.objects.filter(bank_credit=credit).exists() == booked
    assert not audit()


def test_two_wires_of_one_day_are_distinction_by_the_orders_they_name(
    sales: Client, buyer: Buyer
) -> None:
    first, second = make_confirmed_order(buyer), make_confirmed_order(buyer)
    book(sales, second, reference="")
    lines = [
        f"{TODAY},{SHIPPING_FEE},USD,GLOW TRADING,{order.invoice_code},"
        for order in (first, second)
    ]
    rows = import_rows(sales, *lines, head=HEAD).context["rows"]
    shown = {row.credit.text: row.credit.booked_at is not None for row in rows}
    assert shown == {first.invoice_code: False, second.invoice_code: True}


def test_a_credit_that_a_file_has_shown_is_the_one_that_is_booked(
    sales: Client, buyer: Buyer
) -> None:
    credit, order = show(sales, reference="FT2633177"), make_confirmed_order(buyer)
    book(sales, order)
    credit.refresh_from_db()
    assert credit.booked_at is not None
    assert Payment.objects.get(bank_credit=credit).order == order
    again = book(sales, make_confirmed_order(buyer))
    assert "has booked it at" in shown_messages(again)[-1]
    assert Payment.objects.filter(bank_credit__isnull=False).count() == 1


def test_a_credit_like_it_is_asked_about_and_not_booked_beside_it(
    sales: Client, buyer: Buyer
) -> None:
    credit, order = show(sales, days=-2), make_confirmed_order(buyer)
    book(sales, order)
    credit.refresh_from_db()
    assert credit.booked_at is None
    assert credit.like == BankCredit.objects.get(booked_at__isnull=False)


def test_a_reference_of_another_amount_is_refused(sales: Client, buyer: Buyer) -> None:
    show(sales, reference="FT2633177")
    answer = book(sales, make_confirmed_order(buyer), amount="12.00")
    assert "uses this reference for another transfer" in shown_messages(answer)[-1]
    assert "reference" in answer.context["form"].errors
    assert not Payment.objects.filter(received=Decimal(12)).exists()


def test_the_payment_and_its_export_say_what_the_bank_said(sales: Client, buyer: Buyer) -> None:
    book(sales, make_confirmed_order(buyer))
    payment = Payment.objects.get(bank_credit__isnull=False)
    html = sales.get(f"/admin/payments/payment/{payment.pk}/change/").text
    assert f"<dt>Value date</dt><dd>{TODAY}</dd>" in html
    assert "<dt>Bank reference</dt><dd>FT2633177</dd>" in html
    rows = sales.get("/admin/payments/payment/export.csv").content.decode("utf-8-sig")
    (line,) = [row for row in rows.splitlines() if "FT2633177" in row]
    assert f"{TODAY},FT2633177" in line
    credit = sales.get(page("credit", BankCredit.objects.get().pk))
    assert credit.context["back"] == "/admin/payments/payment/desk/"


@pytest.mark.parametrize("days", [-500, 1, 30])
def test_a_day_on_which_it_cannot_have_come_is_refused(
    sales: Client, buyer: Buyer, days: int
) -> None:
    answer = book(sales, make_confirmed_order(buyer), value_date=str(TODAY + timedelta(days)))
    assert "value_date" in answer.context["form"].errors
    assert not BankCredit.objects.exists()


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        *((typed, None) for typed in ("402,00", "-5", "x", "", "1.001")),
        ("402.00", "402"),
        ("1,402.5", 1402.5),
    ],
)
def test_an_amount_is_read_as_staff_type_it_or_refused_at_its_field(
    sales: Client, buyer: Buyer, text: str, amount: Any
) -> None:
    answer = book(sales, make_confirmed_order(buyer), amount=text, agreed="1352.50")
    assert ("amount" in getattr(answer.context.get("form"), "errors", {})) == (amount is None)
