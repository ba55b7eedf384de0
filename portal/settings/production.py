"""Production: refuses to start when something is unsafe (design/reliability-and-security.md, section 15)."""

from urllib.parse import urlsplit

from portal.settings.base import *
from portal.settings.base import (
    ALLOWED_HOSTS,
    BANK,
    DATABASE_URL,
    JWT_SIGNING_KEY,
    LOGGING,
    PAYPAL_CLIENT_ID,
    PAYPAL_CLIENT_SECRET,
    PAYPAL_ENDPOINT,
    PAYPAL_WEBHOOK_ID,
    SECRET_KEY,
    SITE_URL,
    env,
)

MIN_KEY_LENGTH = 32

DEBUG = env.flag("PORTAL_DEBUG")
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_NAME = "__Host-staff_session"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
CSRF_COOKIE_SECURE = True
LOGGING = {**LOGGING, "handlers": {"console": {**LOGGING["handlers"]["console"], "formatter": "json"}}}

env.require(not DEBUG, "PORTAL_DEBUG must be off")
for name, key in (("SECRET_KEY", SECRET_KEY), ("JWT_SIGNING_KEY", JWT_SIGNING_KEY)):
    env.require(len(key) >= MIN_KEY_LENGTH, f"{name} must hold at least {MIN_KEY_LENGTH} characters")
env.require(SECRET_KEY != JWT_SIGNING_KEY, "SECRET_KEY and JWT_SIGNING_KEY must differ")
env.require(env.words("ALLOWED_HOSTS") and "*" not in ALLOWED_HOSTS, "ALLOWED_HOSTS must name the hosts, without *")
env.require(
    not DATABASE_URL.startswith("sqlite") or env.flag("ALLOW_SQLITE"),
    "DATABASE_URL must name PostgreSQL, or ALLOW_SQLITE=1",
)
env.require(SITE_URL.startswith("https://"), "SITE_URL must begin with https://")
env.require(env.text("EMAIL_HOST"), "EMAIL_HOST must name the mail server")
env.require(env.text("NUM_PROXIES"), "NUM_PROXIES must say how many proxies stand before the portal")
env.require(
    urlsplit(PAYPAL_ENDPOINT).scheme == "https" and f".{urlsplit(PAYPAL_ENDPOINT).hostname}".endswith(".paypal.com"),
    "PAYPAL_ENDPOINT must be an https address on paypal.com",
)
env.require(PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET, "PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are due")
env.require(PAYPAL_WEBHOOK_ID, "PAYPAL_WEBHOOK_ID must name the webhook that PayPal calls")
env.require(
    all(BANK.values()), "BANK_NAME, BANK_HOLDER, BANK_ACCOUNT_NUMBER, BANK_ROUTING_NUMBER, BANK_ADDRESS are due"
)
env.check()
