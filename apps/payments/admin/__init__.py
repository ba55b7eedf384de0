"""Staff pages of payments: desk, statements, wires, PayPal, cancelling an order, records."""

from apps.payments.admin import records

__all__ = ["records"]
