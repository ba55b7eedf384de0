"""The file Price_List.xlsx: the buyer's order form, kept on disk by what it shows."""

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

import xlsxwriter
from django.conf import settings
from xlsxwriter.utility import xl_col_to_name

from apps.accounts.selectors import Buyer
from apps.catalog.rules import availability_tag
from apps.catalog.selectors import price_list, price_list_fingerprint
from apps.common.days import last_day_before

FILE_NAME = "Price_List.xlsx"
KEEP_SECONDS = 24 * 3600
LAYOUT = "order form 6"  # another one makes every kept file old
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
    ("Usual ($)", "usual_price", 11, MONEY),
    ("Until", "until", 12, TEXT),
)
# Screens tell no pieces, but whether there are any.
IN_STOCK, NONE_LEFT = "In stock", "0"
TITLES = [title for title, *_ in COLUMNS]
QTY_AT, AMOUNT_AT = TITLES.index("Order qty"), TITLES.index("Amount ($)")
PRICE, MOQ, STEP, QTY, TOTAL = (
    xl_col_to_name(TITLES.index(title))
    for title in ("Wholesale ($)", "MOQ", "Step", "Order qty", "Amount ($)")
)
HINT = "Fill in Order qty, save this file and drop it on the Product order screen."
MAX_QTY = 1_000_000
FIRST = 3  # the first product's row, as a spreadsheet counts: below the total and the headings
LAST = 1_048_576  # a spreadsheet has no more rows
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write_price_list(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write the rows to an xlsx file, never all in memory. Text stays text: a SKU of digits, a name
    that begins with `=`.

    The total stands above, so that a quantity does not work it out anew along all rows.
    """
    options = {"constant_memory": True, "tmpdir": str(path.parent)}
    with xlsxwriter.Workbook(str(path), options) as book:
        whole, money = {"num_format": "#,##0"}, {"num_format": "#,##0.00"}
        to_fill_in = {"bg_color": "#FFF8DC", "border": 1, "border_color": "#D9D2B8"}
        formats = {
            TEXT: book.add_format({"num_format": "@"}),
            MONEY: book.add_format(money),
            WHOLE: book.add_format(whole),
            INPUT: book.add_format({**whole, **to_fill_in}),
            AMOUNT: book.add_format(money),
        }
        bold, right = {"bold": True}, {"align": "right"}
        head = {**bold, "bottom": 1, "valign": "vcenter"}
        heads = {True: book.add_format(head), False: book.add_format({**head, **right})}
        sheet = book.add_worksheet("Price list")
        sheet.write_string(0, 0, HINT)
        sheet.write_string(0, QTY_AT - 1, "Total", book.add_format({**bold, **right}))
        for at, letter, format_ in ((QTY_AT, QTY, whole), (AMOUNT_AT, TOTAL, money)):
            formula = f"=SUM({letter}{FIRST}:{letter}{LAST})"
            sheet.write_formula(0, at, formula, book.add_format({**bold, **format_}), 0)
        for index, (title, _, width, kind) in enumerate(COLUMNS):
            sheet.set_column(index, index, width)
            sheet.write_string(1, index, title, heads[kind == TEXT])
        last = FIRST - 1
        for last, row in enumerate(rows, FIRST - 1):
            _write_product(sheet, last, row, formats)
        sheet.freeze_panes(FIRST - 1, 0)
        sheet.autofilter(1, 0, last, len(COLUMNS) - 1)
        quantities = (FIRST - 1, QTY_AT, last, QTY_AT)
        is_count = {
            "validate": "integer",
            "criteria": "between",
            "minimum": 0,
            "maximum": MAX_QTY,
            "error_title": "Order qty",
            "error_message": "Please enter a whole number of pieces, 0 or more.",
        }
        sheet.data_validation(*quantities, is_count)
        qty, moq, step = f"${QTY}{FIRST}", f"${MOQ}{FIRST}", f"${STEP}{FIRST}"
        wrong = f'=AND({qty}<>"",{qty}<>0,OR({qty}<{moq},MOD({qty},{step})<>0))'
        red = book.add_format({"bg_color": "#F8D2CC"})
        rule = {"type": "formula", "criteria": wrong, "format": red}
        sheet.conditional_format(*quantities, rule)
        sheet.repeat_rows(1)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&A&R&P / &N")


def _write_product(sheet: Any, at: int, row: dict[str, Any], formats: dict[str, Any]) -> None:
    """Write a product's row at a place, counted from 0."""
    values = {
        **row,
        "availability": availability_tag(is_running=row["is_running"], qty=row["qty"]),
        "stock": IN_STOCK if row["qty"] > 0 else NONE_LEFT,
        "until": row["price_until"] and str(last_day_before(row["price_until"])),
    }
    for index, (_, key, _, kind) in enumerate(COLUMNS):
        if kind == TEXT:
            sheet.write_string(at, index, NOT_IN_XML.sub("", values[key] or ""), formats[kind])
        elif kind == INPUT or values.get(key, 0) is None:
            sheet.write_blank(at, index, None, formats[kind])
        elif kind == AMOUNT:
            # The value is for what shows a file without working it out.
            sheet.write_formula(at, index, f"={PRICE}{at + 1}*{QTY}{at + 1}", formats[kind], 0)
        else:
            sheet.write_number(at, index, values[key], formats[kind])


def price_list_file(*, buyer: Buyer, now: datetime) -> Path:
    """Return the path of the buyer's price list; written anew only if a cell changed since somebody
    asked for it.
    """
    folder = Path(settings.DATA_DIR) / "price-lists"
    fingerprint = LAYOUT + price_list_fingerprint(buyer=buyer, now=now)
    path = folder / f"{blake2b(fingerprint.encode(), digest_size=16).hexdigest()}.xlsx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        oldest = time.time() - KEEP_SECONDS
        # What another process is writing has no ending, and may look as old as 1980.
        for file in folder.glob("*.*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()
        unfinished = folder / f"{uuid4().hex}.part"
        write_price_list(price_list(buyer=buyer, now=now), unfinished)
        unfinished.replace(path)
    return path
