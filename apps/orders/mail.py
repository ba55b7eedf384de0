"""The mails that an order owes, queued as rows of the transaction that owes them (readings, Order
life).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.mail import Mail, queue
from apps.common.mail_texts import MailKind, Value, say
from apps.common.money import dollars
from apps.common.promises import Promise, term_of
from apps.common.seller import in_staff_language, seller
from apps.common.texts import Text, in_english
from apps.orders import mail_kinds as kinds
from apps.orders.carriers import carrier_name
from apps.orders.models import LineProposal, Order, Wish
from apps.orders.proposal_rules import deadline_text, proposed, silence
from apps.orders.selectors.orders import due_of

TEMPLATE = "order"
Facts = Sequence[tuple[str | Text, str | Text]]


def day(moment: datetime) -> str:
    """Return the seller's date of a moment as people read it: `20 November 2026`."""
    return f"{timezone.localtime(moment):%-d %B %Y}"


def order_values(order: Order) -> dict[str, Value]:
    """Return what the mails about an order may say of it."""
    return {
        "order": order.invoice_code,
        "name": lambda: order.user.manager,
        "company": lambda: order.company.name,
        "balance": lambda: dollars(due_of(order)),
    }


@in_english()
def to_buyer(
    order: Order,
    kind: MailKind,
    *,
    values: Mapping[str, Value] | None = None,
    text: str = "",
    facts: Facts = (),
    quote: str = "",
    to: str = "",
    page: str = "",
) -> Mail:
    """Return a mail to the user who ordered, in the common look; `text` is what staff wrote
    instead, `page` one of the order's.
    """
    words = say(kind, {**order_values(order), **(values or {})})
    context = _context(
        text.replace("\r\n", "\n") or words.body,
        facts,
        quote,
        page=f"invoice/0?invoice_code={order.invoice_code}{page}",
    )
    subject = f"{words.subject}: {order.invoice_code}"
    return Mail(to or order.user.email, subject, TEMPLATE, context)


@in_staff_language()
def to_sales(
    order: Order, subject: Text, text: Text, *, facts: Facts = (), quote: str = ""
) -> Mail:
    """Return a mail to the sales mailbox, in the common look."""
    page = f"{settings.ADMIN_PATH}orders/order/{order.pk}/change/"
    context = _context(str(text), facts, quote, page=page)
    title, language = f"{subject}: {order.invoice_code}", seller().staff_language
    return Mail(seller().sales_email, title, TEMPLATE, context, language=language)


def _context(text: str, facts: Facts, quote: str = "", *, page: str) -> dict[str, Any]:
    rows = [(str(label), str(value)) for label, value in facts]
    return {"text": text, "facts": rows, "quote": quote, "link": f"{settings.SITE_URL}/{page}"}


def bank_facts(order: Order) -> Facts:
    """Return the seller's accounts and what to write on the transfer."""
    facts: list[tuple[str | Text, str | Text]] = []
    for title, bank in seller().titled_banks:
        facts += [("Account", title)] if title else []
        facts += [
            ("Bank", bank["bank"]),
            ("Holder", bank["holder"]),
            ("Account number", bank["account_number"]),
            ("SWIFT or routing number", bank["routing_number"]),
            ("Bank address", bank["address"]),
        ]
    if not facts:
        facts = [("Bank", f"Please ask {seller().sales_email} for our bank details")]
    return (*facts, ("Reference", order.invoice_code))


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
            kinds.ORDER_RECEIVED,
            values={"name": buyer.manager, "company": buyer.company},
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
    facts = (
        ("Confirmed products", dollars(order.real_total)),
        ("Shipping fee", dollars(order.shipping_fee)),
        ("Total", dollars(order.real_total + order.shipping_fee)),
        ("Received", dollars(order.received)),
        *((("Credited to your wallet", dollars(order.credited)),) if order.credited else ()),
        ("Balance due", dollars(due)),
    )
    return to_buyer(order, kinds.CONFIRMED if due else kinds.CONFIRMED_PAID, facts=facts)


def corrected(
    order: Order, *, goods_was: Decimal, fee_was: Decimal, due_was: Decimal, reason: str
) -> Mail:
    """Return the mail of a corrected confirmation: why, what it was and what it is; all in US
    dollars.
    """
    changes = (
        ("Confirmed products", goods_was, order.real_total),
        ("Shipping fee", fee_was, order.shipping_fee),
        ("Balance due", due_was, due_of(order)),
    )
    facts = tuple(
        (name, dollars(now) if was == now else f"{dollars(was)} → {dollars(now)}")
        for name, was, now in changes
    )
    return to_buyer(order, kinds.CORRECTED, facts=facts, quote=reason)


def paid(order: Order) -> Mail:
    """Return the mail of a paid order."""
    return to_buyer(order, kinds.PAID)


@in_english()
def late_shipment(order: Order, *, text: str = "", now: datetime) -> Mail:
    """Return the mail that a paid order ships late, or will (section 1); empty text is the
    prepared one.
    """
    due = order.due_at or now
    values = {
        "paid_on": day(order.status_at),
        "due_on": day(due),
        "term": str(term_of(Promise.SHIP)),
    }
    facts = (("Paid", values["paid_on"]), ("To ship by", values["due_on"]))
    return to_buyer(order, kinds.SHIPS_LATE, values=values, text=text, facts=facts)


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
    by_paypal = "with PayPal in the portal, or " if seller().paypal_on else ""
    values = {"confirmed_on": day(order.status_at), "how_to_pay": f"{by_paypal}by bank wire"}
    return to_buyer(order, kinds.REMINDER, values=values, text=text, facts=facts)


@in_english()
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
    return to_buyer(order, kinds.SHIPPED, facts=parcel_facts(order))


def queue_buyers_text(order: Order, subject: Text, *, company: str, deed: Text, text: str) -> None:
    """Queue to sales what a buyer has written or changed; `deed` has a place for the company."""
    queue([to_sales(order, subject, Text(deed.key, company=company), quote=text)])


def tracking_corrected_text(order: Order) -> str:
    """Return what the mail of a corrected tracking number begins with, unless staff write it
    otherwise.
    """
    return say(kinds.SHIPMENT_CORRECTED, order_values(order)).body


def tracking_corrected(order: Order, *, was: str, text: str = "") -> Mail:
    """Return the mail of a corrected parcel: the text, what is right, and the number before where
    it was another.
    """
    facts = [*parcel_facts(order)]
    if order.tracking_number != was:
        facts.append(("Replaces", was))
    return to_buyer(order, kinds.SHIPMENT_CORRECTED, text=text, facts=facts)


def answer(order: Order, *, to: str, name: str, text: str) -> Mail:
    """Return the mail of an answer of the staff to the buyer who reads it, with a link to the
    order.
    """
    values = {"writer": name or seller().title}
    return to_buyer(order, kinds.MESSAGE, values=values, quote=text, to=to)


def ask_for_address_text(order: Order) -> str:
    """Return the prepared answer that asks a buyer where an order is to go."""
    return (
        f"Dear {order.user.manager},\n\nplease check the shipping address of your order "
        f"{order.invoice_code} and change it if it is not right. You can do so on the page of the "
        "order until it is confirmed; later, please answer here."
    )


@in_english()
def proposals(order: Order, proposals_sent: Sequence[LineProposal]) -> Mail:
    """Return the mail of proposals: each line with what was ordered, what is proposed, and what
    silence means.
    """
    values = {"until": deadline_text(proposals_sent[0].answer_by)}
    facts = []
    for one in proposals_sent:
        words = f" {one.comment.rstrip('.')}." if one.comment else ""
        text = f"{one.ordered_pieces} ordered. Proposed: {proposed(one)}.{words}"
        fact = f"{text} If you do not answer: {silence(one)}."
        facts.append((one.line.product.eng_name, fact))
    return to_buyer(order, kinds.PROPOSALS_SENT, values=values, facts=facts, page="&proposals=1")


@in_english()
def expired(order: Order, late: Sequence[LineProposal]) -> Mail:
    """Return the mail of proposals that nobody answered: what applies now."""
    facts = [(one.line.product.eng_name, f"{proposed(one)}: {silence(one)}") for one in late]
    return to_buyer(order, kinds.EXPIRED, facts=facts)


def answered(order: Order, *, company: str, answers: Sequence[tuple[LineProposal, Text]]) -> Mail:
    """Return the mail to sales of what a buyer answered to proposals, in words."""
    facts = [(f"{one.line.product.eng_name} ({one.line.sku})", answer) for one, answer in answers]
    text = Text("%(company)s has answered.", company=company)
    return to_sales(order, Text("Proposals answered"), text, facts=facts)


def pieces_text(count: int) -> str:
    """Return pieces as mails say them: `1,200 pieces`."""
    return f"{count:,} piece{'' if count == 1 else 's'}"


@in_english()
def offered(wishes: Sequence[Wish]) -> Mail:
    """Return the mail that pieces which a buyer wanted have come in and are held for him, by
    product.
    """
    user, pieces = wishes[0].user, sum(one.held for one in wishes)
    words = say(
        kinds.PIECES_OFFERED,
        {
            "name": user.manager,
            "company": lambda: user.company.name if user.company else "",
            "until": deadline_text(max(one.held_until for one in wishes if one.held_until)),
            "pieces": pieces_text(pieces),
        },
    )
    held = Counter[str]()
    for one in wishes:
        if one.product:
            held[f"{one.product.eng_name} ({one.product.sku})"] += one.held
    facts = [(product, pieces_text(count)) for product, count in held.items()]
    context = _context(words.body, facts, page="account/wishes")
    context["open"] = "Open your waiting list"
    return Mail(user.email, words.subject, TEMPLATE, context)
