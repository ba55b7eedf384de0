"""Any text is read: no row is lost, and the same text gives the same lines again."""

from hypothesis import given, strategies as st

from apps.common.tables.spreadsheets import Row, Tab
from apps.orders.intake.catalogue import Catalogue, CatalogueProduct
from apps.orders.intake.columns import choose
from apps.orders.intake.match import match
from apps.orders.intake.rows import lines_of
from apps.orders.intake.typed import Line
from apps.orders.intake.workbook import Workbook
from portal.tests.fuzz.size import trying

PRODUCTS = [
    CatalogueProduct("AUR-GC050", "Golden Rice Cream 50 ml", "Aurelle Skin", "9527384455703"),
    CatalogueProduct("0041", "Pink Clay Soap, 2 pcs", "Moss & Mineral", None),
]
WORDS = """golden rice cream 50 ml A1 0041 AUR-GC050 AUR-GC050x20 40 1,000 -20 x ( ) ? : no 2 boxes
크림 9527384455703 hello total ٢٠"""
PIECES_OF_TEXT = st.sampled_from([*WORDS.split(), " ", "\n", "\t", "\x00"])


@trying(300)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES_OF_TEXT, max_size=40).map(" ".join)))
def test_any_text_loses_no_row_and_gives_the_same_lines_again(text: str) -> None:
    rows = [Row(number, (line or None,)) for number, line in enumerate(text.split("\n"), 1)]
    book = Workbook([Tab("", rows)], is_text=True)

    def lines() -> object:
        catalogue = Catalogue(PRODUCTS, {"A1": "AUR-GC050"})  # its time is that of one list
        tables, place, _ = choose(book, catalogue, mappings={}, remembered={}, tab=None)
        found = list(lines_of(tables[place]))
        assert [one.row for one in found] == [row.number for row in rows]
        return match([one for one in found if isinstance(one, Line)], catalogue, {})

    assert lines() == lines()
