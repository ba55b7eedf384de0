"""A company's wallet: entries of a ledger that is never edited, credited, used, corrected and sent
back by bank (readings, Money).
"""

from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus, row_or_404
from apps.common.mail import queue
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors.orders import get_order
from apps.orders.services.moves import record_credit, record_money_received
from apps.payments import mail
from apps.payments.models import BankTransfer, Payment, WalletEntry
from apps.payments.selectors import check_balance, people_told_of_money, surplus_of, wallet_balance
from apps.payments.services.moves import (
    BALANCE,
    check_amount,
    close_open_attempts,
    move_payment,
    one_line,
)
from apps.payments.states import PaymentState

Kind = WalletEntry.Kind
BUYER = "buyer"
NO_CREDIT = "Your wallet is empty."
MAX_CORRECTION = Decimal("9999999.99")


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


def record_received(
    order: Order,
    payment: Payment,
    *,
    note: Text,
    written_off: Decimal = ZERO,
    actor: User | None,
    now: datetime,
) -> None:
    """Give a locked order what a payment brought; what it does not ask for goes to the wallet."""
    record_money_received(
        order=order,
        amount=payment.received,
        is_deposit=payment.kind == Payment.Kind.DEPOSIT,
        written_off=written_off,
        actor=actor,
        note=note.stored(),
        now=now,
    )
    credit_overpayment(order=order, actor=actor, now=now)


def credit_overpayment(*, order: Order, actor: User | None, now: datetime) -> WalletEntry | None:
    """Credit what a locked, priced order has received beyond its cost and not given back yet; None
    if nothing.
    """
    if not order.state.is_priced:
        return None
    amount = surplus_of(order, amount=ZERO)
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
    _company, balance = _locked_balance(buyer.company_id)
    amount = min(due, balance)
    if amount <= ZERO:
        raise WrongStatus(wallet=NO_CREDIT)
    close_open_attempts(
        invoice_code=invoice_code,
        kind=BALANCE,
        reason=gettext_noop("paid from the wallet"),
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
    )
    move_payment(payment, PaymentState.CAPTURED, source=BUYER, now=now)
    note = Text("%(amount)s from the wallet", amount=dollars(amount))
    record_received(order, payment, note=note, actor=None, now=now)
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
        StaffRefusal: no amount, another balance by now, or more taken than there is.
    """
    reason = one_line(reason)
    if not ZERO < abs(amount) <= MAX_CORRECTION or usd(amount) != amount:
        errors = {"amount": [_("Not 0.00, in whole cents.")]}
        raise StaffRefusal(_("The amount is wrong."), errors=errors)
    _company, balance = _locked_balance(company_id)
    if balance != seen:
        raise StaffRefusal(
            _("The balance is now %(balance)s, not %(seen)s."),
            balance=dollars(balance),
            seen=dollars(seen),
        )
    if balance + amount < ZERO:
        text = phrase(
            "The wallet holds %(balance)s: no more can be taken.", balance=dollars(balance)
        )
        raise StaffRefusal(text, field="amount")
    return WalletEntry.objects.create(
        company_id=company_id,
        kind=WalletEntry.Kind.CORRECTION,
        amount=usd(amount),
        note=reason,
        actor=actor,
        at=now,
    )


@needs("payments.add_walletentry")
@one_transaction
def open_wallet(
    *, company_id: int, amount: Decimal, note: str, actor: User, at: datetime
) -> WalletEntry:
    """Credit what a company is owed, in US dollars, from before it used the portal.

    Raises:
        NotFound: there is no such company.
        StaffRefusal: nothing above zero, or it has an opening balance.
    """
    check_amount(amount, limit=MAX_CORRECTION)
    _locked_balance(company_id)
    entry = WalletEntry(company_id=company_id, kind=Kind.OPENING, amount=amount, note=note)
    if WalletEntry.objects.filter(company_id=company_id, kind=Kind.OPENING).exists():
        raise StaffRefusal(_("There is an opening balance already."))
    entry.actor, entry.at = actor, at
    entry.save()
    return entry


@needs("payments.add_walletentry")
@one_transaction
def take_back_opening(*, entry_id: int, actor: User) -> bool:
    """Delete an opening balance of which nothing was used; return whether it could go."""
    entry = WalletEntry.objects.get(pk=entry_id)
    _locked_balance(entry.company_id)
    later = WalletEntry.objects.filter(company_id=entry.company_id, pk__gt=entry.pk)
    if later.filter(amount__lt=0).exists():
        return False
    WalletEntry.objects.filter(pk=entry.pk).delete()
    return True


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
        StaffRefusal: another balance by now, no amount, or more than there is.
    """
    reason = one_line(reason)
    company, balance = _locked_balance(company_id)
    check_amount(amount, limit=balance, seen=seen)
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
    people = people_told_of_money(company_id=company_id)
    queue(mail.paid_out(people, amount=amount, rest=balance - amount, reason=reason))
    return entry


def _locked_balance(company_id: int) -> tuple[Company, Decimal]:
    """Return a company, locked, and its credit: one at a time, nobody spends it twice.

    Raises:
        NotFound: there is none.
    """
    company = row_or_404(Company.objects.select_for_update().filter(pk=company_id))
    return company, wallet_balance(company_id=company_id)
