"""The columns of open orders."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext_noop as _
from django.utils.translation import override

from apps.catalog.sheet import Column, Value
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    count_of,
    heading,
    money_of,
    stored_value,
    text_of,
)
from apps.common.texts import Text
from apps.moving.kinds.columns import COLUMNS as OF_PEOPLE
from apps.moving.kinds.columns import COMPANY, EMAIL, read_text
from apps.moving.kinds.days import day_of
from apps.orders.models.orders import MAX_PO_NUMBER
from apps.orders.status import LABELS, OPEN, OrderStatus

NUMBER, DAY, STATUS, SKU, PIECES, PRICE = "number", "day", "status", "sku", "pieces", "price"
VALUE, TOTAL, FEE, PO, REMARK = "value", "total", "shipping_fee", "po_number", "remark"
DEPOSIT, DEPOSIT_DAY, BALANCE, BALANCE_DAY = "deposit", "deposit_day", "balance", "balance_day"
RECEIVED = "received"  # in all
S = OrderStatus
# As exporters write them. Whether “입금완료” means the whole is checked by the money.
WORDS: Mapping[OrderStatus, str] = {
    S.RECEIVED: "new, 선수금대기, 접수, 주문접수, 접수완료, 신규, 신규주문",
    S.PREPARING: "in preparation, 준비, 준비중, 상품준비, 상품준비중, 확인중",
    S.CONFIRMED: "확정, 주문확정, 확정완료, 잔금대기, 잔금 대기",
    S.PAID: "paid, fully paid, 입금완료, 결제완료, 잔금완료, 출고대기, 출고준비, 출고준비중",
    S.SHIPPED: "shipped, delivered, 출고완료, 발송, 발송완료, 선적, 선적완료, 배송중, 배송완료",
    S.CANCELLED: "canceled, 취소, 주문취소, 취소완료",
}
MAX_PIECES = 10_000_000


def _status(cell: Cell) -> int:
    text = text_of(cell)
    for status, words in WORDS.items():
        with override("ko"):
            names = [LABELS[status], status.staff_label, *words.split(", ")]
        if heading(text).replace(" ", "") in {heading(one).replace(" ", "") for one in names}:
            if status not in OPEN:
                raise CellFault(Text("“%(text)s” is not open any more", text=text[:30]))
            return int(status)
    raise CellFault(Text("“%(text)s” is no status of an open order", text=text[:30]))


def _money(cell: Cell, mark: str = "") -> str:
    amount = money_of(cell, mark)
    if amount is None or amount < 0:
        raise CellFault(Text("it is below zero"))
    return str(amount)


def _pieces(cell: Cell, mark: str = "") -> int:
    count = count_of(cell, mark)
    if not count or not 0 < count <= MAX_PIECES:
        raise CellFault(Text("no pieces"))
    return count


def _sum(cell: Cell, mark: str = "") -> str:
    """Return a sum that is only compared with the lines; a formula's as it was shown, if at all."""
    cell = stored_value(cell)
    return "" if isinstance(cell, Unreadable) else _money(cell, mark)


def _either(cell: Cell) -> Value:
    raise CellFault(
        Text(
            "what was asked for, or what came? Head the column “%(deposit)s” or “%(balance)s”",
            deposit=Text("Deposit received ($)"),
            balance=Text("Balance received ($)"),
        )
    )


def _column(title: str, also: str, read: Callable[..., Value], width: int = 14) -> Column:
    return Column(title, tuple(also.split(", ")), read, width)


COLUMNS: Mapping[str, Column] = {
    NUMBER: _column(
        _("Former number"),
        "order number, order no, order no., order, number, no, invoice, invoice no, 주문번호, "
        "오더번호, 관리번호, 인보이스, 인보이스 번호",
        read_text(MAX_PO_NUMBER),
    ),
    COMPANY: OF_PEOPLE[COMPANY],
    EMAIL: OF_PEOPLE[EMAIL],
    DAY: _column(
        _("Order date"), "date, ordered, order day, 주문일, 주문일자, 접수일, 접수일자", day_of
    ),
    STATUS: _column(
        _("Status"), "state, order status, 상태, 주문상태, 진행상태, 진행현황", _status
    ),
    SKU: _column(
        _("SKU"),
        "item code, item no, item, ean, barcode, product code, 품번, 품목코드, 상품코드, 바코드, "
        "제품코드",
        read_text(60),
    ),
    PIECES: _column(_("Pieces"), "qty, quantity, pcs, 수량, 주문수량, 수량 pcs, 수량 ea", _pieces),
    PRICE: _column(
        _("Unit price ($)"),
        "price, unit price, unit price usd, wholesale, 단가, 단가 usd, 공급가, 공급단가",
        _money,
    ),
    VALUE: _column(
        _("Line total ($)"),
        "amount, amount usd, line amount, line total, 금액, 금액 usd, 소계, 품목 금액",
        _sum,
    ),
    TOTAL: _column(
        _("Order total ($)"),
        "total, order total, subtotal, goods total, 총액, 총액 usd, 주문금액, 상품금액, 상품 합계, "
        "주문총액",
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
        "수금액, 입금 금액",
        _money,
    ),
    DEPOSIT_DAY: _column(
        _("Deposit received on"),
        "deposit date, 예약금 입금일, 선금 입금일, 계약금 입금일, 입금일",
        day_of,
    ),
    BALANCE: _column(
        _("Balance received ($)"), "balance paid, balance received, 잔금 입금, 잔금 입금액", _money
    ),
    "either": _column(
        _("Deposit or balance"), "deposit, balance, 예약금, 선금, 계약금, 잔금", _either
    ),
    BALANCE_DAY: _column(_("Balance received on"), "balance date, 잔금 입금일", day_of),
    PO: _column(
        _("PO number"),
        "po, po no, po number, buyer po, 고객 발주번호, po번호, 바이어 po, 발주번호",
        read_text(MAX_PO_NUMBER),
    ),
    REMARK: _column(_("Remark"), "note, memo, remarks, 비고, 메모", read_text(500), 30),
}
OF_ORDER = (
    *(
        COMPANY,
        EMAIL,
        DAY,
        STATUS,
        TOTAL,
        FEE,
        RECEIVED,
        DEPOSIT,
        DEPOSIT_DAY,
        BALANCE,
        BALANCE_DAY,
    ),
    *(PO, REMARK),
)
