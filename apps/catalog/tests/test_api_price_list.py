"""GET /excel/product-setting: the price list, as rows and as a file."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import Company, PriceGroup, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_company
from apps.catalog import pricelist
from apps.catalog.models import Brand, Product, ProductPrice, Promotion, Running
from apps.catalog.selectors import price_list_fingerprint
from apps.catalog.services import stock
from apps.catalog.sweeps import fold_changes
from apps.catalog.tests.factories import (
    make_brand,
    make_group_price,
    make_price_group,
    make_product,
    make_products,
    make_promotion,
    restrict,
)
from apps.common.days import end_of, midnight
from apps.common.testing import ContractClient, selling
from apps.common.types import Json


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def url(buyer: Buyer) -> str:
    return f"/api/excel/product-setting/{buyer.uuid}"


def rows(client: ContractClient, buyer: Buyer) -> Json:
    answer: Json = json.loads(client.get(url(buyer)).getvalue())
    return answer


def sheet(client: ContractClient, buyer: Buyer) -> list[tuple[Any, ...]]:
    response = client.get(url(buyer), {"format": "xlsx"})
    assert response.status_code == 200
    shown = response["Content-Type"]
    assert shown == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert response["Content-Disposition"] == 'attachment; filename="Price_List.xlsx"'
    book = openpyxl.load_workbook(BytesIO(response.getvalue()))
    return [tuple(row) for row in book.worksheets[0].iter_rows(min_row=pricelist.FIRST - 1)]


def test_the_rows(api: ContractClient, buyer: Buyer) -> None:
    brand = make_brand(eng="Aurum")
    product = make_product(
        sku="00410275", eng_name="Serum", brand=brand, on_hand=70, allocated=20, minimum=5
    )
    Product.objects.filter(pk=product.pk).update(ean="4006381333931")
    promotion = make_promotion([product], price=Decimal("3.10"))
    answer = rows(api, buyer)
    until = answer["result"][0].pop("price_until")
    assert abs(datetime.fromisoformat(until) - promotion.ends_at) < timedelta(seconds=1)
    assert answer == {
        "success": 1,
        "result": [
            {
                "brand": "Aurum",
                "sku": "00410275",
                "eng_name": "Serum",
                "is_running": 1,
                "usd_price": 12.0,
                "usd_supply": 3.1,
                "usual_price": 4.5,
                "minimum": 5,
                "moq": 10,
                "step": 10,
                "weight": 120,
                "qty": 50,
                "ean": "4006381333931",
            }
        ],
    }


def test_what_is_only_promoted_keeps_its_price_and_the_lowest_of_two_counts(
    api: ContractClient, buyer: Buyer
) -> None:
    promoted, cheap = make_product(usd_supply=Decimal(9)), make_product(usd_supply=Decimal(9))
    make_promotion([promoted, cheap], price=None)
    make_promotion([cheap], price=Decimal("0.00"))
    make_promotion([cheap], price=Decimal("3.00"))
    prices = {row["sku"]: row["usd_supply"] for row in rows(api, buyer)["result"]}
    assert prices == {promoted.sku: 9, cheap.sku: 0}


def test_moqs_are_the_sellers(api: ContractClient, buyer: Buyer) -> None:
    make_product(sku="A", minimum=3, on_hand=100)
    make_product(sku="B", minimum=3, on_hand=100, is_special=True)
    before = price_list_fingerprint(buyer=buyer, now=timezone.now())
    selling(least_moq=6, special_moq=8)
    lots = {row["sku"]: (row["moq"], row["step"]) for row in rows(api, buyer)["result"]}
    assert lots == {"A": (6, 6), "B": (8, 1)}
    cards = api.get(f"/api/product/stock/{buyer.uuid}/0").json()["result"]
    assert {card["sku"]: (card["moq"], card["step"]) for card in cards} == lots
    assert price_list_fingerprint(buyer=buyer, now=timezone.now()) != before


def test_no_products(api: ContractClient, buyer: Buyer) -> None:
    assert rows(api, buyer) == {"success": 1, "result": []}
    assert len(sheet(api, buyer)) == 1


def test_the_file_has_the_same_rows(api: ContractClient, buyer: Buyer) -> None:
    make_products(600, brand=make_brand(eng="Aurum"))
    make_product(is_running=Running.CONTACT_US, brand=make_brand(eng="Zeta"))
    listed = rows(api, buyer)["result"]
    cells = sheet(api, buyer)
    assert [cell.value for cell in cells[0]][:3] == ["Brand", "SKU", "Product"]
    assert len(cells) == len(listed) + 1 == 602
    shown = ("sku", "usd_price", "usd_supply", "moq", "step", "weight", "minimum")
    columns = (1, 4, 5, 6, 7, 11, 12)
    sold = [tuple(row[column].value for column in columns) for row in cells[1:]]
    assert sold == [tuple(row[key] for key in shown) for row in listed]
    assert cells[-1][3].value == "Contact us"


def test_stock_is_no_figure_in_the_file_and_never_below_zero(
    api: ContractClient, buyer: Buyer
) -> None:
    for sku, on_hand, allocated in (("A", 70, 20), ("B", 20, 20), ("C", 20, 50)):
        make_product(sku=sku, brand=make_brand(eng=sku), on_hand=on_hand, allocated=allocated)
    assert [row["qty"] for row in rows(api, buyer)["result"]] == [50, 0, 0]
    at = pricelist.TITLES.index("Stock")
    assert [row[at].value for row in sheet(api, buyer)[1:]] == ["In stock", "0", "0"]


def test_the_file_says_the_last_day_of_a_price(api: ContractClient, buyer: Buyer) -> None:
    promotion, day = make_promotion([make_product()], price=Decimal("3.10")), date(2099, 11, 30)
    at = pricelist.TITLES.index("Until")
    for ends_at in (midnight(day) + timedelta(hours=9), end_of(day)):
        Promotion.objects.filter(pk=promotion.pk).update(ends_at=ends_at)
        assert sheet(api, buyer)[1][at].value == "2099-11-30"


def test_the_file_is_an_order_form(api: ContractClient, buyer: Buyer) -> None:
    make_products(3)
    make_product(is_special=True)
    content = api.get(url(buyer), {"format": "xlsx"}).getvalue()
    sheet = openpyxl.load_workbook(BytesIO(content), data_only=True).active
    assert [(row[8].value, row[9].value) for row in sheet.iter_rows(min_row=3)] == [(None, 0)] * 4
    assert (sheet["I1"].value, sheet["J1"].value) == (0, 0)
    form = openpyxl.load_workbook(BytesIO(content)).active
    assert (form["I1"].value, form["J1"].value) == ("=SUM(I3:I1048576)", "=SUM(J3:J1048576)")
    found = [form[f"J{row}"].value for row in range(3, 7)]
    assert found == [f"=F{row}*I{row}" for row in range(3, 7)]
    assert (form.freeze_panes, form.auto_filter.ref, form.dimensions) == ("A3", "A2:P6", "A1:P6")
    assert form.print_title_rows == "$2:$2"
    (only,) = form.data_validations.dataValidation
    assert only.type == "whole"
    assert (only.formula1, only.formula2, str(only.sqref)) == ("0", "1000000", "I3:I6")
    formats = [form.cell(3, column).number_format for column in range(1, 11)]
    assert formats == ["@"] * 4 + ["#,##0.00"] * 2 + ["#,##0"] * 3 + ["#,##0.00"]
    assert form.column_dimensions["C"].width > form.column_dimensions["B"].width > 13


def test_text_stays_text(api: ContractClient, buyer: Buyer) -> None:
    make_product(
        sku="00410275", eng_name="=HYPERLINK(1)", brand=make_brand(eng="+1 https://x.test")
    )
    make_product(eng_name="<b>&amp;\x07 long  tail ", brand=make_brand(eng="Zeta"))
    _, row, other = sheet(api, buyer)
    assert other[2].value == "<b>&amp; long  tail "
    shown = [(cell.value, cell.data_type) for cell in row[:3]]
    assert shown == [("+1 https://x.test", "s"), ("00410275", "s"), ("=HYPERLINK(1)", "s")]
    assert row[0].hyperlink is None


def test_an_unchanged_list_is_not_written_again(
    api: ContractClient,
    buyer: Buyer,
    monkeypatch: pytest.MonkeyPatch,
    sign_in: Callable[[Buyer], ContractClient],
) -> None:
    one, two = make_products(2)
    writes = []
    write = pricelist.write_price_list
    monkeypatch.setattr(
        pricelist, "write_price_list", lambda *args: writes.append(1) or write(*args)
    )

    def times() -> int:
        sheet(api, buyer)
        return len(writes)

    assert (times(), times()) == (1, 1)
    colleague = make_buyer(company_id=buyer.company_id)
    sheet(sign_in(colleague), colleague)
    assert len(writes) == 1
    changes: list[Callable[[], object]] = [
        lambda: stock.allocate(quantities={one.pk: 10}, stock_free=False),
        lambda: make_promotion([two], price=Decimal("1.00")),
        lambda: (setattr(one, "usd_supply", Decimal("4.60")), one.save()),
        lambda: Brand.objects.update(eng="Renamed"),
        make_product,
        lambda: Product.objects.filter(pk=two.pk).delete(),
    ]
    for number, change in enumerate(changes, 2):
        change()
        assert (times(), times()) == (number, number)
    fold_changes(timezone.now())
    assert times() == number


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_what_is_committed_late_changes_the_list_too(buyer: Buyer) -> None:
    one, two = make_products(2)

    def fingerprint(_: object = None) -> str:
        try:
            return price_list_fingerprint(buyer=buyer, now=timezone.now())
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        stock.allocate(quantities={one.pk: 10}, stock_free=False)
        before = other.submit(fingerprint).result()
        other.submit(stock.allocate, quantities={two.pk: 10}, stock_free=False).result()
        other.submit(fold_changes, timezone.now()).result()
        between = other.submit(fingerprint).result()
    assert len({before, between, fingerprint()}) == 3
    assert fold_changes(timezone.now()) == 2
    assert fold_changes(timezone.now()) == 0


def test_the_file_of_a_restricted_company_is_its_own(
    api: ContractClient, buyer: Buyer, sign_in: Callable[[Buyer], ContractClient]
) -> None:
    visible, hidden = make_product(brand=make_brand()), make_product(brand=make_brand())
    assert len(sheet(api, buyer)) == 3
    restrict(Company.objects.get(pk=buyer.company_id), [visible.brand])
    limited = make_buyer(company_id=buyer.company_id)
    client = sign_in(limited)
    assert [row[1].value for row in sheet(client, limited)[1:]] == [visible.sku]
    assert hidden.sku not in client.get(url(limited)).getvalue().decode()


def test_nobody_gets_the_file_of_another_group(
    api: ContractClient, buyer: Buyer, sign_in: Callable[[Buyer], ContractClient]
) -> None:
    product = make_product()
    buyers = [buyer]
    for percent in (-10, -20):
        company = make_company()
        group = make_price_group(percent, company)
        make_group_price(group, make_product(), Decimal(abs(percent)), days=(None, 1))
        buyers.append(make_buyer(company=company))

    def paid() -> list[str]:
        at = pricelist.TITLES.index("Wholesale ($)")
        files = [sheet(sign_in(one), one) for one in buyers]
        return [
            f"{next(row for row in file if row[1].value == product.sku)[at].value:.2f}"
            for file in files
        ]

    assert paid() == ["4.50", "4.05", "3.60"]
    PriceGroup.objects.filter(percent=-20).update(percent=-50)
    assert paid() == ["4.50", "4.05", "2.25"]
    Company.objects.filter(pk=buyers[1].company_id).update(price_group=group)
    buyers[1] = make_buyer(company_id=buyers[1].company_id)
    assert paid() == ["4.50", "2.25", "2.25"]


def test_a_price_that_begins_or_ends_by_itself_changes_the_list(buyer: Buyer) -> None:
    one, two = make_products(2)
    group = make_price_group(0, Company.objects.get(pk=buyer.company_id))
    make_group_price(group, one, Decimal("4.00"), days=(2, 4))
    now = timezone.now()
    ProductPrice.objects.create(product=two, price=5, starts_at=now + timedelta(days=3))
    current_buyer = buyer_of(User.objects.get(pk=buyer.id))
    fingerprints = [
        price_list_fingerprint(buyer=current_buyer, now=now + timedelta(days=days, hours=hours))
        for days in range(1, 6)
        for hours in (1, 2)
    ]
    assert [one == two for one, two in pairwise(fingerprints)] == [True, False] * 3 + [
        True,
        True,
        True,
    ]
