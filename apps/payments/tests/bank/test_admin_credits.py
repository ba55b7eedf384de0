"""One credit on the desk: opened, booked by hand or split, put to the wallet, sent back."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import shown_messages
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors.details import order_details
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_order_at, make_sales
from apps.payments.bank.statements import credit_to_wallet
from apps.payments.models import BankCredit, Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.tests.bank.statement_desk import import_rows, page, row
from apps.payments.tests.bank.test_admin_statements import CAPTURED
from apps.payments.tests.factories import (
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
    unexplained,
)

pytestmark = pytest.mark.django_db


class TestByHand:
    def credit(self, sales: Client, amount: Any, text: str = "", name: str = "") -> str:
        import_rows(sales, row(amount, text, name))
        return page("credit", BankCredit.objects.get().pk)

    def test_an_order_is_found_and_chosen(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        url = self.credit(sales, SHIPPING_FEE, "PAYMENT", "T NAKAMURA")
        response = sales.get(url, {"q": order.invoice_code[-4:]})
        (proposal,) = response.context["proposals"]
        answer = sales.post(url, {"parts": proposal.token}, follow=True)
        assert "booked" in shown_messages(answer)[0]
        assert Order.objects.get().status == OrderStatus.PAID

    def test_orders_are_found_by_code_company_depositor_and_amount(self, sales: Client) -> None:
        order = make_announced_balance(make_buyer(company=make_company(name="Verity Cosmetics")))
        for term in (order.invoice_code.lower(), "verity", "glow trad", "50", "50.00"):
            results = sales.get(page("claims"), {"q": term}).json()["results"]
            assert [hit["code"] for hit in results] == [order.invoice_code], term
        assert sales.get(page("claims"), {"q": "nobody"}).json() == {"results": []}
        assert sales.get(page("claims")).json() == {"results": []}

    def test_far_too_much_asks_where_it_goes_before_it_is_booked(self, sales: Client) -> None:
        order = make_confirmed_order(make_buyer(company=make_company(name="Verity Cosmetics")))
        url = self.credit(sales, SHIPPING_FEE + 700, order.invoice_code)
        token = sales.get(url).context["proposals"][0].token
        response = sales.post(url, {"parts": token})
        assert (
            "700.00 USD go to the wallet of Verity Cosmetics" in response.context["question"].text
        )
        assert not WalletEntry.objects.exists()
        sales.post(url, {"parts": token, "agreed": "1.00"})
        assert not WalletEntry.objects.exists()
        sales.post(url, {"parts": token, "agreed": "700.00"})
        assert WalletEntry.objects.get().amount == Decimal("700.00")

    def test_a_split_books_each_order_its_part(self, sales: Client, buyer: Buyer) -> None:
        one, two = make_announced_balance(buyer), make_wire_order(buyer)
        url = self.credit(sales, SHIPPING_FEE + 40, "x")
        split = sales.get(url, {"company": buyer.company_id}).context["split"]
        amounts = {one.pk: "50.00", two.pk: "40.00"}
        fields = {f"part:{claim.token}": amounts[claim.order_id] for claim, _ in split}
        sales.post(url, {"parts": "split", **fields})
        assert Order.objects.get(pk=one.pk).status == OrderStatus.PAID
        assert Order.objects.get(pk=two.pk).deposit_received == Decimal("40.00")

    @pytest.mark.parametrize(
        ("value", "text"), [("49.99", "The parts add up to"), ("x", "not an amount"), ("", "enter")]
    )
    def test_a_split_that_does_not_add_up_is_refused_and_kept(
        self, sales: Client, buyer: Buyer, value: str, text: str
    ) -> None:
        make_announced_balance(buyer)
        url = self.credit(sales, SHIPPING_FEE, "x") + f"?company={buyer.company_id}"
        ((first, _),) = sales.get(url).context["split"]
        answer = sales.post(url, {"parts": "split", f"part:{first.token}": value})
        assert text in shown_messages(answer)[0]
        assert [value for _, value in answer.context["split"]] == [value]
        assert BankCredit.objects.get().booked_at is None

    def test_choosing_nothing_is_said(self, sales: Client) -> None:
        answer = sales.post(self.credit(sales, "5.00"), {})
        assert "choose an order first" in shown_messages(answer)[0]

    def test_a_booked_credit_is_only_shown(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        url = self.credit(sales, SHIPPING_FEE, order.invoice_code)
        token = sales.get(url).context["proposals"][0].token
        for _ in range(2):
            sales.post(url, {"parts": token})
        response = sales.get(url)
        assert not response.context["is_open"]
        assert "by Yuna Seo" in response.text
        assert Payment.objects.filter(kind=Payment.Kind.BALANCE).count() == 1


def test_what_a_short_deposit_leaves_is_told_alike_on_both_sides(
    sales: Client, buyer: Buyer
) -> None:
    order = make_wire_order(buyer)
    answer = import_rows(sales, row(order.deposit - 9, order.invoice_code))
    (shown,) = answer.context["rows"]
    assert shown.match.only_proposal.reason == "9.00 of the deposit still due · code"
    sales.post(page("credit", shown.credit.pk), {"parts": shown.match.only_proposal.token})
    details = order_details(buyer=buyer, invoice_code=order.invoice_code, now=timezone.now())
    assert details["order"]["next_step"]["title"] == "The rest of the deposit is due: $9.00"


class TestSendingBack:
    """A credit that belongs to no order goes back to its sender; the portal moves no money."""

    def test_a_credit_that_names_a_paid_order_says_so(self, sales: Client, buyer: Buyer) -> None:
        order = make_announced_balance(buyer)
        import_rows(sales, row(SHIPPING_FEE, order.invoice_code))
        url = page("credit", BankCredit.objects.get().pk)
        sales.post(url, {"parts": sales.get(url).context["proposals"][0].token})
        answer = import_rows(sales, row("3960.00", order.invoice_code, "CASA LIRIO"))
        (again,) = [shown for shown in answer.context["rows"] if shown.credit.debtor]
        assert again.tag == ("Order is paid", "bad")
        assert f"It names {order.invoice_code}, nothing is due" in answer.text
        assert "Send back…" in answer.text

    def test_it_says_so_beside_what_else_is_proposed(self, sales: Client, buyer: Buyer) -> None:
        shipped = make_order_at(OrderStatus.SHIPPED, buyer)
        open_order = make_confirmed_order(buyer)
        answer = import_rows(sales, row(SHIPPING_FEE, shipped.invoice_code, buyer.company))
        (shown,) = answer.context["rows"]
        assert [p.claim.invoice_code for p in shown.match.only_proposal.parts] == [
            open_order.invoice_code
        ]
        note = f"It names {shipped.invoice_code}, nothing is due: Shipment Completed"
        assert (shown.note, shown.match.only_proposal.reason) == (note, "amount, depositor")
        assert note in answer.text
        credit = sales.get(page("credit", shown.credit.pk)).text
        assert note in credit
        assert "To the wallet…" in credit

    def test_a_credit_that_names_a_paid_order_goes_to_the_wallet_once(
        self, sales: Client, buyer: Buyer
    ) -> None:
        order = make_announced_balance(buyer)
        import_rows(sales, row(SHIPPING_FEE, order.invoice_code))
        first = BankCredit.objects.get()
        wallet = page("credit_wallet", first.pk)
        assert "it names no paid order" in shown_messages(sales.get(wallet, follow=True))[0]
        given: Any = {"credit_id": first.pk, "order_id": order.pk, "now": timezone.now()}
        with pytest.raises(StaffRefusal, match="is not paid: Confirmed"):
            credit_to_wallet(actor=make_sales(), **given)
        url = page("credit", first.pk)
        sales.post(url, {"parts": sales.get(url).context["proposals"][0].token})
        import_rows(sales, row("396.00", order.invoice_code, "CASA LIRIO"))
        again = BankCredit.objects.get(amount=396)
        assert page("credit_wallet", again.pk) in sales.get(page("credit", again.pk)).text
        effects = sales.get(page("credit_wallet", again.pk)).context["effects"]
        assert effects[0][1:] == (0, Decimal("396.00"))
        for _ in range(2):
            sales.post(page("credit_wallet", again.pk))
        again.refresh_from_db()
        assert (again.booked_at is not None) is True
        assert wallet_balance(company_id=buyer.company_id) == Decimal("396.00")
        assert unexplained(buyer.company_id) == {}
        call_command("audit", without_mails=True)

    def test_what_is_sent_back_is_open_no_more_and_can_be_taken_back(
        self, sales: Client, buyer: Buyer
    ) -> None:
        order = make_announced_balance(buyer)
        statement = import_rows(sales, row(SHIPPING_FEE, order.invoice_code)).context["statement"]
        credit = BankCredit.objects.get()
        token = sales.get(page("credit", credit.pk)).context["proposals"][0].token
        sales.post(page("credit_back", credit.pk), {"reason": ""})
        assert BankCredit.objects.get().sent_back_at is None
        response = sales.post(page("credit_back", credit.pk), {"reason": "Not for us"}, follow=True)
        assert [row.tag[0] for row in response.context["rows"]] == ["To return"]
        assert (response.context["summary"]["ready"], response.context["summary"]["back"]) == (0, 1)
        sales.post(page("credit", credit.pk), {"parts": token})
        sales.post(page("statement_book", statement.pk), {"book": f"{credit.pk}={token}"})
        refused = sales.post(page("credit_back", credit.pk), {"reason": "Again"})
        assert "Yuna Seo has sent it back" in shown_messages(refused)[-1]
        assert not CAPTURED.exists()
        sales.post(page("credit_keep", credit.pk))
        sales.post(page("credit", credit.pk), {"parts": token})
        assert BankCredit.objects.get().booked_at is not None
        said = shown_messages(sales.post(page("credit_back", credit.pk), {"reason": "Late"}))
        assert "has booked it" in said[-1]
