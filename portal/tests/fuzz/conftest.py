"""The two houses of the fuzzing tests, made once for all tests of a module, and the count of the
answers.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from portal.tests.fuzz.calls import Fuzzer
from portal.tests.fuzz.world import make_world
from tools.paypal_simulator.simulator import Simulator
from tools.paypal_simulator.testing import CLIENT_ID, CLIENT_SECRET, WEBHOOK_ID, make_simulator

TALLY: Counter[str] = Counter()


@pytest.fixture(scope="module")
def module_paypal() -> Iterator[Simulator]:
    """Run a simulator of PayPal, with the settings pointed at it."""
    with pytest.MonkeyPatch.context() as patch, make_simulator() as simulator:
        patch.setenv("NO_PROXY", "127.0.0.1,localhost")
        with override_settings(
            PAYPAL_ENDPOINT=simulator.url,
            PAYPAL_APPROVAL_ORIGINS=[simulator.public_url],
            PAYPAL_CLIENT_ID=CLIENT_ID,
            PAYPAL_CLIENT_SECRET=CLIENT_SECRET,
            PAYPAL_WEBHOOK_ID=WEBHOOK_ID,
        ):
            yield simulator


@pytest.fixture(scope="module")
def fuzzer(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, module_paypal: Simulator
) -> Iterator[Fuzzer]:
    """Return the fuzzer with its world; all of it is undone at the end of the module."""
    with django_db_blocker.unblock(), transaction.atomic(), connections_kept():
        yield Fuzzer(make_world(module_paypal), TALLY)
        transaction.set_rollback(True)


@pytest.fixture
def tally() -> Counter[str]:
    """Return what `make fuzz` counts and tells at its end."""
    return TALLY


@contextmanager
def connections_kept() -> Iterator[None]:
    """Keep requests from closing the connection whose transaction they run in, as Django's own test
    client does.
    """
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def pytest_sessionfinish() -> None:
    """Leave the count for `make fuzz`, one file for each process."""
    if folder := os.environ.get("FUZZ_TALLY"):
        Path(folder, f"{os.getpid()}.json").write_text(json.dumps(TALLY))
