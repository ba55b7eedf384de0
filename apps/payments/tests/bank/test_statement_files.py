"""Statement files, good, broken and hostile: read whole, or refused in one sentence."""

import csv
import json
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from apps.common.texts import read as read_text
from apps.payments.bank import table
from apps.payments.bank.cells import Dates
from apps.payments.bank.lines import (
    MAX_BYTES,
    REVERSED,
    WENT_OUT,
    ZERO,
    CreditLine,
    StatementFile,
    StatementRefused,
    checked,
    normal_reference,
)
from apps.payments.bank.table import NO_AMOUNT, recognise
from apps.payments.tests.bank.statement_desk import read_statement

FOLDER = Path(__file__).parent / "statements"
BANKS = json.loads((Path(__file__).parent / "bank_headings.json").read_text())
REFUSED = sorted(path.name for path in FOLDER.iterdir() if not path.name.startswith("good"))


def read(name: str, currency: str = "") -> tuple[CreditLine, ...]:
    return read_statement((FOLDER / name).read_bytes(), currency=currency).lines


def amounts(lines: tuple[CreditLine, ...]) -> list[str]:
    return [f"{line.value_date:%m-%d} {line.amount} {line.currency}" for line in lines]


def test_an_english_export() -> None:
    lines = read("good_point.csv")
    assert amounts(lines) == ["11-20 412.35 USD", "11-20 4190.00 USD", "11-19 8402.60 USD"]
    assert lines[1] == CreditLine(
        value_date=date(2026, 11, 20),
        amount=Decimal("4190.00"),
        currency="USD",
        debtor="VERITY COSMETICS INC",
        text="MHW-261109-0377, LESS CHGS",
        reference="KB2026000422",
        booked_on=date(2026, 11, 20),
    )


def test_a_german_export_with_decimal_commas_tells_the_same() -> None:
    lines, english = read("good_comma.csv"), read("good_point.csv")
    assert amounts(lines) == amounts(english)
    assert [line.reference for line in lines] == [line.reference for line in english]


def test_a_korean_export_in_its_code_page() -> None:
    lines = read("good_cp949.csv")
    assert amounts(lines) == ["11-20 412.35 USD", "11-20 4190.00 USD"]
    assert (lines[1].debtor, lines[1].reference) == ("베리티 코스메틱", "000422")


def test_an_old_workbook_of_a_korean_bank_with_lines_above_and_a_sum_below() -> None:
    file = read_statement((FOLDER / "good.xls").read_bytes(), currency="USD")
    assert file.kind == "sheet"
    assert amounts(file.lines) == ["11-20 412.35 USD", "11-19 4190.00 USD"]
    shown = [line.debtor for line in file.lines]
    assert shown == ["GLOW TRADING MHW 261119 0421", "베리티 코스메틱"]


def test_a_workbook_tells_the_same_as_the_csv() -> None:
    rows = csv.reader((FOLDER / "good_point.csv").read_text().splitlines())
    assert read_statement(workbook(*rows)).lines == read("good_point.csv")


def test_utf_16_with_tabs_and_days_first() -> None:
    lines = read("good_utf16.csv")
    assert amounts(lines) == ["11-20 412.35 USD", "11-05 4190.00 USD"]


def test_western_europes_code_page_where_its_letters_stand_alone() -> None:
    head = "Buchungstag;Betrag;Währung;Begünstigter/Zahlungspflichtiger"
    text = f"{head}\n20.11.2026;1.234,50;USD;MÜLLER GRÖßE\n"
    (line,) = read_statement(text.encode("cp1252")).lines
    assert (line.debtor, line.amount) == ("MÜLLER GRÖßE", Decimal("1234.50"))


def test_a_column_that_says_credit_or_debit_and_another_currency() -> None:
    assert amounts(read("good_sign_column.csv")) == ["11-20 1286.00 USD", "11-19 500.00 EUR"]


def test_months_first_where_a_date_leaves_no_other_reading() -> None:
    assert amounts(read("good_month_first.csv")) == ["11-05 100.00 USD", "11-20 200.00 USD"]


def test_the_currency_of_the_account_is_asked_for_where_the_file_names_none() -> None:
    with pytest.raises(StatementRefused, match="names no currency"):
        read("good_no_currency.csv")
    assert amounts(read("good_no_currency.csv", currency="USD")) == ["11-20 640.00 USD"]


@pytest.mark.parametrize("export", BANKS, ids=lambda export: export["bank"])
def test_the_exports_of_large_banks_are_known(export: dict[str, Any]) -> None:
    content = f"{export['headings']}\n{export['row']}\n".encode()
    currency = "KRW" if export["country"] == "KR" else "USD"
    (line,) = read_statement(content, currency=currency, decimal=",").lines
    amount = Decimal("9900.00")
    assert (line.value_date, line.amount) == (date(2026, 11, 20), amount)
    assert line.debtor.startswith("GLOW TRADING") or line.text.startswith("GLOW TRADING")


@pytest.mark.parametrize(
    "export", [one for one in BANKS if "columns" in one], ids=lambda export: export["bank"]
)
def test_each_column_of_an_export_is_taken_for_what_it_is(export: dict[str, Any]) -> None:
    head = export["headings"]
    columns = recognise(head.split(";" if ";" in head else ","))
    assert {column.name: index for column, index in columns.items()} == export["columns"]


def test_ten_banks_of_each_country_are_known() -> None:
    banks = {(export["country"], export["bank"].partition(",")[0]) for export in BANKS}
    for country in ("KR", "DE", "ES", "US"):
        assert sum(one == country for one, _ in banks) >= 10, country


@pytest.mark.parametrize("version", ["02", "04", "08"])
def test_camt_053_tells_the_same_as_the_export(version: str) -> None:
    lines, export = read(f"good_camt_{version}.xml"), read("good_point.csv")
    assert amounts(lines) == amounts(export)
    shown = [(line.debtor, line.reference) for line in lines]
    assert shown == [(line.debtor, line.reference) for line in export]
    assert lines[0].text == "INV MHW 261119 0421"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "good_camt_collected.xml",
            [("30.00", "A1", "Buyer 30.00"), ("12.00", "A2", "Buyer 12.00")],
        ),
        ("good_camt_collected_without_references.xml", [("42.00", "ALL", "Buyer 30.00")]),
        ("good_camt_collected_unequal.xml", [("42.00", "ALL", "Buyer 30.00")]),
    ],
)
def test_a_collected_entry_is_taken_apart_only_where_the_bank_tells_its_parts(
    name: str, expected: list[tuple[str, str, str]]
) -> None:
    lines = read(name)
    assert [(str(line.amount), line.reference, line.debtor) for line in lines] == expected
    assert {line.value_date for line in lines} == {date(2026, 11, 20)}


def test_mt940_tells_the_same_as_the_export() -> None:
    *lines, euros = read("good.mt940")
    assert amounts(tuple(lines)) == amounts(read("good_point.csv"))
    assert [line.reference for line in lines] == [line.reference for line in read("good_point.csv")]
    assert [line.debtor for line in lines] == ["PL BRIGHTWATER TRADING", "VERITY COSMETICS INC", ""]
    assert lines[0].text == "INV MHW 261119 0421"
    assert (euros.amount, euros.currency) == (Decimal("500.00"), "EUR")


def test_nothing_that_an_mt940_file_says_reaches_the_logs(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("broken_date.mt940", "broken_entry.mt940"):
        with pytest.raises(StatementRefused):
            read(name)
    assert "SECRET" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("name", REFUSED)
def test_broken_and_hostile_files_are_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(StatementRefused) as refused:
        read(name)
    text = str(refused.value)
    assert text.endswith(".")
    assert len(text) < 160
    assert "passwd" not in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("broken_amount.csv", "Line 2: the amount “12.3.4” cannot be read."),
        ("broken_date.csv", "Line 2: the date “2026-13-45” cannot be read."),
        ("broken_both_dates.csv", "day/month and as month/day"),
        ("hostile_formula_amount.csv", "Line 2 holds a formula."),
        ("hostile_xxe.xml", "declares a document type or entities"),
        ("hostile_billion_laughs.xml", "declares a document type or entities"),
        ("hostile_external_dtd.xml", "declares a document type or entities"),
        ("broken_entry.mt940", "Entry 2 cannot be read."),
        ("broken_camt_14.xml", "version 14 is not known"),
        ("hostile_spreadsheet.csv", "This archive or workbook cannot be read"),
        ("broken.xls", "This workbook cannot be read"),
    ],
)
def test_what_the_refusal_says(name: str, text: str) -> None:
    with pytest.raises(StatementRefused, match=text.replace("(", r"\(")):
        read(name)


def test_a_file_over_the_limit_is_not_read() -> None:
    with pytest.raises(StatementRefused, match="larger than 10 MB"):
        read_statement(b"<" * (MAX_BYTES + 1))


def test_too_many_lines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_LINES", 5)
    content = "Date,Amount USD\n" + "2026-11-20,1.00\n" * 6
    with pytest.raises(StatementRefused, match="more than 5 rows"):
        read_statement(content.encode())


def test_a_deep_file_is_refused_without_recursion() -> None:
    depth = 400_000
    with pytest.raises(StatementRefused):
        read_statement(b"<a>" * depth + b"</a>" * depth)


@pytest.mark.parametrize("amount", ["0", "-1.00", "1.005", "NaN", "10000000000"])
def test_an_amount_that_no_bank_credits_is_refused(amount: str) -> None:
    line = CreditLine(date(2026, 11, 20), Decimal(amount), "USD")
    with pytest.raises(StatementRefused, match="Row 1: the amount is wrong"):
        checked(line, "Row 1")


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("kb-2026/000421 ", "KB2026000421"),
        ("NOTPROVIDED", ""),
        ("not provided", ""),
        ("0000", ""),
        ("000421", "000421"),
    ],
)
def test_references_are_the_same_however_they_are_spelt(text: str, reference: str) -> None:
    assert normal_reference(text) == reference


@pytest.mark.parametrize(
    ("cell", "amount"),
    [
        ("1,286.00", "1286.00"),
        ("1 286,00", "1286.00"),
        ("1'286.00", "1286.00"),
        ("12,345,678", "12345678"),
        ("USD 1,286.50", "1286.50"),
        ("$1286.5", "1286.5"),
        ("1286.00 USD", "1286.00"),
        ("+412.35", "412.35"),
    ],
)
def test_amounts_are_read_however_they_are_written(cell: str, amount: str) -> None:
    lines = read_statement(f'Date;Amount;Currency\n2026-11-20;"{cell}";USD\n'.encode()).lines
    assert [line.amount for line in lines] == [Decimal(amount)]


@pytest.mark.parametrize("cell", ["-412.35", "412.35-", "(412.35)", "−412.35"])
def test_what_went_out_is_left_out(cell: str) -> None:
    assert read_statement(f"Date;Amount;Currency\n2026-11-20;{cell};USD\n".encode()).lines == ()


DATES = """
2026-11-20|2026/11/20|2026.11.20|20261120|20.11.2026|20/11/2026|11/20/2026|20 Nov 2026|Nov 20, 2026
20-Nov-2026|2026-11-20 23:59:59|2026-11-20T08:00:00+09:00|20.11.26
"""


@pytest.mark.parametrize(
    "cell", [cell for row in DATES.split("\n") for cell in row.split("|") if cell]
)
def test_dates_are_read_however_they_are_written(cell: str) -> None:
    lines = read_statement(f'Date;Amount USD\n"{cell}";1.00\n'.encode()).lines
    assert [line.value_date for line in lines] == [date(2026, 11, 20)]


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        # Either way a date: with dots the day comes first; but no month is the 13th.
        (("05.11.2026", "06.11.2026"), date(2026, 11, 5)),
        (("11.13.2026", "11.06.2026"), date(2026, 11, 13)),
    ],
)
def test_dates_with_dots_are_never_doubtful(dates, first):
    assert Dates(dates).read(dates[0], "Line 2") == first
    with pytest.raises(StatementRefused):
        Dates(["05/11/2026", "06/11/2026"])


def read_rows(*rows: str, **answers: Any) -> StatementFile:
    return read_statement("\n".join(rows).encode(), **answers)


def workbook(*rows: list[Any]) -> bytes:
    book, output = Workbook(), BytesIO()
    for cells in rows:
        book.active.append(cells)
    book.save(output)
    return output.getvalue()


@pytest.mark.parametrize(
    ("number", "amount"),
    [
        (1122.9999999999998, "1123.00"),
        (412.35, "412.35"),
        (5, "5.00"),
        (122.125, None),
        (1234.567, None),
        ("412.35", "412.35"),
        ("1.234,56", "1234.56"),
    ],
)
def test_a_number_of_a_workbook_is_money_to_the_cent_or_refused(
    number: Any, amount: str | None
) -> None:
    content = workbook(["Date", "Amount USD", "Name"], [date(2026, 11, 20), number, "GLOW"])
    if amount is None:
        with pytest.raises(StatementRefused, match="Line 2: the amount"):
            read_statement(content)
    else:
        (line,) = read_statement(content).lines
        assert (line.amount, line.value_date) == (Decimal(amount), date(2026, 11, 20))


@pytest.mark.parametrize(
    ("cell", "reference"),
    [
        (20261120000121.0, "20261120000121"),
        (9527384455703.0, "9527384455703"),
        ("20261120000121", "20261120000121"),
        ("2.0261120000121E13", "20261120000121"),
        ("2.02611E+13", ""),  # its last digits are lost
        (2.0261120000121e17, ""),
        ("0012", "0012"),
    ],
)
def test_a_reference_keeps_its_digits_or_is_none(cell: Any, reference: str) -> None:
    book = workbook(["Date", "Amount USD", "Reference"], ["2026-11-20", 5, cell])
    assert read_statement(book).lines[0].reference == reference
    if isinstance(cell, str):
        file = read_rows("Date,Amount USD,Reference", f"2026-11-20,5.00,{cell}")
        assert file.lines[0].reference == reference


@pytest.mark.parametrize(
    ("heading", "cell", "currency"),
    [
        ("Amount (HK$)", "5.00", "HKD"),
        ("Amount", "HK$5.00", "HKD"),
        ("Amount", "S$ 5.00", "SGD"),
        ("Amount (MX$)", "5.00", "MXN"),
        ("Amount", "5.00 NT$", "TWD"),
        ("Amount", "$5.00 CAD", "CAD"),
        ("Amount (A$)", "5.00", "AUD"),
        ("Amount", "R$5.00", "BRL"),
        ("Amount (US$)", "5.00", "USD"),
        ("Amount", "US$ 5.00", "USD"),
        ("Amount USD", "$5.00", "USD"),
        ("Betrag (€)", "5.00", "EUR"),
        ("Amount ($)", "5.00", None),
        ("Amount", "$5.00", None),
        ("Amount USD", "HK$5.00", None),
        ("Amount EUR", "$5.00", None),
        ("Amount", "ZZ$5.00", None),
    ],
)
def test_what_is_not_surely_us_dollars_is_never_taken_as_such(
    heading: str, cell: str, currency: str | None
) -> None:
    rows = (f"Date,{heading},Name", f"2026-11-20,{cell},GLOW")
    if currency is None:
        with pytest.raises(StatementRefused):
            read_rows(*rows)
    else:
        assert [line.currency for line in read_rows(*rows).lines] == [currency]


def test_a_bare_dollar_is_any_dollar_that_staff_choose() -> None:
    rows = ("Date,Amount,Name", "2026-11-20,$5.00,GLOW")
    assert read_rows(*rows, currency="USD").lines[0].currency == "USD"
    with pytest.raises(StatementRefused, match="is not in EUR"):
        read_rows(*rows, currency="EUR")


@pytest.mark.parametrize(
    ("rows", "answers", "expected"),
    [
        (["1,286"], {}, None),
        (["1.286"], {}, None),
        (["1,286"], {"decimal": "."}, ["1286"]),
        (["1.286"], {"decimal": ","}, ["1286"]),
        (["1,286"], {"decimal": ","}, None),
        (["1,286", "5.50"], {}, ["1286", "5.50"]),
        (["1,286", "12,345,678"], {}, ["1286", "12345678"]),
        (["122.125", "5.50"], {}, None),
        (["12.34", "56,78"], {}, ["12.34", "56.78"]),
        (["1,286", "12.34", "56,78"], {}, None),
        (["1,286"], {"currency": "KRW"}, ["1286"]),
    ],
)
def test_a_mark_before_three_digits_is_decided_by_the_column_or_asked(
    rows: list[str], answers: dict[str, str], expected: list[str] | None
) -> None:
    content = ["Date;Amount", *(f"2026-11-20;{cell}" for cell in rows)]
    if expected is None:
        with pytest.raises(StatementRefused):
            read_rows(*content, **{"currency": "USD", **answers})
    else:
        file = read_rows(*content, **{"currency": "USD", **answers})
        assert [line.amount for line in file.lines] == [Decimal(amount) for amount in expected]


def test_a_balance_says_which_sign_is_the_decimal_one() -> None:
    head = "Date;Betrag;Saldo;Währung"
    file = read_rows(head, "2026-11-20;1.286;1.286,00;EUR")
    assert file.lines[0].amount == Decimal("1286")
    with pytest.raises(StatementRefused, match="cannot be read"):
        read_rows(head, "2026-11-20;1.286;2000.00;EUR")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Status", "PENDING"),
        ("State", "REVERTED"),
        ("Status", "Cancelled"),
        ("Status", "Not booked"),
        ("Info", "Umsatz vorgemerkt"),
        ("Buchungsstatus", "Storniert"),
        ("Estado", "Pendiente"),
        ("Situação", "Estornado"),
        ("Statut", "En attente"),
        ("Stato", "In lavorazione"),
        ("거래상태", "취소"),
        ("状態", "取消"),
        ("Статус", "Отклонён"),
        ("Anything", "Failed"),
    ],
)
def test_what_has_not_arrived_is_no_credit_and_is_counted(head: str, status: str) -> None:
    booked = {"거래상태": "정상", "Info": "Umsatz gebucht", "Статус": "Исполнен"}.get(
        head, "completed"
    )
    file = read_rows(
        f"Date,Amount USD,Name,{head}",
        f"2026-11-20,116.16,A,{status}",
        f"2026-11-19,16.16,A,{booked}",
        "2026-11-18,-3.00,B,",
        "2026-11-18,0.00,B,",
    )
    assert [line.amount for line in file.lines] == [Decimal("16.16")]
    left_out = {read_text(reason): count for reason, count in file.left_out}
    assert left_out == {f"status “{status}”": 1, WENT_OUT: 1, ZERO: 1}


def test_a_status_that_is_not_known_is_asked_and_a_state_of_a_country_is_none() -> None:
    head = "Date,Amount USD,Name,Status"
    with pytest.raises(StatementRefused, match="“QX” says neither booked nor pending"):
        read_rows(head, "2026-11-20,5.00,A,QX", "2026-11-20,5.00,A,Booked")
    file = read_rows("Date,Amount USD,Name,State", "2026-11-20,5.00,A,NY", "2026-11-20,6.00,B,TX")
    assert len(file.lines) == 2


def test_a_word_in_the_place_of_the_day_says_that_nothing_is_booked() -> None:
    file = read_rows("Posting Date,Amount USD", "Pending,5.00", "2026-11-20,6.00")
    assert [line.amount for line in file.lines] == [Decimal("6.00")]


def test_a_dash_is_an_empty_cell() -> None:
    file = read_rows(
        "Booking date,Text,Debit,Credit,Balance,Currency,Reference",
        "2026-11-20,A,-,118.18,2000.00,USD,-",
        "2026-11-19,fee,5.00,–,-,USD,--",
        "2026-11-19,note,-,-,-,-,-",
    )
    assert [(line.amount, line.reference) for line in file.lines] == [(Decimal("118.18"), "")]
    assert dict(file.left_out) == {WENT_OUT: 1, NO_AMOUNT: 1}


def test_a_minus_that_a_column_calls_credit_is_not_guessed() -> None:
    rows = ("Date,Amount USD,D/C", "2026-11-20,5.00,D", "2026-11-20,-6.00,C")
    with pytest.raises(StatementRefused, match="Line 3: it says credit"):
        read_rows(*rows)


def test_the_order_of_day_and_month_is_asked_where_no_date_says_it() -> None:
    rows = ("Date,Amount USD", "05/11/2026,5.00", "06/11/2026,5.00")
    with pytest.raises(StatementRefused, match="choose which of them comes first"):
        read_rows(*rows)
    assert read_rows(*rows, day_first=True).lines[0].value_date == date(2026, 11, 5)
    assert read_rows(*rows, day_first=False).lines[0].value_date == date(2026, 5, 11)
    old = read_rows("Date,Amount USD", "12/15/2018,5.00")
    assert old.lines[0].value_date == date(2018, 12, 15)


ENTRY = """<Ntry><Amt Ccy="USD">{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd>{more}<Sts>{status}</Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt>{details}</Ntry>"""


def camt(
    details: str = "", message: str = "053.001.02", amount: str = "5.00", sign: str = "CRDT",
    status: str = "BOOK", more: str = "",
) -> bytes:  # fmt: skip
    one, two = {
        "052": ("BkToCstmrAcctRpt", "Rpt"),
        "053": ("BkToCstmrStmt", "Stmt"),
        "054": ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
    }[message[:3]]
    entry = ENTRY.format(amount=amount, sign=sign, status=status, more=more, details=details)
    root = f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.{message}">'
    return f"{root}<{one}><{two}><Id>1</Id>{entry}</{two}></{one}></Document>".encode()


@pytest.mark.parametrize(
    "content",
    [
        *(camt(message=f"053.001.{version:02}") for version in range(1, 14)),
        camt(message="052.001.08"),
        camt(message="054.001.08"),
        camt(status="<Cd>BOOK</Cd>"),
        b"<Envelope><AppHdr/>" + camt() + b"</Envelope>",
        b"\x01" + camt() + b"\x03",
    ],
)  # fmt: skip
def test_the_messages_of_camt(content: bytes) -> None:
    (line,) = read_statement(content).lines
    assert (line.amount, line.value_date) == (Decimal("5.00"), date(2026, 11, 21))
    assert line.booked_on == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"amount": "0.00"}, ZERO),
        ({"sign": "DBIT"}, WENT_OUT),
        ({"more": "<RvslInd>true</RvslInd>"}, REVERSED),
        ({"status": "PDNG"}, "status “PDNG”"),
        ({"status": "<Cd>INFO</Cd>"}, "status “INFO”"),
        ({"status": ""}, "status “unknown”"),
    ],
)
def test_an_entry_of_camt_that_is_no_credit_is_counted(
    changes: dict[str, str], reason: str
) -> None:
    file = read_statement(camt(**changes))
    ((left_out, count),) = file.left_out
    assert (file.lines, read_text(left_out), count) == ((), reason, 1)


DETAILS = "<NtryDtls><TxDtls>{}</TxDtls></NtryDtls>"


@pytest.mark.parametrize(
    ("details", "debtor", "text"),
    [
        ("<RltdPties><UltmtDbtr><Pty><Nm>GLOW</Nm></Pty></UltmtDbtr></RltdPties>", "GLOW", ""),
        ("<RltdPties><UltmtDbtr><Nm>GLOW</Nm></UltmtDbtr></RltdPties>", "GLOW", ""),
        ("<RltdPties><Dbtr><Pty><Nm>GLOW</Nm></Pty></Dbtr></RltdPties>", "GLOW", ""),
        (
            "<Refs><EndToEndId>MHW-261101-9913</EndToEndId></Refs><AddtlTxInf>A</AddtlTxInf>",
            "",
            "MHW-261101-9913 A",
        ),
        (
            "<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AddtlTxInf>RG 1</AddtlTxInf>",
            "",
            "RG 1",
        ),
        ("<RmtInf><Strd><AddtlRmtInf>RG 1</AddtlRmtInf></Strd></RmtInf>", "", "RG 1"),
    ],
)
def test_who_paid_and_what_for_in_camt(details: str, debtor: str, text: str) -> None:
    (line,) = read_statement(camt(DETAILS.format(details), "053.001.08")).lines
    assert (line.debtor, line.text) == (debtor, text)


def archive(*files: bytes, name: str = "{}.xml") -> bytes:
    output = BytesIO()
    with ZipFile(output, "w", ZIP_DEFLATED) as zipped:
        for number, content in enumerate(files):
            zipped.writestr(name.format(number), content)
    return output.getvalue()


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (archive(camt()), 1),
        (archive(camt(), camt(message="052.001.08"), name="folder/{}.xml"), 2),
        (archive(b"Date,Amount USD\n2026-11-20,5.00\n", name="a.csv"), 1),
        (archive(workbook(["Date", "Amount USD"], ["2026-11-20", 5]), name="{}.xlsx"), None),
        (archive(archive(camt()), name="{}.zip"), "holds another archive"),
        (archive(camt(), b"Date,Amount USD\n2026-11-20,5.00\n"), "send it alone"),
        (archive(b" " * 100), "holds no file"),
        (archive(b"<" + b" " * 11_000_000), "This archive or workbook cannot be read"),
        (archive(camt(), name="../{}.xml"), "This archive or workbook cannot be read"),
        (archive(camt())[:200], "This archive or workbook cannot be read"),
    ],
)  # fmt: skip
def test_an_archive_is_opened_one_level_deep(content: bytes, count: int | str | None) -> None:
    if isinstance(count, int):
        assert len(read_statement(content).lines) == count
    else:
        with pytest.raises(StatementRefused, match=count):
            read_statement(content)
