"""Which provider a payment is with: the one that made its link, whatever the setting
says by now.
"""

from functools import cache

from django.conf import settings

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


def provider_now() -> Provider:
    """Return the provider that new links are made with (PAYPAL_API)."""
    return provider_called(settings.PAYPAL_API)


def provider_of(payment: Payment) -> Provider:
    """Return the provider that a payment was made with."""
    return provider_called(payment.provider)
