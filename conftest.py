"""What every test of the back end may use."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import TransactionTestCase

from apps.accounts.selectors import Buyer, address_book
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import make_buyer
from apps.common.cache import _silent_until
from apps.common.testing import ContractClient

MAX_ID_BYTES = 40


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a file by its argument: a spreadsheet's bytes hold the time it was made, and differ between processes."""
    return argname if isinstance(val, bytes) and len(val) > MAX_ID_BYTES else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a service that is missing; with DATABASE_TESTS_ONLY=1, leave out what uses no database."""
    on_postgresql = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    for item in items:
        if item.get_closest_marker("postgresql") and not on_postgresql:
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL (DATABASE_URL)"))
        if item.get_closest_marker("redis") and not os.environ.get("TEST_REDIS"):
            item.add_marker(pytest.mark.skip(reason="needs Redis (TEST_REDIS)"))
    if os.environ.get("DATABASE_TESTS_ONLY") == "1":
        config.hook.pytest_deselected(items=[item for item in items if not _uses_database(item)])
        items[:] = [item for item in items if _uses_database(item)]


def _uses_database(item: pytest.Item) -> bool:
    case = getattr(item, "cls", None)
    if case is not None and issubclass(case, TransactionTestCase):
        return True
    fixtures = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Start each test with empty caches: limits are counted and addresses kept in the process."""
    cache.clear()
    _silent_until.clear()
    address_book.forget()
    yield
    address_book.forget()


@pytest.fixture
def now() -> datetime:
    """Return a moment of the tests: the real one, because tokens are checked against the clock."""
    return datetime.now(UTC)


@pytest.fixture
def buyer(db: None) -> Buyer:
    """Return an approved buyer with a company."""
    return make_buyer()


@pytest.fixture
def sign_in(db: None, now: datetime) -> Callable[[Buyer], ContractClient]:
    """Return a function that gives a client with a buyer's token."""

    def client(buyer: Buyer) -> ContractClient:
        return ContractClient().sign_in(issue_token(buyer=buyer, signed_in_at=now, now=now))

    return client


@pytest.fixture
def api(buyer: Buyer, sign_in: Any) -> ContractClient:
    """Return the buyer's client."""
    client: ContractClient = sign_in(buyer)
    return client


@pytest.fixture
def visitor() -> ContractClient:
    """Return the client of somebody without a token."""
    return ContractClient()
