"""Who sells: what buyers read of the seller, its money and its promises (spec/readings.md,
Configuration).
"""

from datetime import timedelta

from portal.settings.server import env

env.section("The seller")
PORTAL_TITLE = env.text(
    "PORTAL_TITLE", "Maren & Holt", help="the portal's name; production asks for it"
)
OTP_TOTP_ISSUER = PORTAL_TITLE  # what an authenticator app shows beside the code
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

OFFER_DAYS = env.integer(
    "OFFER_DAYS", 3, least=1, help="business days for which pieces are held for a buyer's wish"
)

# What the seller promises itself (apps.common.promises; the specification's own promises are not
# set here).
PROMISED_DAYS = {
    name: env.integer(
        f"{name.upper()}_DAYS", days, least=1, help=f"business days after which {step} is late"
    )
    for name, days, step in (
        ("prepare", 1, "an order that was not looked at"),
        ("confirm", 3, "an order whose lines are not confirmed"),
        ("balance", 5, "a balance"),
        ("wire", 1, "an announced wire that nobody booked"),
        ("message", 1, "an answer to a buyer's message"),
        ("answer", 3, "the buyer's answer to a proposal"),
    )
}
CLOSED_DAYS = env.dates("CLOSED_DAYS", help="days off beside South Korea's public holidays")
