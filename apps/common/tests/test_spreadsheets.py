"""Files that somebody sends: what is read of good ones, and that bad ones are refused in one
sentence.
"""

import io
import zipfile
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest

from apps.common.tables.cells import (
    CellFault,
    Unreadable,
    cell_at,
    column_mark,
    count_of,
    currency_in,
    money_of,
    number_of,
    shown_number,
    sku_of,
    stored_value,
    text_of,
)
from apps.common.tables.delimited import decoded, delimiter_of
from apps.common.tables.headings import find_table
from apps.common.tables.spreadsheets import (
    Row,
    SpreadsheetRefused,
    json_of_row,
    read_rows,
    read_tabs,
    row_of_json,
)

HEADINGS = {"sku": ("sku", "item no", "품번"), "qty": ("order qty", "qty")}
NAMES = {"sku": "SKU", "qty": "Qty"}


def workbook(*rows, change=None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change is not None:
        change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def rebuilt(content: bytes, **parts: bytes) -> bytes:
    """A workbook with other parts, named by the last piece of their path."""
    old, file = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in old.namelist():
            stem = name.rpartition("/")[2].partition(".")[0]
            archive.writestr(name, parts.pop(stem, old.read(name)))
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def sheet(inside: str, *, before: str = "") -> bytes:
    return (
        f'<?xml version="1.0"?>{before}<worksheet '
        'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{inside}</sheetData></worksheet>"
    ).encode()


def test_the_cells_of_a_workbook_come_with_their_row_numbers():
    def merge(book):
        book.active.merge_cells("A5:B6")
        book.active["A5"] = "merged"

    content = workbook(
        ("SKU ", "Qty", "Price", "Day"),
        ("0012", 40, 7.92, datetime(2026, 11, 21, 9, 30)),  # noqa: DTZ001 - a sheet knows no zones
        (),
        ("  ", None, " "),
        change=merge,
    )
    rows = list(read_rows(io.BytesIO(content), name="Order.XLSX"))
    assert [row.number for row in rows] == [1, 2, 5]
    assert rows[1].cells == ("0012", 40, Decimal("7.92"), date(2026, 11, 21))
    assert rows[2].cells == ("merged",)


def test_a_formula_and_an_error_are_no_values_but_a_text_that_looks_like_one_is():
    def as_text(book):
        book.active["C1"].data_type = "s"

    (row,) = read_rows(
        io.BytesIO(workbook(("=1+1", "#N/A", "=2+2"), change=as_text)), name="a.xlsx"
    )
    assert isinstance(row.cells[0], Unreadable)
    assert isinstance(row.cells[1], Unreadable)
    assert row.cells[2] == "=2+2"
    with pytest.raises(CellFault, match="formula"):
        text_of(row.cells[0])
    (line,) = read_rows(io.BytesIO(b'=1+1;"\'=2+2";="0012"\n'), name="a.csv")
    assert line.cells == (Unreadable("a formula instead of a value"), "=2+2", "0012")


@pytest.mark.parametrize(
    ("content", "cells"),
    [
        ("sku,name\nA-1,Crème\n".encode(), ("A-1", "Crème")),
        ("sku;name\nA-1;Cream, soft, big\n".encode("utf-8-sig"), ("A-1", "Cream, soft, big")),
        ("sku\tname\nA-1\t크림\n".encode("utf-16"), ("A-1", "크림")),
        ("sku,name\nA-1,크림\n".encode("cp949"), ("A-1", "크림")),
        ("sku|name\r\nA-1|Crème brûlée\r\n".encode("cp1252"), ("A-1", "Crème brûlée")),
        (b'sep=;\nsku;name\nA-1;"two\nlines"\n', ("A-1", "two\nlines")),
        ("품번,수량\n,\nA-1,크림\n".encode(), ("A-1", "크림")),
    ],
)
def test_encoding_and_delimiter_of_a_csv_file_are_found(content, cells):
    assert list(read_rows(io.BytesIO(content), name="list.csv"))[1].cells == cells


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "商品番号,数量"),
        ("cp932", "品番\t個数"),
        ("cp932", "株式会社東京商事 御中"),
        ("cp949", "제품 갯수"),
        ("cp949", "品番,數量"),
        ("euc-kr", "상품코드,수량"),
        ("gb18030", "型号 件数"),
        ("gb18030", "商品编号,数量"),
        ("big5", "訂單\n品號,品名,數量"),
        ("cp1252", "Größe;Stück"),
        ("cp1252", "Prêt à porter, 3 €"),
        ("cp1250", "Indeks;Ilość;krem nawilżający"),
        ("cp1254", "Ürün kodu;Adet;Açıklama;şampuan"),
        ("cp1251", "Код;шт"),
        ("cp1251", "КОЛИЧЕСТВО"),
        ("cp1253", "Κωδικός;Ποσότητα"),
        ("cp1256", "الكود;الكمية"),
    ],
)
def test_a_text_is_read_in_the_code_page_whose_letters_it_has(encoding, text):
    assert decoded(f"{text}\nAUR-BC050;20".encode(encoding)) == f"{text}\nAUR-BC050;20"


@pytest.mark.parametrize(
    "content", ["ｸﾘｰﾑ".encode("cp932"), "קוד;כמות".encode("cp1255"), b"\xff\xfd\xf0"]
)
def test_a_text_that_two_code_pages_may_have_is_not_read(content):
    assert decoded(b"A;20\n" + content) is None


@pytest.mark.parametrize(
    ("delimiter", "lines"),
    [
        (";", ["SKU;Name;Price;Qty", "A;Cream, 50 ml;4,50;20", "B;Serum;7,92;30", "C;Oil;8,10;4"]),
        (";", ["A;4,50;20", "B;7,92;30;soon", "C;8,10;4;late", "D;3,00"]),
        (";", ["Order", "", "A;4,5", "B;7,5"]),
        ("\t", ["A\t4,50\t1,5", "B\t7,92\t2,5"]),
        (",", ["A,Serum; 50 ml,20", "B,Toner; 200 ml,30"]),
        (",", ["100234,20", "100235,30"]),
        (",", ['A,"4,50",20', 'B,"7;92",30']),
        (";", [*["A;B;4,50"] * 5, *["A;4,50;5,60;C"] * 40]),
    ],
)
def test_a_delimiter_is_one_for_the_whole_file(delimiter, lines):
    assert delimiter_of("\n".join(lines)) == delimiter


def test_headings_are_found_below_a_preamble_in_any_order_and_language():
    rows = read_rows(
        io.BytesIO("Order of 3 May\n\nQty.;품번;note\n12;A-1;x\n".encode()), name="a.csv"
    )
    table = find_table(rows, HEADINGS, required=("sku",), names=NAMES)
    assert (table.columns, table.head.number) == ({"sku": 1, "qty": 0}, 3)
    assert [cell_at(row.cells, table.columns["sku"]) for row in table.rows] == ["A-1"]


PRICED = {"sku": ("sku",), "price": ("price usd", "price"), "weight": ("weight",)}
STACKED = {
    "over several columns": (",Price,,\nSKU,KRW,USD,Weight\n", {"sku": 0, "price": 2, "weight": 3}),
    "beside the names": ("SKU,Price,,Weight\n,KRW,USD,\n", {"sku": 0, "price": 2, "weight": 3}),
    "three rows": ("List,,\n,Price,Size\nSKU,USD,Weight\n", {"sku": 0, "price": 1, "weight": 2}),
    "of a box": (",Price,Box,\nSKU,USD,Weight,No\n", {"sku": 0, "price": 1}),
    "in won": ("SKU,Price (KRW)\n", {"sku": 0}),
    "with a remark": ("SKU,Price (without VAT)\n", {"sku": 0, "price": 1}),
}


@pytest.mark.parametrize(("head", "columns"), STACKED.values(), ids=STACKED)
def test_headings_may_take_several_rows_and_say_more_than_one_thing(head, columns):
    rows = read_rows(io.BytesIO(f"{head}A-1,1,2,3\n".encode()), name="a.csv")
    table = find_table(rows, PRICED, required=("sku",), names={"sku": "SKU"})
    assert table.columns == columns
    assert [row.cells[0] for row in table.rows] == ["A-1"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Qty,Name\n1,x\n", "No row of headings with “SKU” was found; row 1 has “Qty”, “Name”."),
        (b"SKU,qty,sku\nA,1,B\n", "Two columns are called “SKU”: which holds the SKU?"),
        (b",,\n", "The file holds no rows."),
    ],
)
def test_a_table_without_its_headings_is_refused(content, sentence):
    with pytest.raises(SpreadsheetRefused) as refusal:
        find_table(
            read_rows(io.BytesIO(content), name="a.csv"), HEADINGS, required=("sku",), names=NAMES
        )
    assert str(refusal.value) == sentence


def many_entries() -> bytes:
    return rebuilt(workbook(("a",)), **{f"xl/extra/{n}.bin": b"" for n in range(1_001)})


def entities() -> bytes:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    inside = '<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row>'
    return rebuilt(workbook(("a",)), sheet1=sheet(inside, before=bomb))


def outside_entity() -> bytes:
    inside = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e;</t></is></c></row>'
    return rebuilt(
        workbook(("a",)),
        sheet1=sheet(inside, before='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'),
    )


def flagged_as_encrypted() -> bytes:
    content = bytearray(workbook(("a",)))
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1
    return bytes(content)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
NO_ARCHIVE = b"PK\x05\x06" + b"\0" * 18
PLAIN = workbook(("a",))
TOO_LONG = sheet('<row r="1048577"><c r="A1048577"><v>1</v></c></row>')
BAD_FILES = {
    "empty": ("a.xlsx", b"", "empty"),
    "too large": ("a.csv", b"a" * (10 * 1024 * 1024 + 1), "larger than 10 MB"),
    "another kind": ("a.pdf", b"%PDF-1.7", "Only .xlsx and .csv"),
    "a picture called csv": ("a.csv", b"\x89PNG\r\n\x1a\n", "not a text"),
    "a text called xlsx": ("a.xlsx", b"sku,qty\n", "cannot be read"),
    "a workbook called csv": ("a.csv", workbook(("a",)), "not a text"),
    "the old format": ("a.xls", OLE + b"\0" * 600, "Excel 97"),
    "encrypted": ("a.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "protected by a passw"),
    "an encrypted entry": ("a.xlsx", flagged_as_encrypted(), "cannot be read"),
    "cut off": ("a.xlsx", workbook(("a",))[:-900], "cannot be read"),
    "no workbook": ("a.xlsx", rebuilt(NO_ARCHIVE, **{"a.xml": b"<a/>"}), "cannot be read"),
    "macros": ("a.xlsx", rebuilt(PLAIN, **{"xl/vbaProject.bin": b"x"}), "macros"),
    "out of its folder": ("a.xlsx", rebuilt(PLAIN, **{"../../etc/passwd": b"x"}), "cannot be read"),
    "too many entries": ("a.xlsx", many_entries(), "cannot be read"),
    "a ratio of more than 100": ("a.xlsx", rebuilt(PLAIN, extra=b" " * 10**7), "cannot be read"),
    "entities": ("a.xlsx", entities(), "cannot be read"),
    "an entity outside": ("a.xlsx", outside_entity(), "cannot be read"),
    "a row beyond any sheet": ("a.xlsx", rebuilt(PLAIN, sheet1=TOO_LONG), "cannot be read"),
    "broken xml": ("a.xlsx", rebuilt(PLAIN, sheet1=sheet("<row>")), "cannot be read"),
    "an open quotation mark": ("a.csv", b'a,"' + b"b" * 200_000, "not CSV"),
    "no text at all": ("a.csv", b"\x01\x02\x03,", "no encoding"),
    "too wide": ("a.csv", b"," * 300 + b"\n", "more than 256 cells"),
}


@pytest.mark.parametrize("bad", BAD_FILES)
def test_a_bad_file_is_refused_in_a_sentence(bad):
    name, content, sentence = BAD_FILES[bad]
    with pytest.raises(SpreadsheetRefused, match=sentence):
        list(read_rows(io.BytesIO(content), name=name))


def test_too_many_rows_are_refused_where_the_limit_is_passed():
    rows = read_rows(io.BytesIO(b"sku\n" + b"A\n" * 4), name="a.csv", max_rows=3)
    assert [next(rows).number for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(SpreadsheetRefused, match="more than 3 rows"):
        next(rows)


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        (7, "7"),
        (Decimal("7.92"), "7.92"),
        ("7,92", "7.92"),
        ("$ 1,234.50", "1234.50"),
        ("1.234,50", "1234.50"),
        ("1,000,000", "1000000"),
        ("0,500", "0.5"),
        ("1234,500", "1234.5"),
        ("\xa012\xa0", "12"),
        ("(3)", "-3"),
        ("△ 3,200.00", "-3200"),
        ("$△3", "-3"),
        ("US$ 12", "12"),
        ("1122.9999999999998", "1123"),
    ],
)
def test_numbers_are_read_as_people_write_them(cell, number):
    assert number_of(cell) == Decimal(number)


@pytest.mark.parametrize(
    "cell",
    [
        *("1.234", "1,234", "△1,234", "▲3", "twelve", "1,23,4", "1e5"),
        *(date(2026, 1, 2), Unreadable("#N/A", 5)),
    ],
)
def test_what_is_no_number_is_a_fault(cell):
    with pytest.raises(CellFault):
        number_of(cell)


@pytest.mark.parametrize(
    ("digits", "cell", "text"),
    [
        ("1122.9999999999998", 1123, "1123"),
        ("2.0261120000121E13", 20261120000121, "20261120000121"),
        ("9527384455703.0", 9527384455703, "9527384455703"),
        ("122.125", Decimal("122.125"), "122.125"),
        ("40.0", 40, "40"),
        ("0.1", Decimal("0.1"), "0.1"),
    ],
)
def test_a_workbooks_number_is_the_one_that_its_spreadsheet_shows(digits, cell, text):
    number = shown_number(digits)
    assert (number, type(number), text_of(number)) == (cell, type(cell), text)


@pytest.mark.parametrize(
    ("cells", "is_whole", "witnesses", "mark"),
    [
        (["10,000", "24,000"], True, [], None),
        (["10,000", "24,000"], True, ["3,50"], ","),
        (["10,000", "24,000"], True, ["$ 3.50"], "."),
        (["10,000", "24,000"], True, ["3,50", "3.50"], None),
        (["10,000", "1,000,000"], True, [], "."),
        (["10.000", "7,5"], True, [], ","),
        (["10,000", "0,500"], True, [], ","),
        (["1,250"], True, [], "."),
        (["1.250", "20", None, 7], True, [], ","),
        (["1,250"], False, [], None),
        (["12,000", "6,000", "2,500"], True, [], None),
        (["1,250", "1.250"], True, [], None),
        (["7,5", "8.5", "1,000"], True, [], None),
        (["10", "7,92", "–", 12, "ask"], True, [], ""),
    ],
)
def test_a_column_says_what_begins_its_decimals_or_has_to_be_asked(
    cells, is_whole, witnesses, mark
):
    assert column_mark(cells, is_whole=is_whole, witnesses=witnesses) == mark


def test_both_readings_of_a_number_are_there_to_be_shown():
    assert [number_of("10,000", mark) for mark in ",."] == [10, 10_000]
    for text in ("1.234,50", "0,500"):
        with pytest.raises(CellFault):
            number_of(text, ".")


def test_money_is_us_dollars_to_the_cent():
    cells = (Decimal("122.12"), "US$ 1,234.50", Decimal("7.9199999999"), "-", None)
    read = [*map(Decimal, ("122.12", "1234.50", "7.92")), None, None]
    assert [*map(money_of, cells)] == read
    for cell in (Decimal("122.125"), "€ 12.00", "12 HKD", "HK$ 12.00", 10**14):
        with pytest.raises(CellFault):
            money_of(cell)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Amount (HK$)", "HKD"),
        ("S$ 5", "SGD"),
        ("MX$", "MXN"),
        ("R$12", "BRL"),
        ("Amount in US$", "USD"),
        ("$ 12.00", "USD"),
        ("$12 CAD", "CAD"),
        ("12,00 $ CA", "CAD"),
        ("All amounts ($)", "USD"),
        ("ZZ$ 5", "ZZ$"),
        ("Betrag (€)", "EUR"),
        ("입금액(원)", "KRW"),
        ("회원", ""),
        ("Amount usd", "USD"),
        ("Amount", ""),
    ],
)
def test_a_dollar_of_another_country_is_not_the_united_states_own(text, currency):
    assert currency_in(text) == currency


def test_a_formulas_value_is_there_for_who_trusts_it():
    formula = row_of_json(json_of_row(Row(1, (Unreadable("a formula", Decimal("7.5")),)))).cells[0]
    assert (stored_value(formula), stored_value("x")) == (Decimal("7.5"), "x")
    assert stored_value(Unreadable("#N/A")) == Unreadable("#N/A")


def test_texts_skus_and_counts():
    assert text_of("  a\xa0 \u200bb\n") == "a b"
    assert sku_of(" aur-bc050 ") == "AUR-BC050"
    assert sku_of(12) == "12"
    assert (count_of("1,200", "."), count_of("–"), count_of(Decimal("3.0"))) == (1200, None, 3)
    for cell in ("2.5", -1):
        with pytest.raises(CellFault):
            count_of(cell)
    with pytest.raises(CellFault, match="date"):
        sku_of(date(2026, 12, 3))


def test_hidden_rows_are_told_however_their_part_is_written():
    rows = (
        '<row><c t="inlineStr"><is><t>a</t></is></c></row>'
        '<row hidden="1"><c t="inlineStr"><is><t>b &lt;row hidden="1"&gt;</t></is></c></row>'
        '<row r="4" spans="1:2" ht="0" customHeight="1"><c r="A4"><v>1</v></c></row>'
        "<row r='6' hidden='true'><c r='A6'><v>2</v></c></row>"
        '<row r="7" hidden="0" ht="15"><c r="A7"><v>3</v></c></row>'
    )
    content = rebuilt(workbook(("x",)), sheet1=sheet(rows))
    (tab,) = read_tabs(io.BytesIO(content), name="a.xlsx")
    assert [row.number for row in tab.rows] == [1, 2, 4, 6, 7]
    assert [row.number for row in tab.rows if row.is_hidden] == [2, 4, 6]
    assert not any(row.is_hidden for row in read_rows(io.BytesIO(content), name="a.xlsx"))


def test_hidden_tabs_are_named_behind_the_others_and_not_read():
    book = openpyxl.Workbook()
    for name, state in (("Old", "hidden"), ("Order", "visible"), ("Older", "veryHidden")):
        tab = book.create_sheet(name)
        tab.append(["A-1", 20])
        tab.sheet_state = state
    book.remove(book.worksheets[0])
    file = io.BytesIO()
    book.save(file)
    tabs = [(tab.name, len(tab.rows), tab.is_hidden) for tab in read_tabs(file, name="a.xlsx")]
    assert tabs == [("Order", 1, False), ("Old", 0, True), ("Older", 0, True)]


def test_hidden_rows_are_found_across_the_pieces_of_a_large_part():
    rows = "".join(
        f'<row r="{n}" hidden="{int(n % 3 == 0)}"><c r="A{n}"><v>{n}</v></c></row>'
        for n in range(1, 40_001)
    )
    (tab,) = read_tabs(io.BytesIO(rebuilt(workbook(("x",)), sheet1=sheet(rows))), name="a.xlsx")
    assert all(row.is_hidden == (row.number % 3 == 0) for row in tab.rows)
    assert len(tab.rows) == 40_000
