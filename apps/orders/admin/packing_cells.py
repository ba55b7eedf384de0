"""The packing sheet as rows of cells: read from what is pasted, posted or imported, and written out
again.

A box's fields stand in its first row, what is in it in this row and those below. Every cell stays
as it was given; one that cannot be read is a fault at its place.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from apps.common.staff_lists import figure_text
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    column_mark,
    count_of,
    sku_of,
    text_of,
)
from apps.common.tables.headings import find_columns, find_table
from apps.common.tables.spreadsheets import read_rows
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.rules import Box, Contents, LineToPack, box_labels
from apps.orders.services.packing import MAX_CONTENTS, MAX_COUNT, MAX_PIECES

TITLES: dict[str, Label] = {
    "box": gettext_lazy("Box"),
    "count": pgettext_lazy("boxes", "Count"),
    "kg": gettext_lazy("kg each"),
    "length": gettext_lazy("L cm"),
    "width": gettext_lazy("W cm"),
    "height": gettext_lazy("H cm"),
    "sku": "SKU",
    "pieces": gettext_lazy("Pieces"),
}
HEADINGS = {
    "box": (
        *("box", "box no", "no", "carton", "carton no", "ctn no"),
        *("박스", "박스번호", "상자", "상자번호", "카톤", "카톤번호"),
    ),
    "count": ("count", "boxes", "cartons", "ctns", "ctn", "박스수", "상자수", "카톤수"),
    "kg": (
        *("kg each", "kg", "weight kg", "weight", "gross weight", "gw"),
        *("무게", "중량", "총중량", "총중량 kg", "박스중량", "박스당 kg"),
    ),
    "length": ("l cm", "l", "length", "length cm", "길이", "길이 cm", "가로"),
    "width": ("w cm", "w", "width", "width cm", "너비", "너비 cm", "폭", "세로"),
    "height": ("h cm", "h", "height", "height cm", "높이", "높이 cm"),
    "sku": (
        *("sku", "product code", "code", "item code", "item", "ean", "barcode"),
        *("품번", "품목코드", "자사코드", "상품코드", "상품번호", "제품코드", "제품번호"),
        *("바코드", "바코드번호"),
    ),
    "pieces": (
        *("pieces", "pcs", "pieces per box", "pieces each", "qty", "quantity"),
        *("수량", "수량 ea", "수량 개", "개수", "입수", "입수량", "박스당수량", "포장수량"),
    ),
}
BESIDE = {
    "product": ("product", "name", "description", "상품", "상품명", "제품명", "품명", "품목명"),
    "confirmed": ("confirmed", "conf", "확정"),
}
"""Columns that say what is known already: read past."""
SIZES = ("length", "width", "height")
BOX_FIELDS = ("count", "kg", *SIZES)
MEASURE = re.compile(r"\d{1,4}([.,]\d{1,6})?")

Cells = dict[str, str]
EMPTY: Cells = dict.fromkeys(TITLES, "")


@dataclass(frozen=True)
class Fault:
    """A cell that cannot be kept: its row's place, its column, and why."""

    row: int
    column: str
    text: str

    def __str__(self) -> str:
        return phrase(
            "Row %(row)s, %(column)s: %(fault)s",
            row=self.row + 1,
            column=TITLES[self.column],
            fault=self.text,
        )


def rows_of_file(content: bytes, *, name: str) -> tuple[list[Cells], list[str]]:
    """Return the rows of an XLSX or CSV file with the sheet's headings, in any sequence, and the
    headings that the sheet has no column for.

    Raises:
        SpreadsheetRefused: it cannot be read, or has no headings with SKU and pieces.
    """
    rows = read_rows(io.BytesIO(content), name=name, max_rows=MAX_CONTENTS)
    table = find_table(
        rows,
        HEADINGS,
        required=("sku", "pieces"),
        names={name: str(title) for name, title in TITLES.items()},
    )
    head, used = table.head.cells, {*table.columns.values()}
    used |= {*find_columns(head, BESIDE).values()}
    names = (_plain(cell) for place, cell in enumerate(head) if place not in used)
    return _rows((row.cells for row in table.rows), table.columns), [*filter(None, names)]


def rows_of_text(text: str) -> list[Cells]:
    """Return the rows of a text with tabs, as spreadsheets copy it: with headings, or in the
    sheet's own order.
    """
    try:
        rows = list(csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter="\t"))
    except csv.Error:
        rows = [line.split("\t") for line in text.splitlines()]
    columns = find_columns(rows[0], HEADINGS) if rows else {}
    if "sku" in columns and "pieces" in columns:
        return _rows(rows[1:], columns)
    return _rows(rows, {name: place for place, name in enumerate(TITLES)})


def _rows(rows: Iterable[Sequence[Cell]], columns: Mapping[str, int]) -> list[Cells]:
    texts = ({name: _plain(cell_at(row, columns.get(name))) for name in TITLES} for row in rows)
    return [cells for cells in texts if any(cells.values())]


def _plain(cell: Cell) -> str:
    """Return what a cell shows: what cannot be read is kept, to be seen and mended."""
    try:
        return text_of(cell)
    except CellFault as fault:
        return cell.text if isinstance(cell, Unreadable) else str(fault)


def text_of_rows(rows: Iterable[Cells]) -> str:
    """Return rows as a text with tabs."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows([row[name] for name in TITLES] for row in rows)
    return text.getvalue()


def rows_of_boxes(boxes: Sequence[Box], skus: Mapping[int, str]) -> list[Cells]:
    """Return boxes as rows; what is not measured yet stays empty."""
    rows = []
    for label, box in zip(box_labels(boxes), boxes, strict=True):
        items = [
            {**EMPTY, "sku": skus[item.product_id], "pieces": str(item.quantity)}
            for item in box.contents
        ] or [{**EMPTY}]
        kg = figure(Decimal(box.weight_g) / 1000)
        sizes = {name: figure(getattr(box, name)) for name in SIZES}
        items[0] |= {"box": label, "count": str(box.count), "kg": kg, **sizes}
        rows += items
    return rows


def rows_to_fill(lines: Iterable[LineToPack]) -> list[Cells]:
    """Return what is to be packed as the contents of one box, to be weighed and parted
    into more.
    """
    rows = [{**EMPTY, "sku": line.sku, "pieces": str(line.pieces)} for line in lines]
    if rows:
        rows[0] |= {"box": "1", "count": "1"}
    return rows


def figure(value: Decimal) -> str:
    """Return a measure without trailing zeros; nothing for zero, which is not measured."""
    return f"{value.normalize():f}" if value else ""


def read_boxes(rows: Sequence[Cells], products: Mapping[str, int]) -> tuple[list[Box], list[Fault]]:
    """Return the boxes of the rows, and what cannot be read; `products` gives ids by SKU."""
    if len(rows) > MAX_CONTENTS:
        text = phrase("At most %(most)s rows.", most=figure_text(MAX_CONTENTS))
        return [], [Fault(MAX_CONTENTS, "sku", text)]
    boxes: list[Box] = []
    faults: list[Fault] = []
    mark = column_mark((row["pieces"] for row in rows), is_whole=True) or ""
    for first, after in pairwise([*first_rows(rows), len(rows)]):
        head = rows[first]
        box = _read_head(head, first, faults)
        contents = []
        for place in range(first, after):
            row = rows[place]
            faults += [
                Fault(place, name, _("Differs from the first row of this box."))
                for name in BOX_FIELDS
                if row[name] not in ("", head[name])
            ]
            if item := _read_item(row, place, products, faults, mark=mark):
                contents.append(item)
        boxes.append(replace(box, contents=tuple(contents)))
    return boxes, faults


def first_rows(rows: Sequence[Cells]) -> list[int]:
    """Return the places of the rows that begin a box."""
    firsts: list[int] = []
    for place, row in enumerate(rows):
        has_figures = any(row[name] for name in BOX_FIELDS)
        # Another box than the one above: by its number, without one by its figures.
        if not firsts or (row["box"] != rows[firsts[-1]]["box"] if row["box"] else has_figures):
            firsts.append(place)
    return firsts


def _read_head(row: Cells, place: int, faults: list[Fault]) -> Box:
    def value(name: str, reader: Callable[..., Any], *options: Any) -> Any:
        try:
            return reader(row[name], *options) if row[name] else 0
        except CellFault as fault:
            faults.append(Fault(place, name, f"{fault}."))
            return 0

    kg = value("kg", _measure, 3, "kg")
    length, width, height = (Decimal(value(name, _measure, 1, "cm")) for name in SIZES)
    count = value("count", _whole, MAX_COUNT) or 1
    return Box(count, int(kg * 1000), length, width, height)


def _measure(text: str, places: int, unit: str) -> Decimal:
    """Return kilograms or centimetres, with a point or a comma, with their unit or without."""
    bare = text.lower().replace(" ", "").removesuffix(unit)
    if not MEASURE.fullmatch(bare):
        raise CellFault(phrase("“%(text)s” is not a number", text=text[:30]))
    value = Decimal(bare.replace(",", "."))
    if value != round(value, places):
        fault = ngettext(
            "“%(text)s” has more than %(places)s decimal",
            "“%(text)s” has more than %(places)s decimals",
            places,
        )
        raise CellFault(fault % {"text": text[:30], "places": places})
    return value


def _whole(text: str, most: int, mark: str = "") -> int:
    number = count_of(text, mark) or 0
    if not 1 <= number <= most:
        raise CellFault(phrase("From 1 to %(most)s", most=figure_text(most)))
    return number


def _read_item(
    row: Cells, place: int, products: Mapping[str, int], faults: list[Fault], *, mark: str
) -> Contents | None:
    if not row["sku"]:
        if row["pieces"]:
            faults.append(Fault(place, "sku", _("Which product?")))
        return None
    sku = sku_of(row["sku"])
    if sku not in products:
        text = phrase("There is no product %(sku)s.", sku=sku[:40])
        # That it is without the zeros which a spreadsheet took away.
        matches = [code for code in products if code != code.lstrip("0") == sku]
        if len(matches) == 1:
            text = phrase(
                "There is no product %(sku)s. Is it %(other)s?", sku=sku, other=matches[0]
            )
        faults.append(Fault(place, "sku", text))
    if not row["pieces"]:
        faults.append(Fault(place, "pieces", _("How many pieces?")))
        return None
    try:
        pieces = _whole(row["pieces"], MAX_PIECES, mark)
    except CellFault as fault:
        faults.append(Fault(place, "pieces", f"{fault}."))
        return None
    return Contents(products[sku], pieces) if sku in products else None
