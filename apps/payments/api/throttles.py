"""Request limits of the payments' calls (design/reliability-and-security.md, section 9)."""

from apps.common.http.throttles import MINUTE, Limit


class WebhookLimit(Limit):
    """Events of PayPal: 600 a minute from one address."""

    name, uses, seconds = "webhook", 600, MINUTE
