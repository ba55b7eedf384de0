"""What the tests of the staff's pages start with: files of their own, and a member of sales."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client


@pytest.fixture
def own_files(settings: Any, tmp_path: Path) -> None:
    """Give each test a private storage of its own."""
    options = {**settings.STORAGES["private"]["OPTIONS"], "location": tmp_path}
    settings.STORAGES = {
        **settings.STORAGES,
        "private": {**settings.STORAGES["private"], "OPTIONS": options},
    }


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales")
