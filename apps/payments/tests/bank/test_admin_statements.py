"""Statements on the desk: imported, ticked, opened and booked, with and without a
second question.
"""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import shown_messages
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE
from apps.payments.bank.naming import Naming
from apps.payments.models import BankCredit, BankStatement, Payment, WalletEntry
from apps.payments.states import PaymentState
from apps.payments.tests.bank.statement_desk import (
    COLUMNS,
    DAY,
    DESK,
    HEAD,
    STATEMENTS,
    import_rows,
    named,
    page,
    row,
    send,
    store,
    ticks,
)
from apps.payments.tests.factories import (
    announced,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).parent / "statements"
CAPTURED = Payment.objects.filter(state=PaymentState.CAPTURED, kind=Payment.Kind.BALANCE)


class TestImporting:
    def test_a_statement_is_shown_with_its_proposals_and_nothing_is_booked(
        self, sales: Client, buyer: Buyer
    ) -> None:
        exact, short = make_announced_balance(buyer), make_confirmed_order(buyer)
        answer = import_rows(
            sales,
            row(SHIPPING_FEE, exact.invoice_code),
            row(SHIPPING_FEE - 12, short.invoice_code),
            row("640.00", "PAYMENT", "T NAKAMURA"),
            row("500.00", "EURO", currency="EUR"),
        )
        assert shown_messages(answer) == ["nov.csv: imported. Nothing is booked yet."]
        rows = answer.context["rows"]
        assert [(row.tag[0], row.match.is_sure, row.may_tick) for row in rows] == [
            ("Exact", True, True),
            ("12.00 short", True, True),
            ("No match", False, False),
            ("EUR, not booked", False, False),
        ]
        assert "write off 12.00 as bank charges" in answer.text
        assert not CAPTURED.exists()

    def test_the_desk_shows_the_newest_that_has_something_to_book(
        self, sales: Client, buyer: Buyer
    ) -> None:
        order = make_announced_balance(buyer)
        import_rows(sales, row("640.00", "PAYMENT", "T NAKAMURA"))
        whole = import_rows(sales, row(SHIPPING_FEE, order.invoice_code)).context["statement"]
        first, newest = BankStatement.objects.order_by("pk")
        assert (whole, sales.get(DESK).context["statement"]) == (newest, newest)
        BankCredit.objects.filter(statements=newest).update(booked_at=datetime.now(UTC))
        desk = sales.get(DESK)
        assert (desk.context["statement"], desk.context["others"]) == (first, [newest])
        BankCredit.objects.update(booked_at=datetime.now(UTC))
        desk = sales.get(DESK)
        assert "statement" not in desk.context
        assert "Book the ticked lines" not in desk.text

    @pytest.mark.parametrize(
        "name", ["hostile_xxe.xml", "hostile_spreadsheet.csv", "broken_empty.csv"]
    )
    def test_a_broken_file_is_refused_at_its_field(self, sales: Client, name: str) -> None:
        file = SimpleUploadedFile(name, (FOLDER / name).read_bytes())
        answer = sales.post(STATEMENTS, {"file": file})
        assert answer.status_code == 200
        assert len(answer.context["form"].errors["file"]) == 1
        assert not BankStatement.objects.exists()

    def test_the_currency_of_the_account_is_chosen_where_the_file_names_none(
        self, sales: Client
    ) -> None:
        rows, head = ["2026-11-20,640.00,T"], "Date,Amount,Name"
        response = send(sales, *rows, head=head)
        assert "names no currency" in response.context["naming"].fault
        assert "disabled" in response.text.partition('name="store"')[2].partition(">")[0]
        assert not store(sales, response).context.get("statement")
        assert import_rows(sales, *rows, head=head, currency="USD").context["summary"]["count"] == 1

    def test_the_same_file_again_says_so(self, sales: Client) -> None:
        import_rows(sales, row("1.00"))
        assert "already imported" in shown_messages(import_rows(sales, row("1.00")))[0]

    def test_names_from_a_bank_are_text(self, sales: Client) -> None:
        answer = import_rows(
            sales, row("1.00", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>")
        )
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "&lt;script&gt;alert" in answer.text


class TestNamingColumns:
    """A table's columns are shown and named before anything is stored."""

    def test_what_is_read_and_what_is_not_is_shown_and_nothing_is_stored(
        self, sales: Client
    ) -> None:
        head = "Date,Amount,Currency,Name,Ref. statement,Info"
        answer = send(sales, "2026-11-20,5.00,USD,GLOW,000471,x", head=head)
        naming = answer.context["naming"]
        assert [(row.heading, row.column and row.column.name) for row in naming.rows] == [
            ("Date", "BOOKED"),
            ("Amount", "AMOUNT"),
            ("Currency", "CURRENCY"),
            ("Name", "DEBTOR"),
            ("Ref. statement", None),
            ("Info", None),
        ]
        assert "Not read: Ref. statement, Info." in answer.text
        assert "Store 1 credit<" in answer.text
        assert not BankStatement.objects.exists()
        assert not BankCredit.objects.exists()

    @pytest.mark.parametrize(
        ("text", "encoding", "amount"),
        [
            ("Datum;Betrag (USD);Name\n20.11.2026;1.234,50;Öl\n", "cp1252", "1234.50"),
            ("거래일시\t입금액(USD)\t내용\n2026-11-20\t1,234.50\t송금\n", "cp949", "1234.50"),
            ("Date,Amount USD\n2026-11-20,1234\n", "utf-16", "1234"),
        ],
    )
    def test_a_file_is_read_however_it_was_written(
        self, text: str, encoding: str, amount: str
    ) -> None:
        file = Naming(text.encode(encoding)).file
        assert file is not None
        assert [line.amount for line in file.lines] == [Decimal(amount)]

    def test_a_table_that_nobody_knows_is_named_by_staff_and_known_the_next_time(
        self, sales: Client
    ) -> None:
        head, rows = "Wann,Wieviel,Wer", ["2026-11-20,5.00 USD,GLOW TRADING"]
        answer = send(sales, *rows, head=head)
        assert "No column is read as the date yet" in answer.context["naming"].fault
        naming = {"column-0": "DATE", "column-1": "AMOUNT", "column-2": "DEBTOR"}
        looked = store(sales, answer, **naming)
        assert "The columns have changed" in shown_messages(looked)[0]
        assert not BankCredit.objects.exists()
        store(sales, looked)
        assert BankCredit.objects.get().debtor == "GLOW TRADING"
        again = send(sales, *rows, head=head)
        shown = [row.column and row.column.name for row in again.context["naming"].rows]
        assert shown == ["DATE", "AMOUNT", "DEBTOR"]

    def test_a_file_without_headings_is_named_by_its_columns(self, sales: Client) -> None:
        first = '"11/21/2026","5.00","*","","GLOW"'
        answer = send(sales, '"11/20/2026","640.00","*","","T NAKAMURA"', head=first)
        shown = [row.heading for row in answer.context["naming"].rows][:2]
        assert shown == ["Column 1", "Column 2"]
        naming = {"column-0": "BOOKED", "column-1": "AMOUNT", "column-4": "TEXT", "currency": "USD"}
        store(sales, store(sales, answer, **naming))
        assert list(BankCredit.objects.values_list("text", flat=True)) == ["GLOW", "T NAKAMURA"]

    def test_a_better_naming_of_the_same_file_mends_what_is_not_booked(self, sales: Client) -> None:
        head, line = "Date,Amount,Currency,Wer", "2026-11-20,5.00,USD,GLOW"
        import_rows(sales, line, head=head)
        assert BankCredit.objects.get().debtor == ""
        looked = store(sales, send(sales, line, head=head), **{"column-3": "DEBTOR"})
        outlook = looked.context["naming"].outlook
        assert (outlook["new"], outlook["known"], outlook["better"]) == (0, 1, 1)
        store(sales, looked)
        assert BankCredit.objects.get().debtor == "GLOW"

    def test_a_column_twice_and_a_file_that_no_page_sent_are_refused(self, sales: Client) -> None:
        answer = send(sales, row("5.00"))
        twice = store(sales, answer, **{"column-3": "TEXT"})
        assert "Two columns are read as Text" in twice.context["naming"].fault
        for file, text in (
            ("", "is empty"),
            ("x", "did not arrive"),
            ("eHh4", "did not arrive"),
            ("eJw=", "is empty"),
        ):
            assert text in shown_messages(store(sales, answer, file=file))[0]
        assert not BankStatement.objects.exists()


class TestBooking:
    def test_the_ticked_lines_are_booked_and_the_rest_is_left(
        self, sales: Client, buyer: Buyer
    ) -> None:
        exact, short = make_announced_balance(buyer), make_confirmed_order(buyer)
        rows = [
            row(SHIPPING_FEE, exact.invoice_code),
            row(SHIPPING_FEE - 12, short.invoice_code),
            row("9.00"),
        ]
        answer = import_rows(sales, *rows)
        url = page("statement_book", answer.context["statement"].pk)
        response = sales.post(url, {"book": ticks(answer)}, follow=True)
        shown = shown_messages(response)
        assert shown == [f"2 booked, {2 * SHIPPING_FEE - 12:,.2f} USD; 0 skipped, 0 failed."]
        assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.PAID}
        found = [row.tag[0] for row in response.context["rows"]]
        assert found == ["No match", "Booked", "Booked"]

    def test_a_line_sent_twice_is_skipped(self, sales: Client, buyer: Buyer) -> None:
        answer = import_rows(sales, row(SHIPPING_FEE, make_announced_balance(buyer).invoice_code))
        url, fields = (
            page("statement_book", answer.context["statement"].pk),
            {"book": ticks(answer)},
        )
        sales.post(url, fields, follow=True)
        again = shown_messages(sales.post(url, fields, follow=True))
        assert again[0] == "0 booked, 0.00 USD; 1 skipped, 0 failed."
        assert "booked before" in again[1]
        assert Payment.objects.filter(kind=Payment.Kind.BALANCE).count() == 1

    def test_a_line_whose_figures_changed_fails_and_the_others_are_booked(
        self, sales: Client, buyer: Buyer
    ) -> None:
        one, two = make_announced_balance(buyer), make_announced_balance(buyer)
        answer = import_rows(
            sales, row(SHIPPING_FEE, one.invoice_code), row(SHIPPING_FEE, two.invoice_code)
        )
        sales.post(page("confirm", announced(one).pk), {"received": "10.00", **DAY}, follow=True)
        url = page("statement_book", answer.context["statement"].pk)
        sent = {"book": ticks(answer), "from": "desk"}
        report = shown_messages(sales.post(url, sent, follow=True))
        assert report[0] == "1 booked, 50.00 USD; 0 skipped, 1 failed."
        assert "$40.00 is due on " in report[1]
        booked = BankCredit.objects.filter(booked_at__isnull=False)
        assert {credit.amount for credit in booked} == {Decimal(10), SHIPPING_FEE}

    @pytest.mark.parametrize(
        "body", ["", "x", "0=1:0:1:1:0", "{pk}=nonsense", "{pk}=1:2:3", "{pk}=1:0:NaN:NaN:0"]
    )
    def test_what_no_page_sends_books_nothing(self, sales: Client, body: str) -> None:
        answer = import_rows(sales, row("5.00"))
        url = page("statement_book", answer.context["statement"].pk)
        book = {"book": body.format(pk=BankCredit.objects.get().pk)}
        report = shown_messages(sales.post(url, book, follow=True))
        assert "1 failed" in report[0] or "Nothing is ticked" in report[0]
        assert BankCredit.objects.get().booked_at is None

    def test_the_desk_finds_the_wires_in_the_statement(self, sales: Client, buyer: Buyer) -> None:
        balance, other = make_announced_balance(buyer), make_wire_order(buyer)
        import_rows(sales, row(SHIPPING_FEE, balance.invoice_code))
        wires = sales.get(DESK).context["wires"]
        response = {wire["payment"].invoice_code: wire["found"] for wire in wires}
        assert response == {balance.invoice_code: "11-20, 50.00", other.invoice_code: ""}

    def test_a_statement_put_away_leaves_the_desk(self, sales: Client) -> None:
        statement = import_rows(sales, row("5.00")).context["statement"]
        assert sales.get(DESK).context["statement"] == statement
        sales.post(page("statement_away", statement.pk))
        assert "statement" not in sales.get(DESK).context

    def test_reading_an_address_books_nothing_and_puts_nothing_away(
        self, sales: Client, buyer: Buyer
    ) -> None:
        answer = import_rows(sales, row(SHIPPING_FEE, make_announced_balance(buyer).invoice_code))
        pk = answer.context["statement"].pk
        sales.get(page("statement_book", pk), {"book": ticks(answer)})
        sales.get(page("statement_away", pk))
        assert BankCredit.objects.get().booked_at is None
        assert BankStatement.objects.get().put_away_at is None


class TestAnnouncedWires:
    def test_one_wire_is_split_over_orders_of_the_company(
        self, sales: Client, buyer: Buyer
    ) -> None:
        one, two = make_announced_balance(buyer), make_wire_order(buyer)
        url = page("confirm", announced(one).pk)
        fields = {f"part:{claim.token}": "50.00" for claim, _ in sales.get(url).context["split"]}
        answer = sales.post(url, {"received": "100.00", **fields, **DAY}, follow=True)
        shown = [strip_tags(text) for text in shown_messages(answer)]
        assert shown == [f"{one}: Wire of 100.00 split over 2 orders."]
        assert Order.objects.get(pk=one.pk).status == OrderStatus.PAID
        assert Order.objects.get(pk=two.pk).deposit_received == Decimal("50.00")

    def test_a_split_must_make_what_arrived(self, sales: Client, buyer: Buyer) -> None:
        one = make_announced_balance(buyer)
        make_wire_order(buyer)
        url = page("confirm", announced(one).pk)
        fields = {f"part:{claim.token}": "50.00" for claim, _ in sales.get(url).context["split"]}
        answer = sales.post(url, {"received": "100.01", **fields, **DAY})
        assert "The parts add up to $100.00, but $100.01 arrived" in shown_messages(answer)[0]
        assert Order.objects.get(pk=one.pk).status == OrderStatus.CONFIRMED

    def test_far_above_the_announced_amount_asks_a_second_question(self, sales: Client) -> None:
        order = make_announced_balance(make_buyer(company=make_company(name="Verity Cosmetics")))
        url = page("confirm", announced(order).pk)
        response = sales.post(url, {"received": "1050.00", **DAY})
        assert (
            "1,000.00 USD go to the wallet of Verity Cosmetics" in response.context["question"].text
        )
        assert announced(order).received == 0
        sales.post(url, {"received": "2050.00", "agreed": "1000.00", **DAY})
        assert announced(order).received == 0
        sales.post(url, {"received": "1050.00", "agreed": "1000.00", **DAY})
        assert WalletEntry.objects.get().amount == Decimal("1000.00")

    def test_a_little_above_asks_nothing(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        sales.post(page("confirm", announced(order).pk), {"received": "80.00", **DAY})
        assert WalletEntry.objects.get().amount == Decimal("30.00")


def test_the_newest_statement_stands_first(sales: Client) -> None:
    for amount in ("1.00", "2.00", "3.00"):
        import_rows(sales, row(amount))
    ids = [statement.pk for statement in sales.get(STATEMENTS).context["statements"]]
    assert ids == sorted(ids, reverse=True)


def test_who_imported_and_booked_is_written_down(sales: Client, buyer: Buyer) -> None:
    answer = import_rows(sales, row(SHIPPING_FEE, make_announced_balance(buyer).invoice_code))
    sales.post(page("statement_book", answer.context["statement"].pk), {"book": ticks(answer)})
    yuna = User.objects.get(manager="Yuna Seo")
    statement = BankStatement.objects.get()
    assert statement.imported_by_id == yuna.pk
    assert " by Yuna Seo<" in sales.get(page("statement", statement.pk)).text
    credit = BankCredit.objects.get()
    assert credit.booked_by_id == yuna.pk
    assert (credit.booked_at is not None and credit.booked_at <= datetime.now(UTC)) is True


def test_what_is_left_out_stands_on_the_page_with_its_reason(sales: Client) -> None:
    head = "Date,Amount,Currency,Name,Details,Status"
    rows = [
        "2026-11-20,5.00,USD,A,B,COMPLETED",
        "2026-11-20,6.00,USD,A,B,PENDING",
        "2026-11-19,-7.00,USD,A,B,",
    ]
    response = send(sales, *rows, head=head)
    assert "Status “PENDING”" in text_of_page(response)
    stored = text_of_page(store(sales, response))
    assert "Status “PENDING” 1" in stored
    assert "Money that went out 1" in stored


def test_what_the_amounts_and_dates_do_not_say_is_asked_on_the_page(sales: Client) -> None:
    answer = send(sales, '11/10/2026,"1,286"', head="Date,Amount USD")
    assert "choose which of them comes first" in answer.context["naming"].fault
    answer = sales.post(COLUMNS, {**named(answer), "day_order": "day"})
    assert "choose the decimal sign" in answer.context["naming"].fault
    answer = sales.post(COLUMNS, {**named(answer), "decimal": ".", "day_order": "day"})
    (line,) = answer.context["naming"].file.lines
    assert (line.amount, line.value_date) == (Decimal(1286), date(2026, 10, 11))
    store(sales, answer, decimal=".", day_order="day")
    assert BankCredit.objects.get().value_date == date(2026, 10, 11)


@pytest.mark.parametrize(("same", "count"), [("1", 1), ("0", 2)])
def test_a_credit_that_may_be_known_is_asked_before_it_is_booked(
    sales: Client, same: str, count: int
) -> None:
    import_rows(sales, "2026-11-20,5.00,USD,ROSA,ORDER A,", head=HEAD)
    answer = send(sales, "2026-11-20,5.00,USD,ROSA,ORDER B,", head=HEAD)
    assert "Possible duplicates, to decide" in text_of_page(answer)
    answer = store(sales, answer)
    (row_,) = answer.context["rows"]
    assert (row_.tag[0], row_.may_tick) == ("Possible duplicate", False)
    credit = page("credit", row_.credit.pk)
    assert "Is it the same transfer?" in text_of_page(sales.get(credit))
    assert b"data-book" not in sales.get(credit).content
    sales.post(page("credit_like", row_.credit.pk), {"same": same})
    assert (BankCredit.objects.count(), BankCredit.objects.exclude(like=None).count()) == (count, 0)


def text_of_page(answer: Any) -> str:
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())
