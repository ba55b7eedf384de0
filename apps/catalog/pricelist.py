"""The file Price_List.xlsx: the buyer's order form, kept on disk by what it shows.

The library writes a workbook with a single product; the products' rows are then written in the
place of that one, in its styles. The library's own way of writing rows takes several times as long
(decision 0057).
"""

import io
import re
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import uuid4
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

import xlsxwriter
from django.conf import settings
from xlsxwriter.utility import xl_col_to_name

from apps.accounts.selectors import Buyer
from apps.catalog.rules import availability_tag
from apps.catalog.selectors import price_list, price_list_fingerprint

FILE_NAME = "Price_List.xlsx"
KEPT_SECONDS = 24 * 3600
LAYOUT = "order form 3"  # another one makes every kept file old
TEXT, MONEY, WHOLE, INPUT, AMOUNT = "text", "money", "whole", "input", "amount"
# Title, key of the row, column width, kind of cell. What a buyer needs to fill it in stands before
# the rest.
COLUMNS = (
    ("Brand", "brand", 20, TEXT),
    ("SKU", "sku", 16, TEXT),
    ("Product", "eng_name", 48, TEXT),
    ("Availability", "availability", 13, TEXT),
    ("USRP ($)", "usd_price", 11, MONEY),
    ("Wholesale ($)", "usd_supply", 14, MONEY),
    ("MOQ", "moq", 8, WHOLE),
    ("Step", "step", 8, WHOLE),
    ("Order qty", "", 11, INPUT),
    ("Amount ($)", "", 14, AMOUNT),
    ("Stock", "stock", 10, TEXT),
    ("Weight (g)", "weight", 11, WHOLE),
    ("Minimum", "minimum", 10, WHOLE),
    ("EAN", "ean", 15, TEXT),
)
# Screens tell no pieces, but whether there are any.
IN_STOCK, NONE_LEFT = "In stock", "0"
OWN_WORDS = ("availability", "stock")
TEXTS = [key for _, key, _, kind in COLUMNS if kind == TEXT and key not in OWN_WORDS]
TITLES = [title for title, *_ in COLUMNS]
QTY_AT, AMOUNT_AT = TITLES.index("Order qty"), TITLES.index("Amount ($)")
PRICE, MOQ, STEP, QTY, TOTAL = (
    xl_col_to_name(TITLES.index(title))
    for title in ("Wholesale ($)", "MOQ", "Step", "Order qty", "Amount ($)")
)
HINT = "Fill in Order qty, save this file and drop it on the Product order screen."
MAX_QTY = 1_000_000
FIRST = 3  # the first product's row, as a spreadsheet counts: below the total and the headings
SHEET = "xl/worksheets/sheet1.xml"
CHUNK = 250
PACKED = 6  # zlib's level
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write_price_list(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write the rows to an xlsx file, some at a time. Text stays text: a SKU of digits, a name that
    begins with `=`.
    """
    with TemporaryFile(dir=path.parent) as written:
        products = 0
        lines = _row_xml(rows)
        while chunk := list(islice(lines, CHUNK)):
            written.write("".join(chunk).encode())
            products += len(chunk)
        written.seek(0)
        last = FIRST + max(products, 1) - 1
        _assemble(_frame(last=last), written, last=last, path=path)


def _frame(*, last: int) -> bytes:
    """Return a workbook whose products end at row `last` and of which only that row is there."""
    content = io.BytesIO()
    # The other way of working makes an entry for each row up to the last.
    with xlsxwriter.Workbook(content, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Price list")
        head = book.add_format({"bold": True, "bottom": 1, "valign": "vcenter"})
        head_right = book.add_format(
            {"bold": True, "bottom": 1, "valign": "vcenter", "align": "right"}
        )
        total_whole = book.add_format({"bold": True, "num_format": "#,##0"})
        total_money = book.add_format({"bold": True, "num_format": "#,##0.00"})
        kinds = {
            TEXT: book.add_format({"num_format": "@"}),
            MONEY: book.add_format({"num_format": "#,##0.00"}),
            WHOLE: book.add_format({"num_format": "#,##0"}),
            INPUT: book.add_format(
                {
                    "num_format": "#,##0",
                    "bg_color": "#FFF8DC",
                    "border": 1,
                    "border_color": "#D9D2B8",
                }
            ),
            AMOUNT: book.add_format({"num_format": "#,##0.00"}),
        }
        sheet.write_string(0, 0, HINT)
        sheet.write_string(
            0, QTY_AT - 1, "Total", book.add_format({"bold": True, "align": "right"})
        )
        sheet.write_formula(0, QTY_AT, f"=SUM({QTY}{FIRST}:{QTY}{last})", total_whole, 0)
        sheet.write_formula(0, AMOUNT_AT, f"=SUM({TOTAL}{FIRST}:{TOTAL}{last})", total_money, 0)
        for index, (title, _, width, kind) in enumerate(COLUMNS):
            sheet.set_column(index, index, width)
            sheet.write_string(1, index, title, head if kind == TEXT else head_right)
        for index, (*_, kind) in enumerate(COLUMNS):
            sheet.write_blank(last - 1, index, None, kinds[kind])
        sheet.freeze_panes(FIRST - 1, 0)
        sheet.autofilter(1, 0, last - 1, len(COLUMNS) - 1)
        quantities = (FIRST - 1, QTY_AT, last - 1, QTY_AT)
        sheet.data_validation(
            *quantities,
            {
                "validate": "integer",
                "criteria": "between",
                "minimum": 0,
                "maximum": MAX_QTY,
                "error_title": "Order qty",
                "error_message": "Please enter a whole number of pieces, 0 or more.",
            },
        )
        first = f"${QTY}{FIRST}"
        wrong = (
            f'=AND({first}<>"",{first}<>0,OR({first}<${MOQ}{FIRST},MOD({first},${STEP}{FIRST})<>0))'
        )
        sheet.conditional_format(
            *quantities,
            {
                "type": "formula",
                "criteria": wrong,
                "format": book.add_format({"bg_color": "#F8D2CC"}),
            },
        )
        sheet.repeat_rows(1)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&A&R&P / &N")
    return content.getvalue()


def _parts(frame: bytes, *, last: int) -> tuple[str, str, str]:
    """Return a frame's sheet: what stands before its product, the product's row, and what stands
    after it.
    """
    with ZipFile(io.BytesIO(frame)) as book:
        before, row, after = re.split(
            rf'(<row r="{last}".*?</row>)', book.read(SHEET).decode(), maxsplit=1
        )
    return before, row, after


def _row_xml(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield each product as it stands in the sheet, in the styles that the library gave the
    frame's.
    """
    _, model, _ = _parts(_frame(last=FIRST), last=FIRST)
    styles = re.findall(r'<c r="[A-Z]+\d+" s="(\d+)"', model)
    cells = (_cell(index, style) for index, style in enumerate(styles))
    template = f'<row r="{{n}}">{"".join(cells)}</row>'
    for number, row in enumerate(rows, FIRST):
        availability = availability_tag(is_running=row["is_running"], qty=row["qty"])
        stock = IN_STOCK if row["qty"] > 0 else NONE_LEFT
        texts = {key: _text(row[key] or "") for key in TEXTS}
        own = {"availability": availability, "stock": stock, "n": number}
        yield template.format_map({**row, **texts, **own})


def _cell(index: int, style: str) -> str:
    """Return a cell as a template of the row's number and its value."""
    _, key, _, kind = COLUMNS[index]
    start = f'<c r="{xl_col_to_name(index)}{{n}}" s="{style}"'
    if kind == TEXT:
        return f'{start} t="inlineStr"><is><t xml:space="preserve">{{{key}}}</t></is></c>'
    if kind == INPUT:
        return f"{start}/>"
    if kind == AMOUNT:
        # The value is for what shows a file without working it out.
        return f"{start}><f>{PRICE}{{n}}*{QTY}{{n}}</f><v>0</v></c>"
    return f"{start}><v>{{{key}}}</v></c>"


def _text(text: str) -> str:
    return escape(NOT_IN_XML.sub("", text))


def _assemble(frame: bytes, rows: IO[bytes], *, last: int, path: Path) -> None:
    """Write the frame to a file, with the rows in the place of its product."""
    before, _, after = _parts(frame, last=last)
    with (
        ZipFile(io.BytesIO(frame)) as book,
        ZipFile(path, "w", ZIP_DEFLATED, compresslevel=PACKED) as file,
    ):
        for name in book.namelist():
            if name != SHEET:
                file.writestr(name, book.read(name))
        with file.open(SHEET, "w") as sheet:
            sheet.write(before.encode())
            copyfileobj(rows, sheet)
            sheet.write(after.encode())


def price_list_file(*, buyer: Buyer, now: datetime) -> Path:
    """Return the path of the buyer's price list; written anew only if a cell changed since somebody
    asked for it.
    """
    folder = Path(settings.DATA_DIR) / "price-lists"
    shown = LAYOUT + price_list_fingerprint(buyer=buyer, now=now)
    path = folder / f"{blake2b(shown.encode(), digest_size=16).hexdigest()}.xlsx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder)
        unfinished = folder / f"{uuid4().hex}.part"
        write_price_list(price_list(buyer=buyer, now=now), unfinished)
        unfinished.replace(path)
    return path


def _forget_old(folder: Path) -> None:
    oldest = time.time() - KEPT_SECONDS
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
