"""Who sells: what buyers read of the seller, its money and its promises (spec/readings.md,
Configuration).
"""

from datetime import timedelta
from typing import Any

from portal.settings.server import env

env.section("The seller")
PORTAL_TITLE = env.text(
    "PORTAL_TITLE", "Maren & Holt", help="the portal's name; production asks for it"
)


def otp_issuer(_device: Any) -> str:
    """Return what an authenticator app shows beside the code."""
    from apps.common.seller import seller  # models come after the settings

    return seller().title


OTP_TOTP_ISSUER = otp_issuer
PORTAL_SUBTITLE = env.text("PORTAL_SUBTITLE", "Wholesale platform", help="the line under the name")
PORTAL_ACCENT = env.colour(
    "PORTAL_ACCENT", "#337ab7", help="accent colour; every shade is derived from it"
)
SALES_EMAIL = env.text("SALES_EMAIL", "sales@portal.test", help="mailbox of the sales staff")
APPROVERS_EMAIL = env.text(
    "APPROVERS_EMAIL", "approvers@portal.test", help="mailbox of the approvers"
)
INVENTED = "invented in development"
BANK = {
    "bank": env.text("BANK_NAME", shown=INVENTED, help="the bank that buyers wire to"),
    "holder": env.text("BANK_HOLDER", shown=INVENTED, help="the account's holder"),
    "account_number": env.text("BANK_ACCOUNT_NUMBER", shown=INVENTED, help="the account"),
    "routing_number": env.text(
        "BANK_ROUTING_NUMBER", shown=INVENTED, help="SWIFT code or routing number"
    ),
    "address": env.text("BANK_ADDRESS", shown=INVENTED, help="the bank's address"),
}
SHIPPER = {
    "name": env.text("SHIPPER_NAME", shown=INVENTED, help="the shipper on the packing list"),
    "address": env.text("SHIPPER_ADDRESS", shown=INVENTED, help="the shipper's address"),
    "phone": env.text("SHIPPER_PHONE", shown=INVENTED, help="the shipper's telephone number"),
}
INVOICE_PREFIX = env.text(
    "INVOICE_PREFIX", "MHW", help="beginning of invoice codes; production asks for it"
)
DEPOSIT_RATE = env.rate(
    "DEPOSIT_RATE", "1.0", help="share of an order's subtotal that is due as deposit"
)
TEMPORARY_ORDER_LIFETIME = timedelta(days=7)


def promised_days(text: str) -> dict[str, int]:
    """Return the business days of each step, the usual ones where the text names no others.

    Raises:
        ValueError: a step that there is not, or no whole number from 1.
    """
    days = {
        "prepare": 1,
        "confirm": 3,
        "balance": 5,
        "wire": 1,
        "message": 1,
        "answer": 3,
        "offer": 3,
    }
    for part in filter(None, text.split(",")):
        step, number = part.strip().split("=")
        if step not in days or int(number) < 1:
            raise ValueError
        days[step] = int(number)
    return days


# What the seller promises itself (apps.common.promises; the specification's own promises are not
# set here).
PROMISED_DAYS = env.parsed(
    "PROMISED_DAYS",
    "",
    promised_days,
    "steps as wire=2, comma-separated",
    shown="prepare=1,confirm=3,balance=5,wire=1,message=1,answer=3,offer=3",
    help=(
        "business days after which an order is looked at late, confirmed late, its balance, the "
        "booking of its wire, the answer to a message and the buyer's answer to a proposal are "
        "late; for which pieces are held for a wish"
    ),
)
CLOSED_DAYS = env.dates("CLOSED_DAYS", help="days off beside South Korea's public holidays")
