"""The columns of open orders, and what stands around the lines of one with its own sheet."""

import re
from collections.abc import Callable, Mapping

from django.utils.translation import gettext_noop as _
from django.utils.translation import override

from apps.catalog.kinds.dollars import CURRENCY
from apps.catalog.sheet import Column, Value, pieces_of
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
from apps.moving.kinds import currencies
from apps.moving.kinds.columns import CODE, COMPANY, EMAIL, ONE_EMAIL, read_text
from apps.moving.kinds.columns import COLUMNS as OF_PEOPLE
from apps.moving.kinds.days import day_of
from apps.moving.kinds.rows import UNCLEAR
from apps.orders.models.orders import MAX_PO_NUMBER
from apps.orders.status import LABELS, OrderStatus

NUMBER, DAY, STATUS, SKU, PIECES, PRICE = "number", "day", "status", "sku", "pieces", "price"
VALUE, TOTAL, FEE, PO, REMARK = "value", "total", "shipping_fee", "po_number", "remark"
DEPOSIT, DEPOSIT_DAY, BALANCE, BALANCE_DAY = "deposit", "deposit_day", "balance", "balance_day"
RECEIVED = "received"  # in all
DUE, DISCOUNT, GONE = "due", "discount", "gone"
# Under these headings stands what came, or what was agreed or is due: that is asked.
DEPOSIT_SAID, BALANCE_SAID = "deposit_said", "balance_said"
WHOLE = "whole"  # came
S = OrderStatus
# As exporters write them. Whether “입금완료” means the whole is checked by the money.
WORDS: Mapping[OrderStatus, str] = {
    S.RECEIVED: "new, 선수금대기, 접수, 주문접수, 접수완료, 신규, 신규주문",
    S.PREPARING: "in preparation, 준비, 준비중, 상품준비, 상품준비중, 확인중",
    S.CONFIRMED: "확정, 주문확정, 확정완료, 잔금대기, 잔금 대기",
    S.PAID: "paid, fully paid, paid in full, 입금완료, 결제완료, 잔금완료, 완납, 출고대기, "
    "출고준비, 출고준비중",
    S.SHIPPED: "shipped, delivered, 출고완료, 발송, 발송완료, 선적, 선적완료, 배송중, 배송완료, "
    "완료, 종료",
    S.CANCELLED: "canceled, 취소, 주문취소, 취소완료",
}
MAX_PIECES = 10_000_000
ALL_PAID = re.compile(r"완납|전액|입금\s*완료|paid( in full)?|full(y paid)?", re.IGNORECASE)
FREE = re.compile(r"foc|free|무상|서비스|샘플|sample|tester", re.IGNORECASE)


def status_of(text: str) -> OrderStatus | None:
    """Return the status that a text says, also beside another in brackets; None for none."""
    for part in (text, *re.split(r"[()（）/,→]", text)):
        key = heading(part).replace(" ", "")
        for status, words in WORDS.items():
            with override("ko"):
                names = [LABELS[status], status.staff_label, *words.split(", ")]
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


def _gone(cell: Cell, mark: str = "") -> int:
    return pieces_of(cell, mark) or 0


def _sum(cell: Cell, mark: str = "") -> str:
    """Return a sum that is only compared with the lines; a formula's as it was shown, if at all."""
    cell = stored_value(cell)
    return "" if isinstance(cell, Unreadable) else _price(cell, mark)


def _column(title: str, also: str, read: Callable[..., Value], width: int = 14) -> Column:
    return Column(title, tuple(also.split(", ")), read, width)


COLUMNS: Mapping[str, Column] = {
    NUMBER: _column(
        _("Former number"),
        "order number, order no, order no., order, number, invoice, invoice no, pi no, pi number, "
        "proforma no, 주문번호, 오더번호, 수주번호, 발주번호, 관리번호, 인보이스, 인보이스 번호, "
        "pi 번호",
        read_text(MAX_PO_NUMBER),
        18,
    ),
    COMPANY: OF_PEOPLE[COMPANY],
    CODE: OF_PEOPLE[CODE],
    EMAIL: ONE_EMAIL,
    DAY: _column(
        _("Order date"),
        "date, ordered, order day, po date, 주문일, 주문일자, 접수일, 접수일자, 발주일, 발주일자, "
        "수주일, 수주일자",
        day_of,
    ),
    STATUS: _column(
        _("Status"), "state, order status, 상태, 주문상태, 진행상태, 진행현황, 진행", _status
    ),
    SKU: _column(
        _("SKU"),
        "item code, item no, item, ean, barcode, product code, 품번, 품목코드, 상품코드, 바코드, "
        "제품코드, 코드, code",
        read_text(60),
    ),
    PIECES: _column(
        _("Pieces"),
        "pcs, q ty pcs, qty pcs, qty, q ty, quantity, 수량 pcs, 수량 ea, 낱개 총, 총수량, 수량, "
        "주문수량",
        _pieces,
    ),
    PRICE: _column(
        _("Unit price ($)"),
        "price, unit price, unit price usd, u price, u price usd, wholesale, 단가, 단가 usd, "
        "공급가, "
        "공급단가",
        _price,
    ),
    VALUE: _column(
        _("Line total ($)"),
        "amount, amount usd, line amount, line total, 금액, 금액 usd, 소계, 품목 금액",
        _sum,
    ),
    TOTAL: _column(
        _("Order total ($)"),
        "total, order total, subtotal, goods total, grand total, 총액, 총액 usd, 주문금액, "
        "상품금액, "
        "상품 합계, 합계금액, 합계, 주문총액",
        _sum,
    ),
    FEE: _column(
        _("Shipping fee ($)"),
        "shipping, freight, shipping fee, shipping fee usd, 배송비, 배송비 usd, 운임, 운송비",
        _money,
    ),
    DEPOSIT: _column(
        _("Deposit received ($)"),
        "deposit paid, deposit received, 예약금 입금, 예약금 입금액, 선금 입금, 선금 입금액, "
        "계약금 입금액",
        _money,
    ),
    RECEIVED: _column(
        _("Received ($)"),
        "received, paid, amount received, amount paid, received usd, paid usd, 입금액, 입금액 usd, "
        "입금, 입금 usd, 수금액, 입금 금액",
        _received,
    ),
    DEPOSIT_DAY: _column(
        _("Deposit received on"),
        "deposit date, 예약금 입금일, 선금 입금일, 계약금 입금일, 입금일, 입금일자",
        day_of,
    ),
    BALANCE: _column(
        _("Balance received ($)"), "balance paid, balance received, 잔금 입금, 잔금 입금액", _money
    ),
    BALANCE_DAY: _column(_("Balance received on"), "balance date, 잔금 입금일", day_of),
    DEPOSIT_SAID: _column(_("Deposit"), "deposit, 예약금, 선금, 계약금, 선수금", _money),
    BALANCE_SAID: _column(_("Balance"), "balance, 잔금", _money),
    DUE: _column(
        _("Balance due ($)"),
        "due, amount due, outstanding, unpaid, 미수금, 미수금액, 미수, 미입금액, 미입금, "
        "미수잔액, 잔액",
        _sum,
    ),
    GONE: _column(
        _("Shipped already"), "shipped, shipped qty, 출고, 출고수량, 기출고, 출고량", _gone
    ),
    DISCOUNT: _column(_("Discount ($)"), "discount, dc, 할인, 할인액", _discount),
    CURRENCY: currencies.COLUMN,
    PO: _column(
        _("PO number"),
        "po, po no, po number, buyer po, 고객 발주번호, po번호, 바이어 po",
        read_text(MAX_PO_NUMBER),
    ),
    REMARK: _column(_("Remark"), "note, memo, remarks, 비고, 메모", read_text(500), 30),
}
OF_LINE = (SKU, PIECES, PRICE, VALUE, GONE)
OF_ORDER = tuple(name for name in COLUMNS if name not in (NUMBER, *OF_LINE))
