"""A statement file of any kind, read whole or refused in one sentence (reliability-and-security,
section 10).
"""

from collections.abc import Mapping
from datetime import date

from apps.payments.bank.camt import read_camt
from apps.payments.bank.headings import Column
from apps.payments.bank.lines import MAX_BYTES, StatementFile, StatementRefused
from apps.payments.bank.mt940 import is_mt940, read_mt940
from apps.payments.bank.table import open_table, read_csv, read_table

CAMT, MT940 = "camt.053", "mt940"
XML_STARTS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")


def read_statement(
    content: bytes, *, today: date, currency: str = "", columns: Mapping[Column, int] | None = None
) -> StatementFile:
    """Return what a bank's file says has arrived; `currency` is the account's where a CSV file
    names none.

    `columns` are those of a CSV file as staff named them; without them they are known by their
    headings.

    Raises:
        StatementRefused: too large, empty, of no known kind, or broken anywhere.
    """
    if has_columns(content):
        if columns is None:
            return read_csv(content, today=today, currency=currency)
        return read_table(open_table(content), columns, today=today, currency=currency)
    if is_mt940(content):
        return StatementFile(MT940, read_mt940(content))
    return StatementFile(CAMT, read_camt(content.lstrip()))


def has_columns(content: bytes) -> bool:
    """Return whether a file is a table, whose columns can be named.

    Raises:
        StatementRefused: too large, or empty.
    """
    if len(content) > MAX_BYTES:
        raise StatementRefused(f"The file is larger than {MAX_BYTES // 1024 // 1024} MB.")
    if not content.strip():
        raise StatementRefused("The file is empty.")
    return not content.lstrip().startswith(XML_STARTS) and not is_mt940(content)
