"""A buyer withdraws an order: what is undone, what is refused, and who wins against staff."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.testing import ContractClient
from apps.common.tests.races import race
from apps.orders.models import Order, OrderEvent
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales, stock_of
from apps.payments.models import Payment
from apps.payments.services.cancel import withdraw_order
from apps.payments.states import PaymentState
from apps.payments.tests.factories import announced, arrive, make_wire_order

S = OrderStatus


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
    shown = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert (shown["next_step"]["text"], shown["allowed"]["withdraw"]) == (why, False)


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
