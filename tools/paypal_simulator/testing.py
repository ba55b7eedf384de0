"""A simulator for tests: in a thread, on a free port, empty for each test."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tools.paypal_simulator.moves import Configuration
from tools.paypal_simulator.signing import Signer
from tools.paypal_simulator.simulator import Simulator

CLIENT_ID, CLIENT_SECRET, WEBHOOK_ID = "portal", "portal-secret", "WH-PORTAL"


@cache
def signer() -> Signer:
    """Return the key that all simulators of a test run share: making one takes a while."""
    return Signer()


def make_simulator(**more: Any) -> Simulator:
    """Return a simulator that knows the portal's test credentials and is not started."""
    fields: dict[str, Any] = {
        "credentials": {CLIENT_ID: CLIENT_SECRET},
        "webhook_id": WEBHOOK_ID,
        "webhook_url": "",
        "signer": signer(),
        "control": True,
    }
    return Simulator(Configuration(**fields | more))


@pytest.fixture
def paypal(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulator]:
    """Run a simulator and point the portal's settings at it."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    with make_simulator() as simulator:
        settings.PAYPAL_ENDPOINT = simulator.url
        settings.PAYPAL_APPROVAL_ORIGINS = [simulator.public_url]
        settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
        settings.PAYPAL_WEBHOOK_ID = WEBHOOK_ID
        yield simulator
