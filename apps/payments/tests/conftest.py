"""What the tests of payments share."""

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client
from tools.paypal_simulator.testing import paypal

__all__ = ["paypal"]


@pytest.fixture
def sales() -> Client:
    """Return the browser of one of Sales, signed in."""
    return staff_client("Sales", manager="Yuna Seo")
