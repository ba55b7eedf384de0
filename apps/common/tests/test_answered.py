"""A table given back with columns added: what was in it stays to the byte, what was added is read
by others.
"""

import io
import re
import zipfile
from decimal import Decimal

import openpyxl
import pytest
import xlsxwriter
from PIL import Image

from apps.common.tables.answered import AddedColumns, with_columns
from apps.common.tables.spreadsheets import SpreadsheetRefused, read_rows
from apps.common.tests.test_spreadsheets import rebuilt, sheet, workbook

TITLES = ("SKU", "Ordered", "Amount", "Why not")
FIRST_ROW = '<row r="1"><c r="A1"><v>1</v></c></row>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def added(rows, head=1, **fields) -> AddedColumns:
    return AddedColumns(titles=TITLES, head=head, rows=rows, **fields)


def parts(content: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(content))
    return {name: archive.read(name) for name in archive.namelist()}


def sheet_xml(content: bytes) -> str:
    return parts(content)["xl/worksheets/sheet1.xml"].decode()


def in_sheet(inside: str, *, before: str = "", **change: bytes) -> bytes:
    return rebuilt(workbook(("a",)), sheet1=sheet(inside, before=before), **change)


def rich_workbook() -> bytes:
    """A buyer's workbook with all that a library loses when it saves."""
    file, picture = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (8, 8), "teal").save(picture, "PNG")
    book = xlsxwriter.Workbook(file)
    order = book.add_worksheet("Bestellung")
    bold = book.add_format({"bold": True, "num_format": '#,##0.00 "€"', "bg_color": "#EEEEEE"})
    order.merge_range("A1:F1", "Bestellung KW 48", bold)
    order.set_column("A:A", 31.5)
    order.write_row("A2", ("Art.-Nr.", "Stück", "EK"))
    for row in range(2, 6):
        order.write_string(row, 0, f"NB-{row}", bold)
        order.write_number(row, 1, row * 10)
        order.write_formula(row, 2, f"=B{row + 1}*2", bold, row * 20)
        order.write_blank(row, 7, None, bold)
    order.write_blank("D4", None, bold)
    order.autofilter("A2:C6")
    order.freeze_panes(2, 1)
    order.data_validation("B3:B6", {"validate": "integer", "criteria": ">=", "value": 0})
    order.conditional_format("B3:B6", {"type": "data_bar"})
    order.insert_image("E9", "logo.png", {"image_data": picture})
    order.write_comment("A3", "please the new packaging")
    order.protect("secret")
    stock = book.add_worksheet("Lager")
    stock.add_table("A1:B3", {"data": [["x", 1], ["y", 2]]})
    book.add_worksheet("Geheim").hide()
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Bestellung!$B$3:$B$6"})
    stock.insert_chart("D2", chart)
    book.define_name("Menge", "=Bestellung!$B$3:$B$6")
    book.close()
    return file.getvalue()


def test_only_the_answered_sheet_differs_and_there_only_the_new_cells():
    before = rich_workbook()
    rows = {3: ("AUR-1", 20, Decimal("31.30"), None), 6: ("", 0, None, "left out by you")}
    after = with_columns(before, name="a.xlsx", added=[added(rows, head=2)])
    old, new = parts(before), parts(after)
    assert list(old) == list(new)
    assert [name for name in old if old[name] != new[name]] == ["xl/worksheets/sheet1.xml"]
    book, was = (openpyxl.load_workbook(io.BytesIO(file)) for file in (after, before))
    for row in was["Bestellung"].iter_rows():
        for cell in row:
            now = book["Bestellung"][cell.coordinate]
            if not 7 <= cell.column <= 10 or cell.row not in (2, 3, 6):
                shown = [(one.value, one.number_format, one.font.b) for one in (now, cell)]
                assert shown[0] == shown[1]
    answers = [[cell.value for cell in row] for row in book["Bestellung"]["G2:J6"]]
    assert answers == [
        list(TITLES),
        ["AUR-1", 20, 31.3, None],
        [None] * 4,
        [None] * 4,
        [None, 0, None, "left out by you"],
    ]
    read = {row.number: row.cells for row in read_rows(io.BytesIO(after), name="a.xlsx")}
    assert read[3][6:8] == ("AUR-1", 20)


def test_new_headings_look_like_the_last_of_the_buyers_own_and_a_total_stays():
    book = openpyxl.Workbook()
    for row in (("Order", None), ("SKU", "Qty"), ("AUR-1", 20), ("Total", "=SUM(B3:B3)")):
        book.active.append(row)
    fill = openpyxl.styles.PatternFill("solid", "FF336699")
    book.active["B2"].font, book.active["B2"].fill = openpyxl.styles.Font(bold=True), fill
    content = io.BytesIO()
    book.save(content)
    answer = added({3: ("AUR-1", 20, None, None)}, head=2, sheet="Sheet")
    after = with_columns(content.getvalue(), name="a.xlsx", added=[answer])
    sheet = openpyxl.load_workbook(io.BytesIO(after)).active
    assert {cell.fill.fgColor.rgb for cell in sheet[2][1:]} == {"FF336699"}
    assert all(cell.font.b for cell in sheet[2][1:])
    assert not sheet["C3"].font.b
    assert [cell.value for cell in sheet[4]] == ["Total", "=SUM(B3:B3)", *[None] * 4]


def test_what_was_there_is_there_again_once_the_new_cells_are_cut_out():
    before = in_sheet(
        '<row r="1" ht="20"><c r="A1" t="s"><v>0</v></c>\n </row ><row r="3" spans="1:1"/>'
    )
    after = with_columns(before, name="a.xlsx", added=[added({3: ("A", 1, None, None)})])
    text = re.sub("<cols>.*</cols>", "", sheet_xml(after))
    title = "".join(
        f'<c r="{place}1" t="inlineStr"><is><t xml:space="preserve">{title}</t></is></c>'
        for place, title in zip("BCDE", TITLES, strict=True)
    )
    new = '<c r="B3" t="inlineStr"><is><t xml:space="preserve">A</t></is></c><c r="C3"><v>1</v></c>'
    text = text.replace(title, "")
    text = text.replace(f'<row r="3" spans="1:5">{new}</row>', '<row r="3" spans="1:1"/>')
    assert text == sheet_xml(before)


@pytest.mark.parametrize(
    ("inside", "where"),
    [
        (f'{FIRST_ROW}<row r="2"><c r="C2"><v>1</v></c></row>', "D"),
        # Nothing says its place.
        ("<row><c><v>1</v></c><c/><c><f>A1</f></c></row><row><c><v>1</v></c></row>", "D"),
        (f'{FIRST_ROW}<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="0"/></row>', "B"),
        (f'{FIRST_ROW}<row r="2"><c r="A2"><v>1</v></c><c r="J2" s="0"/></row>', "B"),
        ('<row r="1"><c r="AZ1" t="b"><v>1</v></c></row><row r="2"/>', "BA"),
    ],
)
def test_new_cells_stand_behind_the_last_value_in_the_order_of_columns(inside, where):
    answer = added({2: ("A-1", 3, None, "x > y & <b>")})
    after = with_columns(in_sheet(inside), name="a.xlsx", added=[answer])
    cells = openpyxl.load_workbook(io.BytesIO(after)).active[2]
    filled = {cell.column_letter: cell.value for cell in cells if cell.value not in (None, 1)}
    assert next(iter(filled)) == where
    assert list(filled.values()) == ["A-1", 3, "x > y & <b>"]
    columns = [cell.column for cell in cells]
    assert columns == sorted(set(columns))


def test_new_cells_stand_behind_merged_cells_and_hidden_columns():
    columns = '<cols><col min="4" max="6" hidden="1"/></cols>'
    merged = '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>'
    plain = sheet(f'{FIRST_ROW}<row r="2"><c r="A2"><v>1</v></c></row>').decode()
    plain = plain.replace("<sheetData>", f"{columns}<sheetData>")
    plain = plain.replace("</sheetData>", f"</sheetData>{merged}")
    before = rebuilt(workbook(("a",)), sheet1=plain.encode())
    after = with_columns(before, name="a.xlsx", added=[added({2: ("A-1", 3, None, None)})])
    assert openpyxl.load_workbook(io.BytesIO(after)).active["G2"].value == "A-1"


def test_a_sheet_with_prefixes_and_a_wrong_extent_is_answered_too():
    inside = (
        f'<?xml version="1.0" encoding="iso-8859-1"?><x:worksheet xmlns:x="{MAIN}">'
        '<x:dimension ref="A1:B1"/><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row>'
        '<x:row r="9"><x:c r="B9"><x:v>8</x:v></x:c>'
        "</x:row></x:sheetData></x:worksheet>"
    )
    before = rebuilt(workbook(("a",)), sheet1=inside.encode("latin-1"))
    after = with_columns(before, name="a.xlsx", added=[added({9: ("크림é", 1, None, None)})])
    assert '<x:dimension ref="A1:F1"/>' in sheet_xml(after)
    assert openpyxl.load_workbook(io.BytesIO(after)).active["C9"].value == "크림é"


def test_a_text_is_never_a_formula():
    answer = added({2: ("=1+1", 0, None, "@x\x00\x1b")})
    after = with_columns(workbook(("a",), ("b",)), name="a.xlsx", added=[answer])
    cells = openpyxl.load_workbook(io.BytesIO(after)).active[2]
    found = [(cell.data_type, cell.value) for cell in cells if cell.column in (2, 5)]
    assert found == [("s", "=1+1"), ("s", "@x")]
    answer = added({2: ("=1+1", 0, Decimal("9.50"), "-")})
    after = with_columns(b"a;b\r\nx;1\r\n", name="a.csv", added=[answer])
    assert after == b"a;b;SKU;Ordered;Amount;Why not\r\nx;1;'=1+1;0;9,50;'-\r\n"


def test_the_sheet_that_is_meant_is_answered_others_stay():
    before = rich_workbook()
    answer = added({2: ("A", 1, None, None)}, sheet="Lager")
    after = with_columns(before, name="a.xlsx", added=[answer])
    changed = [name for name, part in parts(before).items() if part != parts(after)[name]]
    assert changed == ["xl/worksheets/sheet2.xml"]
    head = openpyxl.load_workbook(io.BytesIO(after))["Lager"][1]
    assert [cell.value for cell in head[2:]] == list(TITLES)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.csv",
            "sku,qty\nA,1\n\nB,2".encode("utf-8-sig"),
            "\ufeffsku,qty,SKU,Ordered,Amount,Why not\nA,1\n\nB,2,",
        ),
        (
            "a.csv",
            '"a, b",c,d\n"x\ny"\nB,2\n'.encode("utf-16"),
            '"a, b",c,d,SKU,Ordered,Amount,Why not\n"x\ny"\nB,2,,',
        ),
        (
            "a.csv",
            "품번;수량\r1;2\r3;4\r4;5\r".encode("cp949"),
            "품번;수량;SKU;Ordered;Amount;Why not\r1;2\r3;4\r4;5;",
        ),
        ("a.tsv", b"sep=|\na|b\n\nB|2\n", "sep=|\na|b\n\nB|2|"),
    ],
)
def test_a_csv_file_keeps_its_encoding_delimiter_and_ends_of_lines(name, content, expected):
    head = 0 if content.startswith(b"sep") else 1
    answer = added({4: ("크림", 2, None, "so, so")}, head=head)
    after = with_columns(content, name=name, added=[answer])
    wide, korean = content.startswith(b"\xff"), b"\r1" in content
    text = after.decode("utf-16" if wide else "cp949" if korean else "utf-8")
    assert text.startswith(expected)
    before, now = (len([*read_rows(io.BytesIO(file), name=name)]) for file in (content, after))
    assert before == now


BOMB = b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>"


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (in_sheet(FIRST_ROW, before=BOMB.decode()), {}),
        (in_sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'), {}),
        (in_sheet(FIRST_ROW), {7: ("", 0, None, None)}),
        (in_sheet('<row r="1"><c r="A1"><v>1</v></row>'), {}),
        (rebuilt(workbook(("a",)), **{"xl/vbaProject.bin": b"x"}), {}),
        (rebuilt(workbook(("a",)), sheet1=b" " * 30_000_000), {}),
        (b"PK\x03\x04 no archive", {}),
    ],
)
def test_a_workbook_that_cannot_be_answered_is_refused(content, rows):
    with pytest.raises(SpreadsheetRefused):
        with_columns(content, name="a.xlsx", added=[added(rows)])
