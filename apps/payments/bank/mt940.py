"""MT940 (SWIFT customer statement), read by the library `mt-940`, whose logger is silent
(settings).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from mt940.models import Transactions
from mt940.options import Options

from apps.common.tables.delimited import decoded
from apps.payments.bank.lines import CreditLine, StatementRefused, credit_line

STARTS = re.compile(rb"\A\s*(?:\{[^\n]{0,400}\n)?\s*:20:[^\n]{0,100}\n(?:[^\n]{0,100}\n){0,3}:25:")
STATEMENT = re.compile(r"(?m)^(?=:20:)")
ENTRY = re.compile(r"(?m)^:61:")
ENCODINGS = ("utf-8-sig", "cp1252")
MAX_BYTES, MAX_ENTRIES = 4 * 1024 * 1024, 20_000  # the library takes 0.4 ms an entry
# Of 65 characters by the standard; no bank writes such lines, and the library reads them slowly
MAX_LINE = 400
CREDIT = "C"
NAMED = (re.compile(r"/NAME/([^/]+)"), re.compile(r"/ORDP/+([^/]+)"))
BROKEN = "This MT940 file cannot be read."


def is_mt940(content: bytes) -> bool:
    """Return whether a file begins like an MT940 statement."""
    return bool(STARTS.match(content.removeprefix(b"\xef\xbb\xbf")))


def read_mt940(content: bytes) -> tuple[CreditLine, ...]:
    """Return the credits of an MT940 file, of all accounts in it; debits and reversals are left
    out.

    Raises:
        StatementRefused: no known encoding, too long, or an entry that cannot be read.
    """
    text = decoded(content, encodings=ENCODINGS)
    if text is None or any(len(line) > MAX_LINE for line in text.splitlines()):
        raise StatementRefused(BROKEN)
    if len(content) > MAX_BYTES or len(ENTRY.findall(text)) > MAX_ENTRIES:
        raise StatementRefused(
            f"An MT940 file has at most {MAX_BYTES // 1024 // 1024} MB and {MAX_ENTRIES:,} entries."
        )
    found: list[CreditLine] = []
    for number, block in enumerate(
        (block for block in STATEMENT.split(text) if block.startswith(":20:")), 1
    ):
        found += _credits(block, f"Statement {number}")
    return tuple(found)


def _credits(block: str, where: str) -> Iterator[CreditLine]:
    """Yield a statement's credits. What was read is compared with the file: an entry is never left
    out in silence.
    """
    try:
        entries = list(Transactions(options=Options.all()).parse(block))
    except Exception:  # whatever the library's patterns end in, with the statement's text in it
        raise StatementRefused(BROKEN) from None
    read = [entry.data for entry in entries if "amount" in entry.data]
    if len(read) != len(ENTRY.findall(block)):
        raise StatementRefused(f"{where}: an entry cannot be read.")
    for number, data in enumerate(read, 1):
        if str(data.get("status", "")).upper() == CREDIT:
            yield _line(data, f"{where}, entry {number}")


def _line(data: Mapping[str, Any], where: str) -> CreditLine:
    try:
        amount = Decimal(str(data["amount"].amount))
        day = date(data["date"].year, data["date"].month, data["date"].day)
    except (KeyError, AttributeError, InvalidOperation, ValueError):
        raise StatementRefused(f"{where}: the amount or the date cannot be read.") from None
    told = _text(data, "purpose") or _text(data, "transaction_details")
    debtor = _text(data, "applicant_name")
    if not debtor:
        debtor = next((found[1] for pattern in NAMED if (found := pattern.search(told))), "")
    return credit_line(
        where=where,
        value_date=day,
        amount=abs(amount),
        currency=_text(data, "currency"),
        debtor=debtor,
        text=" ".join(part for part in (told, _text(data, "additional_purpose")) if part),
        reference=_text(data, "bank_reference"),
    )


def _text(data: Mapping[str, Any], name: str) -> str:
    return str(data.get(name) or "")
