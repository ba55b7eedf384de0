"""What the screens of buyers say in the seller's words, kept and changed as the texts of mails."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from apps.common.mail_texts import MailKind, Words, filled, words_of
from apps.common.money import percent
from apps.common.seller import seller

OF_PAYPAL = "{paypal_rate}"
_WITHOUT_PAYPAL = MailKind(
    "checkout_checklist",
    _("Checklist of the checkout"),
    "Checklist",
    "The shipping fee is added to the final invoice and is the customer’s responsibility.\n"
    "A confirmed order cannot be modified.",
    {"deposit_share": _("Deposit, in percent")},
)
_WITH_PAYPAL = replace(
    _WITHOUT_PAYPAL,
    body=f"{_WITHOUT_PAYPAL.body}\n"
    f"A PayPal surcharge of {OF_PAYPAL} for US customers and 5 % for South America applies. "
    "Please contact your sales representative.",
    places={**_WITHOUT_PAYPAL.places, "paypal_rate": _("PayPal's surcharge, in percent")},
)
# Notes of the checkout, by their name for its screen; a subject is the heading that they stand
# under, and stays.
NOTES = {
    "declaration": MailKind(
        "checkout_declaration",
        _("Checkout: on the export declaration"),
        "Export Declaration",
        "YES declares your order to Korean customs. This is the usual choice, and payment by bank "
        "wire requires it.",
        {},
    ),
    "responsibility": MailKind(
        "checkout_responsibility",
        _("Checkout: what a buyer ticks who wants no export declaration"),
        "Export Declaration",
        "I am responsible for any customs problems with an undeclared export.",
        {},
    ),
    "shipping": MailKind(
        "checkout_shipping",
        _("Checkout: on the shipping cost"),
        "Products",
        "Shipping cost depends on product weight and distance.",
        {},
    ),
}


def checkout_kinds() -> list[MailKind]:
    """Return the checkout's texts: its checklist, a point a line under its subject, and notes."""
    return [_WITH_PAYPAL if seller().paypal_on else _WITHOUT_PAYPAL, *NOTES.values()]


def checklist() -> tuple[str, list[str]]:
    """Return the heading and the points of the checkout's checklist (section 2)."""
    return screen_text(checkout_kinds()[0])


def notes() -> dict[str, str]:
    """Return the checkout's notes by their names."""
    return {name: "\n".join(screen_text(kind)[1]) for name, kind in NOTES.items()}


def screen_text(kind: MailKind) -> tuple[str, list[str]]:
    """Return the heading and the lines of a text of a screen; a line about PayPal's surcharge only
    where there is PayPal.
    """
    words, current = words_of(kind), seller()
    lines = [line for line in words.body.split("\n") if current.paypal_on or OF_PAYPAL not in line]
    text = filled(
        Words(words.subject, "\n".join(lines)),
        {
            "deposit_share": percent(current.deposit_rate),
            "paypal_rate": percent(current.paypal_fee_rate),
        },
    )
    return text.subject, [line for line in text.body.split("\n") if line.strip()]
