"""What the mails to buyers about money say, in the portal's own words."""

from django.utils.translation import gettext_lazy as _

from apps.common.mail_texts import MailKind, Places
from apps.orders.mail_kinds import BALANCE, ORDER

AMOUNT = {"amount": _("The amount")}
REFUND: Places = {**BALANCE, **AMOUNT}

WIRE_REFUSED = MailKind(
    "wire_refused",
    _("Announced wire not accepted"),
    "Bank wire not accepted",
    "We could not accept the bank wire you announced. Please contact us, or pay again.",
    REFUND,
)
WIRE_AWAITED = MailKind(
    "wire_awaited",
    _("Announced wire not received"),
    "Waiting for your bank wire",
    "We have not received the bank wire of {amount} that you announced for your order {order}. "
    "If it does not reach us by {until}, the announcement ends; if no deposit has been paid, the "
    "products are no longer reserved.\n\nIf you have sent it, please attach the proof of payment "
    "on the page of the order, or write to us.",
    {**REFUND, "until": _("Until when we wait")},
)
WIRE_LAPSED = MailKind(
    "wire_lapsed",
    _("Announced wire has lapsed"),
    "Bank wire not received",
    "The bank wire of {amount} that you announced for your order {order} has not reached us, and "
    "the announcement has ended. If no deposit has been paid, the products are no longer reserved."
    "\n\nIf you still want the order, or have sent the money, please write to us.",
    REFUND,
)
WIRE_MOVED = MailKind(
    "wire_moved",
    _("Wire belonged to another order"),
    "Balance due again",
    "A bank wire that we booked on your order belongs to another one, and we have moved it "
    "there. We apologise for the mistake: a balance is due again. Please pay it by bank wire, "
    "or write to us if you already have.",
    REFUND,
)
REFUNDED_TO_WALLET = MailKind(
    "wire_refunded_to_wallet",
    _("Refund to the wallet"),
    "Refund",
    "We have refunded {amount} of your order. It is in your company's wallet; you can use it "
    "towards your next balance.",
    REFUND,
)
REFUNDED_BY_BANK = MailKind(
    "wire_refunded_by_bank",
    _("Refund by bank"),
    "Refund",
    "We are refunding {amount} of your order. We will send it to the bank account it came from, "
    "within 15 business days.",
    REFUND,
)
REFUND_SENT = MailKind(
    "refund_sent",
    _("Refund sent by bank"),
    "Refund sent",
    "We have sent {amount} to the bank account it came from.",
    REFUND,
)
WALLET_PAID_OUT = MailKind(
    "wallet_paid_out",
    _("Wallet balance to be paid out"),
    "Wallet payout",
    "We will send {amount} of your company's wallet balance to your bank account, within 15 "
    "business days.",
    AMOUNT,
)
WALLET_SENT = MailKind(
    "wallet_sent",
    _("Wallet balance sent by bank"),
    "Wallet balance sent",
    "We have sent {amount} of your company's wallet balance to your bank account.",
    AMOUNT,
)
WIRE_TO_WALLET = MailKind(
    "wire_to_wallet",
    _("Wire for a paid order"),
    "Bank wire received",
    "Your bank wire of {amount} has arrived. The order was already paid, so it is in your "
    "company's wallet; you can use it towards your next balance.",
    REFUND,
)
CANCELLED = MailKind(
    "order_cancelled",
    _("Order cancelled"),
    "Order cancelled",
    "Dear {name},\n\nYour order {order} has been cancelled.",
    ORDER,
)
KINDS = (
    WIRE_REFUSED,
    WIRE_AWAITED,
    WIRE_LAPSED,
    WIRE_MOVED,
    WIRE_TO_WALLET,
    REFUNDED_TO_WALLET,
    REFUNDED_BY_BANK,
    REFUND_SENT,
    WALLET_PAID_OUT,
    WALLET_SENT,
    CANCELLED,
)
