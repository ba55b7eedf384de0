"""The embedded default: one machine, SQLite or whatever DATABASE_URL names, random keys in the data
folder.
"""

from portal.settings.base import *

SLOW_QUERY_MS = 60_000  # the terminal of `make run` belongs to its addresses
SECRET_KEY = SECRET_KEY or data_key("secret")
JWT_SIGNING_KEY = JWT_SIGNING_KEY or data_key("jwt")
PAYPAL_CLIENT_ID = PAYPAL_CLIENT_ID or "portal"
PAYPAL_CLIENT_SECRET = PAYPAL_CLIENT_SECRET or "portal-secret"
PAYPAL_WEBHOOK_ID = PAYPAL_WEBHOOK_ID or "WH-PORTAL"
env.check()
