"""PayPal payments that need somebody, each payment's page, and the ledger with its corrections."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.texts import read
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.tests.factories import SHIPPING_FEE
from apps.payments.admin.trace import given_back_rows, received_rows
from apps.payments.models import Payment, PaymentEvent, Refund, WalletEntry
from apps.payments.provider import Evidence, Outcome
from apps.payments.selectors import exceptions, wallet_balance
from apps.payments.services import held
from apps.payments.states import PaymentState
from apps.payments.tests.bank.statement_desk import DESK
from apps.payments.tests.factories import (
    arrive,
    cancel,
    correct,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)
from apps.payments.tests.test_states import make_payment

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def page(name: str, *args: int) -> str:
    return reverse(f"admin:payments_{name}", args=args)


def make_paypal(buyer: Buyer, state: PaymentState, *, minutes: int = 60, **fields: Any) -> Payment:
    """Return a PayPal payment as the portal has it after so many minutes in a state."""
    at = NOW - timedelta(minutes=minutes)
    money = {"base": Decimal("100.00"), "fee": Decimal("3.50"), "amount": Decimal("103.50")}
    given = {**money, "created_at": at, "executing_since": at, **fields}
    payment = make_payment(buyer, state, method=Payment.Method.PAYPAL, **given)
    said = {"source": "return", "note": "As PayPal says"}
    PaymentEvent.objects.create(payment=payment, to_state=state, at=at, **said)
    return payment


class TestExceptions:
    def test_what_needs_somebody_and_what_does_not(self, buyer: Buyer) -> None:
        held_payment = make_paypal(buyer, PaymentState.HELD, minutes=50)
        unknown = make_paypal(buyer, PaymentState.UNKNOWN, minutes=40)
        alarmed = make_paypal(
            buyer, PaymentState.CAPTURED, minutes=30, alarm="A refund of $5.00 failed"
        )
        unsent = make_paypal(buyer, PaymentState.CAPTURED, minutes=20)
        Refund.objects.create(
            payment=unsent, amount=5, reason="x", created_at=NOW - timedelta(minutes=15)
        )
        make_paypal(buyer, PaymentState.UNKNOWN, minutes=5)
        make_paypal(buyer, PaymentState.CAPTURED)
        make_paypal(buyer, PaymentState.FAILED)
        fresh = make_paypal(buyer, PaymentState.CAPTURED)
        Refund.objects.create(payment=fresh, amount=5, reason="x", created_at=NOW)
        assert list(exceptions(NOW)) == [held_payment, unknown, alarmed, unsent]

    def test_the_desk_names_each_with_its_own_actions(self, sales: Client, buyer: Buyer) -> None:
        make_paypal(
            buyer, PaymentState.HELD, minutes=50, sale_id="S1", reason="Not as asked for: amount"
        )
        make_paypal(buyer, PaymentState.UNKNOWN, minutes=42, checks=6)
        make_paypal(buyer, PaymentState.REVERSED, minutes=30, alarm="PayPal took the payment back")
        rows = sales.get(DESK).context["exceptions"]
        names = ("title", "may_ask", "may_refund", "may_attend")
        assert [tuple(row[name] for name in names) for row in rows] == [
            ("Held PayPal money", False, True, False),
            ("Outcome unknown", True, False, False),
            ("Reversed", False, False, True),
        ]
        assert "Not as asked for: amount" in rows[0]["text"]
        assert "asked 6 times" in rows[1]["text"]

    def test_home_and_sidebar_count_them(self, sales: Client, buyer: Buyer) -> None:
        make_paypal(buyer, PaymentState.HELD)
        make_wire_order(buyer)
        response = sales.get("/admin/")
        rows = {row["label"]: row for card in response.context["cards"] for row in card["rows"]}
        assert (rows["Announced wires"]["count"], rows["PayPal to look at"]["count"]) == (1, 1)
        listed = sales.get(rows["PayPal to look at"]["url"])
        assert listed.context["cl"].result_count == 1
        entries = [one for part in response.context["available_apps"] for one in part["models"]]
        (desk,) = [one for one in entries if one["name"] == "Payment desk"]
        assert (desk["count"], desk["late"]) == (2, "1 late")

    def test_an_alarm_is_closed_with_what_was_done_and_stays_in_the_events(
        self, sales: Client, buyer: Buyer
    ) -> None:
        payment = make_paypal(buyer, PaymentState.REVERSED, alarm="PayPal took the payment back")
        url = page("payment_attend", payment.pk)
        assert "reason" in sales.post(url, {"reason": " "}).context["form"].errors
        sales.post(url, {"reason": "The buyer wired it"}, follow=True)
        payment.refresh_from_db()
        assert (payment.alarm, payment.state) == ("", PaymentState.REVERSED)
        last = payment.events.last()
        assert last is not None
        assert "PayPal took the payment back. Attended to: The buyer wired it" in read(last.note)
        assert "attended to it already" in shown_messages(sales.post(url, {"reason": "Again"}))[0]

    def test_a_refund_over_the_limit_is_refused_at_its_field(
        self, sales: Client, buyer: Buyer
    ) -> None:
        payment = make_paypal(buyer, PaymentState.HELD, sale_id="S1")
        fields = {"amount": "103.51", "reason": "Too much", "seen": "103.50"}
        answer = sales.post(page("payment_refund", payment.pk), fields)
        assert "at most $103.50" in str(answer.context["form"].errors["amount"])
        assert not Refund.objects.exists()

    def test_a_second_press_sends_no_second_part_back(self, sales: Client, buyer: Buyer) -> None:
        payment = make_paypal(buyer, PaymentState.HELD, sale_id="S1")
        done = {"state": Refund.State.COMPLETED, "created_at": NOW}
        Refund.objects.create(payment=payment, amount=Decimal("10.00"), reason="Part", **done)
        fields = {"amount": "10.00", "reason": "Part", "seen": "103.50"}
        answer = sales.post(page("payment_refund", payment.pk), fields)
        assert "Only $93.50 is left now, not $103.50" in shown_messages(answer)[0]
        assert answer.context["form"]["seen"].value() == "93.50"
        assert Refund.objects.count() == 1

    def test_held_money_is_booked_by_its_page(
        self, sales: Client, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order = make_confirmed_order(buyer)
        money: dict[str, Any] = {
            "base": Decimal(50),
            "fee": Decimal("1.75"),
            "amount": Decimal("51.75"),
        }
        of: dict[str, Any] = {
            "order": order,
            "invoice_code": order.invoice_code,
            "kind": Payment.Kind.BALANCE,
        }
        taken: dict[str, Any] = {
            "sale_id": "S1",
            "taken": Decimal("51.00"),
            "alarm": "Not as asked for: amount",
        }
        payment = make_paypal(buyer, PaymentState.HELD, **money, **of, **taken)
        evidence = Evidence(Outcome.CAPTURED, sale_id="S1", amount=Decimal("51.00"), currency="USD")
        answer = SimpleNamespace(fetch=lambda _: evidence)
        monkeypatch.setattr(held, "provider_of", lambda _: answer)
        url = page("payment_book_held", payment.pk)
        assert url in sales.get(DESK).text
        figures = [f"{figure:,.2f}" for _, figure in sales.get(url).context["effects"]]
        assert figures == ["51.00", "1.75", "49.25", "50.00", "0.75"]
        form = {"reason": "Agreed", "asked": "50.00", "write_off_reason": ""}
        refused = sales.post(url, {**form, "asked": "49.00"})
        assert "50.00 is due on the order now" in shown_messages(refused)[0]
        assert refused.context["form"]["asked"].value() == "50.00"
        assert "Held money booked, 49.25" in shown_messages(sales.post(url, form, follow=True))[0]
        order.refresh_from_db()
        assert (order.status, order.received) == (3, Decimal("139.25"))
        assert "no longer held" in shown_messages(sales.get(url, follow=True))[0]

    def test_wires_have_no_pages_of_paypal(self, sales: Client, buyer: Buyer) -> None:
        wire = make_wire_order(buyer).payments.get()
        for name in ("payment_refund", "payment_attend", "payment_ask", "payment_book_held"):
            answer = sales.post(page(name, wire.pk), {"reason": "x", "amount": "1"})
            assert answer.status_code == 404


class TestPaymentPage:
    def test_it_shows_every_event_and_what_paypal_said(self, sales: Client, buyer: Buyer) -> None:
        payment = make_paypal(
            buyer, PaymentState.HELD, paypal_payment_id="PAYID-77", sale_id="S1", debug_id="d1e2"
        )
        response = sales.get(page("payment_change", payment.pk))
        for text in ("As PayPal says", "PAYID-77", "d1e2", "103.50", "3.50", "Held PayPal money"):
            assert text in response.text

    def test_tokens_and_keys_are_not_shown(self, sales: Client, buyer: Buyer) -> None:
        key = uuid4()
        payment = make_paypal(
            buyer, PaymentState.HELD, paypal_token="EC-SECRET", create_key=key, execute_key=uuid4()
        )
        html = sales.get(page("payment_change", payment.pk)).text
        assert "EC-SECRET" not in html
        assert str(key) not in html

    @pytest.mark.parametrize("path", ["0/change/", "x/change/"])
    def test_an_unknown_one(self, sales: Client, path: str) -> None:
        assert sales.get(f"/admin/payments/payment/{path}").status_code == 404


class TestLedger:
    def test_a_company_page_makes_its_balance_of_entries(self, sales: Client, buyer: Buyer) -> None:
        order = make_wire_order(buyer)
        arrive(order, Decimal("500.00"))
        cancel(order, by_terms=True)
        response = sales.get(page("walletentry_company", buyer.company_id))
        found = [(row["entry"].amount, row["balance"]) for row in response.context["rows"]]
        assert found == [(Decimal("400.00"), Decimal("400.00"))]
        assert order.invoice_code in response.text
        assert not response.context["may_correct"]

    def test_the_list_sums_and_exports_what_its_filters_find(
        self, sales: Client, buyer: Buyer
    ) -> None:
        other = make_buyer(company=make_company(name="=Other"))
        correct(buyer.company_id, "2500.00")
        correct(buyer.company_id, "-1000.00", seen="2500.00")
        correct(other.company_id, "7.00")
        page_of_all = sales.get("/admin/payments/walletentry/").text
        sums = "In <b>2,507.00</b> · Out <b>− 1,000.00</b> · Net <b>1,507.00</b>"
        assert f"<b>3</b> entries · {sums}" in page_of_all
        assert "Export 3 entries" in page_of_all
        of_other = sales.get("/admin/payments/walletentry/", {"q": "=Other"}).context
        assert (of_other["sums"]["count"], of_other["sums"]["sum"]) == (1, "7.00")
        text = sales.get("/admin/payments/walletentry/export.csv", {"q": "=Other"}).content.decode(
            "utf-8-sig"
        )
        (line,) = text.splitlines()[1:]
        assert line.split(",")[1:3] == ["'=Other", "Correction"]
        then = sales.get(
            "/admin/payments/walletentry/", {"q": "-1000", "kind__exact": "correction"}
        ).context["cl"]
        assert then.result_count == 0
        rows = sales.get("/admin/payments/walletentry/").context["cl"].result_list
        assert [(row.amount, row.balance) for row in rows] == [(7, 7), (-1000, 1500), (2500, 2500)]
        assert sales.get("/admin/payments/walletentry/export.xlsx").content.startswith(b"PK")
        answer = sales.get("/admin/payments/walletentry/export.csv", {"kind__x": "1"})
        assert answer.status_code == 302
        response = staff_client("Approvers").get("/admin/payments/walletentry/export.csv")
        assert response.status_code == 403

    def test_the_balances_are_of_those_with_credit_and_agree(
        self, sales: Client, buyer: Buyer
    ) -> None:
        other, spent = make_company(name="Other"), make_company(name="Spent")
        for company, amount in (
            (buyer.company_id, "2500.00"),
            (other.pk, "7.50"),
            (spent.pk, "10"),
        ):
            correct(company, amount)
        correct(spent.pk, "-10.00", seen="10.00")
        page = sales.get("/admin/payments/walletentry/balances/")
        shown = [(row["pk"], row["balance"]) for row in page.context["rows"]]
        assert shown == [(buyer.company_id, Decimal(2500)), (other.pk, Decimal("7.50"))]
        response = sales.get("/admin/payments/walletentry/balances/", {"q": "oth"})
        assert [row["pk"] for row in response.context["rows"]] == [other.pk]
        assert "together <b>7.50</b>" in response.text

    def test_a_correction_is_a_new_row_by_a_permission_of_its_own(
        self, sales: Client, buyer: Buyer
    ) -> None:
        url = page("walletentry_correct", buyer.company_id)
        fields = {"amount": "25.00", "reason": "Goodwill", "seen": "0.00"}
        assert sales.post(url, fields).status_code == 403
        staff_client().post(url, fields)
        entry = WalletEntry.objects.get()
        assert (entry.kind, entry.amount, entry.note) == ("correction", 25, "Goodwill")
        assert entry.order_id is None
        said = LogEntry.objects.get()
        assert said.get_change_message() == "Wallet corrected by +25.00: 0.00 → 25.00"
        assert said.get_edited_object() == entry

    @pytest.mark.parametrize(
        ("amount", "balance", "text"),
        [
            ("-25.01", "25.00", "no more can be taken"),
            ("1.00", "24.00", "The balance is"),
            *((amount, "25.00", "amount is wrong") for amount in ("0.00", "0.001")),
        ],
    )
    def test_what_is_refused(self, buyer: Buyer, amount: str, balance: str, text: str) -> None:
        correct(buyer.company_id, "25.00")
        with pytest.raises(StaffRefusal, match=text):
            correct(buyer.company_id, amount, seen=balance)
        assert wallet_balance(company_id=buyer.company_id) == 25


class TestOrderPage:
    def rows(self, order: Order) -> Decimal:
        return sum(
            (row.amount for row in (*received_rows(order), *given_back_rows(order))), Decimal(0)
        )

    def test_the_entries_make_the_orders_money(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        arrive(order, SHIPPING_FEE + 25)
        order.refresh_from_db()
        assert self.rows(order) == order.received - order.credited
        html = sales.get(f"/admin/orders/order/{order.pk}/change/").text
        assert "Deposit, wire" in html
        assert "To the wallet, " in html

    def test_a_written_off_rest_has_its_row(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        arrive(order, SHIPPING_FEE - 12, write_off_reason="Bank charges")
        html = sales.get(f"/admin/orders/order/{order.pk}/change/").text
        assert "Written off" in html
        assert "Bank charges" in html

    def test_what_went_back_to_paypal_is_a_row_of_its_own(self, buyer: Buyer) -> None:
        order = make_wire_order(buyer)
        part: dict[str, Any] = {"order": order, "received": Decimal("60.00")}
        payment = make_paypal(buyer, PaymentState.PARTIALLY_REFUNDED, **part)
        done = {"state": Refund.State.COMPLETED, "created_at": NOW, "refund_id": "R"}
        Refund.objects.create(payment=payment, amount=40, reason="x", **done)
        rows = list(received_rows(order))
        assert [(row.label, row.amount) for row in rows] == [
            (f"Deposit, PayPal {rows[0].label[-5:]}", Decimal("100.00")),
            ("Refunded to PayPal", Decimal("-40.00")),
        ]
        assert "3.50 fee, 103.50 charged" in rows[0].second


def test_the_list_leads_to_a_payment_which_tells_its_steps_in_words(sales):
    order = make_wire_order(make_buyer())
    wire = order.payments.get()
    PaymentEvent.objects.create(payment=wire, to_state="captured", source="webhook", at=NOW)
    address = page("payment_change", wire.pk)
    assert f'href="{address}' in sales.get(page("payment_changelist")).text
    response = sales.get(address)
    *_, last = response.context["events"]
    assert (last.from_state, last.get_to_state_display()) == ("", "Received")
    assert last.get_source_display() == "PayPal"
    assert "captured" not in response.text
