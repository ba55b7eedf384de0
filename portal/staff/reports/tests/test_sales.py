"""The page of sales: rows, columns, others together, the chart, and the same as a file."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from apps.accounts.models import AddressEntry, Company
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import csv_lines, staff_client
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.orders.models import Order, SalesTally
from apps.orders.selectors.sales import Days, Dimension
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import call_off, make_order_at
from portal.staff.reports.chart import Series, bar_chart, fitting, short
from portal.staff.reports.sales import bar_labels, last_months, orders_behind

pytestmark = pytest.mark.django_db
PAGE = "/admin/orders/salestally/"


@pytest.fixture
def seven() -> list[Order]:
    """Return seven confirmed orders of as many companies, each of one product, the first the
    largest.
    """
    return [
        make_order_at(OrderStatus.CONFIRMED, make_buyer(), [(make_product(), 200 - 10 * n)])
        for n in range(7)
    ]


def test_five_rows_are_shown_the_others_together_and_all_when_asked(seven):
    client = staff_client("Sales")
    report = client.get(f"{PAGE}?rows=company").context["report"]
    assert [row.name for row in report.rows][-1] == "Other 2 companies"
    assert [row.total for row in report.rows][:5] == [order.real_total for order in seven[:5]]
    whole = sum(order.real_total for order in seven)
    assert report.total.total == sum(row.total for row in report.rows) == whole
    assert sum(report.total.values) == whole
    assert report.rows[0].share == (seven[0].real_total * 100 / whole).quantize(Decimal("0.1"))
    assert len(client.get(f"{PAGE}?rows=company&all=1").context["report"].rows) == 7


@pytest.mark.parametrize(
    ("rows", "columns"), [("product", "company"), ("month", "brand"), ("country", "month")]
)
def test_rows_and_columns_add_up_to_the_same_whole(seven, rows, columns):
    page = staff_client("Sales").get(f"{PAGE}?rows={rows}&columns={columns}")
    report = page.context["report"]
    whole = sum(order.real_total for order in seven)
    assert sum(sum(row.values) for row in report.rows) == sum(report.total.values) == whole
    assert report.total.total == whole
    assert page.text.count('role="img"') == 2
    assert "the table below has every figure" in page.text


def test_each_figure_leads_to_the_orders_behind_it(seven):
    client, order = staff_client("Sales"), seven[0]
    report = client.get(f"{PAGE}?rows=company&columns=product").context["report"]
    row = report.rows[0]
    for url in (row.link, row.links[0]):
        assert [found.pk for found in client.get(url).context["cl"].result_list] == [order.pk]
    assert row.links[1].startswith("/admin/orders/order/?status=all&sold_since=")
    assert len(client.get(row.links[1]).context["cl"].result_list) == 0
    assert len(client.get(report.total.link).context["cl"].result_list) == 7
    assert report.rows[-1].link == ""  # the others together
    call_off(seven[1])
    page = client.get(report.total.link)
    assert len(page.context["cl"].result_list) == 6
    assert ">Confirmation<" in page.text


def test_one_country_alone_has_its_own_sales(seven):
    country = AddressEntry.objects.exclude(
        pk__in=Company.objects.filter(country__isnull=False).values("country")
    )[0]
    Company.objects.filter(pk=seven[0].company_id).update(country=country)
    for rows in ("brand", "product", "month", "country"):
        page = staff_client("Sales").get(f"{PAGE}?rows={rows}&country={country.pk}")
        assert page.context["report"].total.total == seven[0].real_total


def test_months_are_counted_as_they_stand_in_the_table(seven):
    page = staff_client("Sales").get(f"{PAGE}?rows=month")
    assert page.context["report"].count == len(page.context["report"].rows) == 12
    assert f'action="{PAGE}"' in page.text  # without the “#since” of a range of one's own


def test_a_month_of_a_figure_is_cut_as_its_days_are():
    days = Days(date(2026, 3, 5), date(2026, 5, 6))
    march, may = (orders_behind(days, {Dimension.MONTH: f"2026-{n}"}) for n in ("03", "05"))
    assert "sold_since=2026-03-05&sold_until=2026-03-31" in march
    assert "sold_since=2026-05-01&sold_until=2026-05-06" in may
    assert orders_behind(days, {Dimension.COUNTRY: None}) == ""


def test_a_page_asks_the_database_little_whatever_there_is(seven, django_assert_max_num_queries):
    client = staff_client("Sales")
    client.get(PAGE)
    # Seven of the report; session, user, rights, names, countries besides.
    with django_assert_max_num_queries(13):
        client.get(f"{PAGE}?rows=product&columns=company")


def test_the_files_have_every_row_in_cents_and_no_formula(seven):
    Product.objects.update(eng_name="=1+1")
    client = staff_client("Sales")
    file = client.get(f"{PAGE}?rows=product&format=xlsx").content
    cells = list(load_workbook(BytesIO(file)).active.values)
    assert cells[0][0] == "Product"
    assert len(cells) == 1 + 7 + 1
    assert Decimal(str(cells[1][-3])) == seven[0].real_total
    lines = csv_lines(client.get(f"{PAGE}?rows=product&columns=none&format=csv"))
    assert lines[1].startswith("'=1+1")
    assert lines[1].split(",")[1] == f"{seven[0].real_total}"


def test_what_makes_no_sense_falls_back_with_a_word():
    client = staff_client("Sales")
    for query in ("rows=x&columns=y&figure=z&since=1&until=2", "since=2026-05-01&until=2026-04-01"):
        assert client.get(f"{PAGE}?{query}").status_code == 200
    for query, words in (
        ("rows=brand&columns=brand", "the columns are left out"),
        ("rows=brand&figure=orders", "counted by month, country and company only"),
        ("since=2010-01-01", "At most 36 months"),
    ):
        assert words in client.get(f"{PAGE}?{query}").text
    assert "Nothing was confirmed in this period." in client.get(PAGE).text


def test_twelve_months_include_this_one():
    assert last_months(date(2026, 11, 20)) == date(2025, 12, 1)
    assert last_months(date(2026, 12, 31)) == date(2026, 1, 1)


def test_the_first_month_below_the_bars_has_its_year_and_so_has_each_january():
    assert bar_labels(["2025-11", "2025-12", "2026-01", "2026-02"]) == [
        "2025 Nov",
        "Dec",
        "2026 Jan",
        "Feb",
    ]
    assert bar_labels(["Glow", "A name beyond the place"]) == ["Glow", "A name beyond the place"]
    assert fitting("A name beyond the place", 84) == "A name beyond…"
    cut = [fitting(label, 47) for label in ("2025 Nov", "25.12", "60일 초과", "Nordlicht")]
    assert cut == ["2025 Nov", "25.12", "60일 …", "Nordli…"]


def test_bars_stand_on_each_other_under_round_lines():
    parts = [Series("A", [Decimal(30), Decimal(0)]), Series("B", [Decimal(10), Decimal(5)], 1)]
    chart = bar_chart(title="Sold", labels=["Oct", "Nov"], series=parts)
    wide, narrow = chart.drawings
    assert [line["text"] for line in wide["lines"]] == ["0", "10", "20", "30", "40", "50"]
    lower, upper, alone = wide["bars"]
    assert (lower["tone"], upper["tone"], alone["tone"]) == ("c0", "c1", "c1")
    assert float(upper["y"]) + float(upper["height"]) + 1 == pytest.approx(float(lower["y"]))
    assert narrow["width"] < wide["width"]
    assert bar_chart(title="Sold", labels=["Oct"], series=[Series("A", [Decimal(0)])]) is None
    assert [short(Decimal(value)) for value in ("950", "12500", "335000", "1200000")] == [
        "950",
        "12.5k",
        "335k",
        "1.2M",
    ]


def test_the_page_says_that_its_range_is_its_own(seven):
    client = staff_client("Sales")
    assert client.get(f"{PAGE}?rows=company&since=2026-02-03").context["is_own"] is True
    assert client.get(PAGE).context["is_own"] is False


def test_the_year_before_is_of_the_shown_rows_and_its_sum_of_all(seven):
    for sold in SalesTally.objects.all():  # the same a year ago, and twice as much
        sold.day = Days(sold.day, sold.day).year_before().since
        sold.pk, sold.total = None, sold.total * 2
        sold.save()
    client, since = staff_client("Sales"), f"since={timezone.localdate().replace(day=1)}"
    for rows in ("product", "company", "brand", "country", "month"):
        page = client.get(f"{PAGE}?rows={rows}&columns=none&{since}")
        report = page.context["report"]
        assert report.before.total == 2 * report.total.total
        assert {row.change for row in report.rows} == {Decimal(-50)}, rows
        page = client.get(f"{PAGE}?rows={rows}&columns=company&{since}")
        before, now = page.context["report"].before.values, page.context["report"].total.values
        assert list(before) == [2 * value for value in now], rows
    page = client.get(f"{PAGE}?rows=brand&columns=month&{since}")
    assert [sum(page.context["report"].before.values)] == [page.context["report"].before.total]
    assert f"{len(seven)} orders of {len(seven)} customers" in page.text
