"""An announced wire that does not come: two reminders, then its end, unless money may be there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.tests.factories import make_product
from apps.common.testing import selling
from apps.orders.models import BuyerFile, Order
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.models import BankCredit, BankStatement, Payment
from apps.payments.states import PaymentState
from apps.payments.sweeps import follow_wires
from apps.payments.tests.factories import announced, make_announced_balance, make_wire_order

MONDAY = datetime(2026, 6, 1, 3, tzinfo=UTC)  # 12:00 in Seoul; the 3rd and the 6th are days off
DAY = timedelta(days=1)
# Business days 5, 8 and 10 after that Monday.
HALF, NEARLY, OVER = (datetime(2026, 6, day, 4, tzinfo=UTC) for day in (9, 12, 16))


@pytest.fixture(autouse=True)
def ten_days() -> None:
    selling(wire_days=10)


def since_monday(order: Order) -> Payment:
    payment = announced(order)
    Payment.objects.filter(pk=payment.pk).update(created_at=MONDAY)
    return payment


def mailed() -> list[str]:
    mails = Email.objects.filter(subject__contains="wire").order_by("id")
    return [subject.partition(":")[0] for subject in mails.values_list("subject", flat=True)]


def test_it_is_asked_for_twice_and_ends_after_its_days(buyer: Buyer) -> None:
    product = make_product(on_hand=100)
    order = make_wire_order(buyer, [(product, 40)])
    payment = since_monday(order)
    for at in (HALF - DAY, HALF, HALF, NEARLY, NEARLY, OVER - DAY):
        follow_wires(at)
    assert mailed() == ["Waiting for your bank wire"] * 2
    assert stock_of(product) == (100, 40, 0)
    follow_wires(OVER)
    payment.refresh_from_db()
    order.refresh_from_db()
    assert (payment.state, payment.settled_by) == (PaymentState.REFUSED, None)
    assert order.wire_announced is False
    assert (order.status, stock_of(product)) == (OrderStatus.RECEIVED, (100, 0, 0))
    sales = staff_client("Sales")
    assert order.invoice_code in sales.get("/admin/orders/order/?sign=unpaid").text
    assert "?sign=unpaid" in sales.get("/admin/").text
    assert mailed()[2:] == ["Bank wire not received", "Announced wire lapsed"]
    follow_wires(OVER + DAY)
    assert len(mailed()) == 4
    call_command("audit")
    start_preparing(order_id=order.pk, actor=make_sales(), now=OVER)  # the pieces are there still
    assert stock_of(product) == (100, 40, 0)


def with_proof(payment: Payment) -> None:
    stored = {"kind": BuyerFile.Kind.PROOF, "storage_name": "proof.pdf", "size": 1}
    whose = {"order_id": payment.order_id, "uploaded_by_id": payment.user_id}
    file = BuyerFile.objects.create(**stored, **whose, uploaded_at=MONDAY)
    Payment.objects.filter(pk=payment.pk).update(proof=file)


def with_unread_message(payment: Payment) -> None:
    Order.objects.filter(payments=payment).update(message_unread=True)


def statement(*, imported_at: datetime, put_away: bool, amount: str = "") -> None:
    """Import a statement, with an open credit of an amount."""
    kept = {"name": "june.csv", "kind": "csv", "digest": "d", "imported_by": make_sales()}
    put_away_at = imported_at if put_away else None
    statement = BankStatement.objects.create(
        **kept, imported_at=imported_at, put_away_at=put_away_at
    )
    if amount:
        fields = {"value_date": OVER.date(), "currency": "USD", "ordinal": 1}
        statement.credits.add(BankCredit.objects.create(amount=Decimal(amount), **fields))


def with_open_credit(payment: Payment) -> None:
    statement(imported_at=OVER, put_away=False, amount="1.00")


def with_open_credit_of_its_amount(payment: Payment) -> None:
    statement(imported_at=OVER, put_away=True, amount=str(payment.amount))


def with_statements_that_end_before(payment: Payment) -> None:
    statement(imported_at=NEARLY, put_away=True)


@pytest.mark.parametrize(
    "doubt",
    [
        with_proof,
        with_unread_message,
        with_open_credit,
        with_open_credit_of_its_amount,
        with_statements_that_end_before,
    ],
)
def test_it_stays_while_the_money_may_be_there(
    buyer: Buyer, doubt: Callable[[Payment], None]
) -> None:
    payment = since_monday(make_wire_order(buyer))
    for at in (HALF, NEARLY):
        follow_wires(at)
    doubt(payment)
    follow_wires(OVER)
    payment.refresh_from_db()
    assert payment.state == PaymentState.ANNOUNCED


def test_a_read_statement_without_it_does_not_keep_it(buyer: Buyer) -> None:
    payment = since_monday(make_wire_order(buyer))
    for at in (HALF, NEARLY):
        follow_wires(at)
    statement(imported_at=OVER, put_away=True, amount="1.00")
    follow_wires(OVER)
    payment.refresh_from_db()
    assert payment.state == PaymentState.REFUSED


def test_an_order_with_other_money_keeps_its_pieces(buyer: Buyer) -> None:
    product = make_product(on_hand=100)
    order = make_announced_balance(buyer, [(product, 40)])
    since_monday(order)
    for at in (HALF, NEARLY, OVER):
        follow_wires(at)
    order.refresh_from_db()
    assert (order.status, order.payment_pending) == (OrderStatus.CONFIRMED, False)
    assert stock_of(product) == (100, 40, 0)


def test_after_a_standstill_each_reminder_still_has_its_time(buyer: Buyer) -> None:
    payment = since_monday(make_wire_order(buyer))
    for _ in range(3):
        follow_wires(OVER + 10 * DAY)
    payment.refresh_from_db()
    assert (payment.state, payment.reminders) == (PaymentState.ANNOUNCED, 1)


def test_without_days_a_wire_is_waited_for(buyer: Buyer) -> None:
    selling(wire_days=None)
    since_monday(make_wire_order(buyer))
    assert follow_wires(OVER + 100 * DAY) == 0
