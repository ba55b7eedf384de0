"""Who tries the staff's pages of the catalogue."""

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client


@pytest.fixture
def sales() -> Client:
    """Return the browser of one of Sales, signed in."""
    return staff_client("Sales", manager="Yuna Seo")
