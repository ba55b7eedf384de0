"""Statement files, good, broken and hostile: read whole, or refused in one sentence."""

import csv
import json
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from apps.payments.bank.cells import Dates
from apps.payments.bank.headings import recognise
from apps.payments.bank.lines import MAX_BYTES, CreditLine, StatementRefused, normal_reference
from apps.payments.bank.reader import read_statement

FOLDER = Path(__file__).parent / "statements"
BANKS = json.loads((Path(__file__).parent / "bank_headings.json").read_text())
TODAY = date(2026, 11, 21)
REFUSED = sorted(path.name for path in FOLDER.iterdir() if not path.name.startswith("good"))


def read(name: str, currency: str = "") -> tuple[CreditLine, ...]:
    return read_statement((FOLDER / name).read_bytes(), today=TODAY, currency=currency).lines


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
    file = read_statement((FOLDER / "good.xls").read_bytes(), today=TODAY, currency="USD")
    assert file.kind == "sheet"
    assert amounts(file.lines) == ["11-20 412.35 USD", "11-19 4190.00 USD"]
    assert [line.debtor for line in file.lines] == [
        "GLOW TRADING MHW 261119 0421",
        "베리티 코스메틱",
    ]


def test_a_workbook_tells_the_same_as_the_csv() -> None:
    book, lines = Workbook(), (FOLDER / "good_point.csv").read_text().splitlines()
    for cells in csv.reader(lines):
        book.active.append(cells)
    written = BytesIO()
    book.save(written)
    found = read_statement(written.getvalue(), today=TODAY).lines
    assert found == read("good_point.csv")


def test_utf_16_with_tabs_and_days_first() -> None:
    lines = read("good_utf16.csv")
    assert amounts(lines) == ["11-20 412.35 USD", "11-05 4190.00 USD"]


def test_western_europes_code_page_where_its_letters_stand_alone() -> None:
    head = "Buchungstag;Betrag;Währung;Begünstigter/Zahlungspflichtiger"
    text = f"{head}\n20.11.2026;1.234,50;USD;MÜLLER GRÖßE\n"
    (line,) = read_statement(text.encode("cp1252"), today=TODAY).lines
    assert (line.debtor, line.amount) == ("MÜLLER GRÖßE", Decimal("1234.50"))


def test_a_column_that_says_credit_or_debit_and_another_currency() -> None:
    assert amounts(read("good_sign_column.csv")) == ["11-20 1286.00 USD", "11-19 500.00 EUR"]


def test_months_first_where_a_date_leaves_no_other_reading() -> None:
    assert amounts(read("good_month_first.csv")) == ["11-05 100.00 USD", "11-20 200.00 USD"]


def test_the_currency_of_the_account_is_asked_for_where_the_file_names_none() -> None:
    with pytest.raises(StatementRefused, match="does not say its currency"):
        read("good_no_currency.csv")
    assert amounts(read("good_no_currency.csv", currency="USD")) == ["11-20 640.00 USD"]


@pytest.mark.parametrize("export", BANKS, ids=lambda export: export["bank"])
def test_the_exports_of_large_banks_are_known(export: dict[str, Any]) -> None:
    content = f"{export['headings']}\n{export['row']}\n".encode()
    (line,) = read_statement(content, today=TODAY, currency="USD").lines
    amount = Decimal("9900.00")
    assert (line.value_date, line.amount) == (date(2026, 11, 20), amount)
    assert line.debtor.startswith("GLOW TRADING") or line.text.startswith("GLOW TRADING")


@pytest.mark.parametrize(
    "export", [one for one in BANKS if "columns" in one], ids=lambda export: export["bank"]
)
def test_each_column_of_an_export_is_taken_for_what_it_is(export: dict[str, Any]) -> None:
    head = export["headings"]
    found = recognise(head.split(";" if ";" in head else ","))
    assert {column.name: index for column, index in found.items()} == export["columns"]


def test_ten_banks_of_each_country_are_known() -> None:
    banks = {(export["country"], export["bank"].partition(",")[0]) for export in BANKS}
    assert {
        country: sum(one == country for one, _ in banks) >= 10
        for country in ("KR", "DE", "ES", "US")
    } == {
        "KR": True,
        "DE": True,
        "ES": True,
        "US": True,
    }


@pytest.mark.parametrize("version", ["02", "04", "08"])
def test_camt_053_tells_the_same_as_the_export(version: str) -> None:
    lines, export = read(f"good_camt_{version}.xml"), read("good_point.csv")
    assert amounts(lines) == amounts(export)
    assert [(line.debtor, line.reference) for line in lines] == [
        (line.debtor, line.reference) for line in export
    ]
    assert lines[0].text == "INV MHW 261119 0421"


@pytest.mark.parametrize("version", ["03", "05", "06", "07"])
def test_the_versions_between(version: str) -> None:
    content = (FOLDER / "good_camt_02.xml").read_text().replace("053.001.02", f"053.001.{version}")
    assert len(read_statement(content.encode(), today=TODAY).lines) == 3


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
        ("broken_both_decimals.csv", "a decimal comma in some lines"),
        ("hostile_formula_amount.csv", "Line 2 holds a formula."),
        ("hostile_xxe.xml", "declares a document type or entities"),
        ("hostile_billion_laughs.xml", "declares a document type or entities"),
        ("hostile_external_dtd.xml", "declares a document type or entities"),
        ("broken_entry.mt940", "This MT940 file cannot be read."),
        ("hostile_long_line.mt940", "This MT940 file cannot be read."),
        ("broken_camt_10.xml", "version 10 is not known"),
        ("broken_camt_052.xml", "not a CAMT.053 statement"),
        ("hostile_spreadsheet.csv", "This workbook cannot be read"),
        ("broken.xls", "This workbook cannot be read"),
    ],
)
def test_what_the_refusal_says(name: str, text: str) -> None:
    with pytest.raises(StatementRefused, match=text.replace("(", r"\(")):
        read(name)


def test_a_file_over_the_limit_is_not_read() -> None:
    with pytest.raises(StatementRefused, match="larger than 10 MB"):
        read_statement(b"<" * (MAX_BYTES + 1), today=TODAY)


def test_too_many_lines_are_refused() -> None:
    content = "Date,Amount USD\n" + "2026-11-20,1.00\n" * 100_001
    with pytest.raises(StatementRefused, match="More than 100,000 lines"):
        read_statement(content.encode(), today=TODAY)


def test_a_deep_file_is_refused_without_recursion() -> None:
    depth = 400_000
    with pytest.raises(StatementRefused):
        read_statement(b"<a>" * depth + b"</a>" * depth, today=TODAY)


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
        ("1.286", "1286"),
        ("12,345,678", "12345678"),
        ("USD 1,286.50", "1286.50"),
        ("$1286.5", "1286.5"),
        ("1286.00 USD", "1286.00"),
        ("+412.35", "412.35"),
    ],
)
def test_amounts_are_read_however_they_are_written(cell: str, amount: str) -> None:
    lines = read_statement(
        f'Date;Amount;Currency\n2026-11-20;"{cell}";USD\n'.encode(), today=TODAY
    ).lines
    assert [line.amount for line in lines] == [Decimal(amount)]


@pytest.mark.parametrize("cell", ["-412.35", "412.35-", "(412.35)", "−412.35"])
def test_what_went_out_is_left_out(cell: str) -> None:
    assert (
        read_statement(f"Date;Amount;Currency\n2026-11-20;{cell};USD\n".encode(), today=TODAY).lines
        == ()
    )


DATES = """
2026-11-20|2026/11/20|2026.11.20|20261120|20.11.2026|20/11/2026|11/20/2026|20 Nov 2026|Nov 20, 2026|20-Nov-2026
2026-11-20 23:59:59|2026-11-20T08:00:00+09:00|20.11.26
"""


@pytest.mark.parametrize(
    "cell", [cell for row in DATES.split("\n") for cell in row.split("|") if cell]
)
def test_dates_are_read_however_they_are_written(cell: str) -> None:
    lines = read_statement(f'Date;Amount USD\n"{cell}";1.00\n'.encode(), today=TODAY).lines
    assert [line.value_date for line in lines] == [date(2026, 11, 20)]


def test_a_file_says_which_columns_were_read_and_which_not() -> None:
    file = read_statement(b"Date,Amount USD,Payer's house\n2026-11-20,5.00,Glow\n", today=TODAY)
    assert file.read == (("Date", "day of booking"), ("Amount USD", "amount, with a sign"))
    assert file.unread == ("Payer's house",)


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        (
            ("05.11.2026", "06.11.2026"),
            date(2026, 11, 5),
        ),  # either way near today: with dots the day comes first
        (("11.13.2026", "11.06.2026"), date(2026, 11, 13)),  # no month is the 13th
    ],
)
def test_dates_with_dots_are_never_doubtful(dates, first):
    today = date(2026, 11, 20)
    assert Dates(dates, today=today).read(dates[0], "Line 2") == first
    with pytest.raises(StatementRefused):
        Dates(["05/11/2026", "06/11/2026"], today=today)
