"""The headings of banks' CSV exports, in the languages that reach the seller."""

import re
from collections.abc import Sequence
from enum import Enum

from apps.common.tables.cells import heading


class Column(Enum):
    """What a column of an export holds."""

    DATE = "value date"
    BOOKED = "day of booking"
    AMOUNT = "amount, with a sign"
    CREDIT = "what came in"
    DEBIT = "what went out"
    SIGN = "credit or debit"
    CURRENCY = "currency"
    DEBTOR = "who paid"
    TEXT = "remittance text"
    REFERENCE = "the bank's reference"


# The earlier of two headings for the same thing wins, wherever it stands in the file.
HEADINGS: dict[Column, tuple[str, ...]] = {
    Column.DATE: ("value date", "valuta", "valutadatum", "wertstellung", "date valeur", "effective date", "기산일"),
    Column.BOOKED: (
        "booking date",
        "posting date",
        "post date",
        "transaction date",
        "date",
        "buchungstag",
        "buchungsdatum",
        "datum",
        "거래일자",
        "거래일",
        "거래일시",
        "입금일",
        "입금일자",
    ),
    Column.CREDIT: (
        "credit",
        "credit amount",
        "amount credited",
        "credits",
        "paid in",
        "money in",
        "deposit",
        "deposits",
        "deposit amount",
        "haben",
        "입금",
        "입금액",
        "입금금액",
        "맡기신금액",
    ),
    Column.DEBIT: (
        "debit",
        "debit amount",
        "debits",
        "paid out",
        "money out",
        "withdrawal",
        "withdrawals",
        "withdrawal amount",
        "soll",
        "출금",
        "출금액",
        "출금금액",
        "찾으신금액",
    ),
    Column.AMOUNT: ("amount", "transaction amount", "betrag", "umsatz", "montant", "importe", "거래금액", "금액"),
    Column.SIGN: (
        "credit debit",
        "credit debit indicator",
        "debit credit",
        "dr cr",
        "cr dr",
        "d c",
        "c d",
        "cdtdbtind",
        "credit or debit",
        "soll haben",
        "입출금구분",
        "입출구분",
        "구분",
    ),
    Column.CURRENCY: ("currency", "ccy", "currency code", "wahrung", "devise", "통화", "통화코드"),
    Column.DEBTOR: (
        "debtor",
        "debtor name",
        "ordering customer",
        "ordering party",
        "payer",
        "payer name",
        "remitter",
        "remitter name",
        "sender",
        "sender name",
        "counterparty",
        "counterparty name",
        "beneficiary payer",
        "auftraggeber",
        "auftraggeber empfanger",
        "name",
        "의뢰인",
        "송금인",
        "보낸분",
        "보낸사람",
        "입금자",
        "입금인",
        "거래처",
    ),
    Column.TEXT: (
        "remittance information",
        "remittance text",
        "remittance",
        "payment details",
        "details",
        "narrative",
        "description",
        "transaction description",
        "purpose",
        "memo",
        "message",
        "verwendungszweck",
        "적요",
        "내용",
        "거래내용",
        "비고",
        "메모",
    ),
    Column.REFERENCE: (
        "bank reference",
        "account servicer reference",
        "acctsvcrref",
        "transaction reference",
        "transaction id",
        "transaction number",
        "reference number",
        "reference no",
        "reference",
        "ref",
        "ref no",
        "bankreferenz",
        "referenz",
        "거래번호",
        "거래고유번호",
        "참조번호",
    ),
}
PLACES = {name: (column, place) for column, names in HEADINGS.items() for place, name in enumerate(names)}
CURRENCY_SUFFIX = re.compile(r" (?:in )?[a-z]{3}$")


def recognise(row: Sequence[str]) -> dict[Column, int]:
    """Return which column of a row of headings is what; nothing unless there are a date and an amount."""
    found: dict[Column, tuple[int, int]] = {}
    for index, cell in enumerate(row):
        name = heading(cell)
        known = PLACES.get(name) or PLACES.get(CURRENCY_SUFFIX.sub("", name))
        if known is None:
            continue
        column, place = known
        if column not in found or place < found[column][0]:
            found[column] = (place, index)
    columns = {column: index for column, (_, index) in found.items()}
    has_day = not columns.keys().isdisjoint((Column.DATE, Column.BOOKED))
    has_amount = not columns.keys().isdisjoint((Column.AMOUNT, Column.CREDIT))
    return columns if has_day and has_amount else {}
