"""Outstanding by age, and the stock that runs out."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.accounts.models import AddressEntry, Company
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import csv_lines, staff_client
from apps.catalog.models import Product, Stock
from apps.catalog.tests.factories import make_brand, make_product
from apps.orders.models import Order
from apps.orders.services.conversation import remind_buyer
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_order, make_order_at, make_sales
from portal.staff.reports.receivables import receivables
from portal.staff.reports.stock import stock_report

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)
REPORTS = "/admin/orders/salestally/"


def owing(days: int, **fields) -> Order:
    """Return a confirmed order whose balance, the shipping fee, was due some days ago."""
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer(), **fields)
    Order.objects.filter(pk=order.pk).update(due_at=NOW - timedelta(days=days))
    return order


def test_open_money_stands_at_its_age_the_oldest_first():
    owing(-1), owing(3), owing(7, now=NOW - timedelta(days=100)), owing(31)
    oldest, deposit = owing(200), make_order(make_buyer())
    make_order_at(OrderStatus.SHIPPED, make_buyer())
    report = receivables(now=NOW)
    assert report.sums.amounts == [SHIPPING_FEE + deposit.deposit, *[SHIPPING_FEE] * 4]
    assert report.overdue == 4 * SHIPPING_FEE
    assert report.rows[0].name == oldest.company.name
    assert report.count == 6
    today = timezone.localdate()
    assert receivables(now=NOW, since=today).count == 5
    assert receivables(now=NOW, until=today - timedelta(days=50)).count == 1


def test_orders_that_may_be_reminded_lead_to_the_reminder():
    order, announced = owing(10), owing(9)
    Order.objects.filter(pk=announced.pk).update(wire_announced=True)
    remind_buyer(order_id=order.pk, text="Please pay.", actor=make_sales(), now=NOW)
    first, second = receivables(now=NOW, by_order=True).rows
    assert (first.name, first.reminded_at) == (order.invoice_code, NOW)
    assert first.remind_url
    assert (second.name, second.remind_url) == (announced.invoice_code, "")
    page = staff_client("Sales").get(f"{REPORTS}receivables/?by=orders")
    assert first.remind_url in page.text
    lines = csv_lines(staff_client("Sales").get(f"{REPORTS}receivables/?format=csv"))
    assert lines[0].startswith("Customer,Country,Not due,1–7 d")
    assert len(lines) == 4


def test_a_customer_is_reminded_of_its_one_order_or_from_the_list_of_them():
    buyer, one = make_buyer(), owing(10)
    several, second = (make_order_at(OrderStatus.CONFIRMED, buyer) for _ in range(2))
    remind_buyer(order_id=second.pk, text="Please pay.", actor=make_sales(), now=NOW)
    by_name = {row.name: row for row in receivables(now=NOW).rows}
    assert by_name[one.company.name].remind_url == f"/admin/orders/order/{one.pk}/remind/"
    row = by_name[several.company.name]
    assert (row.remind_url, row.reminded_at) == (f"?by=orders&company={several.company_id}", NOW)
    page = staff_client("Sales").get(f"{REPORTS}receivables/{row.remind_url}")
    names = {row.name for row in page.context["report"].rows}
    assert names == {several.invoice_code, second.invoice_code}
    assert f"Orders of {several.company.name} alone." in page.text


def test_one_country_owes_what_its_customers_owe():
    here, _ = owing(10), owing(9)
    country = AddressEntry.objects.exclude(
        pk__in=Company.objects.filter(country__isnull=False).values("country")
    )[0]
    Company.objects.filter(name=here.company.name).update(country=country)
    (row,) = receivables(now=NOW, country=country.pk).rows
    assert row.name == here.company.name
    page = staff_client("Sales").get(f"{REPORTS}receivables/?country={country.pk}&by=orders")
    assert [row.name for row in page.context["report"].rows] == [here.invoice_code]


def test_stock_runs_out_at_the_pace_of_its_sales():
    fast, slow, discontinued = (make_product(on_hand=1000) for _ in range(3))
    make_order_at(OrderStatus.SHIPPED, make_buyer(), [(fast, 900), (slow, 90), (discontinued, 900)])
    Stock.objects.filter(product=fast).update(on_hand=200, allocated=50, short=0)
    Stock.objects.filter(product=slow).update(on_hand=200)
    Product.objects.filter(pk=discontinued.pk).update(is_running=0)
    today = timezone.localdate()
    (row,) = stock_report(today=today).rows
    assert (row.product.sku, row.pace, row.days_left) == (fast.sku, Decimal("10.0"), 15)
    assert (row.runs_out, row.tone) == (today + timedelta(days=15), "soon")
    Stock.objects.filter(product=fast).update(allocated=230, short=30)
    (row,) = stock_report(today=today).rows
    assert (row.days_left, row.short, row.tone) == (0, 30, "late")
    home = staff_client("Sales").get("/admin/").context["cards"]
    (soon,) = [
        row for card in home for row in card["rows"] if row["label"] == "Run out within 7 days"
    ]
    assert soon["count"] == 1
    rows = staff_client("Sales").get(soon["url"]).context["report"].rows
    assert [row.product.sku for row in rows] == [fast.sku]
    Stock.objects.filter(product=slow).update(on_hand=80)
    assert stock_report(today=today, within=90).count == 2
    assert stock_report(today=today, within=90, brand=make_brand().pk).count == 0
    assert stock_report(today=today + timedelta(days=90), within=90).count == 0
    page = staff_client("Sales").get(f"{REPORTS}stock/?within=x")
    assert "short of 30 promised" in page.text
    lines = csv_lines(staff_client("Sales").get(f"{REPORTS}stock/?format=csv"))
    assert lines[1].startswith(fast.sku)


def test_nothing_to_say_is_said_in_a_sentence():
    client = staff_client("Sales")
    assert "Nothing is outstanding." in client.get(f"{REPORTS}receivables/").text
    assert "Nothing runs out within 45 days." in client.get(f"{REPORTS}stock/").text
