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


def checklist_kind() -> MailKind:
    """Return the text of the checkout's checklist, a point a line; its subject is the heading."""
    return _WITH_PAYPAL if seller().paypal_on else _WITHOUT_PAYPAL


def checklist() -> tuple[str, list[str]]:
    """Return the heading and the points of the checkout's checklist (section 2); a point about
    PayPal's surcharge only where there is PayPal.
    """
    words, current = words_of(checklist_kind()), seller()
    lines = [line for line in words.body.split("\n") if current.paypal_on or OF_PAYPAL not in line]
    said = filled(
        Words(words.subject, "\n".join(lines)),
        {
            "deposit_share": percent(current.deposit_rate),
            "paypal_rate": percent(current.paypal_fee_rate),
        },
    )
    return said.subject, [line for line in said.body.split("\n") if line.strip()]
