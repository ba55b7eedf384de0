"""Production: refuses to start when something is unsafe (design/reliability-and-security.md,
section 15).

Staging is the same, but PayPal may be the simulator, which moves no money.
"""

from urllib.parse import urlsplit

from django.http.request import validate_host

from portal.env import is_address
from portal.settings.base import *

MIN_KEY_LENGTH, MIN_KEY_VARIETY = 32, 12
MIN_SECRET_KEY_LENGTH = 50
# What keys are called in examples and tests; random characters do not spell it.
KNOWN_WORDS = ("insecure", "change", "example", "secret", "signing", "password")


def is_strong(key: str) -> bool:
    """Return whether a key may be random: long, of many characters, and not one that somebody wrote
    down.
    """
    is_guessable = any(word in key.lower() for word in KNOWN_WORDS)
    return len(key) >= MIN_KEY_LENGTH and len(set(key)) >= MIN_KEY_VARIETY and not is_guessable


def is_of_paypal(address: str) -> bool:
    """Return whether an address is PayPal's own, by https."""
    return is_address(address) and f".{urlsplit(address).hostname}".endswith(".paypal.com")


SECURE_SSL_REDIRECT = REDIRECT_TO_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SESSION_COOKIE_NAME = "__Host-staff_session"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
LOGGING = {
    **LOGGING,
    "handlers": {"console": {**LOGGING["handlers"]["console"], "formatter": "json"}},
}

for name, keys in (
    ("SECRET_KEY", [SECRET_KEY, *SECRET_KEY_FALLBACKS]),
    ("JWT_SIGNING_KEY", [JWT_SIGNING_KEY, *JWT_SIGNING_KEY_FALLBACKS]),
):
    env.require(
        all(is_strong(key) for key in keys),
        f"{name} must be random and hold at least {MIN_KEY_LENGTH} characters",
    )
env.require(
    len(SECRET_KEY) >= MIN_SECRET_KEY_LENGTH,
    (
        f"SECRET_KEY must hold at least {MIN_SECRET_KEY_LENGTH} characters; one it replaces "
        "stands behind it"
    ),
)
env.require(SECRET_KEY != JWT_SIGNING_KEY, "SECRET_KEY and JWT_SIGNING_KEY must differ")

_hosts = env.words("ALLOWED_HOSTS")
_site = urlsplit(SITE_URL)
env.require(_hosts and "*" not in _hosts, "ALLOWED_HOSTS must name the hosts, without *")
env.require(
    not any(host.startswith(".") for host in _hosts),
    "ALLOWED_HOSTS must name each host whole, without a dot before it",
)
env.require(_site.scheme == "https", "SITE_URL must begin with https://")
env.require(
    validate_host(_site.hostname or "", _hosts), "ALLOWED_HOSTS must name the host of SITE_URL"
)
for name, place in (("IMAGE_HOST", IMAGE_HOST), ("FILE_HOST", FILE_HOST)):
    env.require(not place.startswith("http:"), f"{name} must begin with https:// or /")
env.require(
    FILE_HOST.startswith("/") or validate_host(urlsplit(FILE_HOST).hostname or "", _hosts),
    "ALLOWED_HOSTS must name the host of FILE_HOST, where the portal answers too",
)
env.require(
    all(origin.startswith("https://") for origin in CORS_ALLOWED_ORIGINS),
    "CORS_ALLOWED_ORIGINS must begin with https://",
)
env.require(
    env.text("NUM_PROXIES"), "NUM_PROXIES must say how many proxies stand before the portal"
)
env.require(
    REDIRECT_TO_HTTPS or NUM_PROXIES,
    "SECURE_SSL_REDIRECT may be off only behind a proxy that redirects (NUM_PROXIES)",
)
env.require(THROTTLE_FACTOR == 1, "THROTTLE_FACTOR must be 1: it is for load tests")
env.require(
    LOGGING["root"]["level"] != "DEBUG", "LOG_LEVEL must not be DEBUG: it is for development"
)

env.require(env.text("DATABASE_URL"), "DATABASE_URL must name the database")
env.require(
    not DATA_DIR.is_relative_to(STATIC_ROOT),
    "PORTAL_DATA_DIR must not lie in STATIC_ROOT, which is public",
)
env.require(
    (STORAGES["private"]["OPTIONS"].get("browser_endpoint_url") or "https://").startswith(
        "https://"
    ),
    "S3_BROWSER_ENDPOINT_URL (else S3_ENDPOINT_URL) must begin with https://: downloads lead there",
)

env.require(EMAIL_HOST, "EMAIL_HOST must name the mail server")
env.require(
    EMAIL_USE_TLS or not EMAIL_HOST_PASSWORD,
    "EMAIL_USE_TLS must be on where EMAIL_HOST_PASSWORD is sent",
)
# Who sells is asked for in the browser; mails leave from the first minute on.
SALES_EMAIL = env.text("SALES_EMAIL") or env.text("DEFAULT_FROM_EMAIL")
APPROVERS_EMAIL = env.text("APPROVERS_EMAIL") or SALES_EMAIL
env.require("@" in SALES_EMAIL, "SALES_EMAIL must be the seller's mailbox")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL") or SALES_EMAIL

# Without any of its variables the portal takes bank wires alone, and never calls PayPal.
if any(
    env.text(f"PAYPAL_{name}") for name in ("ENDPOINT", "CLIENT_ID", "CLIENT_SECRET", "WEBHOOK_ID")
):
    _paypal = urlsplit(PAYPAL_ENDPOINT)
    _simulated = STAGING and not is_of_paypal(PAYPAL_ENDPOINT)
    env.require(
        _simulated or is_of_paypal(PAYPAL_ENDPOINT),
        "PAYPAL_ENDPOINT must be an https address on paypal.com",
    )
    env.require(
        (_simulated or "sandbox" in (_paypal.hostname or "")) == (PAYPAL_MODE == "sandbox"),
        "PAYPAL_MODE must agree with PAYPAL_ENDPOINT",
    )
    env.require(
        PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET,
        "PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are due",
    )
    env.require(PAYPAL_WEBHOOK_ID, "PAYPAL_WEBHOOK_ID must name the webhook that PayPal calls")
env.check()
