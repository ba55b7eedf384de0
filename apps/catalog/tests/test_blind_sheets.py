"""Sixty sheets of buyers that somebody drew up who knew the catalogue alone: each row ordered,
asked or explained.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

from apps.catalog.lists.columns import Settled, TabColumns
from apps.catalog.lists.order_list import ROWS_OF_A_TAB, order_list_of
from apps.catalog.lists.rows import ListLine, code_of_name
from apps.catalog.reading import Catalogue
from apps.catalog.reading import Row as Product
from apps.catalog.review.other_names import doubts_of, may_be_another
from apps.catalog.review.reviews import by_product
from apps.common.tables.cells import Unreadable, cell_at
from apps.common.tables.spreadsheets import Row, Tab, row_of_json
from apps.common.testing import vectors
from apps.common.types import Json

ASKED_BESIDES = 197  # rows that could be ordered: formulas, remarks, `1.200`, `1,200`
CATALOGUE = Path(__file__).parent / "messages" / "catalogue.json"

Found = tuple[str, str]  # of what kind a row is, and what became of it


@cache
def catalogue() -> Catalogue:
    return Catalogue(Product(*row) for row in json.loads(CATALOGUE.read_text()))


def doubted(lines: list[ListLine], known: dict[str, str]) -> set[int]:
    """Return the rows whose name is another product's than their code's."""
    rows = catalogue().rows
    named = [
        (line, rows[known[line.sku]])
        for line in lines
        if line.called and known.get(line.sku) in rows
    ]
    suspects = [(line, row) for line, row in named if may_be_another(line.called, row)]
    return {doubt.line.row for doubt in doubts_of(suspects, catalogue())}


def repeated(lines: list[ListLine], known: dict[str, str]) -> set[int]:
    """Return the rows whose SKU stands above already: the review asks whether they are meant to be
    added.
    """
    products = {code: [{"sku": sku}] for code, sku in known.items()}
    return {row for line in by_product(lines, {}, products) for row in line.rows[1:]}


def state_of(
    line: ListLine | None, *, sku: str | None, pieces: float | None, known: dict[str, str]
) -> str:
    """Return `right` or `wrong` for a row that would be ordered, else whether it is asked about or
    passed over.
    """
    if line is None:
        return "passed"
    if line.fault or line.is_hidden or line.sku not in known:
        return "asked"
    return "right" if (known[line.sku], line.count) == (sku, pieces) else "wrong"


def tabs_of(sheet: Json) -> list[Tab]:
    return [
        Tab(name, [row_of_json(json.dumps(row).encode()) for row in rows])
        for name, rows in sheet["tabs"]
    ]


def read(sheet: Json) -> list[Found]:
    tabs = tabs_of(sheet)
    known = {**sheet["known"], **{sku: sku for sku in sheet["known"].values()}}
    found = order_list_of(tabs, {code: {sku} for code, sku in sheet["known"].items()})
    lines, passed = {line.row: line for line in found.lines}, {row.row for row in found.passed}
    numbers = {tab.name: index * ROWS_OF_A_TAB for index, tab in enumerate(tabs)}
    doubts = doubted(found.lines, known)
    asked = doubts | repeated([line for line in found.lines if line.row not in doubts], known)
    states: list[Found] = []
    for tab, row, kind, sku, pieces in sheet["truth"]:
        number = row + numbers[tab]
        assert (number in lines) != (number in passed), (
            f"{sheet['sheet']}: row {row} of {tab} is lost"
        )
        state = state_of(lines.get(number), sku=sku, pieces=pieces, known=known)
        states.append((kind, "asked" if number in asked else state))
    return states


def test_a_sku_without_its_zeros_stays_a_question_of_zeros_beside_its_ean() -> None:
    rows = [
        Row(1, ("SKU", "EAN", "Qty")),
        Row(2, ("A-1", None, 5)),
        Row(3, ("A-2", None, 5)),
        Row(4, (41, "E-1", 10)),
    ]
    known = {"A-1": {"A-1"}, "A-2": {"A-2"}, "E-1": {"0041"}}
    (_, _, line) = order_list_of([Tab("", rows)], known).lines
    assert (line.sku, line.count, line.fault) == ("41", 10, "")


def test_pieces_written_over_a_formula_of_cartons_are_asked_about() -> None:
    heads, formula = (
        Row(1, ("SKU", "Cartons", "Pieces")),
        Unreadable("a formula instead of a value"),
    )
    reckoned = [Row(number, (f"A-{number}", number, formula)) for number in range(2, 7)]
    rows = [heads, *reckoned, Row(7, ("A-7", 4, 50)), Row(8, ("A-8", None, 20))]
    known = {f"A-{number}": {f"A-{number}"} for number in range(2, 9)}
    *_, asked, right = order_list_of([Tab("", rows)], known).lines
    assert (asked.count, asked.guess, right.count, right.fault) == (0, 50, 20, "")
    text = "Quantity: 50 is written where other rows reckon, beside 4 cartons: how many pieces do you want?"
    assert asked.fault == text


def test_no_row_is_lost_and_none_ordered_wrong() -> None:
    sheets = vectors("catalog/sheets")
    found = Counter(one for sheet in sheets for one in read(sheet))
    assert len(sheets) == 60
    assert found["order", "wrong"] == found["order", "passed"] == 0
    assert not [one for one in found if one[0] != "order" and one[1] in ("right", "wrong")]
    assert found["order", "asked"] <= ASKED_BESIDES
    assert found["order", "right"] > 1_000


class Answers:
    """A company that answers each question about layouts and codes once, as the truth of a sheet
    has it.
    """

    def __init__(self, sheet: Json) -> None:
        self.tabs, self.truth = tabs_of(sheet), {}
        places = {tab.name: index for index, tab in enumerate(self.tabs)}
        for tab, row, _, sku, pieces in sheet["truth"]:
            self.truth[row + places[tab] * ROWS_OF_A_TAB] = (sku, pieces)
        self.known: dict[str, set[str]] = {code: {sku} for code, sku in sheet["known"].items()}
        self.layouts: dict[str, Settled] = {}
        self.asked: list[str] = []

    def send(self) -> None:
        """Read the sheet, answer what is asked of its layout and codes, and count it."""
        found = order_list_of(self.tabs, self.known, remembered=lambda _: self.layouts)
        self.asked = [f"{tab.name}: {tab.asks}" for tab in found.columns if tab.asks]
        for index, tab in enumerate(found.columns):
            if tab.asks:
                self.layouts[tab.mark] = Settled(self.named(index, tab), tab.carton)
        for line in found.lines:
            sku, _ = self.truth.get(line.row, (None, None))
            is_known = line.sku in self.known or {line.sku} in self.known.values()
            code = line.name or ("" if is_known else line.sku)
            if code and sku:
                self.asked.append(f"{line.row}: {code}")
                self.known.setdefault(code_of_name(code), set()).add(sku)

    def named(self, index: int, tab: TabColumns) -> tuple[str, ...]:
        """Return the columns of a tab; where it is asked, the one has the quantities that agrees
        with most rows.
        """
        rows = {row.number: row for row in self.tabs[index].rows}
        pieces = {
            row % ROWS_OF_A_TAB: pieces
            for row, (_, pieces) in self.truth.items()
            if row // ROWS_OF_A_TAB == index
        }

        def agreeing(column: int) -> int:
            return sum(
                cell_at(rows[row].cells, column) == count for row, count in pieces.items() if count
            )

        asked = [column for column, kind in enumerate(tab.kinds) if not kind]
        best = max(asked, key=agreeing) if asked else -1
        return tuple(
            kind or ("qty" if column == best else "other") for column, kind in enumerate(tab.kinds)
        )


def test_a_second_sheet_of_the_same_layout_asks_nothing_about_layout_or_codes() -> None:
    first, second = 0, []
    for sheet in vectors("catalog/sheets"):
        company = Answers(sheet)
        company.send()
        first += len(company.asked)
        company.send()
        second += [f"{sheet['sheet']} {asked}" for asked in company.asked]
    assert first > 200
    assert second == []
