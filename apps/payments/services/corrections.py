"""What staff settle by looking: an alarm of a PayPal payment that needs nothing more, and
corrections of a wallet.
"""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import Company, User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.orders.errors import StaffRefusal
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.services.attempts import ADMIN, lock_attempt
from apps.payments.services.moves import record_remark

MAX_NOTE = 300
MAX_CORRECTION = Decimal("9999999.99")
NO_REASON = "A reason is needed."


@needs("payments.change_payment")
@one_transaction
def close_alarm(*, payment_id: int, reason: str, actor: User, now: datetime) -> Payment:
    """Close the alarm of a PayPal payment with what was done about it; its state stays what it is.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: no alarm (any more), or no reason.
    """
    reason = " ".join(reason.split())[:MAX_NOTE]
    if not reason:
        raise StaffRefusal(NO_REASON, errors={"reason": ["Enter what was done about it."]})
    if not Payment.objects.filter(pk=payment_id, method=Payment.Method.PAYPAL).exists():
        raise NotFound
    payment = lock_attempt(payment_id).payment
    if not payment.alarm:
        raise StaffRefusal("Somebody has attended to it already.")
    record_remark(
        payment, source=ADMIN, note=f"{payment.alarm}. Attended to: {reason}", actor=actor, now=now
    )
    payment.alarm = ""
    payment.save(update_fields=["alarm"])
    return payment


@needs("payments.add_walletentry")
@one_transaction
def correct_wallet(
    *, company_id: int, amount: Decimal, reason: str, seen: Decimal, actor: User, now: datetime
) -> WalletEntry:
    """Add a correction to a company's ledger, in US dollars: more credit, or below zero less
    (design/admin.md, 1.4).

    `seen` is the balance that staff were shown. A permission of its own, which no group has.

    Raises:
        NotFound: there is no such company.
        StaffRefusal: no reason, no amount, another balance by now, or more taken than there is.
    """
    reason = " ".join(reason.split())[:MAX_NOTE]
    if not reason:
        raise StaffRefusal(NO_REASON, errors={"reason": ["Enter a reason."]})
    if not ZERO < abs(amount) <= MAX_CORRECTION or usd(amount) != amount:
        raise StaffRefusal("The amount is wrong.", errors={"amount": ["Not 0.00, in whole cents."]})
    # The same row that the use of a credit locks: neither spends what the other takes.
    if Company.objects.select_for_update().filter(pk=company_id).first() is None:
        raise NotFound
    balance = wallet_balance(company_id=company_id)
    if balance != seen:
        raise StaffRefusal(f"The balance is {dollars(balance)} by now, not {dollars(seen)}.")
    if balance + amount < ZERO:
        text = f"There are {dollars(balance)}: no more can be taken."
        raise StaffRefusal(text, errors={"amount": [text]})
    return WalletEntry.objects.create(
        company_id=company_id,
        kind=WalletEntry.Kind.CORRECTION,
        amount=usd(amount),
        note=reason,
        actor=actor,
        at=now,
    )
