"""Sixty sheets of buyers that somebody drew up who knew the catalogue alone: each row ordered,
asked or explained, none ordered wrongly.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from apps.common.tables.spreadsheets import Tab, row_of_json
from apps.common.testing import vectors
from apps.common.types import Json
from apps.orders.intake.catalogue import Catalogue, CatalogueProduct
from apps.orders.intake.columns import COLUMNS, QUANTITY, Table, TabMapping, choose
from apps.orders.intake.match import match
from apps.orders.intake.rows import lines_of
from apps.orders.intake.typed import Line, Passed
from apps.orders.intake.words import CARTONS, OTHER, QTY, kind_of
from apps.orders.intake.workbook import Workbook

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
