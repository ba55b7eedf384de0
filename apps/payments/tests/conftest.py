"""What the tests of payments share."""

from apps.payments.simulator.testing import paypal

__all__ = ["paypal"]
