"""The embedded default: one machine, SQLite or whatever DATABASE_URL names, random keys in the data
folder.
"""

from portal.settings.base import *
from portal.settings.base import (
    BANK,
    JWT_SIGNING_KEY,
    PAYPAL_CLIENT_ID,
    PAYPAL_CLIENT_SECRET,
    PAYPAL_WEBHOOK_ID,
    SECRET_KEY,
    SHIPPER,
    data_key,
    env,
)

SLOW_QUERY_MS = 60_000  # the terminal of `make run` belongs to its addresses
SECRET_KEY = SECRET_KEY or data_key("secret")
JWT_SIGNING_KEY = JWT_SIGNING_KEY or data_key("jwt")
PAYPAL_CLIENT_ID = PAYPAL_CLIENT_ID or "portal"
PAYPAL_CLIENT_SECRET = PAYPAL_CLIENT_SECRET or "portal-secret"
PAYPAL_WEBHOOK_ID = PAYPAL_WEBHOOK_ID or "WH-PORTAL"

# An invented seller, so that the demo shows a whole bank block and packing list.
BANK = {
    "bank": BANK["bank"] or "Hanbit Bank, Seoul Main Branch",
    "holder": BANK["holder"] or "Maren & Holt Co., Ltd.",
    "account_number": BANK["account_number"] or "110-0042-778210",
    "routing_number": BANK["routing_number"] or "HBKRKRSE",
    "address": BANK["address"] or "12 Teheran-ro 4-gil, Gangnam-gu, Seoul 06232, Republic of Korea",
}
SHIPPER = {
    "name": SHIPPER["name"] or "Maren & Holt Co., Ltd.",
    "address": SHIPPER["address"]
    or "12 Teheran-ro 4-gil, Gangnam-gu, Seoul 06232, Republic of Korea",
    "phone": SHIPPER["phone"] or "+82 2 555 0142",
}
env.check()
