"""The order's life, step by step against a plain model (reliability-and-security.md, section 19,
test 6).
"""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from portal.tests.fuzz.life import OrderLife
from portal.tests.fuzz.size import trying
from tools.paypal_simulator.simulator import Simulator
from tools.paypal_simulator.testing import paypal  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def test_portal_and_model_agree(
    paypal: Simulator,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OrderLife, "paypal", paypal, raising=False)
    run_state_machine_as_test(OrderLife, settings=trying(10, steps=25, is_long=True))
