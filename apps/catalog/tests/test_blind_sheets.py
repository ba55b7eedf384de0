"""Sixty sheets of buyers that somebody drew up who knew the catalogue alone: each row ordered, asked or explained."""

import json
from collections import Counter

from apps.catalog.order_list import ROWS_OF_A_TAB, ListLine, order_list_of
from apps.common.tables.spreadsheets import Row, Tab, row_of_json
from apps.common.testing import vectors
from apps.common.types import Json

# What a row alone does not show: rows that a filter hides, a name of another product, cartons that make another sum,
# a SKU that stands above already (the review asks about it).
NOT_SEEN = 21
ASKED_BESIDES = 268  # rows that could be ordered: formulas, remarks, `1.200`


Found = tuple[str, str]  # of what kind a row is, and what became of it


def state_of(line: ListLine | None, *, sku: str | None, pieces: float | None, known: dict[str, str]) -> str:
    """Return `right` or `wrong` for a row that would be ordered, else whether it is asked about or passed over."""
    if line is None:
        return "passed"
    if line.fault or line.sku not in known:
        return "asked"
    return "right" if (known[line.sku], line.count) == (sku, pieces) else "wrong"


def read(sheet: Json) -> list[Found]:
    tabs = [Tab(name, [row_of_json(json.dumps(row).encode()) for row in rows]) for name, rows in sheet["tabs"]]
    known = {**sheet["known"], **{sku: sku for sku in sheet["known"].values()}}
    found = order_list_of(tabs, {code: {sku} for code, sku in sheet["known"].items()})
    lines, passed = {line.row: line for line in found.lines}, {row.row for row in found.passed}
    numbers = {tab.name: index * ROWS_OF_A_TAB for index, tab in enumerate(tabs)}
    states: list[Found] = []
    for tab, row, kind, sku, pieces in sheet["truth"]:
        number = row + numbers[tab]
        assert (number in lines) != (number in passed), f"{sheet['sheet']}: row {row} of {tab} is lost"
        states.append((kind, state_of(lines.get(number), sku=sku, pieces=pieces, known=known)))
    return states


def test_a_sku_without_its_zeros_stays_a_question_of_zeros_beside_its_ean() -> None:
    rows = [Row(1, ("SKU", "EAN", "Qty")), Row(2, ("A-1", None, 5)), Row(3, ("A-2", None, 5)), Row(4, (41, "E-1", 10))]
    known = {"A-1": {"A-1"}, "A-2": {"A-2"}, "E-1": {"0041"}}
    (_, _, line) = order_list_of([Tab("", rows)], known).lines
    assert (line.sku, line.count, line.fault) == ("41", 10, "")


def test_no_row_is_lost_and_none_ordered_wrong() -> None:
    sheets = vectors("catalog/sheets")
    found = Counter(one for sheet in sheets for one in read(sheet))
    assert len(sheets) == 60
    assert found["order", "wrong"] == found["order", "passed"] == 0
    unasked = sum(count for (kind, state), count in found.items() if kind != "order" and state in ("right", "wrong"))
    assert unasked <= NOT_SEEN
    assert found["order", "asked"] <= ASKED_BESIDES
    assert found["order", "right"] > 1_000
