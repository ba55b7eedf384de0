"""Every mail to customers as it goes out about an order, by its key; and an order as a portal may
have one, for previews before there is any: nothing of it is stored.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from apps.accounts import mail as account_mails, mail_kinds as account
from apps.accounts.models import Company, User
from apps.catalog.models import Product
from apps.common.mail import Mail
from apps.common.mail_texts import MailKind, Words
from apps.common.seller import seller
from apps.orders import mail as order_mails, mail_kinds as orders
from apps.orders.models import LineProposal, Order, OrderLine, Wish
from apps.orders.status import OrderStatus
from apps.payments import mail as payment_mails, mail_kinds as payments
from apps.payments.models import BankTransfer, Payment

AT = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)
PRODUCT = Product(eng_name="Volcanic Ash Cleansing Oil 200 ml", sku="MOS-VO200")


def example_order(status: OrderStatus) -> Order:
    """Return an order in a status."""
    user = User(email="buyer@demo.test", manager="Lena Hartwig")
    company = Company(name="Nordlicht Beauty GmbH")
    user.company = company
    is_paid = status >= OrderStatus.PAID
    return Order(
        pk=1,
        invoice_code=f"{seller().invoice_prefix}-261123-0001",
        company=company,
        user=user,
        status=status,
        status_at=AT,
        due_at=AT + timedelta(days=2),
        placed_at=AT,
        payment_type="T/T",
        count=12,
        total=Decimal("1842.50"),
        real_total=Decimal("1790.00"),
        shipping_fee=Decimal("210.00"),
        deposit=Decimal("1842.50"),
        deposit_received=Decimal("1842.50"),
        received=Decimal("2000.00") if is_paid else Decimal("1842.50"),
        credited=Decimal("1842.50" if status is OrderStatus.CANCELLED else 0),
        tracking_number="4471 0038 21",
        shipping_url="https://carrier.example/4471003821",
        carrier="dhl",
        expected_on=date(2026, 12, 1),
        cancel_reason="The maker cannot deliver this season.",
    )


def example_proposal(order: Order) -> LineProposal:
    """Return an open proposal for a line of an order."""
    return LineProposal(
        order=order,
        line=OrderLine(order=order, product=PRODUCT, sku=PRODUCT.sku),
        kind=LineProposal.Kind.FEWER,
        ordered_pieces=40,
        pieces=20,
        price=Decimal("8.40"),
        ordered_price=Decimal("8.40"),
        comment="The next batch comes in January",
        unanswered=LineProposal.Answer.ACCEPT,
        proposed_at=AT,
        answer_by=AT + timedelta(days=3),
    )


def example_wish(user: User) -> Wish:
    """Return a wish of somebody for which pieces are held."""
    until = AT + timedelta(days=3)
    return Wish(user=user, product=PRODUCT, held=1200, held_until=until)


KINDS: tuple[MailKind, ...] = (*account.KINDS, *orders.KINDS, *payments.KINDS)
AMOUNT, DAY = Decimal("210.00"), timedelta(days=1)
HIDDEN = "…"
S = OrderStatus


def _decision(write: Callable[[User], Words]) -> Callable[[Order], Mail]:
    def make(order: Order) -> Mail:
        words = write(order.user)
        body = words.body.replace(account_mails.LINK, f"https://{HIDDEN}")
        return Mail(order.user.email, words.subject, "plain", {"body": body})

    return make


def _corrected(order: Order) -> Mail:
    return order_mails.corrected(
        order,
        goods_was=order.total,
        fee_was=order.shipping_fee,
        due_was=order.shipping_fee,
        reason="The shipping fee was wrong.",
    )


def _answer(order: Order) -> Mail:
    text = "It ships on Tuesday."
    return order_mails.answer(order, to=order.user.email, name="Mina Park", text=text)


def _proposals(
    write: Callable[[Order, Sequence[LineProposal]], Mail], count: int
) -> Callable[[Order], Mail]:
    return lambda order: write(order, [example_proposal(order)] * count)


def _refunded(to_wallet: bool) -> Callable[[Order], Mail]:
    return lambda order: payment_mails.wire_refunded(
        order, amount=AMOUNT, due=Decimal("157.50"), to_wallet=to_wallet, reason="Paid twice."
    )


def _wire(order: Order) -> Payment:
    reason = "The amount is another one."
    return Payment(amount=AMOUNT, depositor=order.company.name, reason=reason)


def _transfer() -> BankTransfer:
    return BankTransfer(amount=AMOUNT, sent_on=date(2026, 11, 24), reference="FT-2611-0042")


def _paid_out(order: Order) -> Mail:
    rest = Decimal("40.00")
    to, reason = [order.user.email], "As you asked."
    return payment_mails.paid_out(to, amount=AMOUNT, rest=rest, reason=reason)[0]


def _received(order: Order) -> Mail:
    user, company = order.user, order.company.name
    buyer: Any = SimpleNamespace(email=user.email, manager=user.manager, company=company)
    facts = (("Account name", company), *order_mails.bank_facts(order))
    return order_mails.order_received(order, buyer=buyer, payment=facts)[0]


# In which status an order fits, and the mail about it.
SAMPLES: dict[str, tuple[OrderStatus, Callable[[Order], Mail]]] = {
    account.REGISTRATION_LINK.key: (
        S.RECEIVED,
        lambda order: account_mails.registration_link(email=order.user.email, token=HIDDEN),
    ),
    account.APPROVED.key: (S.RECEIVED, _decision(account_mails.approved)),
    account.ASKED.key: (S.RECEIVED, _decision(account_mails.more_requested)),
    account.REJECTED.key: (S.RECEIVED, _decision(account_mails.rejected)),
    account.PASSWORD_CHANGED.key: (
        S.RECEIVED,
        lambda order: account_mails.password_changed(
            email=order.user.email, manager=order.user.manager, company=order.company.name
        ),
    ),
    account.PASSWORD_RESET.key: (S.RECEIVED, _decision(account_mails.password_reset)),
    account.INVITATION.key: (S.RECEIVED, _decision(account_mails.invitation)),
    orders.ORDER_RECEIVED.key: (S.RECEIVED, _received),
    orders.CONFIRMED.key: (S.CONFIRMED, order_mails.confirmed),
    orders.CONFIRMED_PAID.key: (S.PAID, order_mails.confirmed),
    orders.CORRECTED.key: (S.CONFIRMED, _corrected),
    orders.REMINDER.key: (S.CONFIRMED, order_mails.reminder),
    orders.PAID.key: (S.PAID, order_mails.paid),
    orders.SHIPPED.key: (S.SHIPPED, order_mails.shipped),
    orders.SHIPMENT_CORRECTED.key: (
        S.SHIPPED,
        lambda order: order_mails.tracking_corrected(order, was="4471 0038 12"),
    ),
    orders.SHIPS_LATE.key: (
        S.PAID,
        lambda order: order_mails.late_shipment(order, now=(order.due_at or order.status_at) + DAY),
    ),
    orders.MESSAGE.key: (S.PREPARING, _answer),
    orders.PROPOSALS_SENT.key: (S.PREPARING, _proposals(order_mails.proposals, 2)),
    orders.EXPIRED.key: (S.PREPARING, _proposals(order_mails.expired, 1)),
    orders.PIECES_OFFERED.key: (
        S.RECEIVED,
        lambda order: order_mails.offered([example_wish(order.user)]),
    ),
    payments.WIRE_REFUSED.key: (
        S.CONFIRMED,
        lambda order: payment_mails.wire_refused(order, _wire(order)),
    ),
    payments.WIRE_AWAITED.key: (
        S.RECEIVED,
        lambda order: payment_mails.wire_awaited(
            order, _wire(order), until=order.placed_at + 14 * DAY
        ),
    ),
    payments.WIRE_LAPSED.key: (
        S.RECEIVED,
        lambda order: payment_mails.wire_lapsed(order, _wire(order))[0],
    ),
    payments.WIRE_MOVED.key: (
        S.CONFIRMED,
        lambda order: payment_mails.wire_moved(order, amount=AMOUNT),
    ),
    payments.WIRE_TO_WALLET.key: (
        S.PAID,
        lambda order: payment_mails.wire_to_wallet(order, amount=AMOUNT),
    ),
    payments.REFUNDED_TO_WALLET.key: (S.CONFIRMED, _refunded(to_wallet=True)),
    payments.REFUNDED_BY_BANK.key: (S.CONFIRMED, _refunded(to_wallet=False)),
    payments.REFUND_SENT.key: (
        S.CONFIRMED,
        lambda order: payment_mails.refund_sent(order, _transfer()),
    ),
    payments.WALLET_PAID_OUT.key: (S.RECEIVED, _paid_out),
    payments.WALLET_SENT.key: (
        S.RECEIVED,
        lambda order: payment_mails.wallet_sent([order.user.email], _transfer())[0],
    ),
    payments.CANCELLED.key: (
        S.CANCELLED,
        lambda order: payment_mails.cancelled(order, credited=order.credited),
    ),
}
