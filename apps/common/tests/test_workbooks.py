"""Workbooks as programs write them: read as Excel reads them, or refused by what they are."""

import io
from datetime import date
from decimal import Decimal

import pytest

from apps.common.tables.answered import AddedColumns, with_columns
from apps.common.tables.cells import CellFault, Unreadable, money_of, text_of
from apps.common.tables.spreadsheets import (
    Row,
    SpreadsheetRefused,
    read_rows,
    read_tabs,
)
from apps.common.tests.hand_made import (
    MAIN,
    SHEET,
    STYLES,
    lists_that_excel_opens,
    packed,
    parts_of,
    sheet_of,
    text,
)

LISTS = lists_that_excel_opens()
FORMULA = "a formula instead of a value"


def cells_of(row: str, **parts: str) -> tuple:
    (tab,) = read_tabs(io.BytesIO(packed(parts_of(sheet_of(row), **parts))), name="a.xlsx")
    return tab.rows[0].cells


@pytest.mark.parametrize("kind", LISTS)
def test_what_excel_opens_is_read_and_given_back_with_columns(kind):
    added = AddedColumns(titles=["Ordered"], head=1, rows={2: [20]})
    content = with_columns(LISTS[kind], name="a.xlsx", added=[added])
    (tab,) = read_tabs(io.BytesIO(content), name="a.xlsx")
    rows = [
        [cell if isinstance(cell, int) else text_of(cell) for cell in row.cells] for row in tab.rows
    ]
    assert (tab.name, rows) == ("Order", [["SKU", "Qty", "Ordered"], ["AUR-BC050", 20, 20]])
    assert list(read_rows(io.BytesIO(content), name="a.xlsx")) == [Row(*row) for row in tab.rows]


def test_a_workbook_with_macros_is_read_and_they_are_left_alone():
    content = packed({**parts_of(sheet_of(text("A1", "x"))), "xl/vbaProject.bin": "Auto_Open"})
    assert [row.cells for row in read_rows(io.BytesIO(content), name="a.XLSM")] == [("x",)]


@pytest.mark.parametrize(
    ("code", "currency"),
    [
        ("#,##0.00", Decimal("1250.5")),
        ("[$$-409]#,##0.00", Decimal("1250.5")),
        ("&quot;US$&quot;#,##0.00", Decimal("1250.5")),
        ("[Red]0.00&quot; pcs&quot;", Decimal("1250.5")),
        ("[$€-407] #,##0.00", "EUR 1250.5"),
        ("#,##0\\ [$₩-412]", "KRW 1250.5"),
        ("[$$-C04]#,##0.00", "HKD 1250.5"),
        ("&quot;S$&quot;#,##0.00", "SGD 1250.5"),
        ("[$$-F00]#,##0.00", "X$ 1250.5"),
    ],
)
def test_a_number_shown_in_another_currency_names_it(code, currency):
    styles = (
        f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="170" formatCode="{code}"/>'
        '</numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>'
    )
    cells = cells_of('<c r="A1" s="1"><v>1250.5</v></c>', styles=styles)
    assert cells == (currency,)
    if isinstance(currency, str):
        with pytest.raises(CellFault, match="is not in US dollars"):
            money_of(cells[0])


def test_a_cells_style_says_what_its_number_is():
    days = "".join(
        f'<c r="{place}1" s="{style}"><v>46347.9</v></c>'
        for place, style in zip("ABCD", "1234", strict=True)
    )
    rest = (
        '<c r="E1" s="1"><v>0.5</v></c><c r="F1" s="1"><v>-4</v></c><c r="G1" s="1"><v>1</v></c>'
        '<c r="H1" s="99"><v>7</v></c>'
    )
    assert cells_of(days + rest, styles=STYLES) == (
        date(2026, 11, 21),
        date(2026, 11, 21),
        Decimal("46347.9"),
        "46347 days, 21:36:00",
        "12:00:00",
        Unreadable("not a date"),
        date(1900, 1, 1),
        7,
    )


def test_days_count_from_1904_where_the_workbook_says_so():
    parts = parts_of(sheet_of('<c r="A1" s="1"><v>44885</v></c>'), styles=STYLES)
    main = parts["xl/workbook.xml"].replace("<sheets>", '<workbookPr date1904="1"/><sheets>')
    (row,) = read_rows(io.BytesIO(packed({**parts, "xl/workbook.xml": main})), name="a.xlsx")
    assert row.cells == (date(2026, 11, 21),)


def test_numbers_that_are_crossed_out_are_told():
    row = '<c r="A1" s="5"><v>20</v></c><c r="B1" s="6"><v>20</v></c>' + text("C1", "x").replace(
        "<c ", '<c s="5" '
    )
    crossed_out = Unreadable("a number that is crossed out", stored=Decimal(20))
    assert cells_of(row, styles=STYLES) == (crossed_out, 20, "x")


def test_a_formula_has_the_value_that_is_stored_with_it():
    row = (
        '<c r="A1"><f>1+1</f><v>2.5</v></c><c r="B1" t="str"><f>A1</f><v>AUR</v></c>'
        '<c r="C1" s="1"><f>A1</f><v>46347</v></c><c r="D1"><f>A1</f></c>'
        '<c r="E1" t="str"><f>A1</f><v></v></c><c r="F1" t="e"><f>A1</f><v>#N/A</v></c>'
        '<c r="G1"><f t="shared" si="0"/><v>8801234567893</v></c><c r="H1"><f>A1</f><v/></c>'
    )
    assert cells_of(row, styles=STYLES) == (
        Unreadable(FORMULA, Decimal("2.5")),
        Unreadable(FORMULA, "AUR"),
        Unreadable(FORMULA, date(2026, 11, 21)),
        Unreadable(FORMULA),
        None,
        Unreadable("the error #N/A"),
        Unreadable(FORMULA, 8801234567893),
        Unreadable(FORMULA),
    )


def test_other_kinds_of_cells():
    row = (
        '<c r="A1" t="b"><v>1</v></c><c r="B1" t="d"><v>2026-11-21T09:30:00</v></c>'
        '<c r="C1"><v>8.801234567893E12</v></c><c r="D1"><v>twelve</v></c><c r="E1" t="n"><v/></c>'
        '<c r="F1" t="inlineStr"><v>1.0</v><is><r><t>1</t></r><r><t>.</t></r><rPh><t>x</t></rPh>'
        '</is></c><c r="G1" t="str"><v>_x0041__x005F_x0041__xD83D__xDE00__x0000_</v></c>'
        '<c r="IW1"><v>9</v></c>'
    )
    assert cells_of(row) == (
        "TRUE",
        date(2026, 11, 21),
        8801234567893,
        Unreadable("not a number"),
        None,
        "1.",
        "A_x0041_😀",
    )


def test_only_sheets_with_cells_are_read():
    parts = parts_of(sheet_of(text("A1", "x")))
    chart = (
        parts["xl/_rels/workbook.xml.rels"].replace("r1", "r0").replace('worksheet"', 'chartsheet"')
    )
    parts["xl/_rels/workbook.xml.rels"] = parts["xl/_rels/workbook.xml.rels"].replace(
        "<Relationship ",
        chart[chart.index("<Relationship ") : chart.index("/>") + 2] + "<Relationship ",
        1,
    )
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(
        "<sheet ",
        '<sheet name="Chart" sheetId="2" r:id="r0"/><sheet name="Lost" sheetId="3" r:id="r9"/>'
        "<sheet ",
    )
    assert [tab.name for tab in read_tabs(io.BytesIO(packed(parts)), name="a.xlsx")] == ["Order"]


def in_archive(name: str) -> bytes:
    return packed({name: "x"})


OTHERS = {
    "xlsb": ("a.xlsb", in_archive("xl/workbook.bin"), "Only .xlsx and .csv files"),
    "web page": ("a.xls", b"\r\n<HTML><table><tr><td>SKU</table>", "Only .xlsx and .csv files"),
    "web page in Korean": (
        "a.xlsx",
        "<table><td>품번".encode("cp949"),
        "not what it says it is. Save it again as .xlsx",
    ),
    "no main part": ("a.xlsx", in_archive(SHEET), "This workbook cannot be read"),
    "a text that is not in the table": (
        "a.xlsx",
        packed(
            parts_of(
                sheet_of('<c r="A1" t="s"><v>-1</v></c>'),
                sharedStrings=f'<sst xmlns="{MAIN}"><si><t>x</t></si></sst>',
            )
        ),
        "This workbook cannot be read",
    ),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_not_read_is_refused_by_what_it_is(kind):
    name, content, sentence = OTHERS[kind]
    with pytest.raises(SpreadsheetRefused) as refusal:
        list(read_rows(io.BytesIO(content), name=name))
    assert sentence in str(refusal.value)
