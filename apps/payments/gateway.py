"""Which provider a payment is with: the one that made its link, whatever the setting says by now."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from apps.payments.models import Payment
from apps.payments.provider import Provider

PROVIDERS = {"v1": "apps.payments.paypal.PayPalPayments", "v2": "apps.payments.paypal_orders.PayPalOrders"}


@cache
def provider_called(name: str) -> Provider:
    """Return a provider by its name. The library of v2 is large: it loads with the first question to it."""
    provider: Provider = import_string(PROVIDERS[name])()
    return provider


def provider_now() -> Provider:
    """Return the provider that new links are made with (PAYPAL_API)."""
    return provider_called(settings.PAYPAL_API)


def provider_of(payment: Payment) -> Provider:
    """Return the provider that a payment was made with."""
    return provider_called(payment.provider)
