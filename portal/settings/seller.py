"""What holds of the seller until the page "Settings" says otherwise (spec/readings.md,
Configuration).
"""

import re
from datetime import timedelta
from typing import Any

from portal.env import checked
from portal.settings.server import TIME_ZONE, env

env.section("The seller, until the page Settings says otherwise")
UNNAMED = "Wholesale portal"
PORTAL_TITLE = env.text("PORTAL_TITLE", UNNAMED, help="the portal's name")


def otp_issuer(_device: Any) -> str:
    """Return what an authenticator app shows beside the code."""
    from apps.common.seller import seller  # models come after the settings

    return seller().title


OTP_TOTP_ISSUER = otp_issuer
PORTAL_SUBTITLE = env.text("PORTAL_SUBTITLE", "Wholesale platform", help="the line under the name")
PORTAL_ACCENT = env.parsed(
    "PORTAL_ACCENT",
    "#337ab7",
    lambda raw: checked(raw, re.fullmatch(r"#[0-9a-fA-F]{6}", raw)),
    "a colour as #337ab7",
    help="accent colour; every shade is derived from it",
)
SALES_EMAIL = env.text("SALES_EMAIL", "sales@portal.test", help="mailbox of the sales staff")
APPROVERS_EMAIL = env.text(
    "APPROVERS_EMAIL", "approvers@portal.test", help="mailbox of the approvers"
)


def block(name: str, lines: tuple[str, ...], help: str) -> dict[str, str]:
    """Return a block of lines, which stand in one variable; empty ones where it is not set."""

    def parts(text: str) -> dict[str, str]:
        values = [part.strip() for part in text.split("|")] if text else [""] * len(lines)
        return dict(zip(lines, values, strict=True))

    called = " | ".join(line.replace("_", " ") for line in lines)
    return env.parsed(name, "", parts, f"`{called}`", shown="none", help=help)


BANK = block(
    "BANK",
    ("bank", "holder", "account_number", "routing_number", "address"),
    "the account that buyers wire to",
)
SHIPPER = block("SHIPPER", ("name", "address", "phone"), "who sells and ships, on papers")
STAFF_LANGUAGE = "ko" if TIME_ZONE == "Asia/Seoul" else "en"
INVOICE_PREFIX = "INV"
DEPOSIT_RATE = env.rate(
    "DEPOSIT_RATE", "1.0", help="share of an order's subtotal that is due as deposit"
)
TEMPORARY_ORDER_LIFETIME = timedelta(days=7)
# What the seller promises itself, in business days (apps.common.promises; the specification's own
# promises are not set).
PROMISED_DAYS = {
    "prepare": 1,
    "confirm": 3,
    "balance": 5,
    "wire": 1,
    "message": 1,
    "answer": 3,
    "offer": 3,
}
