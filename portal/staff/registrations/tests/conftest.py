"""The approver who opens the pages."""

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client


@pytest.fixture
def approver() -> Client:
    return staff_client("Approvers", manager="Hana Seo")
