"""Redis closed, silent or emptied through a whole checkout (design/reliability-and-security.md,
19.3).

Every call succeeds. What it costs is counted in attempts to reach Redis, each of which may take a
second: one for the limits and two for the task queue at most, for all threads together, and none
again for 30 seconds.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import redis
from celery import Celery
from django.db import connection
from django.test import override_settings
from post_office.models import Email

from apps.accounts.tests.factories import PASSWORD, make_user
from apps.catalog.tests.factories import make_product
from apps.common import cache as caches, nudge as nudges
from apps.orders.models import Order
from apps.payments.tests.paypal.support import audit
from portal.tests.reliability.journey import Journey
from portal.tests.reliability.network import closed_port, silent_server

pytestmark = pytest.mark.usefixtures("transactional_db")

MOST_ATTEMPTS = 3


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return for each connection to Redis that was begun, whoever began it, whether a transaction
    was open.
    """
    begun: list[bool] = []
    connect = redis.connection.Connection._connect

    def counted(self: Any) -> Any:
        begun.append(connection.in_atomic_block)
        return connect(self)

    monkeypatch.setattr(redis.connection.Connection, "_connect", counted)
    return begun


@contextmanager
def with_redis(port: int, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use Redis at a port as production does: for the limits, and for tasks that are
    made sooner.
    """
    address = f"redis://127.0.0.1:{port}/0"
    options = {"socket_timeout": 1, "socket_connect_timeout": 1}
    settings.TASKS, settings.CELERY_BROKER_URL, settings.THROTTLE_FACTOR = "celery", address, 1
    app = Celery("portal")
    app.config_from_object("django.conf:settings", namespace="CELERY")
    monkeypatch.setattr(nudges, "_client", lambda: app)
    monkeypatch.setattr(nudges, "_silent_until", 0.0)
    backend = {
        "BACKEND": "apps.common.cache.SurvivingRedisCache",
        "LOCATION": address,
        "OPTIONS": options,
    }
    with override_settings(CACHES={"default": backend}):
        yield
    app.close()


@pytest.fixture
def journey(transactional_db: None) -> Journey:
    """Return the journey of a buyer."""
    return Journey(make_user(password=PASSWORD), make_product())


@pytest.mark.parametrize("fault", ["closed", "silent"])
def test_a_checkout_without_redis(
    journey: Journey,
    attempts: list[bool],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    with silent_server() as silent:
        port = silent if fault == "silent" else closed_port()
        with with_redis(port, settings, monkeypatch):
            journey.whole()
            for name in ("papers", "imports", "payments"):  # as the staff's and PayPal's steps do
                nudges.nudge(name)
            other = Journey(make_user(password=PASSWORD), journey.product)
            thread = Thread(target=lambda: (other.whole(), connection.close()))
            thread.start()  # another thread of the process does not find out for itself
            thread.join()
    assert 1 <= len(attempts) <= MOST_ATTEMPTS
    assert not any(attempts)
    assert Order.objects.count() == 2
    assert Email.objects.count() == 4
    assert audit() == ""


def test_control_without_the_pause_every_use_asks_again(
    journey: Journey, attempts: list[bool], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "PAUSE_SECONDS", 0)
    with with_redis(closed_port(), settings, monkeypatch):
        journey.whole()
    assert len(attempts) > MOST_ATTEMPTS


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[redis.Redis]:
    """Start a Redis of the test's own, which it may empty and stop."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs the program redis-server")
    port = closed_port()
    options = ["--port", str(port), "--save", "", "--dir", str(tmp_path), "--bind", "127.0.0.1"]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL) as server:  # noqa: S603
        redis.Redis(
            port=port, retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.1), 100)
        ).ping()
        yield redis.Redis(port=port, retry=redis.retry.Retry(redis.backoff.NoBackoff(), 0))
        server.terminate()


@pytest.mark.redis
@pytest.mark.parametrize("fault", ["emptied", "stopped"])
def test_redis_goes_in_the_middle(
    journey: Journey,
    own_redis: redis.Redis,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    port = own_redis.connection_pool.connection_kwargs["port"]
    with with_redis(port, settings, monkeypatch):
        journey.sign_in()
        assert own_redis.dbsize() > 0
        journey.request()
        if fault == "emptied":
            own_redis.flushall()
        else:
            own_redis.shutdown(nosave=True)
        journey.check_out()
    assert Order.objects.count() == 1
    assert audit() == ""
