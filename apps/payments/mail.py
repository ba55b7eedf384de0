"""The mails that payments owe, queued as rows of the transaction that owes them (readings, Order
life).
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext as _, pgettext

from apps.accounts.selectors import Buyer
from apps.common.mail import Mail, queue
from apps.common.mail_texts import MailKind, say
from apps.common.money import dollars
from apps.common.seller import in_staff_language, seller
from apps.common.texts import Text, phrase
from apps.orders.mail import (
    TEMPLATE,
    Facts,
    bank_facts,
    day,
    order_received,
    order_values,
    to_buyer,
    to_sales,
)
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.payments import mail_kinds as kinds
from apps.payments.models import BankTransfer, Payment
from apps.payments.selectors import people_told_of_money


def queue_order_received(order: Order, *, buyer: Buyer, depositor: str) -> None:
    """Queue the mails of an order whose deposit comes by wire, with where it goes and in whose
    name; of one without a deposit.
    """
    if not order.deposit:
        queue(order_received(order, buyer=buyer))
        return
    name = ((Text("Account name"), depositor),)
    queue(order_received(order, buyer=buyer, payment=(*name, *bank_facts(order)), announced=name))


def queue_wire_announced(order: Order, payment: Payment, *, company: str) -> None:
    """Queue an announced balance wire to sales."""
    text = Text("%(company)s has announced a bank wire for the balance.", company=company)
    facts = _announced_facts(payment)
    queue([to_sales(order, Text("Wire announced"), text, facts=facts)])


def wire_refused(order: Order, payment: Payment) -> Mail:
    """Return the mail of a refused wire, with the reason."""
    values, facts = {"amount": dollars(payment.amount)}, _announced_facts(payment)
    return to_buyer(order, kinds.WIRE_REFUSED, values=values, facts=facts, quote=payment.reason)


def wire_awaited(order: Order, payment: Payment, *, until: datetime) -> Mail:
    """Return the mail that asks for an announced wire, with where it goes."""
    values = {"amount": dollars(payment.amount), "until": day(until)}
    facts = (*_announced_facts(payment), *bank_facts(order))
    return to_buyer(order, kinds.WIRE_AWAITED, values=values, facts=facts)


def wire_lapsed(order: Order, payment: Payment) -> list[Mail]:
    """Return the mails of an announced wire that did not come: to the buyer, and to sales."""
    values, facts = {"amount": dollars(payment.amount)}, _announced_facts(payment)
    text = Text(
        "The wire that %(company)s announced has not arrived, and the announcement has lapsed. "
        "Pieces of an order without a deposit are free again.",
        company=order.company.name,
    )
    return [
        to_buyer(order, kinds.WIRE_LAPSED, values=values, facts=facts),
        to_sales(order, Text("Announced wire lapsed"), text, facts=facts),
    ]


def _announced_facts(payment: Payment) -> Facts:
    return (
        (Text("Amount"), dollars(payment.amount)),
        (Text("Account name"), payment.depositor),
    )


def wire_moved(order: Order, *, amount: Decimal) -> Mail:
    """Return the mail to the buyer of an order that was told to be paid: a wire was another
    order's, a balance is due again.
    """
    facts = (
        ("Amount", dollars(amount)),
        ("Balance due", dollars(due_of(order))),
        *bank_facts(order),
    )
    return to_buyer(order, kinds.WIRE_MOVED, values={"amount": dollars(amount)}, facts=facts)


def wire_refunded(
    order: Order, *, amount: Decimal, due: Decimal, to_wallet: bool, reason: str
) -> Mail:
    """Return the mail to the buyer that money of a wire went back, to the wallet or by the bank;
    `due` is then due.
    """
    kind = kinds.REFUNDED_TO_WALLET if to_wallet else kinds.REFUNDED_BY_BANK
    facts = (("Refunded", dollars(amount)), *((("Balance due", dollars(due)),) if due else ()))
    values = {"amount": dollars(amount), "balance": dollars(due)}
    return to_buyer(order, kind, values=values, facts=facts, quote=reason)


def paid_out(to: Sequence[str], *, amount: Decimal, rest: Decimal, reason: str) -> list[Mail]:
    """Return the mails to people of a company that credit of its wallet goes back by bank, with the
    reason.
    """
    facts = [("Paid out", dollars(amount)), ("Left in your wallet", dollars(rest))]
    return _of_wallet(kinds.WALLET_PAID_OUT, to, amount=amount, facts=facts, quote=reason)


def _of_wallet(
    kind: MailKind, to: Sequence[str], *, amount: Decimal, facts: Facts, quote: str = ""
) -> list[Mail]:
    words = say(kind, {"amount": dollars(amount)})
    context = {
        "text": words.body,
        "facts": list(facts),
        "quote": quote,
        "link": f"{settings.SITE_URL}/account/wallet",
        "open": "Open your wallet",
    }
    return [Mail(address, words.subject, TEMPLATE, context) for address in to]


def queue_transfer_sent(transfer: BankTransfer) -> None:
    """Queue to whom a refund or credit was owed by bank that it was sent; the sender of a credit of
    nobody's order has no address.
    """
    if transfer.refund is not None and transfer.refund.payment.order is not None:
        queue([refund_sent(transfer.refund.payment.order, transfer)])
    elif transfer.entry is not None:
        to = people_told_of_money(company_id=transfer.entry.company_id)
        queue(wallet_sent(to, transfer))


def refund_sent(order: Order, transfer: BankTransfer) -> Mail:
    """Return the mail that a refund of an order was sent by bank."""
    values = {"amount": dollars(transfer.amount)}
    return to_buyer(order, kinds.REFUND_SENT, values=values, facts=_transfer_facts(transfer))


def wallet_sent(to: Sequence[str], transfer: BankTransfer) -> list[Mail]:
    """Return the mails that credit of a wallet was sent by bank."""
    facts = _transfer_facts(transfer)
    return _of_wallet(kinds.WALLET_SENT, to, amount=transfer.amount, facts=facts)


def _transfer_facts(transfer: BankTransfer) -> Facts:
    return (
        ("Sent", dollars(transfer.amount)),
        ("Sent on", f"{transfer.sent_on:%-d %B %Y}"),
        ("Reference", transfer.reference),
    )


def wire_to_wallet(order: Order, *, amount: Decimal) -> Mail:
    """Return the mail to the buyer of a paid order that more arrived for it, and is in the
    wallet.
    """
    facts = (("To your wallet", dollars(amount)),)
    return to_buyer(order, kinds.WIRE_TO_WALLET, values={"amount": dollars(amount)}, facts=facts)


def cancelled_text(order: Order) -> str:
    """Return what the mail of a cancelled order begins with, unless staff write it otherwise."""
    return say(kinds.CANCELLED, order_values(order)).body


def cancelled_facts(order: Order, *, before: Decimal, credited: Decimal) -> Facts:
    """Return the lines of a cancelled order's money: what was credited of it `before`, what its
    cancellation credits, and what is retained, in US dollars.
    """
    others = (
        ("Credited to your wallet before", before),
        ("Retained under the terms of use", order.received - before - credited),
    )
    return (
        ("Received", dollars(order.received)),
        *((label, dollars(amount)) for label, amount in others if amount),
        ("Credited to your wallet", dollars(credited)),
    )


def cancelled(order: Order, *, credited: Decimal, text: str = "") -> Mail:
    """Return the mail of a cancelled order: the text, the reason, and what became of its money;
    `credited` is what its cancellation credits in US dollars.
    """
    facts = cancelled_facts(order, before=order.credited - credited, credited=credited)
    return to_buyer(order, kinds.CANCELLED, text=text, facts=facts, quote=order.cancel_reason)


def queue_paypal_order_received(order: Order, *, buyer: Buyer, under_review: bool) -> None:
    """Queue the mails of an order whose deposit came by PayPal, or is under review there."""
    state = Text("PayPal, under review") if under_review else Text("PayPal, received")
    paid = (Text("Payment"), state)
    queue(order_received(order, buyer=buyer, payment=(paid,), announced=(paid,)))


@in_staff_language()
def queue_alarm(payment: Payment, *, text: Text) -> None:
    """Queue to sales what they must look at: money held, unequal, denied, taken back, or long
    without an answer.
    """
    context = {
        "text": _("A PayPal payment needs attention."),
        "facts": [
            (_("Amount"), dollars(payment.charged)),
            (_("Payment"), payment.get_kind_display()),
            (pgettext("alarm", "What"), str(text)),
        ],
        "quote": "",
        "link": f"{settings.SITE_URL}/{settings.ADMIN_PATH}payments/payment/{payment.pk}/change/",
    }
    subject = phrase("PayPal payment: %(code)s", code=payment.invoice_code)
    to, language = seller().sales_email, seller().staff_language
    queue([Mail(to, subject, TEMPLATE, context, language=language)])
