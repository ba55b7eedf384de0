"""Credit of a company's wallet that goes back to its bank account: staff send the money, the ledger
says so.
"""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import Company, User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.orders.errors import StaffRefusal
from apps.payments import mail
from apps.payments.models import BankTransfer, WalletEntry
from apps.payments.selectors import people_told_of_money, wallet_balance

MAX_REASON = 200


@needs("payments.change_payment")
@one_transaction
def pay_out_wallet(
    *, company_id: int, amount: Decimal, reason: str, seen: Decimal, actor: User, now: datetime
) -> WalletEntry:
    """Take US dollars out of a company's wallet that are owed by bank from now on; its people get a
    mail with the reason.

    The portal moves no money. `seen` is the balance that staff were shown.

    Raises:
        NotFound: there is no such company.
        StaffRefusal: no reason, another balance by now, no amount, or more than there is.
    """
    reason = " ".join(reason.split())[:MAX_REASON]
    if not reason:
        raise StaffRefusal(
            "A reason is needed.", errors={"reason": ["Enter a reason; the buyer reads it."]}
        )
    # The same row that the use of a credit locks: neither spends what the other takes.
    company = Company.objects.select_for_update().filter(pk=company_id).first()
    if company is None:
        raise NotFound
    balance = wallet_balance(company_id=company_id)
    if seen != balance:  # a second press would send a part twice
        raise StaffRefusal(f"The balance is {dollars(balance)} by now, not {dollars(seen)}.")
    if not ZERO < amount <= balance or usd(amount) != amount:
        raise StaffRefusal(
            "The amount is wrong.",
            errors={"amount": [f"More than 0.00, at most {dollars(balance)}."]},
        )
    entry = WalletEntry.objects.create(
        company_id=company_id,
        kind=WalletEntry.Kind.PAID_OUT,
        amount=-usd(amount),
        note=reason,
        actor=actor,
        at=now,
    )
    BankTransfer.objects.create(
        entry=entry, company=company, payee=company.name, amount=-entry.amount, owed_at=now
    )
    told = people_told_of_money(company_id=company_id)
    mail.queue_paid_out(told, amount=amount, left=balance - amount, reason=reason)
    return entry
