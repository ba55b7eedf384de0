"""What costs each reader of statements most, 256 KB of it: read or refused in one look at each
character. Whatever looks twice takes hours.
"""

from typing import Any

import pytest

from apps.payments.bank.lines import StatementRefused
from apps.payments.bank.matching import codes_in
from apps.payments.bank.reader import has_columns
from apps.payments.tests.bank.statement_desk import read_statement

A_LOT = 256 * 1024
CAMT = b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'
MT940 = b":20:A\n:25:1\n:60F:C261119USD0,00\n:61:2611201120C1,00NTRFNONREF\n:86:"
HEADINGS = b"Date,Amount USD,Name,Details,Status\n2026-11-20,1.00,"


def filled(head: bytes, piece: bytes) -> bytes:
    return head + piece * ((A_LOT - len(head)) // len(piece))


@pytest.mark.parametrize(
    "content",
    [
        *(filled(b"", piece) for piece in (b" ", b"\n", b"{", b":20", b":20:\n", b"-\n", b"\x01")),
        *(
            filled(head, piece)
            for head in (MT940, b":61:2611201120C", MT940 + b"166?00X?20")
            for piece in (b" ", b"\n", b"/", b"/NAME/", b"/CNTP/", b"?20", b"1", b"1.", b"EREF+")
        ),
        *(filled(MT940, b"\n" + piece) for piece in (b":86:", b":61:", b":20:", b"{", b"-")),
        *(filled(CAMT, piece) for piece in (b"<Ntry>", b" ", b"<BkToCstmrStmt>")),
        *(filled(HEADINGS, piece) for piece in (b" ", b",", b"\n", b'"', b"1 ", b"(")),
        filled(HEADINGS, b"\n\n2026")[: A_LOT // 8],  # a row takes ten times what a text does
        *(filled(HEADINGS + b"x\n", piece) for piece in (b"$", b" T", b"1,", b"2026-11-20  x,1\n")),
    ],
)  # fmt: skip
def test_the_worst_is_read_or_refused(content: bytes) -> None:
    try:
        has_columns(content)
        read_statement(content, currency="USD")
    except StatementRefused:
        pass


@pytest.mark.django_db
def test_codes_are_looked_for_in_one_go(settings: Any) -> None:
    settings.INVOICE_PREFIX = "MHW"
    for piece in ("M", "MHW", "MHW-", "MHW1", " ", "_"):
        list(codes_in(piece * (A_LOT // len(piece))))
