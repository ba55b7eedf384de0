"""MT940 (SWIFT customer statement), read field by field: `:61:` is an entry, `:86:` what the bank
tells of it, and of the rest only the currency is looked at.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext, gettext_noop

from apps.common.tables.delimited import decoded
from apps.payments.bank.lines import (
    MAX_LINES,
    REVERSED,
    WENT_OUT,
    ZERO,
    CreditLine,
    StatementRefused,
    checked,
    normal_reference,
    too_many_lines,
)

FIELD = re.compile(r"(?m)^:(NS|(?:13|20|21|25|28|34|60|61|62|64|65|86|90)[A-Z]?):")
# Headers and ends of messages stand on lines of their own, whatever else a bank puts there.
BETWEEN = re.compile(r"(?m)^(?:\{|-\}|-[ \t]*$)")
AROUND = b"\x01\x02\x03\x04\x1a"  # what a line or a disk of before puts around a message
LOOKED_AT = 4000
# The currency of an account is told behind its number, or with a balance or a limit.
CURRENCY = {
    "25": re.compile(r"[\s\S]*[\d ]([A-Z]{3})"),
    "34": re.compile(r"([A-Z]{3})"),
    "60": re.compile(r"[CD]?\d{6}([A-Z]{3})"),
}
ENTRY = re.compile(
    r"""
    (\d\d)(\d\d)(\d\d)                  # value date
    (?:(\d{4})|[ ]{4})?                 # day of booking
    ([RE]?[CD])[A-Z]?\s?                # credit or debit, reversed or expected; a funds code
    ([\d.,]+)[ ]?(?=[A-Z/\n]|\Z)        # the amount, whole
    (?:[A-Z][A-Z0-9 ]{3}(?<!NONR))?     # type
    ([^\n]*)([\s\S]*)                   # the payer's reference, // and the bank's; details
    """,
    re.VERBOSE | re.IGNORECASE,
)
AMOUNT = re.compile(r"\d+(?:[.,]\d{0,2})?")
EXPECTED = gettext_noop("entries that are only expected")
SUBFIELDS = re.compile(r"\s*\d{3}([?<>~^@+|])(?=\d\d)")
SUBFIELD_WIDTH, LINE_WIDTH = 27, 65
PURPOSE, NAME = (*range(20, 30), *range(60, 64)), (32, 33)
KEYWORD = re.compile(r"(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|PURP|IBAN|BIC)\+")
CHARGES = re.compile(r"/(?:OCMT|CHGS)/[^/\n]*/?")
NAME_PATTERNS = (
    re.compile(r"/NAME/([^/]+)"),
    re.compile(r"/ORDP/+([^/]+)"),
    re.compile(r"/CNTP/[^/]*/[^/]*/([^/]+)"),
)


def is_mt940(content: bytes) -> bool:
    """Return whether a file begins like an MT940 statement, whatever headers stand in front."""
    return FIELD.search(_text(content[:LOOKED_AT])) is not None


def read_mt940(content: bytes, *, currency: str = "") -> Iterator[CreditLine | str]:
    """Yield the credits of an MT940 file, of all accounts in it, and why each other entry is left
    out; `currency` is the account's where the file names none.

    Raises:
        StatementRefused: too long, no currency, or an entry that cannot be read.
    """
    parts = FIELD.split(_text(content))[1:]
    entries: list[tuple[str, str, list[str]]] = []
    own, details = "", list[str]()  # what stands behind a balance is told of the statement
    for tag, text in zip(parts[::2], parts[1::2], strict=True):
        value = BETWEEN.split(text, maxsplit=1)[0].strip()
        if tag == "86":
            details.append(value)
        elif tag != "NS":
            details = []
        if tag == "61":
            entries.append((value, own or currency, details))
        elif pattern := CURRENCY.get(tag[:2]):
            if match := pattern.match(value):
                own = match[1]
            elif tag[:2] == "25":
                own = ""
    if len(entries) > MAX_LINES:
        raise StatementRefused(too_many_lines())
    for number, (value, currency, details) in enumerate(entries, 1):
        where = gettext("Entry %(number)s") % {"number": number}
        yield _entry(value, details, where=where, currency=currency)


def _text(content: bytes) -> str:
    """Return a file as text; a character that no encoding knows spoils no amount."""
    content = content.translate(None, AROUND)
    text = decoded(content) or content.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("{4:", "{4:\n")


def _entry(value: str, information: list[str], *, where: str, currency: str) -> CreditLine | str:
    match = ENTRY.fullmatch(value)
    if match is None:
        raise StatementRefused(gettext("%(where)s cannot be read."), where=where)
    year, month, day, booked, mark, figures, references, details = match.groups(default="")
    if mark.upper() != "C":
        return {"R": REVERSED, "E": EXPECTED}.get(mark[0].upper(), WENT_OUT)
    if not AMOUNT.fullmatch(figures):
        raise StatementRefused(
            gettext("%(where)s: the amount “%(amount)s” cannot be read."),
            where=where,
            amount=figures[:30],
        )
    amount = Decimal(figures.replace(",", "."))
    if not amount:
        return ZERO
    if not 1 <= int(month) <= 12 or not 1 <= int(day) <= 31:
        raise StatementRefused(gettext("%(where)s: the date cannot be read."), where=where)
    # Where months have 30 days, the 30th of February is its last.
    last = monthrange(2000 + int(year), int(month))[1]
    value_date = date(2000 + int(year), int(month), min(int(day), last))
    debtor, text = _payer_and_purpose(information)
    payers, _, banks = references.partition("//")
    words = [text, "" if normal_reference(payers) in ("", "KREF") else payers]
    line = CreditLine(
        value_date=value_date,
        amount=amount,
        currency=currency,
        debtor=debtor,
        text=" ".join([*words, CHARGES.sub("", details)]),
        reference=banks,
        booked_on=_booked_on(booked, value_date),
    )
    return checked(line, where)


def _booked_on(booked: str, value_date: date) -> date | None:
    """Return the day of booking, in the year in which it is nearest to the value date."""
    days = []
    for year in (value_date.year - 1, value_date.year, value_date.year + 1):
        try:
            days.append(date(year, int(booked[:2]), int(booked[2:])))
        except ValueError:
            continue
    return min(days, key=lambda one: abs(one - value_date), default=None)


def _payer_and_purpose(details: list[str]) -> tuple[str, str]:
    """Return who paid, and what for."""
    lines = [line for value in details for line in value.split("\n")]
    start = SUBFIELDS.match(lines[0]) if lines else None
    if start is None:
        text, name = _joined(lines, LINE_WIDTH), ""
    else:
        parts = re.split(rf"{re.escape(start[1])}(\d\d)", "".join(lines))
        subfields = dict(zip(map(int, parts[1::2]), parts[2::2], strict=True))
        text = _joined([subfields.get(number, "") for number in PURPOSE], SUBFIELD_WIDTH)
        name = _joined([subfields.get(number, "") for number in NAME], SUBFIELD_WIDTH)
    free, *parts = KEYWORD.split(text)
    fields = dict(zip(parts[::2], parts[1::2], strict=True))
    references = [fields.get(key, "") for key in ("EREF", "KREF")]
    texts = [free, fields.get("SVWZ", ""), *filter(normal_reference, references)]
    names = (match[1].strip() for pattern in NAME_PATTERNS if (match := pattern.search(text)))
    return name or fields.get("ABWA", "") or next(filter(None, names), ""), " ".join(texts)


def _joined(pieces: list[str], width: int) -> str:
    """Return pieces as one text: one that fills its width, or ends with a dash, goes on without a
    space.
    """
    text, last = "", ""
    for piece in pieces:
        goes_on = len(last) >= width or last.endswith(("-", "/"))
        text += piece if goes_on and not KEYWORD.match(piece) else f" {piece}"
        last = piece or last
    return text.strip()
