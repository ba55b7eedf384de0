"""The columns of a buyer's sheet as he sees and settles them, and by what a layout that he settled
is known again.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apps.catalog.lists.layout import (
    Known,
    Layout,
    are_reckoned,
    code_of,
    columns_of_codes,
    columns_of_ours,
    holds_data,
    kind_of,
)
from apps.catalog.lists.words import (
    CARTONS,
    EAN,
    NAME,
    NOTE,
    OTHER,
    OWN,
    PER_CARTON,
    PRICE,
    QTY,
    SKU,
    UNIT,
)
from apps.catalog.rules import ean_of
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    count_of,
    heading,
    text_of,
)
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, Tab
from apps.common.types import Json

KINDS = (SKU, EAN, OWN, NAME, QTY, CARTONS, PER_CARTON, UNIT, PRICE, NOTE, OTHER)
CODES = (SKU, EAN, OWN)
ROWS_SHOWN, COLUMNS_SHOWN, MAX_CELL_SHOWN = 8, 40, 60
ASKS_COLUMNS, ASKS_QUANTITY, ASKS_CARTON = "columns", "quantity", "carton"
NUMBER = re.compile(r"\d+")


class Settled(NamedTuple):
    """What each column of a tab holds, and how many pieces are in a carton (0: it is asked at each
    row).
    """

    kinds: tuple[str, ...]
    carton: int = 0

    @property
    def is_order(self) -> bool:
        """Return whether its rows order something."""
        return any(kind != OTHER for kind in self.kinds)

    @property
    def fault(self) -> str:
        """Return why rows cannot be read so; empty where they can."""
        if not self.is_order:
            return ""
        if not {*CODES, NAME} & set(self.kinds):
            return "No column names the product."
        if not {QTY, CARTONS} & set(self.kinds):
            return "No column holds the quantity."
        twice = [kind for kind in (QTY, CARTONS) if self.kinds.count(kind) > 1]
        return "One column alone holds the quantity." if twice else ""


class Said(NamedTuple):
    """What a buyer says of a tab: its place from 0, the row of its headings (0: none), and its
    columns.
    """

    tab: int
    head: int
    settled: Settled


def said_of_json(tabs: Iterable[Json]) -> list[Said]:
    """Return what a buyer says of tabs, from what he sent or what was kept of it."""
    return [
        Said(one["tab"], one["head"], Settled(tuple(one["kinds"]), one["carton"])) for one in tabs
    ]


FindLayouts = Callable[[Collection[str]], Mapping[str, Settled]]


@dataclass(frozen=True)
class TabColumns:
    """A tab as its columns are shown: its first rows, what is thought of each column, and what is
    asked.
    """

    name: str
    head: int
    count: int
    rows: tuple[Row, ...]
    kinds: tuple[str, ...]  # empty: that is asked
    carton: int
    asks: str
    is_remembered: bool
    headings: str
    mark: str  # what this layout is remembered by
    mark_of_none: str  # and by what, where the tab is no order


def fingerprints(tab: Tab, layout: Layout | None, known: Known) -> dict[str, int]:
    """Return what a layout of a tab may be remembered by, with the row of its headings (0: none),
    the surest first.
    """
    heads = [row.number for row in tab.rows[:HEADINGS_WITHIN] if _may_be_head(row, known)]
    heads.insert(0, layout.head if layout and layout.head else _likely_head(tab, known))
    return {
        fingerprint(tab, head, is_order=is_order): head
        for head in heads
        for is_order in (False, True)
    }


def fingerprint(tab: Tab, head: int, *, is_order: bool = True) -> str:
    """Return what a tab's layout is remembered by: its headings without their numbers, else what
    its columns hold.

    That a tab is no order is remembered with its name: a former order has the headings of the next
    one.
    """
    row = next((row for row in tab.rows if row.number == head), None)
    words = (
        [NUMBER.sub("#", heading(cell)) if isinstance(cell, str) else "" for cell in row.cells]
        if row
        else []
    )
    parts = words or ["", *_shape(tab.rows[:HEADINGS_WITHIN])]
    text = "\n".join([*parts, *([] if is_order else ["", tab.name])])
    return hashlib.sha256(text.encode()).hexdigest()


def _headings(tab: Tab, head: int) -> str:
    """Return the headings of a tab as staff read them."""
    row = next((row for row in tab.rows if row.number == head), None)
    return " | ".join(_text(cell) for cell in row.cells if cell is not None) if row else ""


def _shape(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what most cells of each column are: codes, whole numbers, other numbers, texts, or
    nothing.
    """
    for index in range(max((len(row.cells) for row in rows), default=0)):
        signs = [_sign(cell_at(row.cells, index)) for row in rows]
        yield max(sorted(set(signs)), key=signs.count)


def _sign(cell: Cell) -> str:
    if cell is None:
        return "-"
    try:
        return "-" if count_of(cell) is None else "n"
    except CellFault:
        text = _text(cell)
    return "c" if any(map(str.isdigit, text)) and " " not in text else "t"


def layout_said(rows: Sequence[Row], head: int, settled: Settled, known: Known) -> Layout | None:
    """Return the layout of a tab whose columns were settled; None where it is no order."""
    if not settled.is_order or settled.fault:
        return None

    def of(*kinds: str) -> tuple[int, ...]:
        return tuple(index for index, kind in enumerate(settled.kinds) if kind in kinds)

    codes = of(*CODES)
    hits = [index for index in columns_of_codes(rows, known) if index in codes]
    return Layout(
        codes=tuple(dict.fromkeys([*hits, *codes])),
        names=of(NAME),
        pieces=of(QTY),
        cartons=of(CARTONS),
        price=next(iter(of(PRICE)), None),
        head=head,
        notes=of(NOTE),
        units=of(UNIT),
        ours=columns_of_ours(rows, known, hits),
        carton=settled.carton,
        is_settled=True,
        reckoned=are_reckoned([row for row in rows if row.number > head], of(QTY), of(CARTONS)),
        per_carton=of(PER_CARTON),
    )


def columns_of(
    tabs: Sequence[Tab], layouts: Sequence[Layout | None], settled: Mapping[int, Said], known: Known
) -> list[TabColumns]:
    """Return the tabs as their columns are shown, with what is asked of each; nothing is, where it
    was settled.
    """
    is_none = not any(layouts) and not settled
    return [
        _columns(tab, layout, settled.get(index), known, is_none=is_none)
        for index, (tab, layout) in enumerate(zip(tabs, layouts, strict=True))
    ]


def _columns(
    tab: Tab, layout: Layout | None, said: Said | None, known: Known, *, is_none: bool
) -> TabColumns:
    width = min(max((len(row.cells) for row in tab.rows[:1000]), default=0), COLUMNS_SHOWN)
    if said is not None:
        head, kinds, asks = said.head, said.settled.kinds, ""
    elif layout is not None:
        head = layout.head or _likely_head(tab, known)
        kinds, asks = _kinds(layout, tab.rows, known, width), asks_of(layout, tab.rows)
    else:
        head = _likely_head(tab, known)
        kinds, asks = (
            _guessed(tab, head, known, width),
            ASKS_COLUMNS if is_none and _has_counts(tab, head) else "",
        )
    place = next((index for index, row in enumerate(tab.rows) if row.number >= head), 0)
    first = max(0, place - 1)
    return TabColumns(
        name=tab.name,
        head=head,
        count=len(tab.rows),
        rows=tuple(tab.rows[first : first + ROWS_SHOWN]),
        kinds=(*kinds, *[OTHER] * (width - len(kinds))),
        carton=said.settled.carton if said else 0,
        asks=asks,
        is_remembered=said is not None,
        headings=_headings(tab, head),
        mark=fingerprint(tab, head),
        mark_of_none=fingerprint(tab, head, is_order=False),
    )


def asks_of(layout: Layout, rows: Sequence[Row]) -> str:
    """Return what has to be asked of the columns that were found: which has the quantity, how much
    is in a carton.
    """
    if layout.is_settled:
        return ""
    if not layout.is_sure or (len(layout.pieces) > 1 and any(_differ(row, layout) for row in rows)):
        return ASKS_QUANTITY
    return ASKS_CARTON if layout.cartons and not (layout.pieces or layout.per_carton) else ""


def _differ(row: Row, layout: Layout) -> bool:
    counts = set()
    for index in layout.pieces:
        cell = cell_at(row.cells, index)
        try:
            count = count_of(cell)
        except CellFault:
            continue
        counts |= {count} if count else set()
    return row.number > layout.head and len(counts) > 1


def _may_be_head(row: Row, known: Known) -> bool:
    signs = [_sign(cell) for cell in row.cells]
    return "n" not in signs and len(signs) - signs.count("-") > 1 and not holds_data(row, known)


def _likely_head(tab: Tab, known: Known) -> int:
    """Return the row of headings where none of them is known: the last without a number above the
    first with one.
    """
    head = 0
    for row in tab.rows[:HEADINGS_WITHIN]:
        if "n" in map(_sign, row.cells):
            return head
        head = row.number if _may_be_head(row, known) else head
    return 0


def _has_counts(tab: Tab, head: int) -> bool:
    """Return whether a row has a number beside something else, so that it may order something."""
    for row in tab.rows:
        signs = [_sign(cell) for cell in row.cells]
        if row.number > head and "n" in signs and len(signs) - signs.count("-") > 1:
            return True
    return False


def _guessed(tab: Tab, head: int, known: Known, width: int) -> tuple[str, ...]:
    """Return what headings and codes say of columns that make no layout."""
    row = next((row for row in tab.rows if row.number == head), Row(0, ()))
    hits = columns_of_codes(tab.rows, known)
    said = [
        kind_of(cell) if isinstance(cell := cell_at(row.cells, index), str) else ""
        for index in range(width)
    ]
    return tuple(
        _code_kind(tab.rows, index, known) if index in hits else kind or OTHER
        for index, kind in enumerate(said)
    )


def _kinds(layout: Layout, rows: Sequence[Row], known: Known, width: int) -> tuple[str, ...]:
    """Return what a layout that was found says of each column; empty for what has to be asked."""
    quantity = "" if asks_of(layout, rows) == ASKS_QUANTITY else QTY
    by_kind = {
        NAME: layout.names,
        quantity: layout.pieces,
        CARTONS: layout.cartons,
        PER_CARTON: layout.per_carton,
        UNIT: layout.units,
        NOTE: layout.notes,
        PRICE: () if layout.price is None else (layout.price,),
    }
    kinds = {index: kind for kind, columns in by_kind.items() for index in columns}
    kinds |= {index: _code_kind(rows, index, known) for index in layout.codes}
    return tuple(kinds.get(index, OTHER) for index in range(width))


def _code_kind(rows: Sequence[Row], index: int, known: Known) -> str:
    """Return of which kind most codes of a column are."""
    codes = [code for row in rows if (code := code_of(cell_at(row.cells, index)))]
    counts = {
        SKU: sum(code in known.get(code, ()) for code in codes),
        EAN: sum(ean_of(code) is not None for code in codes),
        OWN: sum(
            code in known and code not in known[code] and ean_of(code) is None for code in codes
        ),
    }
    return max(counts, key=lambda kind: counts[kind])


def shown(cell: Cell) -> str:
    """Return a cell as the buyer sees it above the question."""
    return cell.text if isinstance(cell, Unreadable) else _text(cell)[:MAX_CELL_SHOWN]


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except CellFault:
        return ""
