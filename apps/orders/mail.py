"""The mails that an order owes, queued as rows of the transaction that owes them (readings, Order
life).
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.mail import Mail, queue, to_mailbox
from apps.common.money import dollars
from apps.common.promises import Promise, term_of
from apps.common.texts import Text, made_in_english, made_in_staff_language
from apps.orders.carriers import carrier_name
from apps.orders.models import LineProposal, Order, Wish
from apps.orders.proposal_rules import deadline_text, proposed_text, silence_text
from apps.orders.selectors import due_of

TEMPLATE = "order"
Facts = Sequence[tuple[str | Text, str | Text]]


def day(moment: datetime) -> str:
    """Return the seller's date of a moment as people read it: `20 November 2026`."""
    return f"{timezone.localtime(moment):%-d %B %Y}"


@made_in_english
def to_buyer(
    order: Order,
    subject: str,
    text: str,
    *,
    facts: Facts = (),
    quote: str = "",
    to: str = "",
    page: str = "",
) -> Mail:
    """Return a mail to the user who ordered, in the common look; `page` is one of the order's."""
    link = f"{settings.SITE_URL}/invoice/0?invoice_code={order.invoice_code}{page}"
    said = [(str(label), str(value)) for label, value in facts]
    context = {"text": text, "facts": said, "quote": quote, "link": link}
    return Mail(to or order.user.email, f"{subject}: {order.invoice_code}", TEMPLATE, context)


@made_in_staff_language
def to_sales(
    order: Order, subject: Text, text: Text, *, facts: Facts = (), quote: str = ""
) -> Mail:
    """Return a mail to the sales mailbox, in the common look."""
    link = f"{settings.SITE_URL}/{settings.ADMIN_PATH}orders/order/{order.pk}/change/"
    context = {"text": text, "facts": list(facts), "quote": quote, "link": link}
    return to_mailbox(settings.SALES_EMAIL, f"{subject}: {order.invoice_code}", TEMPLATE, context)


def bank_facts(order: Order) -> Facts:
    """Return the seller's bank block and what to write on the transfer."""
    bank = settings.BANK
    return (
        ("Bank", bank["bank"]),
        ("Holder", bank["holder"]),
        ("Account number", bank["account_number"]),
        ("Routing number", bank["routing_number"]),
        ("Bank address", bank["address"]),
        ("Reference", order.invoice_code),
    )


def order_received(
    order: Order, *, buyer: Buyer, payment: Facts = (), announced: Facts = ()
) -> list[Mail]:
    """Return the mails of a new order: to the buyer with how to pay, and to sales with what was
    announced.
    """
    facts = (
        (Text("Products in order"), str(order.count)),
        (Text("Subtotal"), dollars(order.total)),
        (Text("Deposit"), dollars(order.deposit)),
    )
    return [
        to_buyer(
            order,
            "Order received",
            "Thank you for your order. We will prepare it and confirm each product with you.",
            facts=(*facts, *payment),
            to=buyer.email,
        ),
        to_sales(
            order,
            Text("New order"),
            Text(
                "%(company)s (%(manager)s, %(email)s) has placed an order.",
                company=buyer.company,
                manager=buyer.manager,
                email=buyer.email,
            ),
            facts=(*facts, (Text("Payment"), order.payment_type), *announced),
        ),
    ]


def confirmed(order: Order) -> Mail:
    """Return the mail of a confirmed order: the final invoice and the amount to pay."""
    due = due_of(order)
    text = "Your order is confirmed. " + (
        f"Please pay the balance of {dollars(due)} so that we can ship it."
        if due
        else "There is nothing left to pay; we will ship it next."
    )
    text += " The proforma invoice is with the order in the portal."
    facts = (
        ("Confirmed products", dollars(order.real_total)),
        ("Shipping fee", dollars(order.shipping_fee)),
        ("Total", dollars(order.real_total + order.shipping_fee)),
        ("Received", dollars(order.received)),
        ("Balance due", dollars(due)),
    )
    return to_buyer(order, "Order confirmed", text, facts=facts)


def corrected(
    order: Order, *, goods_was: Decimal, fee_was: Decimal, due_was: Decimal, reason: str
) -> Mail:
    """Return the mail of a corrected confirmation: why, what it was and what it is; all in US
    dollars.
    """
    due = due_of(order)
    text = "We have corrected the confirmation of your order. " + (
        f"The balance is now {dollars(due)}; please pay this amount."
        if due
        else "There is nothing left to pay; we will ship it next."
    )
    text += " The new proforma invoice is with the order in the portal."
    changes = (
        ("Confirmed products", goods_was, order.real_total),
        ("Shipping fee", fee_was, order.shipping_fee),
        ("Balance due", due_was, due),
    )
    facts = tuple(
        (name, dollars(now) if was == now else f"{dollars(was)} → {dollars(now)}")
        for name, was, now in changes
    )
    return to_buyer(order, "Order corrected", text, facts=facts, quote=reason)


def paid(order: Order) -> Mail:
    """Return the mail of a paid order."""
    return to_buyer(order, "Payment completed", "Your order is paid in full. We will ship it next.")


@made_in_english
def late_shipment_text(order: Order, *, now: datetime) -> str:
    """Return the prepared text for a buyer whose paid order ships late, or will (section 1)."""
    promised = f"by {day(order.due_at or now)}, within {term_of(Promise.SHIP)}"
    fact = f"We promised to ship it {promised}, and will not be able to."
    if order.due_at is not None and order.due_at <= now:
        fact = f"We promised to ship it {promised}. It has not shipped yet."
    return (
        f"Your order {order.invoice_code} was paid on {day(order.status_at)}. {fact} We are sorry "
        "for the delay.\n\nWe are getting it ready, and you will get a mail with its tracking "
        "number as soon as it ships. If you cannot wait, please write to "
        f"{settings.SALES_EMAIL}."
    )


def late_shipment(order: Order, *, text: str = "", now: datetime) -> Mail:
    """Return the mail that an order ships late; empty text is the prepared one."""
    facts = (("Paid", day(order.status_at)), ("To ship by", day(order.due_at or now)))
    return to_buyer(
        order, "Your order ships late", text or late_shipment_text(order, now=now), facts=facts
    )


def reminder_text(order: Order) -> str:
    """Return the prepared text for a buyer whose confirmed order is not paid."""
    return (
        f"Your order {order.invoice_code} was confirmed on {day(order.status_at)}, and its balance "
        f"of {dollars(due_of(order))} is still outstanding. We ship as soon as it is paid.\n\n"
        "Please pay with PayPal in the portal, or by bank wire to the account below. If you have "
        f"paid already, please write to {settings.SALES_EMAIL}."
    )


def reminder(order: Order, *, text: str = "") -> Mail:
    """Return the mail that reminds of a balance, with the amount to pay; empty text is the prepared
    one.
    """
    facts = (
        ("Total", dollars(order.real_total + order.shipping_fee)),
        ("Received", dollars(order.received)),
        ("Balance due", dollars(due_of(order))),
        *bank_facts(order),
    )
    return to_buyer(order, "Balance due", text or reminder_text(order), facts=facts)


@made_in_english
def parcel_facts(order: Order) -> Facts:
    """Return what a buyer is told of a parcel: its carrier, number and link, and the day it is
    expected.
    """
    expected = f"{order.expected_on:%-d %B %Y}" if order.expected_on else ""
    facts = (
        ("Carrier", carrier_name(order.carrier)),
        ("Tracking number", order.tracking_number),
        ("Track", order.shipping_url),
        ("Expected", expected),
    )
    return [(label, text) for label, text in facts if text]


def shipped(order: Order) -> Mail:
    """Return the mail of a shipped order, with its tracking."""
    return to_buyer(order, "Order shipped", "Your order is on its way.", facts=parcel_facts(order))


def queue_buyers_text(order: Order, subject: Text, *, company: str, deed: Text, text: str) -> None:
    """Queue to sales what a buyer has written or changed; `deed` has a place for the company."""
    queue([to_sales(order, subject, Text(deed.key, company=company), quote=text)])


def tracking_corrected_text(order: Order) -> str:
    """Return what the mail of a corrected tracking number begins with, unless staff write it
    otherwise.
    """
    return (
        f"Dear {order.user.manager},\n\n"
        f"the shipment details we sent you for order {order.invoice_code} were wrong. "
        "Please use these instead."
    )


def queue_tracking_corrected(order: Order, *, was: str, text: str) -> None:
    """Queue the mail of a corrected parcel: the text, what is right, and the number before where it
    was another.
    """
    is_other = order.tracking_number != was
    facts = [*parcel_facts(order), *([("Replaces", was)] if is_other else [])]
    words = text.replace("\r\n", "\n").strip() or tracking_corrected_text(order)
    subject = "Tracking number corrected" if is_other else "Shipment details corrected"
    queue([to_buyer(order, subject, words, facts=facts)])


def queue_answer(order: Order, *, to: str, name: str, text: str, was_asked: bool) -> None:
    """Queue an answer of the staff to the buyer who reads it, with a link to the order."""
    subject = "Your message was answered" if was_asked else "New message"
    deed = "has answered" if was_asked else "has written to you"
    words = f"{name or settings.PORTAL_TITLE} {deed} about your order {order.invoice_code}."
    queue([to_buyer(order, subject, words, quote=text, to=to)])


def ask_for_address_text(order: Order) -> str:
    """Return the prepared answer that asks a buyer where an order is to go."""
    return (
        f"Dear {order.user.manager},\n\nplease check the shipping address of your order "
        f"{order.invoice_code} and change it if it is not right. You can do so on the page of the "
        "order until it is confirmed; later, please answer here."
    )


@made_in_english
def proposals(order: Order, made: Sequence[LineProposal]) -> Mail:
    """Return the mail of proposals: each line with what was ordered, what is proposed, and what
    silence means.
    """
    until = deadline_text(made[0].answer_by)
    lines = "one line" if len(made) == 1 else f"{len(made)} lines"
    text = (
        f"We cannot supply all of your order {order.invoice_code} as ordered and propose an "
        f"alternative for {lines}. Please accept or decline, or ask us, by {until}.\n\n"
        "If you do not answer, what each line says applies. It never costs you more than your "
        "order as placed."
    )
    subject = (
        "A proposal waits for your answer" if len(made) == 1 else "Proposals wait for your answer"
    )
    return to_buyer(
        order, subject, text, facts=[_proposal_fact(one) for one in made], page="&proposals=1"
    )


@made_in_english
def more_time(order: Order, waiting: Sequence[LineProposal]) -> Mail:
    """Return the mail that the buyer may answer open proposals later than they said."""
    until, it = deadline_text(waiting[0].answer_by), "it" if len(waiting) == 1 else "them"
    what = "The proposal" if len(waiting) == 1 else f"{len(waiting)} proposals"
    text = (
        f"You have more time to answer. {what} for your order {order.invoice_code} can "
        f"be answered until {until}. Please accept or decline {it}, or ask "
        "us.\n\nIf you do not answer by then, what each line says applies. It "
        "never costs you more than your order as placed."
    )
    facts = [_proposal_fact(one) for one in waiting]
    return to_buyer(order, "More time for your answer", text, facts=facts, page="&proposals=1")


def _proposal_fact(one: LineProposal) -> tuple[str, str]:
    words = f" {one.comment.rstrip('.')}." if one.comment else ""
    text = (
        f"{one.ordered_pieces} ordered. Proposed: "
        f"{proposed_text(one)}.{words} If you do not answer: "
    )
    return one.line.product.eng_name, f"{text}{silence_text(one)}."


@made_in_english
def expired(order: Order, late: Sequence[LineProposal]) -> Mail:
    """Return the mail of proposals that nobody answered: what applies now."""
    text = (
        "The time to answer our proposals for your order "
        f"{order.invoice_code} is over. This applies now:"
    )
    facts = [
        (one.line.product.eng_name, f"{proposed_text(one)}: {silence_text(one)}") for one in late
    ]
    return to_buyer(order, "Proposals decided without your answer", text, facts=facts)


def answered(order: Order, *, company: str, answers: Sequence[tuple[LineProposal, Text]]) -> Mail:
    """Return the mail to sales of what a buyer answered to proposals, in words."""
    facts = [(f"{one.line.product.eng_name} ({one.line.sku})", said) for one, said in answers]
    text = Text("%(company)s has answered.", company=company)
    return to_sales(order, Text("Proposals answered"), text, facts=facts)


@made_in_english
def offered(wishes: Sequence[Wish]) -> Mail:
    """Return the mail that pieces which a buyer wanted have come in and are held for him, by
    product.
    """
    pieces = sum(one.held for one in wishes)
    until = deadline_text(max(one.held_until for one in wishes if one.held_until))
    text = (
        "Products on your waiting list have arrived. They are reserved for you until "
        f"{until}, then offer them to others."
    )
    products = ((one.product, one.held) for one in wishes if one.product)
    facts = [(f"{one.eng_name} ({one.sku})", f"{held} pieces") for one, held in products]
    link = f"{settings.SITE_URL}/account/wishes"
    what = "1 piece is" if pieces == 1 else f"{pieces:,} pieces are"
    context = {"text": text, "facts": facts, "quote": "", "link": link}
    return Mail(wishes[0].user.email, f"{what} reserved for you", "wishes", context)
