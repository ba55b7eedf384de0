"""Which provider a payment is with: the one that made its link, whatever the setting says by now."""

from django.conf import settings

from apps.payments.models import Payment
from apps.payments.paypal import PayPalPayments
from apps.payments.paypal_orders import PayPalOrders
from apps.payments.provider import Provider

PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in (PayPalPayments(), PayPalOrders())}


def provider_now() -> Provider:
    """Return the provider that new links are made with (PAYPAL_API)."""
    return PROVIDERS[settings.PAYPAL_API]


def provider_of(payment: Payment) -> Provider:
    """Return the provider that a payment was made with."""
    return PROVIDERS[payment.provider]
