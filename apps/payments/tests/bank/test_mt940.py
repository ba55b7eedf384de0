"""MT940, whatever stands around its entries: an amount is whole, or the file is refused."""

from datetime import date
from decimal import Decimal

import pytest

from apps.payments.bank.lines import (
    REVERSED,
    WENT_OUT,
    ZERO,
    CreditLine,
    StatementFile,
    StatementRefused,
)
from apps.payments.bank.mt940 import EXPECTED
from apps.payments.bank.reader import has_columns
from apps.payments.tests.bank.statement_desk import read_statement

HEAD = ":20:STARTUMS\n:25:0000\n:28C:1/1\n:60F:C261119USD0,00\n"
FOOT = "\n:62F:C261120USD999,00\n-\n"
ENTRY = ":61:2611201120C103,03NTRFNONREF\n:86:TEST"
CONTROL = "{1:F01AAAABB2LAXXX0000000000}"


def read(text: str | bytes, currency: str = "") -> StatementFile:
    content = text if isinstance(text, bytes) else text.encode()
    assert not has_columns(content)
    return read_statement(content, currency=currency)


def read_entry(first: str, details: str = "") -> CreditLine:
    text = f":61:{first}\n" + (f":86:{details}" if details else "")
    (line,) = read(HEAD + text + FOOT).lines
    return line


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ENTRY + FOOT,
        f"{CONTROL}\n{{2:I940AAAABB2LXXXN}}\n{{4:\n{HEAD}{ENTRY}{FOOT}-}}",
        f"{CONTROL}{{2:I940AAAABB2LXXXN}}{{4:{HEAD}{ENTRY}{FOOT}-}}{{5:{{CHK:1}}}}",
        f"AAAABB2L\n940\nAAAABB2L\n{HEAD}{ENTRY}{FOOT}",
        f"0000 01AAAABB2LXXXX00001\n0000 01AAAABB2LXXXX00001\n940 00\n{HEAD}{ENTRY}{FOOT}",
        f"\x01{CONTROL}{{4:\n{HEAD}{ENTRY}{FOOT}-}}\x03",
        f"\x02\n:940:\n{HEAD}{ENTRY}{FOOT}\x1a",
        f"\ufeff{HEAD}{ENTRY}{FOOT}",
        (HEAD + ENTRY + FOOT).replace("\n", "\r\n"),
        (HEAD + ENTRY + FOOT).replace("\n", "\r"),
        (HEAD + ENTRY + FOOT).encode("utf-16"),
        HEAD + ENTRY + "\n:62F:nonsense\n:65:Cnullnull999,00\n-",
        HEAD.replace(":28C:1/1", ":28C:18101181011/ONE") + ENTRY + FOOT,
        HEAD.replace("USD0,00", "USD") + ENTRY + FOOT,
        HEAD.replace(":60F:C261119USD0,00\n", ":34F:USD0,00\n") + ENTRY + FOOT,
        HEAD.replace(":25:0000", ":25:00001234 KRW") + ENTRY + FOOT,
        HEAD.replace(":25:0000", ":25:00001234 USD").replace(":60F:C261119USD0,00\n", "") + ENTRY,
        HEAD + ENTRY.replace("C103,03", "CR\n103,03") + FOOT,
        HEAD + ENTRY.replace("1120C", "    CD ") + FOOT,
        f"{HEAD}:61:261119D9,99NCHGNONREF\n:86:at 10\n:26:37 Uhr\n:20:15 more\n{ENTRY}{FOOT}",
    ],
)  # fmt: skip
def test_a_statement_is_read_whatever_stands_around_it(text: str | bytes) -> None:
    (line,) = read(text).lines
    assert (line.value_date, line.amount) == (date(2026, 11, 20), Decimal("103.03"))
    assert line.currency == "USD"
    assert line.text == "TEST"


@pytest.mark.parametrize(
    ("figures", "amount"),
    [
        ("103,03", "103.03"),
        ("103,", "103.00"),
        ("0,5", "0.50"),
        ("000000001107.57", "1107.57"),
        ("1107.57", "1107.57"),
        ("1.108,58", None),
        ("1,108.58", None),
        ("1.234.108,58", None),
        ("103", "103.00"),
        ("1.108", None),
        ("1,108", None),
        ("1.10.58", None),
        ("1108,585", None),
        ("11.08,58", None),
        ("1 108,58", None),
        ("1'108,58", None),
        ("1108,58-", None),
        (",", None),
        ("", None),
    ],
)
def test_an_amount_is_whole_or_the_file_is_refused(figures: str, amount: str | None) -> None:
    if amount is None:
        with pytest.raises(StatementRefused):
            read_entry(f"2611201120C{figures}NTRFNONREF")
    else:
        assert read_entry(f"2611201120C{figures}NTRFNONREF").amount == Decimal(amount)


def test_what_is_no_credit_is_left_out_with_its_reason() -> None:
    entries = {
        "D9,00NTRF": WENT_OUT,
        "RC9,00NTRF": REVERSED,
        "RD9,00NTRF": REVERSED,
        "EC9,00NTRF": EXPECTED,
        "C0,00NTRF": ZERO,
        "D1.234NTRF": WENT_OUT,  # what went out is not looked at any closer
    }
    text = "\n".join(f":61:2611201120{entry}NONREF" for entry in entries)
    file = read(HEAD + text + "\n" + ENTRY + FOOT)
    assert [line.amount for line in file.lines] == [Decimal("103.03")]
    assert dict(file.left_out) == {WENT_OUT: 2, REVERSED: 2, EXPECTED: 1, ZERO: 1}


@pytest.mark.parametrize(
    ("details", "debtor", "text"),
    [
        (
            "166?00CREDIT?20EREF+MHW-261101-?219915?22SVWZ+INVOICE?32FIELD FIFTEEN",
            "FIELD FIFTEEN",
            "INVOICE MHW-261101-9915",
        ),
        ("166?00X?20EREF+NOTPROVIDED?21SVWZ+RG 1?32GLOW?33 TRADING", "GLOW TRADING", "RG 1"),
        ("166?00X?20SVWZ+RG 1 ABWA+GLOW LTD?30BANK", "GLOW LTD", "RG 1"),
        (
            "020?00X?20A NAME THAT FILLS THE LINE O?21NE MORE?60AND",
            "",
            "A NAME THAT FILLS THE LINE ONE MORE AND",
        ),
        ("/ORDP//NAME/GLOW LTD/REMI/INV 1", "GLOW LTD", "/ORDP//NAME/GLOW LTD/REMI/INV 1"),
        ("/CNTP/NL1/BIC/GLOW LTD/ROTTERDAM/\n/REMI/USTD//INV 1/", "GLOW LTD", None),
        ("INVOICE 17\nTHANK YOU", "", "INVOICE 17 THANK YOU"),
    ],
)
def test_who_paid_and_what_for(details: str, debtor: str, text: str | None) -> None:
    line = read_entry("2611201120C103,03NTRFNONREF", details)
    assert line.debtor == debtor
    assert text is None or line.text == text


def test_the_references_of_an_entry() -> None:
    line = read_entry("2612310101C103,03NTRFMHW-261101-9915//B4E 77\n/OCMT/EUR95,00/MORE", "TEST")
    assert (line.reference, line.text) == ("B4E77", "TEST MHW-261101-9915 MORE")
    assert (line.value_date, line.booked_on) == (date(2026, 12, 31), date(2027, 1, 1))


def test_the_thirtieth_of_february_is_its_last_day() -> None:
    assert read_entry("2602300302C5,00NTRFNONREF").value_date == date(2026, 2, 28)
    with pytest.raises(StatementRefused, match="Entry 1: the date"):
        read_entry("2613300302C5,00NTRFNONREF")


def test_a_statement_without_a_currency_asks_for_it() -> None:
    text = f":20:A\n:25:1\n{ENTRY}"
    with pytest.raises(StatementRefused, match="names no currency"):
        read(text)
    assert read(text, currency="EUR").lines[0].currency == "EUR"


def test_each_statement_names_its_own_currency() -> None:
    won = HEAD.replace("USD", "KRW") + ENTRY + FOOT
    assert [line.currency for line in read(HEAD + ENTRY + FOOT + won).lines] == ["USD", "KRW"]
    with pytest.raises(StatementRefused, match="names no currency"):
        read(f"{HEAD}{ENTRY}{FOOT}:20:B\n:25:2\n{ENTRY}")


def test_what_stands_behind_a_balance_is_told_of_no_entry() -> None:
    (line,) = read(f"{HEAD}{ENTRY}\n:62F:C261120USD1,00\n:86:FOR THE STATEMENT\n-\n").lines
    assert line.text == "TEST"
