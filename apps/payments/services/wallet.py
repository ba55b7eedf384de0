"""A company's wallet: entries of a ledger that is never edited, credited and used (readings,
Money).
"""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus
from apps.common.money import ZERO, dollars
from apps.orders.models import Order
from apps.orders.rules import overpayment
from apps.orders.selectors import get_order
from apps.orders.services import record_credit, record_money_received
from apps.orders.status import OrderStatus
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import check_balance, wallet_balance
from apps.payments.services.attempts import BALANCE, close_open_attempts
from apps.payments.services.moves import move_payment
from apps.payments.states import PaymentState

Kind = WalletEntry.Kind
BUYER = "buyer"
NO_CREDIT = "There is no credit."


def credit(
    *,
    order: Order,
    kind: WalletEntry.Kind,
    amount: Decimal,
    note: str = "",
    actor: User | None,
    now: datetime,
) -> WalletEntry:
    """Credit US dollars of a locked order to its company's wallet, in the caller's transaction."""
    entry = WalletEntry.objects.create(
        company_id=order.company_id,
        order=order,
        kind=kind,
        amount=amount,
        note=note,
        actor=actor,
        at=now,
    )
    record_credit(order=order, amount=amount)
    return entry


def credit_overpayment(*, order: Order, actor: User | None, now: datetime) -> WalletEntry | None:
    """Credit what a locked, priced order has received beyond its cost and not given back yet; None
    if nothing.
    """
    if not OrderStatus(order.status).is_priced:
        return None
    kept = order.received - order.credited
    amount = overpayment(
        real_total=order.real_total, shipping_fee=order.shipping_fee, received=kept
    )
    if not amount:
        return None
    return credit_more(order=order, amount=amount, actor=actor, now=now)


def credit_more(
    *, order: Order, amount: Decimal, note: str = "", actor: User | None, now: datetime
) -> WalletEntry:
    """Credit US dollars that a locked order received beyond what it asks for."""
    # The ledger has one overpayment of an order; money that arrives later still is a correction of
    # it.
    again = WalletEntry.objects.filter(order=order, kind=Kind.OVERPAYMENT).exists()
    kind = Kind.CORRECTION if again else Kind.OVERPAYMENT
    return credit(order=order, kind=kind, amount=amount, note=note, actor=actor, now=now)


@one_transaction
def pay_from_wallet(*, buyer: Buyer, invoice_code: str, now: datetime) -> Payment:
    """Pay the balance of a confirmed order from the company's credit, as far as it goes (api.md,
    POST /order/wallet).

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: not confirmed, nothing due, or no credit.
        PaymentPending: a balance payment is under way.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    due = check_balance(order)
    # One at a time for a company: two orders must not spend the same credit.
    Company.objects.select_for_update().get(pk=buyer.company_id)
    amount = min(due, wallet_balance(company_id=buyer.company_id))
    if amount <= ZERO:
        raise WrongStatus(errors={"wallet": [NO_CREDIT]})
    close_open_attempts(
        invoice_code=invoice_code,
        kind=BALANCE,
        reason="paid from the wallet",
        source=BUYER,
        now=now,
    )
    WalletEntry.objects.create(
        company_id=buyer.company_id,
        order=order,
        kind=Kind.USE,
        amount=-amount,
        actor_id=buyer.id,
        at=now,
    )
    payment = Payment(
        invoice_code=invoice_code,
        order=order,
        company_id=buyer.company_id,
        user_id=buyer.id,
        method=Payment.Method.WALLET,
        kind=BALANCE,
        base=amount,
        amount=amount,
        received=amount,
        created_at=now,
        settled_at=now,
    )
    move_payment(payment, PaymentState.CAPTURED, source=BUYER, now=now)
    record_money_received(
        order=order,
        amount=amount,
        is_deposit=False,
        actor=None,
        note=f"{dollars(amount)} from the wallet",
        now=now,
    )
    return payment
