"""Which provider a payment is with: the one that made its link, whatever the setting
says by now.
"""

from functools import cache

from django.conf import settings

from apps.common.outward import is_silent
from apps.payments.models import Payment
from apps.payments.provider import Provider

PROVIDERS = ("v1", "v2")


@cache
def provider_called(name: str) -> Provider:
    """Return a provider by its name. The library of v2 is large: it loads with the first question
    to it.
    """
    if name == "v2":
        from apps.payments.paypal_orders import PayPalOrders

        return PayPalOrders()
    from apps.payments.paypal import PayPalPayments

    return PayPalPayments()


def has_account() -> bool:
    """Return whether there is an account to ask PayPal with."""
    return bool(settings.PAYPAL_CLIENT_ID)


def is_away() -> bool:
    """Return whether PayPal cannot be asked now: no account, or it left a call without an answer
    less than 30 seconds ago.
    """
    return not has_account() or is_silent(settings.PAYPAL_ENDPOINT)


def provider_of(payment: Payment) -> Provider:
    """Return the provider that a payment was made with."""
    return provider_called(payment.provider)
