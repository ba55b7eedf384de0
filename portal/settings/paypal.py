"""PayPal (design/paypal.md). PAYPAL_ENDPOINT alone tells whether it answers or what stands in
for it.
"""

from urllib.parse import urlsplit

from portal.settings.server import PORT, SITE_URL, env

INVENTED = "invented in development"
env.section("PayPal")
PAYPAL_API = env.choice(
    "PAYPAL_API",
    ("v1", "v2"),
    "v1",
    help="`v2`: new payments through Orders v2; those made before stay with v1",
)
PAYPAL_MODE = env.choice(
    "PAYPAL_MODE",
    ("sandbox", "live"),
    "sandbox",
    help="`live` needs an https endpoint on paypal.com",
)
PAYPAL_ENDPOINT = env.address(
    "PAYPAL_ENDPOINT",
    f"http://127.0.0.1:{PORT + 1}",
    shown="http://127.0.0.1:PORT+1",
    help=(
        "where PayPal's calls go: PayPal's own address, or the simulator's, which `make run` "
        "starts at the next free port"
    ),
)
PAYPAL_CLIENT_ID = env.text(
    "PAYPAL_CLIENT_ID",
    shown=INVENTED,
    help=(
        "the merchant's account; production without it, its secret, webhook and endpoint takes "
        "bank wires alone"
    ),
)
PAYPAL_CLIENT_SECRET = env.text("PAYPAL_CLIENT_SECRET", shown=INVENTED, help="the account's secret")
PAYPAL_WEBHOOK_ID = env.text(
    "PAYPAL_WEBHOOK_ID",
    shown=INVENTED,
    help="the webhook that leads to `SITE_URL/api/paypal/webhook`",
)
PAYPAL_CONNECT_TIMEOUT = 3.05  # seconds
PAYPAL_READ_TIMEOUT = env.number(
    "PAYPAL_READ_TIMEOUT", 15, help="seconds that PayPal has for a whole answer"
)
PAYPAL_FEE_RATE = env.rate("PAYPAL_FEE_RATE", "0.035", help="surcharge of a PayPal payment")
_paypal = urlsplit(PAYPAL_ENDPOINT)
_is_paypal = f".{_paypal.hostname}".endswith(".paypal.com")
# Where an approval link may lead: PayPal's own pages, or those of the endpoint that stands in for
# it, by its own name or the portal's.
PAYPAL_APPROVAL_ORIGINS = (
    ("https://www.paypal.com", "https://www.sandbox.paypal.com")
    if _is_paypal
    else (
        f"{_paypal.scheme}://{_paypal.netloc}",
        f"http://{urlsplit(SITE_URL).hostname}:{_paypal.port}",
    )
)
env.require(
    PAYPAL_MODE == "sandbox" or (_paypal.scheme == "https" and _is_paypal),
    "PAYPAL_MODE=live needs an https PAYPAL_ENDPOINT on paypal.com",
)
