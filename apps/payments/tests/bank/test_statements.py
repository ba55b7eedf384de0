"""Statements taken in once and booked once, whatever is sent twice, in which form, and by how many
at the same time.
"""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from openpyxl import Workbook

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.common.errors import NotFound, PortalError, WrongStatus
from apps.common.tests.races import race
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_order_at, make_sales
from apps.payments.bank import statements
from apps.payments.bank.matching import Kind, Match, open_claims
from apps.payments.bank.rows import credit_row
from apps.payments.bank.statements import (
    book_credit,
    join_credit,
    part_credit,
    put_away,
    send_back_credit,
)
from apps.payments.models import BankCredit, BankStatement, Payment
from apps.payments.services.receive import WirePart, receive_wire
from apps.payments.states import PaymentState
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import (
    announced,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
FOLDER = Path(__file__).parent / "statements"
TRANSFERS = json.loads((Path(__file__).parent / "transfers.json").read_text())
CENT = Decimal("0.01")


def take_in(content: bytes | str, **fields: Any) -> BankStatement:
    content = content.encode() if isinstance(content, str) else content
    return import_statement(
        content=content, name="november.csv", actor=make_sales(), now=NOW, **fields
    )


def sample(name: str) -> BankStatement:
    return take_in((FOLDER / name).read_bytes())


def csv(*rows: str, head: str = "Date,Amount USD,Name,Details,Bank reference") -> str:
    return "\n".join([head, *rows]) + "\n"


def shown(statement: BankStatement) -> set[tuple[str, str]]:
    return {(str(credit.amount), credit.reference or "") for credit in statement.credits.all()}


def in_form(form: str, rows: Sequence[Sequence[str]]) -> bytes:
    """Return a bank's file of transfers: day, day of booking, amount, payer, text, reference."""
    if form == "csv":
        head = "Value date,Booking date,Amount USD,Name,Details,Reference"
        return "\n".join([head, *map(",".join, rows)]).encode()
    if form == "xlsx":
        book, output = Workbook(), BytesIO()
        book.active.append(["Date", "Amount USD", "Name", "Details", "Reference"])
        for day, _, amount, *told in rows:
            book.active.append([date.fromisoformat(day), float(amount), *told])
        book.save(output)
        return output.getvalue()
    if form == "mt940":
        entries = [
            f":61:{day[2:].replace('-', '')}{(booked or day)[5:].replace('-', '')}"
            f"C{amount.replace('.', ',')}"
            f"NTRFNONREF//{reference}\n:86:/ORDP//NAME/{payer}/REMI/{text}"
            for day, booked, amount, payer, text, reference in rows
        ]
        return "\n".join([":20:A", ":25:1", ":60F:C261101USD1,00", *entries, "-"]).encode()
    entries = [
        f'<Ntry><Amt Ccy="USD">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>{booked or day}</Dt></BookgDt><ValDt><Dt>{day}</Dt></ValDt>"
        f"<AcctSvcrRef>{reference}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties>"
        f"<Dbtr><Nm>{payer}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>{text}</Ustrd></RmtInf>"
        "</TxDtls></NtryDtls></Ntry>"
        for day, booked, amount, payer, text, reference in rows
    ]
    root = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>'
    return f"{root}{''.join(entries)}</Stmt></BkToCstmrStmt></Document>".encode()


class TestTakingIn:
    @pytest.mark.parametrize("second", ["good_comma.csv", "good_camt_02.xml", "good_camt_08.xml"])
    def test_the_same_credits_in_another_form_are_the_same_rows(self, second: str) -> None:
        first, other = sample("good_point.csv"), sample(second)
        assert first.pk != other.pk
        assert shown(first) == shown(other)
        assert BankCredit.objects.count() == 3

    def test_the_same_file_again_comes_back_to_the_desk(self) -> None:
        first = sample("good_point.csv")
        put_away(statement_id=first.pk, actor=make_sales(), now=NOW)
        again = sample("good_point.csv")
        assert (again.pk, again.put_away_at) == (first.pk, None)

    @pytest.mark.parametrize(
        "order", [("good_camt_02.xml", "plain"), ("plain", "good_camt_02.xml")]
    )
    def test_a_form_without_references_is_recognised_by_day_amount_and_payer(
        self, order: tuple[str, str]
    ) -> None:
        plain = csv(
            "2026-11-20,412.35,PL BRIGHTWATER,INV",
            "2026-11-20,4190.00,,LESS",
            "2026-11-19,8402.60,KIRSCH,RG",
            head="Date,Amount USD,Name,Details",
        )
        for name in order:
            take_in(plain) if name == "plain" else sample(name)
        assert BankCredit.objects.count() == 3
        found = set(BankCredit.objects.values_list("reference", flat=True))
        assert found == {"KB2026000421", "KB2026000422", "KB2026000424"}

    def test_what_is_not_booked_takes_what_a_better_file_says(self, buyer: Buyer) -> None:
        order = make_wire_order(buyer)
        plain = f"2026-11-20,{order.deposit},,\n2026-11-20,5.00,,\n"
        first = take_in(f"Date,Amount USD,Payer's house,Words\n{plain}")
        booked = first.credits.get(amount=order.deposit)
        part = WirePart(order.pk, order.payments.get().pk, order.deposit, order.deposit)
        book_credit(credit_id=booked.pk, parts=[part], actor=make_sales(), now=NOW)
        better = (f"{order.deposit},Glow Ltd,Order 1,R1", "5.00,Verity Inc,Order 2,R2")
        second = take_in(csv(*(f"2026-11-20,{row}" for row in better)))
        assert set(second.credits.all()) == set(first.credits.all())
        wires = {
            str(credit.amount): (credit.debtor, credit.text, credit.reference)
            for credit in second.credits.all()
        }
        assert wires == {
            str(order.deposit): ("", "", "R1"),
            "5.00": ("Verity Inc", "Order 2", "R2"),
        }
        take_in("Date,Amount USD,Name\n2026-11-20,5.00,Verity\n")
        assert BankCredit.objects.get(amount=5).debtor == "Verity Inc"

    def test_twins_of_one_day_are_two_and_stay_two(self) -> None:
        sample("good_twins.csv")
        sample("good_twins.csv")
        take_in((FOLDER / "good_twins.csv").read_bytes() + b"2026-11-20,100.00,ONE,Again\n")
        found = list(BankCredit.objects.order_by("ordinal").values_list("debtor", "ordinal"))
        assert found == [("ONE", 1), ("TWO", 2), ("ONE", 3)]

    def test_a_reference_given_twice_is_the_buyers_word_and_not_the_banks(self) -> None:
        take_in(csv("2026-11-20,100.00,ROSA,A,RENT", "2026-11-20,100.00,ROSA,B,RENT"))
        take_in(csv("2026-10-20,70.00,ROSA,A,ORDER 5"))
        take_in(csv("2026-11-20,80.00,ROSA,A,ORDER 5"))
        assert sorted(BankCredit.objects.values_list("amount", "reference")) == [
            (Decimal("70.00"), "ORDER5"),
            (Decimal("80.00"), None),
            (Decimal("100.00"), None),
            (Decimal("100.00"), None),
        ]

    @pytest.mark.parametrize("rule", TRANSFERS, ids=lambda rule: rule["name"])
    @pytest.mark.parametrize("turned", [False, True])
    def test_a_transfer_that_comes_twice_is_one_credit_or_asked(
        self, rule: dict[str, Any], turned: bool
    ) -> None:
        files = [in_form(form, rows) for form, rows in rule["files"]]
        for content in reversed(files) if turned else files:
            take_in(content)
        for content in files:
            take_in(content)  # whatever was decided is found again
        doubtful = BankCredit.objects.exclude(like=None).count()
        assert (BankCredit.objects.count(), doubtful) == (rule["credits"], rule["doubtful"])

    def test_a_doubtful_credit_is_the_same_or_another(self) -> None:
        one = take_in(csv("2026-11-20,100.00,ROSA,ORDER A,R1")).credits.get()
        mt940 = in_form("mt940", [["2026-11-20", "", "100.00", "ROSA", "NOVEMBER", "M1"]])
        two = take_in(mt940).credits.get()
        assert two.like == one
        with pytest.raises(StaffRefusal, match="first say whether it is the same"):
            book_credit(credit_id=two.pk, parts=[], actor=make_sales(), now=NOW)
        with pytest.raises(StaffRefusal, match="first say whether it is the same"):
            send_back_credit(credit_id=two.pk, reason="x", actor=make_sales(), now=NOW)
        join_credit(credit_id=two.pk, actor=make_sales(), now=NOW)
        (credit,) = BankCredit.objects.all()
        assert (credit.pk, credit.references) == (one.pk, {"table": "R1", "mt940": "M1"})
        assert credit.statements.count() == 2
        assert take_in(mt940).credits.get() == credit
        with pytest.raises(NotFound):
            join_credit(credit_id=one.pk, actor=make_sales(), now=NOW)

    def test_a_doubtful_credit_that_is_another_stays_another(self) -> None:
        take_in(csv("2026-11-20,100.00,ROSA,ORDER A,"))
        second = csv("2026-11-20,100.00,ROSA,ORDER B,")
        part_credit(credit_id=take_in(second).credits.get().pk, actor=make_sales(), now=NOW)
        take_in(second)
        take_in(csv("2026-11-20,100.00,ROSA,ORDER B,", "2026-11-20,100.00,ROSA,ORDER A,"))
        found = sorted(BankCredit.objects.values_list("text", "like"))
        assert found == [("ORDER A", None), ("ORDER B", None)]

    def test_a_large_statement_takes_few_statements(
        self, django_assert_max_num_queries: Any
    ) -> None:
        text = csv(*(f"2026-11-20,{number}.00,ROSA,A,R{number}" for number in range(1, 1001)))
        actor = make_sales()
        actor.get_all_permissions()
        with django_assert_max_num_queries(30):
            import_statement(content=text.encode(), name="big.csv", actor=actor, now=NOW)
        assert BankCredit.objects.count() == 1000


class TestClaims:
    def test_announced_wires_and_what_open_orders_wait_for(self, buyer: Buyer) -> None:
        deposit = make_wire_order(buyer)
        balance = make_announced_balance(buyer)
        silent = make_confirmed_order(buyer)
        make_order_at(OrderStatus.PAID, buyer)
        make_order_at(OrderStatus.PREPARING, buyer)
        at_paypal = make_confirmed_order(buyer)
        Order.objects.filter(pk=at_paypal.pk).update(payment_pending=True)
        claims = {claim.invoice_code: claim for claim in open_claims()}
        assert set(claims) == {deposit.invoice_code, balance.invoice_code, silent.invoice_code}
        assert claims[deposit.invoice_code].kind == "deposit"
        assert claims[deposit.invoice_code].amount == deposit.deposit
        assert claims[balance.invoice_code].payment_id == announced(balance).pk
        assert claims[silent.invoice_code].payment_id is None
        assert claims[silent.invoice_code].amount == SHIPPING_FEE

    def test_they_are_read_in_three_statements(
        self, buyer: Buyer, django_assert_num_queries: Any
    ) -> None:
        for _ in range(3):
            make_wire_order(buyer)
        make_announced_balance(buyer)
        with django_assert_num_queries(3):
            assert len(open_claims()) == 4


def proposal(statement: BankStatement) -> tuple[BankCredit, Match]:
    credit = statement.credits.get()
    match = credit_row(credit).match
    assert match is not None
    return credit, match


def parts_of(match: Match) -> list[WirePart]:
    return [
        WirePart(one.claim.order_id, one.claim.payment_id, one.claim.amount, *rest)
        for one, rest in ((one, (one.amount, one.written_off)) for one in match.proposals[0].parts)
    ]


def credit_of(amount: Decimal, text: str = "", debtor: str = "") -> tuple[BankCredit, Match]:
    return proposal(take_in(csv(f"2026-11-20,{amount},{debtor},{text},R{amount}")))


def whole(order: Order) -> WirePart:
    """Return the part that pays an order's shipping fee, all that it asks for."""
    return WirePart(order.pk, None, SHIPPING_FEE, SHIPPING_FEE)


def receive(*parts: WirePart) -> None:
    """Book what arrived by one wire, without a credit."""
    arrived, actor = sum((part.amount for part in parts), Decimal(0)), make_sales()
    receive_wire(parts=parts, arrived=arrived, depositor="Glow", actor=actor, now=NOW)


class TestBooking:
    def book(self, credit: BankCredit, match: Match) -> list[Payment]:
        return book_credit(credit_id=credit.pk, parts=parts_of(match), actor=make_sales(), now=NOW)

    def test_an_exact_credit_confirms_the_announced_wire(self, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        credit, match = credit_of(SHIPPING_FEE, order.invoice_code.replace("-", " ").lower())
        assert match.kind is Kind.EXACT
        (payment,) = self.book(credit, match)
        assert (payment.state, payment.received) == (PaymentState.CAPTURED, SHIPPING_FEE)
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PAID
        assert credit.payments.get() == payment

    def test_a_payment_never_comes_with_two_credits(
        self, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order = make_announced_balance(buyer)
        credit, match = credit_of(SHIPPING_FEE, order.invoice_code)
        payments = self.book(credit, match)
        monkeypatch.setattr(statements, "receive_wire", lambda **_: payments)
        other, _ = credit_of(SHIPPING_FEE + 1, "x")
        with pytest.raises(IntegrityError):
            self.book(other, match)
        assert credit.payments.get() == payments[0]

    @pytest.mark.parametrize("is_announced", [True, False])
    def test_a_short_balance_is_written_off(self, buyer: Buyer, is_announced: bool) -> None:
        order = (make_announced_balance if is_announced else make_confirmed_order)(buyer)
        credit, match = credit_of(SHIPPING_FEE - 20, order.invoice_code)
        assert match.kind is Kind.SHORT
        self.book(credit, match)
        paid = Order.objects.get(pk=order.pk)
        assert (paid.status, paid.written_off) == (OrderStatus.PAID, Decimal("20.00"))

    def test_one_wire_over_two_orders(self, buyer: Buyer) -> None:
        one, two = make_announced_balance(buyer), make_wire_order(buyer)
        credit, match = credit_of(SHIPPING_FEE + two.deposit, "NOV", buyer.company)
        assert match.kind is Kind.SPLIT
        self.book(credit, match)
        assert Order.objects.get(pk=one.pk).status == OrderStatus.PAID
        assert Order.objects.get(pk=two.pk).deposit_received == two.deposit
        assert credit.payments.count() == 2

    def test_a_credit_is_booked_once(self, buyer: Buyer) -> None:
        order = make_wire_order(buyer)
        credit, match = credit_of(order.deposit, order.invoice_code)
        self.book(credit, match)
        with pytest.raises(StaffRefusal, match="Mina Park has booked it"):
            self.book(credit, match)
        assert Order.objects.get(pk=order.pk).received == order.deposit

    def test_a_figure_that_changed_meanwhile_is_refused(self, buyer: Buyer) -> None:
        order = make_confirmed_order(buyer)
        credit, match = credit_of(SHIPPING_FEE, order.invoice_code)
        receive(WirePart(order.pk, None, SHIPPING_FEE, Decimal("10.00")))
        with pytest.raises(StaffRefusal, match=r"\$40.00 is due on .* now, not \$50.00"):
            self.book(credit, match)
        assert BankCredit.objects.get().booked_at is None

    def test_all_parts_or_none(self, buyer: Buyer) -> None:
        one, two = make_confirmed_order(buyer), make_order_at(OrderStatus.PAID, buyer)
        credit, _ = credit_of(SHIPPING_FEE + 5, "x")
        parts = [whole(one), WirePart(two.pk, None, Decimal(0), Decimal(5))]
        with pytest.raises(WrongStatus):
            book_credit(credit_id=credit.pk, parts=parts, actor=make_sales(), now=NOW)
        assert Order.objects.get(pk=one.pk).status == OrderStatus.CONFIRMED
        assert BankCredit.objects.get().booked_at is None

    def test_a_part_names_no_wire_of_another_order(self, buyer: Buyer) -> None:
        one, other = make_wire_order(buyer), make_wire_order(buyer)
        with pytest.raises(StaffRefusal, match=f"is due on {one} now"):
            receive(WirePart(one.pk, announced(other).pk, other.deposit, other.deposit))
        assert not Order.objects.filter(received__gt=0).exists()

    def test_an_order_is_named_once(self, buyer: Buyer) -> None:
        order = make_confirmed_order(buyer)
        half = WirePart(order.pk, None, SHIPPING_FEE, SHIPPING_FEE / 2)
        with pytest.raises(StaffRefusal, match="twice"):
            receive(half, half)

    def test_only_us_dollars_are_booked(self, buyer: Buyer) -> None:
        order = make_confirmed_order(buyer)
        file = csv("2026-11-20,50.00,Glow", head="Date,Amount EUR,Name")
        credit, parts = take_in(file).credits.get(), [whole(order)]
        with pytest.raises(StaffRefusal, match="EUR"):
            book_credit(credit_id=credit.pk, parts=parts, actor=make_sales(), now=NOW)

    def test_unknown_credits(self) -> None:
        with pytest.raises(NotFound):
            book_credit(credit_id=0, parts=[], actor=make_sales(), now=NOW)
        with pytest.raises(NotFound):
            put_away(statement_id=0, actor=make_sales(), now=NOW)


def at_once(work: Any, times: int) -> list[object]:
    """Return what each of several threads got or was refused, all started together."""

    def refused_or_done(_: int) -> object:
        try:
            return work()
        except PortalError as refusal:
            return refusal

    return race(refused_or_done, times)


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_one_credit_booked_by_eight_at_once(self) -> None:
        order, actor = make_wire_order(make_buyer()), make_sales()
        credit, match = credit_of(order.deposit, order.invoice_code)
        parts = parts_of(match)
        results = at_once(
            lambda: book_credit(credit_id=credit.pk, parts=parts, actor=actor, now=NOW), 8
        )
        assert sum(isinstance(result, list) for result in results) == 1
        assert len(results) == 8
        assert Order.objects.get(pk=order.pk).received == order.deposit
        assert credit.payments.count() == 1

    def test_one_unannounced_credit_booked_on_two_orders_at_once(self) -> None:
        buyer, actor = make_buyer(), make_sales()
        orders = [make_confirmed_order(buyer), make_confirmed_order(buyer)]
        credit, _ = credit_of(SHIPPING_FEE, "x")
        order_iter = iter(orders * 2)

        def book_next() -> list[Payment]:
            parts = [whole(next(order_iter))]
            return book_credit(credit_id=credit.pk, parts=parts, actor=actor, now=NOW)

        results = at_once(book_next, 4)
        assert sum(isinstance(result, list) for result in results) == 1
        assert Order.objects.filter(status=OrderStatus.PAID).count() == 1

    def test_the_same_credits_taken_in_at_once_in_two_forms(self) -> None:
        names = ("good_point.csv", "good_camt_02.xml") * 2
        actor, files_iter = make_sales(), iter([(FOLDER / name).read_bytes() for name in names])
        results = at_once(
            lambda: import_statement(content=next(files_iter), name="x", actor=actor, now=NOW), 4
        )
        assert [type(result) for result in results] == [BankStatement] * 4
        assert (BankCredit.objects.count(), BankStatement.objects.count()) == (3, 2)
