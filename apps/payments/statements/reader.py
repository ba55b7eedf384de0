"""A statement file of either kind, read whole or refused in one sentence (reliability-and-security, section 10)."""

from datetime import date

from apps.payments.statements.camt import read_camt
from apps.payments.statements.csv_file import read_csv
from apps.payments.statements.lines import MAX_BYTES, StatementFile, StatementRefused

CSV, CAMT = "csv", "camt.053"
XML_STARTS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")


def read_statement(content: bytes, *, today: date, currency: str = "") -> StatementFile:
    """Return what a bank's file says has arrived; `currency` is the account's where a CSV file names none.

    Raises:
        StatementRefused: too large, empty, of no known kind, or broken anywhere.
    """
    if len(content) > MAX_BYTES:
        raise StatementRefused(f"The file is larger than {MAX_BYTES // 1024 // 1024} MB.")
    if not content.strip():
        raise StatementRefused("The file is empty.")
    if content.lstrip().startswith(XML_STARTS):
        return StatementFile(CAMT, read_camt(content.lstrip()))
    return StatementFile(CSV, read_csv(content, today=today, currency=currency))
