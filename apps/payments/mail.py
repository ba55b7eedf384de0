"""The mails that payments owe, queued as rows of the transaction that owes them (readings, Order
life).
"""

from collections.abc import Sequence
from decimal import Decimal

from django.conf import settings

from apps.accounts.selectors import Buyer
from apps.common.mail import Mail, queue, to_mailbox
from apps.common.money import dollars
from apps.common.texts import Text, made_in_staff_language, pgettext_lazy
from apps.orders.mail import TEMPLATE, bank_facts, order_received, to_buyer, to_sales
from apps.orders.models import Order
from apps.orders.selectors import due_of
from apps.payments.models import BankTransfer, Payment
from apps.payments.selectors import people_told_of_money


def queue_order_received(order: Order, *, buyer: Buyer, depositor: str) -> None:
    """Queue the mails of an order whose deposit comes by wire, with where it goes and in whose
    name.
    """
    name = ((Text("Account name"), depositor),)
    queue(order_received(order, buyer=buyer, payment=(*name, *bank_facts(order)), announced=name))


def queue_wire_announced(order: Order, payment: Payment, *, company: str) -> None:
    """Queue an announced balance wire to sales."""
    facts = (
        (Text("Amount"), dollars(payment.amount)),
        (Text("Account name"), payment.depositor),
    )
    text = Text("%(company)s has announced a bank wire for the balance.", company=company)
    queue([to_sales(order, Text("Wire announced"), text, facts=facts)])


def queue_wire_refused(order: Order, payment: Payment) -> None:
    """Queue a refused wire to the buyer, with the reason."""
    facts = (("Amount", dollars(payment.amount)), ("Account name", payment.depositor))
    text = "We could not accept the bank wire you announced. Please contact us, or pay again."
    queue([to_buyer(order, "Bank wire not accepted", text, facts=facts, quote=payment.reason)])


def queue_wire_moved(order: Order, *, amount: Decimal) -> None:
    """Queue to the buyer of an order that was told to be paid: a wire was another order's, a
    balance is due again.
    """
    facts = (
        ("Amount", dollars(amount)),
        ("Balance due", dollars(due_of(order))),
        *bank_facts(order),
    )
    text = (
        "A bank wire that we booked on your order belongs to another one, and we have moved it "
        "there. We apologise for the mistake: a balance is due again. Please pay it by bank wire, "
        "or write to us if you already have."
    )
    queue([to_buyer(order, "Balance due again", text, facts=facts)])


def wire_refunded(
    order: Order, *, amount: Decimal, due: Decimal, to_wallet: bool, reason: str
) -> Mail:
    """Return the mail to the buyer that money of a wire went back, to the wallet or by the bank;
    `due` is then due.
    """
    where = (
        "It is in your company's wallet; you can use it towards your next balance."
        if to_wallet
        else "We will send it to the bank account it came from, within 15 business days."
    )
    facts = (("Refunded", dollars(amount)), *((("Balance due", dollars(due)),) if due else ()))
    deed = "We have refunded" if to_wallet else "We are refunding"
    text = f"{deed} {dollars(amount)} of your order. {where}"
    return to_buyer(order, "Refund", text, facts=facts, quote=reason)


def queue_wire_refunded(order: Order, *, amount: Decimal, to_wallet: bool, reason: str) -> None:
    """Queue to the buyer that money of a wire went back, with the reason."""
    queue(
        [wire_refunded(order, amount=amount, due=due_of(order), to_wallet=to_wallet, reason=reason)]
    )


def queue_paid_out(to: Sequence[str], *, amount: Decimal, left: Decimal, reason: str) -> None:
    """Queue to people of a company that credit of its wallet goes back by bank, with the reason."""
    context = {
        "text": (
            f"We will send {dollars(amount)} of your company's wallet balance to your bank "
            "account, within 15 business days."
        ),
        "facts": [("Paid out", dollars(amount)), ("Left in your wallet", dollars(left))],
        "quote": reason,
        "link": f"{settings.SITE_URL}/account/wallet",
    }
    queue([Mail(address, "Wallet balance paid out", TEMPLATE, context) for address in to])


def queue_transfer_sent(transfer: BankTransfer) -> None:
    """Queue to whom a refund or credit was owed by bank that it was sent; the sender of a credit of
    nobody's order has no address.
    """
    facts = (
        ("Sent", dollars(transfer.amount)),
        ("On", f"{transfer.sent_on:%Y-%m-%d}"),
        ("Reference", transfer.reference),
    )
    text = f"We have sent {dollars(transfer.amount)} to the bank account it came from."
    if transfer.refund is not None and transfer.refund.payment.order is not None:
        queue([to_buyer(transfer.refund.payment.order, "Refund sent", text, facts=facts)])
    elif transfer.entry is not None:
        context = {
            "text": (
                f"We have sent {dollars(transfer.amount)} of your "
                "company's wallet balance to your bank account."
            ),
            "facts": list(facts),
            "quote": "",
            "link": f"{settings.SITE_URL}/account/wallet",
        }
        to = people_told_of_money(company_id=transfer.entry.company_id)
        queue([Mail(address, "Wallet balance sent", TEMPLATE, context) for address in to])


def queue_to_wallet(order: Order, *, amount: Decimal) -> None:
    """Queue to the buyer of a paid order that more arrived for it, and is in the wallet."""
    text = (
        f"Your bank wire of {dollars(amount)} has arrived. The order was already paid, so it is in "
        "your company's wallet; you can use it towards your next balance."
    )
    queue(
        [to_buyer(order, "Bank wire received", text, facts=(("To your wallet", dollars(amount)),))]
    )


def cancelled_text(order: Order) -> str:
    """Return what the mail of a cancelled order begins with, unless staff write it otherwise."""
    return f"Dear {order.user.manager},\n\nyour order {order.invoice_code} has been cancelled."


def queue_cancelled(order: Order, *, credited: Decimal, text: str) -> None:
    """Queue the mail of a cancelled order: the text, the reason, and what was credited."""
    facts = (("Received", dollars(order.received)), ("Credited to your wallet", dollars(credited)))
    queue([to_buyer(order, "Order cancelled", text, facts=facts, quote=order.cancel_reason)])


def queue_paypal_order_received(order: Order, *, buyer: Buyer, under_review: bool) -> None:
    """Queue the mails of an order whose deposit came by PayPal, or is under review there."""
    state = Text("PayPal, under review") if under_review else Text("PayPal, received")
    paid = (Text("Payment"), state)
    queue(order_received(order, buyer=buyer, payment=(paid,), announced=(paid,)))


@made_in_staff_language
def queue_alarm(payment: Payment, *, text: Text) -> None:
    """Queue to sales what they must look at: money held, unequal, denied, taken back, or long
    without an answer.
    """
    context = {
        "text": Text("A PayPal payment needs attention."),
        "facts": [
            (Text("Amount"), dollars(payment.charged)),
            (Text("Payment"), payment.get_kind_display()),
            (pgettext_lazy("alarm", "What"), text),
        ],
        "quote": "",
        "link": f"{settings.SITE_URL}/{settings.ADMIN_PATH}payments/payment/{payment.pk}/change/",
    }
    subject = Text("PayPal payment: %(code)s", code=payment.invoice_code)
    queue([to_mailbox(settings.SALES_EMAIL, subject, TEMPLATE, context)])
