"""What the PayPal tests share: the simulator beside the portal, for each of PayPal's APIs."""

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


# What differs between the two is asked of PayPal, not of the database: on PostgreSQL the first one stands for both.
@pytest.fixture(params=["v1", pytest.param("v2", marks=pytest.mark.any_database)])
def desk(
    request: pytest.FixtureRequest,
    transactional_db: None,
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
