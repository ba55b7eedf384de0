"""Cancelling an order: money, stock, wires, status and mail together, once."""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import DatabaseError
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError, WrongStatus
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.common.tests.races import race
from apps.orders.models import Order, OrderEvent, OrderTally, Wish
from apps.orders.services.confirm import LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, make_sales, receive, stock_of
from apps.payments.admin.forms import GAVE_UP
from apps.payments.models import Payment, WalletEntry
from apps.payments.services.cancel import cancellation_figures, withdraw_order
from apps.payments.services.refunds import movable
from apps.payments.states import PaymentState
from apps.payments.tests.factories import (
    announced,
    arrive,
    cancel,
    make_announced_balance,
    make_wire_order,
)

S = OrderStatus
NOW = datetime.now(UTC)
PAGE = "/admin/orders/order/{}/cancel/"


@pytest.mark.parametrize(("by_terms", "credited"), [(True, "350.00"), (False, "450.00")])
def test_the_money_goes_to_the_wallet(buyer: Buyer, by_terms: bool, credited: str) -> None:
    product = make_product(on_hand=100)
    order = make_wire_order(buyer, [(product, 100)])
    arrive(order)
    figures = cancellation_figures(order=Order.objects.get())
    assert (figures.received, figures.kept) == (Decimal("450.00"), Decimal("100.00"))
    assert figures.credited_by_terms == Decimal("350.00")
    assert figures.credited_in_full == Decimal("450.00")
    assert figures.pieces_given_back == 100
    order = cancel(order, by_terms=by_terms, reason="Discontinued by the maker")
    assert (order.status, order.cancel_reason) == (0, "Discontinued by the maker")
    assert order.credited == Decimal(credited)
    assert movable(Payment.objects.get()) == 0  # nor what was kept by the terms
    entry = WalletEntry.objects.get()
    assert (entry.kind, entry.amount) == ("cancellation", Decimal(credited))
    assert (entry.order_id, entry.company_id) == (order.pk, buyer.company_id)
    assert stock_of(product) == (100, 0, 0)
    assert set(order.lines.values_list("allocated", flat=True)) == {0}
    mail = write_texts(Email.objects.latest("id"))
    assert mail.to == [buyer.email]
    assert f"${credited}" in mail.message
    assert ("Retained under the terms of use: $100.00" in mail.message) is by_terms
    said = f"Your order {order.invoice_code} has been cancelled.\n\nDiscontinued by the maker"
    assert said in mail.message


def test_nothing_received_credits_nothing_and_refuses_the_wire(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    payment = announced(order)
    order = cancel(order, by_terms=True)
    payment.refresh_from_db()
    assert (payment.state, order.wire_announced) == (PaymentState.REFUSED, False)
    assert not WalletEntry.objects.exists()


def test_what_was_credited_before_is_not_credited_again(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("500.00"))
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    confirm(order)
    assert '<dd class="part">− 360.00</dd>' in staff_client("Sales").get(PAGE.format(order.pk)).text
    cancel(order, by_terms=True)
    amounts = dict(WalletEntry.objects.values_list("kind", "amount"))
    assert amounts == {"overpayment": Decimal("360.00"), "cancellation": Decimal("40.00")}


@pytest.mark.parametrize("by_terms", [True, False])
def test_the_page_shows_the_lines_of_money_that_the_mail_has(buyer: Buyer, by_terms: bool) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("700.00"))
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    confirm(order)
    page = staff_client("Sales").get(PAGE.format(order.pk))
    facts = page.context["letters"]["1" if by_terms else "0"]
    cancel(order, by_terms=by_terms)
    mail = write_texts(Email.objects.filter(subject__startswith="Order cancelled").latest("id"))
    lines = "\n".join(f"{label}: {value}" for label, value in facts)
    assert lines in mail.message
    assert "Credited to your wallet before: $" in lines
    assert ("Retained under the terms of use: $" in lines) is by_terms
    assert all(f"<dt>{label}</dt><dd>{value}</dd>" in page.text for label, value in facts)
    assert page.text.count("hidden><div><dt>Received") == 1, "only the other choice's is hidden"


def test_an_announced_balance_is_refused(buyer: Buyer) -> None:
    order = cancel(make_announced_balance(buyer), by_terms=True)
    assert (order.payment_pending, order.wire_announced) == (False, False)
    assert not Payment.objects.filter(state=PaymentState.ANNOUNCED).exists()


@pytest.mark.parametrize("status", [S.RECEIVED, S.PREPARING, S.CONFIRMED, S.PAID])
def test_stock_comes_back_whatever_the_status(buyer: Buyer, status: OrderStatus) -> None:
    product = make_product(on_hand=100)
    order = make_order_at(status, buyer, [(product, 30)])
    cancel(order, by_terms=True)
    assert stock_of(product) == (100, 0, 0)
    tallies = {bucket: (count, total) for _, bucket, count, total in _tallies()}
    assert set(tallies.values()) == {(0, Decimal("0.00"))}


def test_what_its_lines_did_not_give_is_not_wanted_any_more(buyer: Buyer) -> None:
    product = make_product(on_hand=100, sku="A")
    order = make_order_at(S.PREPARING, buyer, [(product, 30)])
    later = make_order_at(S.PREPARING, buyer, [(product, 60)])
    for of, pieces in ((order, 12), (later, 20)):
        confirm(of, [LineDecision(of.lines.get().pk, pieces, "short")])
    stock.receive(product_id=product.pk, pieces=5, reason="Delivery", actor=make_sales(), now=NOW)
    cancel(order, by_terms=True)
    rows = [(one.dropped, one.held, one.open) for one in Wish.objects.order_by("pk")]
    assert rows == [(18, 0, 0), (0, 5, 40)]  # what was held goes to the next
    assert stock_of(product) == (105, 25, 0)


def _tallies() -> list[tuple[int, str, int, Decimal]]:
    return list(OrderTally.objects.values_list("company_id", "bucket", "count", "total"))


@pytest.mark.parametrize("status", [S.SHIPPED, S.CANCELLED])
def test_a_shipped_or_cancelled_order_cannot_be_cancelled(
    buyer: Buyer, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    entries = WalletEntry.objects.count()
    with pytest.raises(WrongStatus):
        cancel(order, by_terms=True)
    assert WalletEntry.objects.count() == entries


def test_the_tallies_are_those_of_a_recount(buyer: Buyer) -> None:
    for status in S:
        order = make_order_at(status, buyer)
        if status is S.CONFIRMED:
            receive(order, Decimal("1.00"))
    live = Order.objects.exclude(status=S.CANCELLED)
    expected = {(f"month:{order.month}") for order in live}
    tallies = {bucket: (count, total) for _, bucket, count, total in _tallies()}
    assert {bucket for bucket in tallies if bucket.startswith("month")} == expected
    assert tallies[f"month:{live[0].month}"] == (5, sum(order.total for order in live))
    for status in (S.RECEIVED, S.PREPARING, S.CONFIRMED, S.PAID, S.SHIPPED):
        assert tallies[f"status:{int(status)}"] == (1, Decimal("90.00"))


def test_the_ledger_is_never_edited(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("500.00"))
    cancel(order, by_terms=True)
    entry = WalletEntry.objects.get()
    entry.amount = Decimal("1.00")
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


@pytest.mark.parametrize(("by_terms", "is_cancelled"), [("0", False), ("1", True)])
def test_what_the_buyer_gave_up_is_not_our_fault(
    buyer: Buyer, by_terms: str, is_cancelled: bool
) -> None:
    order = make_wire_order(buyer)
    page = PAGE.format(order.pk)
    seen = {"seen_terms": "0.00", "seen_full": "0.00"}
    fields = {"by_terms": by_terms, "kind": GAVE_UP, "words": "You wrote so", **seen}
    answer = staff_client("Sales").post(page, fields)
    assert (Order.objects.get().status == S.CANCELLED) is is_cancelled
    assert ("“Our fault” is not for" in answer.text) is not is_cancelled


def url_of(order: Order) -> str:
    return f"/api/order/withdraw/{order.invoice_code}"


def subjects_to_sales() -> list[str]:
    mails = Email.objects.filter(to__contains="sales@").order_by("id")
    return [mail.subject.partition(":")[0] for mail in mails]


@pytest.mark.parametrize(
    ("to_change", "why"),
    [(0, "Withdrawn by the buyer."), (1, "Withdrawn by the buyer to change it.")],
)
def test_what_it_held_is_free_again_once(
    api: ContractClient, buyer: Buyer, to_change: int, why: str
) -> None:
    product = make_product(on_hand=100)
    order = make_wire_order(buyer, [(product, 40)])
    payment = announced(order)
    assert api.get(f"/api/details/{order.invoice_code}").json()["order"]["allowed"]["withdraw"]
    for _ in range(2):
        answer = api.send("post", url_of(order), {"to_change": to_change})
        assert (answer.status_code, answer.json()["withdrawn"]) == (200, 1)
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.status, order.cancel_reason, order.wire_announced) == (S.CANCELLED, why, False)
    assert payment.state == PaymentState.REFUSED
    assert stock_of(product) == (100, 0, 0)
    assert order.events.get(to_status=S.CANCELLED).actor_id == buyer.id
    assert subjects_to_sales().count("Order withdrawn") == 1
    cancelled = Email.objects.get(subject=f"Order cancelled: {order.invoice_code}")
    assert cancelled.to == [buyer.email]
    order_json = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert (order_json["next_step"]["text"], order_json["allowed"]["withdraw"]) == (why, False)


def test_once_money_came_sales_are_asked_to_cancel_it_once(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_wire_order(buyer)
    arrive(order)
    assert api.get(f"/api/details/{order.invoice_code}").json()["order"]["allowed"]["ask_to_cancel"]
    for _ in range(2):
        assert api.send("post", url_of(order), {}).json()["withdrawn"] == 0
    order.refresh_from_db()
    assert (order.status, order.message_unread) == (S.RECEIVED, True)
    assert order.customer_memo == "Please cancel this order."
    assert order.events.filter(kind=OrderEvent.Kind.MESSAGE).count() == 1
    assert subjects_to_sales().count("Request to cancel") == 1


@pytest.mark.parametrize("status", [S.CANCELLED, S.PREPARING, S.CONFIRMED, S.PAID, S.SHIPPED])
def test_at_another_status_it_is_refused(
    api: ContractClient, buyer: Buyer, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    answer = api.send("post", url_of(order), {})
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_status")
    assert Order.objects.get(pk=order.pk).status == status


def test_a_payment_that_may_take_money_stops_it(api: ContractClient, buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    fields = {"method": Payment.Method.PAYPAL, "state": PaymentState.PENDING}
    Payment.objects.filter(invoice_code=order.invoice_code).update(**fields)
    answer = api.send("post", url_of(order), {})
    assert (answer.status_code, answer.json()["code"]) == (409, "payment_pending")
    assert answer.json()["message"].startswith("A payment of this order is under way.")


@pytest.mark.django_db(transaction=True)
def test_against_start_preparing_one_wins() -> None:
    buyer, sales, product = make_buyer(), make_sales(), make_product(on_hand=100)
    order = make_wire_order(buyer, [(product, 40)])

    def step(number: int) -> bool:
        now = datetime.now(UTC)
        with suppress(PortalError, DatabaseError):
            if number:
                return bool(start_preparing(order_id=order.pk, actor=sales, now=now))
            code = order.invoice_code
            return withdraw_order(buyer=buyer, invoice_code=code, to_change=False, now=now)
        return False

    assert sorted(race(step, times=2)) == [False, True]
    order.refresh_from_db()
    assert (order.status, stock_of(product)[1]) in [(S.CANCELLED, 0), (S.PREPARING, 40)]
