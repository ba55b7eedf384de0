"""What the PayPal tests share: the simulator beside the portal, for each of PayPal's APIs."""

from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.db import connection

from apps.accounts.selectors import Buyer
from apps.common.outward import TimedSession
from apps.common.testing import ContractClient
from apps.payments.tests.paypal.support import Desk
from tools.paypal_simulator.api import LOGIN_PATH
from tools.paypal_simulator.simulator import Simulator
from tools.paypal_simulator.testing import paypal  # noqa: F401 - a fixture

# Seconds for a whole answer: long on the busiest machine, short where none will come.
PATIENCE, SOON = 30, 0.3
SILENT = ("timeout_before", "timeout_after", "token_hang", "drip")


def will_be_silent(paypal: Simulator, method: str, url: str) -> bool:  # noqa: F811
    """Return whether a call meets a fault that keeps its answer back."""
    path = urlsplit(url).path
    called = {
        route.operation
        for route in paypal.api.routes
        if route.method == method and route.pattern.fullmatch(path)
    }
    operation = "token" if path == LOGIN_PATH else "".join(called)
    return any(fault.kind in SILENT and fault.meets(operation, []) for fault in paypal.faults.all())


# What orders, stock and other buyers do meanwhile is nothing that PayPal's two APIs tell apart.
WITH_ONE_API = ("test_late_money", "test_meanwhile", "test_money", "test_races")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try a desk with each of PayPal's APIs, unless a test names its own."""
    own = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "desk" in metafunc.fixturenames and "desk" not in own:
        is_one = metafunc.module.__name__.rpartition(".")[2] in WITH_ONE_API
        metafunc.parametrize("desk", ["v2"] if is_one else ["v1", "v2"], indirect=True)


@pytest.fixture
def desk(
    request: pytest.FixtureRequest,
    transactional_db: None,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    paypal: Simulator,  # noqa: F811
    buyer: Buyer,
    api: ContractClient,
) -> Desk:
    """Return a buyer's desk with PayPal's simulator beside it; no call leaves while a transaction
    is open.
    """
    settings.PAYPAL_API = request.param
    settings.PAYPAL_READ_TIMEOUT = PATIENCE
    send, ask = requests.Session.send, TimedSession.request

    def outside_transactions(
        session: requests.Session, prepared: Any, **options: Any
    ) -> requests.Response:
        assert not connection.in_atomic_block, "PayPal is asked inside a transaction"
        assert options["timeout"], "PayPal is asked without a time limit"
        assert not options["allow_redirects"], "redirects are followed"
        return send(session, prepared, **options)

    def no_longer_than_needed(
        session: Any, method: str, url: str, *args: Any, **options: Any
    ) -> requests.Response:
        session._seconds = SOON if will_be_silent(paypal, method, url) else PATIENCE
        return ask(session, method, url, *args, **options)

    monkeypatch.setattr(requests.Session, "send", outside_transactions)
    monkeypatch.setattr(TimedSession, "request", no_longer_than_needed)
    return Desk(paypal=paypal, buyer=buyer, api=api, name=request.param)
