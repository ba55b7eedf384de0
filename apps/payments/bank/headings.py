"""The headings of banks' CSV exports, in the languages that reach the seller."""

import re
from collections.abc import Mapping, Sequence
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
    Column.DATE: (
        "value date",
        "valuta",
        "valutadatum",
        "wertstellung",
        "wertstellungsdatum",
        "wertstellung valuta",
        "wert",
        "date valeur",
        "fecha valor",
        "f valor",
        "fecha de valor",
        "data valor",
        "effective date",
        "기산일",
    ),
    Column.BOOKED: (
        "booking date",
        "posting date",
        "post date",
        "posted date",
        "date posted",
        "transaction date",
        "trans date",
        "as of date",
        "date",
        "buchungstag",
        "buchungsdatum",
        "buchung",
        "datum",
        "fecha operacion",
        "fecha de operacion",
        "f operacion",
        "f operativa",
        "fecha contable",
        "fecha ctble",
        "f contable",
        "fecha movimiento",
        "fecha",
        "data operacio",
        "거래일자",
        "거래일",
        "거래일시",
        "거래 일시",
        "거래년월일",
        "처리일자",
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
        "gutschrift",
        "abono",
        "abonos",
        "ingreso",
        "ingresos",
        "haber",
        "입금",
        "입금 원",
        "입금액 원",
        "입금금액 원",
        "입금액",
        "입금금액",
        "맡기신금액",
        "맡기신금액 원",
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
        "belastung",
        "cargo",
        "cargos",
        "gasto",
        "gastos",
        "pagos",
        "debe",
        "출금",
        "출금 원",
        "출금액 원",
        "출금금액 원",
        "지급금액",
        "출금액",
        "출금금액",
        "찾으신금액",
        "찾으신금액 원",
        "지급 원",
        "지급",
    ),
    Column.AMOUNT: (
        "amount",
        "transaction amount",
        "betrag",
        "umsatz",
        "montant",
        "importe",
        "importe de la operacion",
        "importe eur",
        "import",
        "거래금액",
        "금액",
    ),
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
        "transaction type",
        "입출금구분",
        "입출구분",
        "구분",
    ),
    Column.CURRENCY: (
        "currency",
        "ccy",
        "currency code",
        "wahrung",
        "waehrung",
        "devise",
        "divisa",
        "moneda",
        "통화",
        "통화코드",
    ),
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
        "auftraggeber begunstigter",
        "auftraggeber beguenstigter",
        "begunstigter zahlungspflichtiger",
        "beguenstigter zahlungspflichtiger",
        "begunstigter auftraggeber",
        "beguenstigter auftraggeber",
        "name zahlungsbeteiligter",
        "zahlungspflichtige r",
        "zahlungspflichtiger",
        "empfanger zahlungspflichtiger",
        "empfanger auftraggeber",
        "empfaenger auftraggeber",
        "sender empfanger",
        "empfaenger 1",
        "empfanger 1",
        "partner name",
        "ordenante",
        "ordenante beneficiario",
        "beneficiario ordenante",
        "remitente",
        "name",
        "의뢰인",
        "의뢰인 수취인",
        "보낸분 받는분",
        "상대계좌예금주명",
        "상대계좌 예금주명",
        "기재내용",
        "기록사항",
        "거래기록사항",
        "송금인",
        "보낸분",
        "보낸사람",
        "입금자",
        "입금인",
        "거래처",
        "의뢰인명",
        "내용",
        "내역",
    ),
    Column.TEXT: (
        "remittance information",
        "remittance text",
        "remittance",
        "payment details",
        "narrative",
        "description",
        "transaction description",
        "full description",
        "payment reference",
        "details",
        "purpose",
        "memo",
        "message",
        "verwendungszweck",
        "vorgang verwendungszweck",
        "movimiento",
        "concepto",
        "descripcion",
        "observaciones",
        "mas datos",
        "concepto comun",
        "concepto propio",
        "buchungstext",
        "내 통장 표시",
        "내통장표시내용",
        "송금메시지",
        "적요",
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
        "referencia",
        "numero de referencia",
        "거래번호",
        "거래고유번호",
        "참조번호",
    ),
}
PLACES = {
    name: (column, place) for column, names in HEADINGS.items() for place, name in enumerate(names)
}
# These say credit or debit at some banks, and something else at others: what stands in the column
# decides.
DOUBTFUL_SIGNS = frozenset({"transaction type", "구분", "입출금구분", "입출구분"})
GUESSED = (
    Column.BOOKED,
    Column.CREDIT,
    Column.AMOUNT,
    Column.CURRENCY,
    Column.DEBTOR,
    Column.TEXT,
    Column.REFERENCE,
)
BALANCES = (
    "balance",
    "running",
    "saldo",
    "kontostand",
    "잔액",
    "잔고",
    "iban",
    "account number",
    "kontonummer",
)
CURRENCY_SUFFIX = re.compile(r" (?:in )?[a-z]{3}$")


def recognise(row: Sequence[str]) -> dict[Column, int]:
    """Return which column of a row of headings is what; nothing unless there are a date and an
    amount.
    """
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
    return columns if is_enough(columns) else {}


def is_enough(columns: Mapping[Column, int]) -> bool:
    """Return whether a file can be read by its columns: there are a date and an amount."""
    has_day = not columns.keys().isdisjoint((Column.DATE, Column.BOOKED))
    return has_day and not columns.keys().isdisjoint((Column.AMOUNT, Column.CREDIT))


def guess(row: Sequence[str], known: Mapping[Column, int]) -> dict[Column, int]:
    """Return what further columns may be: their headings hold a known heading among other words.

    Nothing that a known column says already, and no balance. The longest known heading within a
    heading wins.
    """
    missing = _missing(known)
    found: dict[Column, int] = {}
    for index, cell in enumerate(row):
        column = None if index in known.values() else _likely(heading(cell), missing)
        if column is not None:
            found.setdefault(column, index)
    return found


def _missing(known: Mapping[Column, int]) -> list[Column]:
    """Return the columns that may be guessed: one day and one amount are enough."""
    told = set(known)
    if told & {Column.DATE, Column.BOOKED}:
        told.add(Column.BOOKED)
    if told & {Column.AMOUNT, Column.CREDIT}:
        told |= {Column.AMOUNT, Column.CREDIT}
    return [column for column in GUESSED if column not in told]


def _likely(name: str, missing: Sequence[Column]) -> Column | None:
    """Return which column a heading may be: that of the longest known heading it holds."""
    if any(word in name for word in BALANCES):
        return None
    likely = [
        (len(text), column) for column in missing for text in HEADINGS[column] if _holds(name, text)
    ]
    return max(likely, key=lambda pair: pair[0])[1] if likely else None


def _holds(name: str, text: str) -> bool:
    """Return whether a heading holds another as words of its own; Korean ones stand
    within a word.
    """
    if text.isascii():
        return len(text) > 2 and f" {text} " in f" {name} "
    return len(text) > 1 and text in name
