"""Reading the file of an import: cut off, in slices, thrown away meanwhile, broken, gone, without
columns.
"""

import io

import pytest
import xlsxwriter
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone
from django.utils.translation import override

from apps.accounts.tests.staff import staff_in
from apps.catalog.kinds.products import ProductKind
from apps.catalog.models import Import, Product, rows_path, stored_path
from apps.catalog.services import import_reading, import_tables
from apps.catalog.services.imports import discard_import, questions_of, send_import
from apps.catalog.tests.factories import make_brand, make_product, make_products
from apps.catalog.tests.import_files import csv, sent, sent_file, work
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import read

pytestmark = pytest.mark.django_db


def unread(content: bytes) -> Import:
    """Return an import whose file waits to be read."""
    return send_import(
        file=io.BytesIO(content),
        name="a.csv",
        actor=staff_in("Sales"),
        now=timezone.now(),
        kind="table",
    )


def test_a_reader_that_dies_is_followed_by_one_that_goes_on(monkeypatch):
    for number in range(7):
        make_product(sku=f"A-{number}")
    monkeypatch.setattr(import_reading, "BATCH", 2)
    content = csv(("SKU", "On hand"), *((f"A-{number}", 5) for number in range(7)))
    source = unread(content)
    store, calls = import_reading._store, []

    def dies(**kwargs):
        calls.append(kwargs)
        if len(calls) == 3:
            raise MemoryError
        store(**kwargs)

    monkeypatch.setattr(import_reading, "_store", dies)
    with pytest.raises(MemoryError):
        work()
    source.refresh_from_db()
    assert (source.state, source.rows_read) == ("reading", 4)
    work(source)
    assert (source.state, source.rows_read, source.counts["stock"]) == ("review", 7, 7)
    assert len(calls) == 5


def test_a_slice_that_is_over_goes_on_in_the_next(monkeypatch):
    make_products(5)
    monkeypatch.setattr(import_reading, "BATCH", 2)
    monkeypatch.setattr(import_reading, "SLICE_ROWS", 2)
    content = csv(
        ("SKU", "On hand"), *((sku, 5) for sku in Product.objects.values_list("sku", flat=True))
    )
    source = unread(content)
    import_reading.read_slice(source=source, seconds=0)
    source.refresh_from_db()
    assert (source.state, source.rows_read) == ("reading", 2)

    def unpack(*_: object, **__: object) -> None:
        raise AssertionError("the file is unpacked once")

    monkeypatch.setattr(import_tables, "read_tabs", unpack)
    work(source)
    assert (source.state, source.rows_read) == ("review", 5)
    assert not storages["private"].exists(rows_path(source.storage_name))


def test_a_reader_stops_once_its_import_is_thrown_away(monkeypatch):
    monkeypatch.setattr(import_reading, "BATCH", 1)
    source = unread(csv(("SKU", "On hand"), ("A-1", 5), ("A-2", 5)))
    store, calls = import_reading._store, []

    def thrown_away_after(**kwargs):
        store(**kwargs)
        calls.append(kwargs)
        discard_import(import_id=source.pk, actor=source.created_by)

    monkeypatch.setattr(import_reading, "_store", thrown_away_after)
    work(source)
    assert (source.state, source.rows.count(), len(calls)) == ("discarded", 0, 1)


def test_a_file_that_breaks_off_or_is_gone_is_refused_and_changes_nothing():
    make_product(sku="A-1", on_hand=50)
    broken = csv(("SKU", "On hand"), ("A-1", 5), ('"open',)) + b"x" * 200_000
    with pytest.raises(SpreadsheetRefused, match="is not CSV"):
        unread(broken)
    source = unread(csv(("SKU", "On hand"), ("A-1", 5)))
    path = stored_path(source.storage_name)
    storages["private"].delete(path)
    storages["private"].save(path, ContentFile(broken))
    headings = unread(csv(("SKU", "On hand")))
    storages["private"].delete(stored_path(headings.storage_name))
    work()
    source.refresh_from_db(), headings.refresh_from_db()
    assert (source.state, source.rows.count()) == ("refused", 0)
    assert read(source.remark).startswith("This file is not CSV")
    assert headings.state == "refused"
    assert read(headings.remark) == "The file is no longer there. Send it again."


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Name,When\nx,y\n", "row 1 has “Name”, “When”. Send a table"),
        (b"SKU,Note\nA,b\n", "Beside the SKU"),
    ],
)
def test_a_file_without_columns_is_refused_at_once(content, sentence):
    with pytest.raises(SpreadsheetRefused, match=sentence):
        unread(content)
    assert not Import.objects.exists()


@pytest.mark.parametrize("heading", ["Price EUR", "Wholesale HK$", "공급가(원)"])
def test_a_column_in_another_currency_is_not_read_and_cannot_be_chosen(heading):
    make_product(sku="A-1")
    source = sent(("A-1", "12.30", 5), head=("SKU", heading, "On hand"))
    assert (source.unread, source.rows.get().new) == (heading, {"on_hand": 5})
    choices = dict(questions_of(source)[f"column {heading}"].choices)
    assert "origin" in choices
    assert "usd_supply" not in choices


@pytest.mark.parametrize("heading", ["Wholesale (€)", "USRP ¥"])
def test_prices_in_another_currency_are_refused_by_their_heading(heading):
    make_product(sku="A-1")
    with pytest.raises(SpreadsheetRefused, match="is not in US dollars") as refused:
        unread(csv(("SKU", heading, "On hand"), ("A-1", "12.30", 5)))
    assert f"“{heading}”" in str(refused.value)


def test_prices_in_euro_beside_those_in_dollars_are_only_not_read():
    make_product(sku="A-1")
    source = sent(("A-1", "5.10", "4.80"), head=("SKU", "Wholesale (USD)", "Price EUR"))
    assert (source.unread, source.rows.get().new) == ("Price EUR", {"usd_supply": "5.10"})


@pytest.mark.parametrize("cell", ["€ 5.10", "5.10 EUR", "HK$5.10", "¥510", "₩5100", "5100원"])
def test_a_price_that_names_another_currency_is_refused(cell):
    make_product(sku="A-1")
    row = sent(("A-1", cell), head=("SKU", "Wholesale")).rows.get()
    assert row.result == "faulty"
    assert read(row.remark).startswith("Wholesale ($): ")


@pytest.mark.parametrize("cell", ["$5.10", "US$ 5.10", "5.10 USD"])
def test_a_price_may_name_the_dollar(cell):
    make_product(sku="A-1")
    row = sent(("A-1", cell), head=("SKU", "Wholesale")).rows.get()
    assert row.new == {"usd_supply": "5.10"}


def test_every_row_of_the_file_is_read_or_left_out_with_the_reason():
    make_product(sku="A-1", on_hand=5)
    head = ("품번", "재고", "비고")
    rows = [("2026 가격표", "", ""), head, ("A-1", 7, ""), ("", "", "see below"), head]
    source = unread(csv(*rows, ("합계", 7, ""), ("", "총 합계", "")))
    work()
    assert [(row.number, row.result, read(row.remark)) for row in source.rows.all()] == [
        (1, "left", "above the headings"),
        (3, "changed", ""),
        (4, "left", "a text alone: no product"),
        (5, "left", "the headings again"),
        (6, "left", "a row of totals"),
        (7, "left", "a row of totals"),
    ]
    source.refresh_from_db()
    assert (source.counts["changes"], source.counts["left_out"]) == (1, 5)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_template_is_read_and_its_example_left_out(language):
    kind = ProductKind()
    with override(language):
        content = kind.template()
    source = sent_file(content, name="a.xlsx")
    (row,) = source.rows.all()
    assert (row.result, read(row.remark)) == ("left", "the template's example")
    source.refresh_from_db()
    assert source.unread == ""


NAMES = ("품번", "상품명", "소비자가", "공급가", "중량")
ROSE = ("N-1", "Rose", 24, 12, 80)


def results(*rows, **answers) -> list[tuple]:
    """Return what becomes of the rows of a list: number, result, brand, and what is asked."""
    source = unread(csv(*rows))
    Import.objects.filter(pk=source.pk).update(answers=answers or None)
    work()
    return [(row.number, row.result, row.new.get("brand"), row.guards) for row in source.rows.all()]


def test_whether_a_brand_that_stands_once_is_that_of_the_rows_below_is_asked_once():
    head = (*NAMES, "브랜드")
    rows = (head, (*ROSE, "Lumi"), ("N-2", *ROSE[1:], ""), ("N-3", *ROSE[1:], "Glow"))
    assert results(*rows)[1] == (3, "unknown", None, {})
    text = read(questions_of(Import.objects.get())["above"].text)
    assert text == "Rows without a brand: 1. Are they of the brand above? 3 N-2 (Lumi)"
    assert results(*rows, above="above") == [
        (2, "new", "Lumi", {"brand": 1}),
        (3, "new", "Lumi", {"brand": 1}),
        (4, "new", "Glow", {"brand": 1}),
    ]


PARTS = (
    ("품번", "브랜드", "상품명", "", "가격", "", "규격"),
    ("", "", "국문", "영문", "소비자가", "공급가", "중량"),
)
LANGUAGES = (
    ("품번", "브랜드", "비고", "상품명", "소비자가", "공급가", "중량"),
    ("SKU", "Brand", "Note", "Product", "USRP", "Wholesale", "Weight"),
)


@pytest.mark.parametrize(("upper", "lower"), [PARTS, LANGUAGES], ids=["parts", "languages"])
def test_headings_may_take_two_rows(upper, lower):
    make_brand(eng="AURORA")
    source = unread(csv(upper, lower, ("N-1", "AURORA", "로즈", "Rose", 24, 12, 80)))
    work()
    assert source.rows.get(number=3).new == {
        "brand": "AURORA",
        "eng_name": "Rose",
        "usd_price": "24.00",
        "usd_supply": "12.00",
        "weight_g": 80,
    }
    assert source.rows.exclude(result="left").count() == 1


@pytest.mark.parametrize(
    "line", ["(단위: 원)", "단가 : 원화 기준", "All prices in KRW", "단위 : 천원", "가격(엔)"]
)
def test_a_line_above_the_headings_in_another_currency_refuses_the_file(line):
    make_product(sku="A-1")
    with pytest.raises(SpreadsheetRefused, match="is not in US dollars"):
        unread(csv((line,), ("품번", "공급가"), ("A-1", 9)))
    source = unread(csv((line,), ("품번", "공급가(USD)"), ("A-1", 9)))  # they say so themselves
    work()
    assert source.rows.get(sku="A-1").new == {"usd_supply": "9.00"}


@pytest.mark.parametrize("line", ["단위: USD", "환율 1 USD = 1,380원", "ALL TOP ITEMS"])
def test_a_line_above_the_headings_that_names_no_other_currency_is_left(line):
    make_product(sku="A-1")
    assert results((line.replace(",", ""),), ("품번", "공급가"), ("A-1", 9))[1][1] == "changed"


@pytest.mark.parametrize(
    ("heading", "cell", "field", "value"),
    [
        ("재고", "품절", "on_hand", 0),
        ("재고수량(EA)", "1200개", "on_hand", 1200),
        ("중량(g)", "80 g", "weight_g", 80),
        ("HS CODE", "3304.99-1000", "hs_code", "3304.99.1000"),
        ("원산지", "일본", "origin", "JP"),
        ("공급가 / Wholesale", "US$ 5.10", "usd_supply", "5.10"),
    ],
)
def test_what_korean_exporters_write_is_read(heading, cell, field, value):
    make_product(sku="A-1", on_hand=5)
    row = sent(("A-1", cell), head=("품번 / SKU", heading)).rows.get()
    assert row.new == {field: value}


def test_a_seller_s_own_list_is_read_whole():
    """Sheets of its own, no weights, codes that a format
    gives their zeros, formulas, and what is sold out.
    """
    book = xlsxwriter.Workbook(file := io.BytesIO(), {"in_memory": True})
    zeros = book.add_format({"num_format": "0000000"})
    first, second = book.add_worksheet("품목"), book.add_worksheet("추가")
    head = ("품번", "품명", "소비자가", "공급가", "재고", "판매상태", "원산지", "브랜드")
    first.write_row(0, 0, head)
    second.write_row(
        0, 0, [{"소비자가": "RRP", "판매상태": "상태"}.get(name, name) for name in head]
    )
    first.write_number(1, 0, 12001, zeros)
    first.write_row(1, 1, ("Serum", 20, None, 7, "판매중", "국산", "Milune"))
    first.write_formula(1, 3, "=ROUND(C2*0.4,2)", None, 8)
    second.write_row(1, 0, ("A-1", "Soap", 9, 4, "품절", "품절", "Made in Korea"))
    second.write_row(2, 0, ("A-2", "Balm", 9, 4, 5, "품절", "KR"))
    book.close()
    make_brand(eng="Milune")
    source = sent_file(file.getvalue(), name="a.xlsx")
    rows = {row.sku: row for row in source.rows.select_related("source")}
    new = rows["0012001"].new
    assert (new["brand"], new["usd_supply"], new["weight_g"]) == ("Milune", "8.00", 0)
    assert rows["0012001"].guards == {"doubtful": 1, "weightless": 1}
    assert "from a formula" in read(rows["0012001"].remark)
    assert rows["A-1"].place == "추가 2"
    assert read(rows["A-1"].remark) == "To add it as a product: Brand"
    assert rows["A-2"].result == "unknown"
