"""Staff pages of payments: the desk, statements, wires, PayPal, cancelling an order,
the records.
"""

from apps.payments.admin import payments, records

__all__ = ["payments", "records"]
