"""The columns of open orders, and what stands around the lines of one with its own sheet."""

import re
from collections.abc import Mapping

from django.utils.translation import gettext_noop as _, override

from apps.catalog.services.dollars import CURRENCY
from apps.catalog.sheet import Column, pieces_of, read_text, with_headings
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    heading,
    money_of,
    stored_value,
    text_of,
)
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    CODE,
    COLUMNS as OF_PEOPLE,
    COMPANY,
    CURRENCY_COLUMN,
    EMAIL,
    ONE_EMAIL,
    WORDS,
)
from apps.moving.kinds.rows import UNCLEAR, day_of
from apps.orders.models.orders import MAX_PO_NUMBER
from apps.orders.status import LABELS, OrderStatus

NUMBER, DAY, STATUS, SKU, PIECES, PRICE = "number", "day", "status", "sku", "pieces", "price"
VALUE, TOTAL, FEE, PO, REMARK = "value", "total", "shipping_fee", "po_number", "remark"
DEPOSIT, DEPOSIT_DAY, BALANCE, BALANCE_DAY = "deposit", "deposit_day", "balance", "balance_day"
RECEIVED = "received"  # in all
DUE, DISCOUNT, GONE = "due", "discount", "gone"
# Under these headings stands what came, or what was agreed or is due: that is asked.
DEPOSIT_UNCLEAR, BALANCE_UNCLEAR = "deposit_said", "balance_said"
WHOLE = "whole"  # came
# As exporters write them. Whether “입금완료” means the whole is checked by the money.
STATUSES: Mapping[str, list[str]] = WORDS["statuses"]
MAX_PIECES = 10_000_000
ALL_PAID = re.compile(r"완납|전액|입금\s*완료|paid( in full)?|full(y paid)?", re.IGNORECASE)
FREE = re.compile(r"foc|free|무상|서비스|샘플|sample|tester", re.IGNORECASE)


def status_of(text: str) -> OrderStatus | None:
    """Return the status that a text says, also beside another in brackets; None for none."""
    for part in (text, *re.split(r"[()（）/,→]", text)):
        key = heading(part).replace(" ", "")
        for name, words in STATUSES.items():
            status = OrderStatus[name]
            with override("ko"):
                names = [LABELS[status], status.staff_label, *words]
            if key and key in {heading(one).replace(" ", "") for one in names}:
                return status
    return None


def _status(cell: Cell) -> int | str:
    """Return a status; behind UNCLEAR a word that is asked."""
    text = text_of(cell)
    status = status_of(text)
    return int(status) if status is not None else UNCLEAR + text[:40]


def _money(cell: Cell, mark: str = "") -> str:
    amount = money_of(cell, mark)
    if amount is None or amount < 0:
        raise CellFault(Text("it is below zero"))
    return str(amount)


def _price(cell: Cell, mark: str = "") -> str:
    return "0.00" if isinstance(cell, str) and FREE.fullmatch(text_of(cell)) else _money(cell, mark)


def _received(cell: Cell, mark: str = "") -> str:
    """Return what came: an amount, or WHOLE."""
    is_whole = isinstance(cell, str) and ALL_PAID.fullmatch(text_of(cell))
    return WHOLE if is_whole else _money(stored_value(cell), mark)


def _pieces(cell: Cell, mark: str = "") -> int:
    count = pieces_of(cell, mark)
    if not count or not 0 < count <= MAX_PIECES:
        raise CellFault(Text("no pieces"))
    return count


def _discount(cell: Cell, mark: str = "") -> str:
    return str(abs(money_of(cell, mark) or 0))


def _sum(cell: Cell, mark: str = "") -> str:
    """Return a sum that is only compared with the lines; a formula's as it was shown, if at all."""
    cell = stored_value(cell)
    return "" if isinstance(cell, Unreadable) else _price(cell, mark)


COLUMNS: Mapping[str, Column] = with_headings(
    WORDS["orders"],
    {
        NUMBER: Column(_("Former number"), read_text(MAX_PO_NUMBER), 18),
        COMPANY: OF_PEOPLE[COMPANY],
        CODE: OF_PEOPLE[CODE],
        EMAIL: ONE_EMAIL,
        DAY: Column(_("Order date"), day_of),
        STATUS: Column(_("Status"), _status),
        SKU: Column(_("SKU"), read_text(60)),
        PIECES: Column(_("Pieces"), _pieces),
        PRICE: Column(_("Unit price ($)"), _price),
        VALUE: Column(_("Line total ($)"), _sum),
        TOTAL: Column(_("Order total ($)"), _sum),
        FEE: Column(_("Shipping fee ($)"), _money),
        DEPOSIT: Column(_("Deposit received ($)"), _money),
        RECEIVED: Column(_("Received ($)"), _received),
        DEPOSIT_DAY: Column(_("Deposit received on"), day_of),
        BALANCE: Column(_("Balance received ($)"), _money),
        BALANCE_DAY: Column(_("Balance received on"), day_of),
        DEPOSIT_UNCLEAR: Column(_("Deposit"), _money),
        BALANCE_UNCLEAR: Column(_("Balance"), _money),
        DUE: Column(_("Balance due ($)"), _sum),
        GONE: Column(_("Shipped already"), pieces_of),
        DISCOUNT: Column(_("Discount ($)"), _discount),
        CURRENCY: CURRENCY_COLUMN,
        PO: Column(_("PO number"), read_text(MAX_PO_NUMBER)),
        REMARK: Column(_("Remark"), read_text(500), 30),
    },
)
OF_LINE = (SKU, PIECES, PRICE, VALUE, GONE)
OF_ORDER = tuple(name for name in COLUMNS if name not in (NUMBER, *OF_LINE))
