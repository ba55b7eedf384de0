"""Cancelling an order: money, stock, wires, status and mail together, once."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.errors import WrongStatus
from apps.common.mail import write_texts
from apps.orders.models import Order, OrderTally, Wish
from apps.orders.services.confirm import LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, make_sales, receive, stock_of
from apps.payments.admin.forms import GAVE_UP
from apps.payments.models import Payment, WalletEntry
from apps.payments.services.cancel import cancel_order, cancellation_figures
from apps.payments.states import PaymentState
from apps.payments.tests.factories import announced, arrive, make_announced_balance, make_wire_order

S = OrderStatus
NOW = datetime.now(UTC)
PAGE = "/admin/orders/order/{}/cancel/"


def cancel(
    order: Order, *, by_terms: bool = True, reason: str = "Discontinued by the maker"
) -> Order:
    cancel_order(order_id=order.pk, by_terms=by_terms, reason=reason, actor=make_sales(), now=NOW)
    return Order.objects.get(pk=order.pk)


@pytest.mark.parametrize(("by_terms", "credited"), [(True, "350.00"), (False, "450.00")])
def test_the_money_goes_to_the_wallet(buyer: Buyer, by_terms: bool, credited: str) -> None:
    product = make_product(on_hand=100)
    order = make_wire_order(buyer, [(product, 100)])
    arrive(order)
    figures = cancellation_figures(order=Order.objects.get())
    assert (
        figures.received,
        figures.kept,
        figures.credited_by_terms,
        figures.credited_in_full,
    ) == (
        Decimal("450.00"),
        Decimal("100.00"),
        Decimal("350.00"),
        Decimal("450.00"),
    )
    assert figures.pieces_given_back == 100
    order = cancel(order, by_terms=by_terms)
    assert (order.status, order.cancel_reason, order.credited) == (
        0,
        "Discontinued by the maker",
        Decimal(credited),
    )
    entry = WalletEntry.objects.get()
    assert (entry.kind, entry.amount, entry.order_id, entry.company_id) == (
        "cancellation",
        Decimal(credited),
        order.pk,
        buyer.company_id,
    )
    assert stock_of(product) == (100, 0, 0)
    assert set(order.lines.values_list("allocated", flat=True)) == {0}
    mail = write_texts(Email.objects.latest("id"))
    assert mail.to == [buyer.email]
    assert f"${credited}" in mail.message
    assert (
        f"Your order {order.invoice_code} has been cancelled.\n\nDiscontinued by the maker"
        in mail.message
    )


def test_nothing_received_credits_nothing_and_refuses_the_wire(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    payment = announced(order)
    order = cancel(order)
    payment.refresh_from_db()
    assert (payment.state, order.wire_announced) == (PaymentState.REFUSED, False)
    assert not WalletEntry.objects.exists()


def test_less_than_the_fee_credits_nothing(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order)
    cancel(order)
    assert not WalletEntry.objects.exists()


def test_what_was_credited_before_is_not_credited_again(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("500.00"))
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    confirm(order)
    assert '<dd class="part">− 360.00</dd>' in staff_client("Sales").get(PAGE.format(order.pk)).text
    cancel(order)
    amounts = dict(WalletEntry.objects.values_list("kind", "amount"))
    assert amounts == {"overpayment": Decimal("360.00"), "cancellation": Decimal("40.00")}


def test_an_announced_balance_is_refused(buyer: Buyer) -> None:
    order = cancel(make_announced_balance(buyer))
    assert (order.payment_pending, order.wire_announced) == (False, False)
    assert not Payment.objects.filter(state=PaymentState.ANNOUNCED).exists()


@pytest.mark.parametrize("status", [S.RECEIVED, S.PREPARING, S.CONFIRMED, S.PAID])
def test_stock_comes_back_whatever_the_status(buyer: Buyer, status: OrderStatus) -> None:
    product = make_product(on_hand=100)
    order = make_order_at(status, buyer, [(product, 30)])
    cancel(order)
    assert stock_of(product) == (100, 0, 0)
    tallies = {bucket: (count, total) for _, bucket, count, total in _tallies()}
    assert set(tallies.values()) == {(0, Decimal("0.00"))}


def test_what_its_lines_did_not_give_is_not_wanted_any_more(buyer: Buyer) -> None:
    product = make_product(on_hand=100, sku="A")
    order = make_order_at(S.PREPARING, buyer, [(product, 30)])
    later = make_order_at(S.PREPARING, buyer, [(product, 60)])
    for of, given in ((order, 12), (later, 20)):
        confirm(of, [LineDecision(of.lines.get().pk, given, "short")])
    stock.receive(product_id=product.pk, pieces=5, reason="Delivery", actor=make_sales(), now=NOW)
    cancel(order)
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
        cancel(order)
    assert WalletEntry.objects.count() == entries


def test_the_tallies_are_those_of_a_recount(buyer: Buyer) -> None:
    for status in S:
        order = make_order_at(status, buyer)
        if status is S.CONFIRMED:
            receive(order, Decimal("1.00"))
    live = Order.objects.exclude(status=S.CANCELLED)
    wanted = {(f"month:{order.month}") for order in live}
    tallies = {bucket: (count, total) for _, bucket, count, total in _tallies()}
    assert {bucket for bucket in tallies if bucket.startswith("month")} == wanted
    assert tallies[f"month:{live[0].month}"] == (5, sum(order.total for order in live))
    for status in (S.RECEIVED, S.PREPARING, S.CONFIRMED, S.PAID, S.SHIPPED):
        assert tallies[f"status:{int(status)}"] == (1, Decimal("90.00"))


def test_the_ledger_is_never_edited(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("500.00"))
    cancel(order)
    entry = WalletEntry.objects.get()
    entry.amount = Decimal("1.00")
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


@pytest.mark.parametrize(
    ("by_terms", "kind", "is_cancelled"), [("0", GAVE_UP, False), ("1", GAVE_UP, True)]
)
def test_what_the_buyer_gave_up_is_not_our_fault(
    buyer: Buyer, by_terms: str, kind: str, is_cancelled: bool
) -> None:
    order = make_wire_order(buyer)
    page = PAGE.format(order.pk)
    fields = {
        "by_terms": by_terms,
        "kind": kind,
        "words": "You wrote so",
        "seen_terms": "0.00",
        "seen_full": "0.00",
    }
    answer = staff_client("Sales").post(page, fields)
    assert (Order.objects.get().status == S.CANCELLED) is is_cancelled
    assert ("“Our fault” is not for" in answer.text) is not is_cancelled
