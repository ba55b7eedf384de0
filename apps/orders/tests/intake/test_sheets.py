"""Sixty sheets of buyers that somebody drew up who knew the catalogue alone: each row ordered,
asked or explained, none ordered wrongly.
"""

import io
import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font

from apps.common.tables.spreadsheets import SpreadsheetRefused, Tab, row_of_json
from apps.common.testing import vectors
from apps.common.types import Json
from apps.orders.intake.catalogue import Catalogue, CatalogueProduct
from apps.orders.intake.columns import choose
from apps.orders.intake.match import match
from apps.orders.intake.rows import lines_of
from apps.orders.intake.table import CARTON, COLUMNS, NUMBER, QUANTITY, Table, TabMapping
from apps.orders.intake.typed import Line, Passed
from apps.orders.intake.words import CARTONS, OTHER, QTY, amount_in, kind_of
from apps.orders.intake.workbook import Workbook, open_workbook

PRODUCTS = Path(__file__).parent / "messages" / "catalogue.json"
ASKED_BESIDES = 105  # rows that could be ordered: remarks, formulas without a value, `1.200`
NO_LINES = ("title", "total", "remark", "no_quantity")


class Played(NamedTuple):
    """A sheet that was read."""

    table: Table
    lines: dict[int, Line]
    passed: dict[int, Passed]


@cache
def products() -> dict[str, CatalogueProduct]:
    return {row[0]: CatalogueProduct(*row) for row in json.loads(PRODUCTS.read_text())}


def catalogue_of(codes: Mapping[str, str]) -> Catalogue:
    """Return the catalogue, and what a sheet's company calls its products."""
    unknown = {
        sku: CatalogueProduct(sku, sku, "", None) for sku in codes.values() if sku not in products()
    }
    own = {code: sku for code, sku in codes.items() if code != sku}
    return Catalogue([*products().values(), *unknown.values()], own)


def book_of(sheet: Json) -> Workbook:
    return Workbook(
        [
            Tab(name, [row_of_json(json.dumps(row).encode()) for row in rows])
            for name, rows in sheet["tabs"]
        ],
        is_text=False,
    )


def play(
    book: Workbook,
    catalogue: Catalogue,
    *,
    mappings: Mapping[int, TabMapping] = {},
    remembered: Mapping[str, TabMapping] = {},
    tab: int | None = None,
) -> Played:
    tables, place, _ = choose(book, catalogue, mappings=mappings, remembered=remembered, tab=tab)
    table = tables[place]
    rows = list(lines_of(table)) if table.asks != COLUMNS else []
    lines = match([row for row in rows if isinstance(row, Line)], catalogue, {})
    return Played(
        table,
        {line.row: line for line in lines},
        {row.row: row for row in rows if isinstance(row, Passed)},
    )


def state_of(played: Played, row: int, sku: str | None, pieces: float | None) -> str:
    line = played.lines.get(row)
    if line is None:
        return "passed"
    if line.which or line.amount.question or line.is_hidden or line.sku not in products():
        return "asked"
    return "right" if (line.sku, line.amount.count) == (sku, pieces) else "wrong"


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        ("Qty|Order qty|Menge|Qté commandée|Cant. pedida|주문수량|注文数|订购数量|Кол-во", QTY),
        ("Qty delivered|Qté reçue|Cant. recibida|입고수량|출고수량|Отгружено шт", OTHER),
        ("Min qty|Max qty|Мин. кол-во|Backorder qty|Cancelled qty|Free qty|Sample qty", OTHER),
        ("Qty (doz)|Dozens|Qty in packs|Qty (cartons)", CARTONS),
    ],
)
def test_a_heading_says_whether_its_column_is_ordered_and_in_pieces(
    headings: str, kind: str
) -> None:
    shown = {one: kind_of(one) for one in headings.split("|")}
    assert shown == dict.fromkeys(headings.split("|"), kind)


def test_no_row_is_lost_and_none_ordered_wrong() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for sheet in vectors("orders/sheets"):
        book, catalogue = book_of(sheet), catalogue_of(sheet["known"])
        for place, tab in enumerate(book.tabs):
            played = play(book, catalogue, tab=place)
            if played.table.asks in (COLUMNS, QUANTITY):
                continue
            assert len(played.lines) + len(played.passed) == len(tab.rows)
            for name, row, kind, sku, pieces in sheet["truth"]:
                if name == tab.name:
                    counts[kind, state_of(played, row, sku, pieces)] += 1
    assert counts["order", "wrong"] == counts["order", "passed"] == counts["ask", "wrong"] == 0
    assert not [kind for kind, state in counts if kind in NO_LINES and state in ("right", "wrong")]
    assert counts["order", "asked"] <= ASKED_BESIDES
    assert counts["order", "right"] > 1_200


HEAD = ["SKU", "Product", "Qty"]
ROWS: list[list[Any]] = [["AUR-BC050", None, 20], ["BOM-GP060", None, 30], ["WIS-ST100", None, 12]]


def played(rows: list[list[Any]], **known: str) -> Played:
    numbered = enumerate(rows, 1)
    tab = Tab("", [row_of_json(json.dumps([number, row]).encode()) for number, row in numbered])
    return play(Workbook([tab], is_text=False), catalogue_of(known))


def asked(rows: list[list[Any]]) -> list[int]:
    """Return the rows of a sheet that are asked; all others that order something are right."""
    lines = played(rows).lines
    return [row for row, line in lines.items() if line.which or line.amount.question]


@pytest.mark.parametrize(
    ("sku", "name"),
    [
        ("AUR-BC050 Golden Rice Cream 30 ml", None),
        ("AUR-BC050 see mail of 12 Nov", None),
        ("AUR-BC050", "Golden Rice Cream 50 ml"),
        ("AUR-BC050", "Barrier Bloom Ceramide Cream TESTER"),
        ("AUR-BC050", "Barrier Bloom Ceramide Cream 50 ml - set of 2"),
        ("AUR-BC050", "Barrier Bloom Ceramide Cream 50 ml x 2"),
        ("BOM-GP060", "Green Plum Toner Pads, 30 pcs"),
    ],
)
def test_a_code_beside_another_products_words_is_asked(sku: str, name: str | None) -> None:
    assert asked([HEAD, *ROWS, [sku, name, 10]]) == [5]


CUSHION = "Veil Cushion Foundation"
SPLIT = ["Brand", "Name", "Shade", "Size", "Qty"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (["SKU", "Name", "Size", "Qty"], ["IVF-FC050", "Fernleaf Cream", "75ml"]),
        (["SKU", "Name", "Vol", "Qty"], ["CED-HO050", "Hinoki Oil", "100 ml"]),
        (["SKU", "Name", "Shade", "Qty"], ["LUN-VC013", CUSHION, "23N Sand"]),
        (["SKU", "Shade", "Qty"], ["LUN-HE001", 2]),
        (["SKU", "Shade", "Qty"], ["LUN-VC013", "Sand"]),
        (["SKU", "Item", "Qty"], ["IVF-FC050", "Fernleaf Toner 200 ml"]),
        (["SKU", "Article", "Qty"], ["IVF-FC050", "Fernleaf Toner"]),
        (["SKU", "Brand", "Qty"], ["IVF-FC050", "Dewfolk"]),
        (["Brand", "Name", "Qty"], ["Dewfolk", "Fernleaf Cream 50 ml"]),
        (["Name", "Kind", "Size", "Qty"], ["Fernleaf Cream", "Serum", "50 ml"]),
        (["Name", "Size", "Qty"], ["Fernleaf Cream 50 ml", "Travel"]),
        (["Name", "Size", "Qty"], ["Fernleaf Cream 50 ml", "75 ml"]),
    ],
)
def test_words_of_another_product_beside_a_code_or_a_name_are_asked(
    head: list[str], row: list[Any]
) -> None:
    lines = played([head, [*row, 20]]).lines
    assert lines[2].which


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (["SKU", "Shade", "Qty"], ["LUN-HE001", 1]),
        (["SKU", "Shade", "Qty"], ["LUN-HE001", "#01"]),
        (["SKU", "Size", "Qty"], ["MOS-SU050", 50]),
        (["SKU", "Size", "Qty"], ["AUR-ME200", "200ml / 6.7 oz"]),
        (["SKU", "Brand", "Qty"], ["MOS-SU050", "MOSS AND MINERAL"]),
        (["SKU", "Category", "Qty"], ["AUR-ME200", "Skin care"]),
        (["SKU", "Weight", "Qty"], ["AUR-ME200", "250 g"]),
        (["SKU", "Stock", "Qty"], ["LUN-HE001", 2]),
    ],
)
def test_words_that_say_nothing_else_of_the_product_are_not_asked(
    head: list[str], row: list[Any]
) -> None:
    assert not asked([head, [*row, 20]])


@pytest.mark.parametrize(
    ("rows", "sku"),
    [
        ([SPLIT, ["Lunaveil", CUSHION, "23N Sand", None, 20]], "LUN-VC023"),
        ([SPLIT, ["Ivory Fern", "Fernleaf Cream", None, "50ml", 20]], "IVF-FC050"),
        ([SPLIT, [None, "Fernleaf Cream", None, "50 ml", 20]], "IVF-FC050"),
        ([["Size", "Name", "Qty"], ["50 ml", "Fernleaf Cream", 20]], "IVF-FC050"),
        ([["Name", "Qty"], [CUSHION], ["23N Sand", 20]], "LUN-VC023"),
        ([["Name", "Qty"], ["Fernleaf 50 ml"], ["Cream", 20]], "IVF-FC050"),
        ([["Name", "Qty"], ["Face"], ["Fernleaf Cream 50 ml", 20]], "IVF-FC050"),
    ],
)
def test_a_name_in_parts_is_one_products_whole_name(rows: list[list[Any]], sku: str) -> None:
    lines = played(rows).lines
    assert (lines[len(rows)].sku, lines[len(rows)].which) == (sku, "")


def test_what_is_remembered_never_wins_over_the_rest_of_its_row() -> None:
    cream, known = "Fernleaf Cream", {"FERNLEAF CREAM": "IVF-FC050", "SAND": "LUN-VC023"}
    lines = played([SPLIT, [None, cream, None, None, 20]], **known).lines
    assert (lines[2].sku, lines[2].which) == ("IVF-FC050", "")
    for brand, shade, size in (
        ("Dewfolk", None, None),
        (None, "밝은", None),
        (None, 7, None),
        (None, None, "75 ml"),
    ):
        line = played([SPLIT, [brand, cream, shade, size, 20]], **known).lines[2]
        assert line.which
        assert line.called == " ".join(str(one) for one in (brand, cream, shade, size) if one)
    for heading, is_asked in (("Location", False), ("Category", True), ("Finish", True)):
        sheet: list[list[Any]] = [["Name", heading, "Qty"], [cream, "A-12", 20]]
        assert bool(played(sheet, **known).lines[2].which) is is_asked
    line = played([["Name", "Qty"], ["Linen Cushion"], ["Sand", 20]], **known).lines[3]
    assert (bool(line.which), line.called) == (True, "Linen Cushion Sand")
    known = {"LINEN CUSHION SAND": "LUN-VC023"}
    line = played([["Name", "Qty"], ["Linen Cushion"], ["Sand", 20]], **known).lines[3]
    assert (line.sku, line.which) == ("LUN-VC023", "")


@pytest.mark.parametrize(
    "title",
    ["CANCELLED ITEMS", "Already shipped", "FREE OF CHARGE / TESTERS", "Storniert", "취소 품목",
     "キャンセル分", "Annulé", "For January shipment", "Second choice if sold out"],
)  # fmt: skip
def test_rows_under_a_title_that_takes_them_back_are_asked(title: str) -> None:
    assert asked([HEAD, ROWS[0], [title], ROWS[1], ROWS[2]]) == [4, 5]


def test_rows_under_any_other_title_are_taken() -> None:
    assert not asked([HEAD, ["Face"], ROWS[0], ["Hand & Body, best sellers"], ROWS[1], ROWS[2]])


def test_a_row_that_is_crossed_out_is_asked() -> None:
    book = openpyxl.Workbook()
    for row in (HEAD, *ROWS):
        book.active.append(row)
    for cell in book.active[3]:
        cell.font = Font(strike=True)
    file = io.BytesIO()
    book.save(file)
    lines = play(open_workbook(file.getvalue(), "a.xlsx"), catalogue_of({})).lines
    crossed_out = "It is crossed out in your sheet."
    assert [line.amount.question for line in lines.values()] == ["", crossed_out, ""]


def test_a_number_alone_that_is_the_sum_of_those_above_is_no_row_of_the_order() -> None:
    assert played([HEAD, *ROWS, [None, None, 62]]).passed[5].why == "A total."
    assert asked([HEAD, *ROWS, [None, None, 61]]) == [5]


def test_months_that_do_not_make_their_sum_are_asked() -> None:
    rows: list[list[Any]] = [["SKU", "Jan", "Feb", "Qty"], *([row[0], 10, 10, 20] for row in ROWS)]
    assert asked([*rows, ["AUR-GC050", 30, 30, 90]]) == [5]
    behind: list[list[Any]] = [
        ["SKU", "Qty", "Jan", "Feb"],
        *([row[0], 20, 10, 10] for row in ROWS),
    ]
    assert asked([*behind, ["AUR-GC050", 90, 30, 30]]) == [5]


@pytest.mark.parametrize(
    "headings",
    [
        ["VE", "Inhalt VE", "Menge (Stück)"],
        ["Karton", "Inhalt", "Menge"],
        ["A", "B", "Qty"],
    ],
)
def test_cartons_and_what_they_hold_that_do_not_make_the_pieces_are_asked(
    headings: list[str],
) -> None:
    rows: list[list[Any]] = [[row[0], 2, 12, 24] for row in ROWS]
    sheet: list[list[Any]] = [["SKU", *headings], *rows]
    assert asked([*sheet, ["AUR-GC050", 2, 48, 90], ["AUR-SC050", 3, 24, None]]) == [5, 6]
    assert asked([*sheet, ["AUR-GC050", None, None, 90]]) == []


@pytest.mark.parametrize(
    "title",
    ["All quantities are in cartons", "Mengen in Kartons", "수량 단위: 박스", "UNIT: DOZEN"],
)
def test_a_unit_above_the_headings_is_that_of_all_quantities(title: str) -> None:
    assert asked([[title], HEAD, *ROWS]) == [3, 4, 5]


@pytest.mark.parametrize(
    ("note", "asks"),
    [
        ("* all quantities are in boxes of 12", CARTON),
        ("※ 수량은 박스 단위입니다", CARTON),
        ("以上数量单位为箱", CARTON),
        ("※数量はケース単位", CARTON),
        ("Количество указано в упаковках", CARTON),
        ("Note: please double all quantities for the second shop", QUANTITY),
        ("Quantities are per store (3 stores)", QUANTITY),
        ("Mengen in 100 Stück", QUANTITY),
        ("Lines marked in red are cancelled", QUANTITY),
        ("Please send the best expiry dates", ""),
        ("Unit price per carton as in your list", ""),
    ],
)
def test_a_note_on_the_quantities_is_asked_once_and_told(note: str, asks: str) -> None:
    for sheet in ([[note], HEAD, *ROWS], [HEAD, *ROWS, ["Total", None, 62], [note]]):
        table = played(sheet).table
        assert (table.asks, note in table.looks_like) == (asks, bool(asks))
        assert (table.fingerprint == played([HEAD, *ROWS]).table.fingerprint) is not bool(asks)


@pytest.mark.parametrize(
    "heading", ["Qté (lots de 6)", "Menge (à 12)", "Qty (x10)", "Qty (display)"]
)
def test_a_heading_that_counts_packs_counts_no_pieces(heading: str) -> None:
    assert kind_of(heading) == CARTONS


@pytest.mark.parametrize(
    ("headings", "is_asked"),
    [
        ("Qty per shop|Qty/store|Qté par magasin|每店数量|매장별 수량|店舗別数量", True),
        ("Qty in hundreds|Qty 000|Qty (12s)|Weekly qty|Qty per month|发货数量", True),
        ("Qty left|Qty on order|Cant. sugerida|Menge alt|Opt. qty|Order 2025", True),
        ("Qty|Order qty|Qty to order (pcs)|Menge (Stk.)|Qté commandée|Số lượng", False),
        ("Кол-во, шт|주문 수량(개)|数量（個）", False),
    ],
)
def test_a_heading_that_says_more_than_pieces_is_asked(headings: str, *, is_asked: bool) -> None:
    for heading in headings.split("|"):
        assert bool(played([["SKU", "Name", heading], *ROWS]).table.asks) is is_asked


def test_the_lines_numbers_are_no_codes() -> None:
    rows = [[f"{n:03}0", row[0], row[2]] for n, row in zip((1, 2, 4), ROWS, strict=True)]
    assert not asked([["Item", "Material", "Qty"], *rows])


def test_a_column_headed_as_total_is_among_the_choices() -> None:
    head = ["SKU", "Shop A", "Shop B", "Total"]
    choices = played([head, *([row[0], 10, 20, 30] for row in ROWS)]).table.choices
    assert [choice["text"] for choice in choices] == [
        "Shop A: 30 pieces",
        "Shop B: 60 pieces",
        "Both added up: 90 pieces",
        "Total: 90 pieces",
    ]


@pytest.mark.parametrize(
    ("remark", "is_asked"),
    [("new", False), ("increased", False), ("급함", False), ("yeni", False), ("not now", True)],
)
def test_a_remark_that_changes_nothing_is_not_asked(remark: str, *, is_asked: bool) -> None:
    assert asked([[*HEAD, "Remarks"], *ROWS, ["AUR-GC050", None, 12, remark]]) == [5] * is_asked


def test_what_a_column_says_no_to_is_asked() -> None:
    rows: list[list[Any]] = [[*row, "yes"] for row in ROWS]
    assert asked([[*HEAD, "Active"], *rows, ["AUR-GC050", None, 10, "no"]]) == [5]
    assert not asked([[*HEAD, "New"], *([*row, "no"] for row in ROWS)])


def test_a_total_tells_what_begins_decimals() -> None:
    rows: list[list[Any]] = [HEAD, ["AUR-BC050", None, "20"], ["BOM-GP060", None, "1,000"]]
    table = played([*rows, ["Total", None, "1,020"]]).table
    assert (table.asks, table.decimal) == ("", ".")
    assert played(rows).table.asks == NUMBER


def test_the_portals_own_columns_of_a_sheet_that_comes_back_are_no_order() -> None:
    added = ["SKU", "Ordered", "Price", "Amount", "Why not"]
    rows = [[*row, row[0], 5, 4.5, 22.5, None] for row in ROWS]
    sheet: list[list[Any]] = [
        [*HEAD, *added],
        *rows,
        [None, None, None, "Total", 15, None, 67.5, None],
    ]
    lines = played(sheet).lines
    assert [line.amount.count for line in lines.values()] == [20, 30, 12]
    own = ["Ordered", "SKU", "Price", "Amount", "Why not"]
    assert played([own, *([20, row[0], 4.5, 90, None] for row in ROWS)]).lines[2].amount.count == 20


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ("24²", 0),
        ("24¹", 0),
        ("①", 0),
        ("２４", 24),
        ("2 douzaines", 24),
        ("3 DZ", 36),
        ("2打", 24),
        ("une douzaine", 12),
        ("a box", 0),
        ("١٬٢٠٠", 1200),
        ("١٢٠٠", 1200),
        ("36 cái", 36),
        ("50 chai", 50),
        ("2 boxes", 0),
    ],
)
def test_a_cell_of_pieces_is_taken_where_it_can_be_read_in_one_way(cell: str, count: int) -> None:
    amount = amount_in(cell)
    assert (amount.count, bool(amount.question)) == (count, not count)


def test_a_unit_of_dozens_makes_twelve_of_each() -> None:
    lines = played([["SKU", "Qty", "Unit"], ["AUR-BC050", 4, "DZ"], ["BOM-GP060", 4, "CTN"]]).lines
    assert (lines[2].amount.count, lines[2].amount.question) == (48, "")
    assert lines[3].amount.question
    assert asked([["SKU", "Qty pcs", "Unit"], ["AUR-BC050", 48, "DZ"]]) == [2]


def workbook(rows: list[list[Any]]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


def opened(book: openpyxl.Workbook) -> Played:
    file = io.BytesIO()
    book.save(file)
    return play(open_workbook(file.getvalue(), "a.xlsx"), catalogue_of({}))


@pytest.mark.parametrize("ean", [[], [[products()[row[0]].ean for row in ROWS]]])
def test_products_side_by_side_are_refused_in_words(ean: list[list[Any]]) -> None:
    rows = [["SKU", *(row[0] for row in ROWS)], *(["EAN", *row] for row in ean)]
    with pytest.raises(SpreadsheetRefused, match="side by side on “this list”, one in each column"):
        played([*rows, ["Name", "Cream", "Pads", "Tonic"], ["Qty", 20, 30, 12]])


def test_a_number_beside_several_rows_is_no_rows_own() -> None:
    book = workbook([HEAD, *ROWS])
    book.active.merge_cells("C2:C3")
    lines = opened(book).lines
    assert "20 stands beside rows 2 to 3" in lines[2].amount.question
    assert (bool(lines[3].amount.question), lines[4].amount.count) == (True, 12)


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ('0" boxes"', "“12 boxes”: how many pieces is that?"),
        ('"x 10 = "0', "“12 x 10 =” is not a number."),
        ('[=1]0" box";0" boxes"', "“12 box”: how many pieces is that?"),
        ("0,", "“12 shown in thousands” is not a number."),
        (";;;", "“12 not shown” is not a number."),
        ("0%", "“12 %” is not a number."),
        ("[$$-409]#,##0", "“12 $” is not a number."),
        ('#,##0" pcs"', ""),
        ("#,##0개", ""),
        (r"_-* #,##0\ _€_-;-* #,##0\ _€_-", ""),
        ("#,##0_);(#,##0)", ""),
    ],
)
def test_pieces_are_what_their_format_shows(code: str, question: str) -> None:
    book = workbook([HEAD, *ROWS, ["AUR-GC050", None, 12]])
    book.active["C5"].number_format = code
    line = opened(book).lines[5]
    assert line.amount.question.removeprefix("Quantity: ") == question
    assert line.amount.count == (0 if question else 12)


def test_what_is_crossed_out_in_a_cell_is_asked() -> None:
    book = workbook([HEAD, *ROWS, ["AUR-GC050", "Golden Rice Cream", 12]])
    struck = InlineFont(strike=True)
    book.active["C2"] = CellRichText(TextBlock(struck, "12"), " 24")
    book.active["C3"] = CellRichText(TextBlock(struck, "24"))
    book.active["C4"] = CellRichText(TextBlock(InlineFont(b=True), "1"), "2")
    book.active["B5"].font = Font(strike=True)
    lines = opened(book).lines
    shown = {row: (line.amount.question, line.amount.guess) for row, line in lines.items()}
    assert shown == {
        2: ("At “24” something is crossed out in your sheet.", 24),
        3: ("At “24” something is crossed out in your sheet.", 24),
        4: ("", 0),
        5: ("At “Golden Rice Cream” something is crossed out in your sheet.", 12),
    }


def test_a_comment_on_the_pieces_or_the_product_is_asked() -> None:
    book = workbook([HEAD, *ROWS, ["AUR-GC050", None, 12, "thanks"]])
    for cell, text in (
        ("C2", "buyer:\nplease cancel"),
        ("A3", "old"),
        ("C4", "thanks"),
        ("D5", "?"),
    ):
        book.active[cell].comment = Comment(text, "buyer")
    lines = opened(book).lines
    questions = {row: line.amount.question for row, line in lines.items() if line.amount.question}
    assert questions == {
        2: "A comment in your sheet says “buyer: please cancel”.",
        3: "A comment in your sheet says “old”.",
    }


def test_a_former_figure_that_is_crossed_out_is_a_witness() -> None:
    head = ["SKU", "Last order", "Change", "Qty"]
    rows = [[row[0], 20, 10, 30] for row in ROWS]
    book = workbook([head, *rows, ["AUR-GC050", 40, 20, 50]])
    for row in range(2, 6):
        book.active.cell(row, 2).font = Font(strike=True)
    lines = opened(book).lines
    questions = [line.amount.question for line in lines.values()]
    assert questions == ["", "", "", "Quantity: 40 + 20 is not 50: how many pieces do you want?"]
