"""What the PayPal tests share: the simulator beside the portal, for each of PayPal's APIs."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
from django.db import connection

from apps.accounts.selectors import Buyer
from apps.common.testing import ContractClient
from apps.payments.simulator.simulator import Simulator
from apps.payments.simulator.testing import paypal  # noqa: F401 - a fixture
from apps.payments.tests.paypal.support import Desk

READ_TIMEOUT = 0.9  # seconds for a whole answer
LEDGERS = ("payments_walletentry", "payments_paymentevent")


@pytest.fixture
def committed(transactional_db: None) -> Iterator[None]:
    """Let a test commit; SQLite's triggers would keep its append-only rows from being cleared afterwards."""
    yield
    if connection.vendor == "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s)", LEDGERS)
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        for table in LEDGERS:
            cursor.execute(f"DELETE FROM {table}")
        for _, sql in triggers:
            cursor.execute(sql)


@pytest.fixture(params=["v1", "v2"])
def desk(
    request: pytest.FixtureRequest,
    committed: None,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    paypal: Simulator,  # noqa: F811
    buyer: Buyer,
    api: ContractClient,
) -> Desk:
    """Return a buyer's desk with PayPal's simulator beside it; no call leaves while a transaction is open."""
    settings.PAYPAL_API = request.param
    settings.PAYPAL_READ_TIMEOUT = READ_TIMEOUT
    send = requests.Session.send

    def outside_transactions(session: requests.Session, prepared: Any, **options: Any) -> requests.Response:
        assert not connection.in_atomic_block, "PayPal is asked inside a transaction"
        assert options["timeout"], "PayPal is asked without a time limit"
        assert not options["allow_redirects"], "redirects are followed"
        return send(session, prepared, **options)

    monkeypatch.setattr(requests.Session, "send", outside_transactions)
    return Desk(paypal=paypal, buyer=buyer, api=api, name=request.param)
