"""What the simulator's tests share."""

import pytest

from tools.paypal_simulator.testing import make_simulator, paypal
from tools.paypal_simulator.tests.support import Shop, connect

__all__ = ["paypal"]


@pytest.fixture
def sdk(paypal):
    return connect(paypal)


@pytest.fixture
def shop():
    with Shop() as shop:
        yield shop


@pytest.fixture
def notified(shop, monkeypatch):
    """A simulator that tells a shop what happens."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    with make_simulator(webhook_url=shop.url) as simulator:
        yield simulator
