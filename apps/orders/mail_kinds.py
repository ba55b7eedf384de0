"""What the mails to the buyer of an order say, in the portal's own words."""

from django.utils.translation import gettext_lazy as _

from apps.common.mail_texts import MailKind, Places

ORDER: Places = {
    "order": _("Invoice number"),
    "name": _("Who ordered"),
    "company": _("The customer's company"),
}
BALANCE: Places = {**ORDER, "balance": _("What is still to pay")}
ANSWER: Places = {**ORDER, "writer": _("Who of us writes")}
PROPOSALS: Places = {
    **ORDER,
    "until": _("Until when an answer counts"),
}
LATE: Places = {
    **ORDER,
    "paid_on": _("The day of the payment"),
    "due_on": _("The day that we promised"),
    "term": _("Business days that we promised"),
}
WISHES: Places = {
    "name": _("Who wanted it"),
    "company": _("The customer's company"),
    "until": _("Until when it is reserved"),
    "pieces": _("How many pieces"),
}

ORDER_RECEIVED = MailKind(
    "order_received",
    _("Order received"),
    "Order received",
    "Thank you for your order. We will prepare it and confirm each product with you.",
    ORDER,
)
CONFIRMED = MailKind(
    "order_confirmed",
    _("Order confirmed, balance due"),
    "Order confirmed",
    "Your order is confirmed. Please pay the balance of {balance} so that we can ship it. "
    "The proforma invoice is with the order in the portal.",
    BALANCE,
)
CONFIRMED_PAID = MailKind(
    "order_confirmed_paid",
    _("Order confirmed, nothing left to pay"),
    "Order confirmed",
    "Your order is confirmed. There is nothing left to pay; we will ship it next. "
    "The proforma invoice is with the order in the portal.",
    ORDER,
)
CORRECTED = MailKind(
    "order_corrected",
    _("Order corrected"),
    "Order corrected",
    "We have corrected the confirmation of your order. If a balance is due below, please pay it so "
    "that we can ship. The new proforma invoice is with the order in the portal.",
    BALANCE,
)
REMINDER = MailKind(
    "balance_reminder",
    _("Reminder of a balance"),
    "Balance due",
    "Your order {order} was confirmed on {confirmed_on}, and its balance of {balance} is still "
    "outstanding. We ship as soon as it is paid.\n\n"
    "Please pay {how_to_pay} to the account below. If you have paid already, please write to "
    "{sales_email}.",
    {
        **BALANCE,
        "confirmed_on": _("The day of the confirmation"),
        "how_to_pay": _("The ways to pay"),
    },
)
PAID = MailKind(
    "order_paid",
    _("Order paid"),
    "Payment completed",
    "Your order is paid in full. We will ship it next.",
    ORDER,
)
SHIPS_LATE = MailKind(
    "ships_late",
    _("Shipment late"),
    "Your order is delayed",
    "Your order {order} was paid on {paid_on}. We promised to ship it by {due_on}, within {term}. "
    "It will ship later than that. We are sorry for the delay.\n\n"
    "We are getting it ready, and you will get a mail with its tracking number as soon as it "
    "ships. If you cannot wait, please write to {sales_email}.",
    LATE,
)
SHIPPED = MailKind(
    "order_shipped", _("Order shipped"), "Order shipped", "Your order is on its way.", ORDER
)
SHIPMENT_CORRECTED = MailKind(
    "tracking_corrected",
    _("Shipment details corrected"),
    "Shipment details corrected",
    "Dear {name},\n\n"
    "The shipment details we sent you for order {order} were wrong. Please use these instead.",
    ORDER,
)
MESSAGE = MailKind(
    "message",
    _("Message to the customer"),
    "New message",
    "{writer} has written to you about your order {order}.",
    ANSWER,
)
PROPOSALS_SENT = MailKind(
    "proposals",
    _("Proposals"),
    "Proposals need your answer",
    "We cannot supply all of your order {order} as ordered and propose alternatives. Please "
    "accept or decline each of them, or ask us, by {until}.\n\n"
    "If you do not answer, we proceed as each line states. It never costs you more than your order "
    "as placed.",
    PROPOSALS,
)
EXPIRED = MailKind(
    "proposals_expired",
    _("Proposals not answered in time"),
    "Proposals decided without your answer",
    "The time to answer our proposals for your order {order} is over. This applies now:",
    ORDER,
)
PIECES_OFFERED = MailKind(
    "pieces_offered",
    _("Pieces reserved for a waiting customer"),
    "Reserved for you: {pieces}",
    "What you are waiting for has arrived. It is reserved for you until {until}; after that we "
    "offer it to others.",
    WISHES,
)
KINDS = (
    ORDER_RECEIVED,
    CONFIRMED,
    CONFIRMED_PAID,
    CORRECTED,
    REMINDER,
    PAID,
    SHIPPED,
    SHIPMENT_CORRECTED,
    SHIPS_LATE,
    MESSAGE,
    PROPOSALS_SENT,
    EXPIRED,
    PIECES_OFFERED,
)
