"""What every test of the back end may use."""

import gc
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models.signals import post_save
from django.test import TransactionTestCase
from django.test.utils import teardown_databases
from pytest_django import DjangoDbBlocker

from apps.accounts.models import AddressEntry
from apps.accounts.selectors import Buyer, address_book
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import make_buyer
from apps.catalog.services import import_writing
from apps.common import cache as redis, outward, seller
from apps.common.http import throttles
from apps.common.models import Seller
from apps.common.staff import WAITING_GROUPS, WAITING_KEY
from apps.common.storage import uploads
from apps.common.storage.files import FileKind
from apps.common.testing import ContractClient
from apps.common.tests.emptying import empty_tables
from portal.ops.texts import compile_texts
from portal.staff.work import Work
from portal.tests.migrated import make_database

MAX_ID_LENGTH = 80
# Compiling the tests takes longer than collecting them: keep them compiled, whatever
# PYTHONDONTWRITEBYTECODE says.
sys.dont_write_bytecode = False
# What is loaded stays: looking through it for garbage took as long as loading it.
gc.disable()


def empty_all(test: TransactionTestCase) -> None:
    """Empty the tables, the address book's too."""
    empty_tables(test)
    address_book.forget()


TransactionTestCase._fixture_teardown = empty_all  # type: ignore[attr-defined]
inspect_file = uploads._inspected
import_writing.REST_SECONDS = 0.01  # no shop waits for the database of a test


@lru_cache(maxsize=32)
def inspected(content: bytes, kind: FileKind, *_: object) -> bytes:
    """Return what the inspector says of a file; a process that the same file needs once."""
    return inspect_file(content, kind)


uploads._inspected = lambda content, kind: inspected(
    content, kind, uploads.INSPECTOR, uploads.INSPECTOR_SECONDS
)


def pytest_configure() -> None:
    """Compile the Korean of the staff's pages."""
    compile_texts()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name what is long by its argument: a spreadsheet's bytes hold the time, and differ between
    processes.
    """
    return argname if isinstance(val, bytes | str) and len(val) > MAX_ID_LENGTH else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a service that is missing; with DATABASE_TESTS_ONLY=1, leave out what uses no
    database.
    """
    on_postgresql = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    for item in items:
        if item.get_closest_marker("postgresql") and not on_postgresql:
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL (DATABASE_URL)"))
        if item.get_closest_marker("redis") and not os.environ.get("TEST_REDIS"):
            item.add_marker(pytest.mark.skip(reason="needs Redis (TEST_REDIS)"))
    if os.environ.get("DATABASE_TESTS_ONLY") == "1":
        config.hook.pytest_deselected(items=[item for item in items if not _uses_database(item)])
        items[:] = [item for item in items if _uses_database(item)]


def pytest_collection_finish() -> None:
    """Let the garbage collector begin, with what the tests make; at its usual pace it takes a
    twentieth of them.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def _uses_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


def pytest_unconfigure() -> None:
    """Delete the data folder of this process."""
    shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database."""
    with django_db_blocker.unblock():
        databases = make_database()
        address_book.countries()  # read once, and by no test that counts statements
    yield
    with django_db_blocker.unblock():
        # Our limits of statements: a busy disk takes its time to delete a database.
        connection.settings_dict["OPTIONS"].pop("options", None)
        teardown_databases(databases, verbosity=0)


@pytest.fixture(autouse=True)
def limits_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Hold the clock of the limits: a window that ended between two calls would count anew. Return
    what moves it.
    """

    def at(moment: float) -> None:
        monkeypatch.setattr(throttles, "time", lambda: moment)

    at(time.time())
    return at


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Start each test with empty caches: limits are counted and addresses kept in the process."""
    cache.clear()
    # A menu where nothing waits: its counts took a tenth of the tests of staff's pages. Home and
    # whatever staff do count anew.
    cache.set_many({WAITING_KEY.format(group=group): Work() for group in WAITING_GROUPS}, None)
    throttles.USES.clear()
    redis._silent_until.clear()
    outward.silence.forget()
    # The defaults, which no test reads from the database, nor looks again a second later.
    seller.remember(seller.Current(Seller()), looked_at=inf)
    # The address book is read anew where a test adds to it.
    added: list[object] = []

    def note(**_: object) -> None:
        added.append(address_book.forget())

    post_save.connect(note, sender=AddressEntry)
    yield
    post_save.disconnect(note, sender=AddressEntry)
    if added:
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
