"""Limits and the lock: that they end too, whose they are behind proxies, and how little a refusal
tells (19.9).

That they hold, with Redis up, down and none, is tried in apps/accounts/tests/test_limits.py.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import PASSWORD, make_company, make_staff, make_user
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

WRONG = "not the password"


def log_in(client: ContractClient, email: str, password: str = WRONG, **extra: Any) -> Any:
    return client.send("POST", "/api/login", {"email": email, "password": password}, **extra)


def pass_time(minutes: float) -> None:
    """Let the failures be older by so many minutes."""
    for attempt in AccessAttempt.objects.all():
        attempt.attempt_time -= timedelta(minutes=minutes)
        attempt.save()


def test_the_lock_ends_after_a_quarter_of_an_hour(visitor: ContractClient) -> None:
    user = make_user(password=PASSWORD)
    for _ in range(5):
        log_in(visitor, user.email)
    assert log_in(visitor, user.email, PASSWORD).json() == {"success": -1}
    pass_time(14)
    assert log_in(visitor, user.email, PASSWORD).json() == {"success": -1}
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert log_in(visitor, user.email, PASSWORD).json()["success"] == 1


def test_a_window_ends(
    visitor: ContractClient, settings: Any, limits_clock: Callable[[float], None]
) -> None:
    settings.THROTTLE_FACTOR = 1
    limits_clock(started := time.time())
    statuses = [log_in(visitor, f"a{number}@portal.test").status_code for number in range(31)]
    assert statuses == [200] * 30 + [429]
    wait = int(log_in(visitor, "a@portal.test")["Retry-After"])
    assert 1 <= wait <= 60
    limits_clock(started + wait)
    assert log_in(visitor, "a@portal.test").status_code == 200


@pytest.mark.parametrize(
    ("path", "uses"),
    [
        ("brand/{uuid}", 600),
        ("basket/review", 20),
        ("temp-order", 30),
        ("order/checkout-deposit/tt", 30),
        ("order/checkout-deposit/paypal", 30),
        ("dashboard/quick/{uuid}/x", 60),
        ("paypal/webhook", 600),
    ],
)
def test_how_often_a_minute(
    api: ContractClient, buyer: Buyer, settings: Any, path: str, uses: int
) -> None:
    settings.THROTTLE_FACTOR = 0.1
    method, address = "get" if "{uuid}" in path else "post", f"/api/{path.format(uuid=buyer.uuid)}"
    statuses = [
        api.send(method, address, None if method == "get" else {}).status_code
        for _ in range(uses // 10 + 1)
    ]
    assert [status == 429 for status in statuses] == [False] * (uses // 10) + [True]


@pytest.mark.parametrize("proxies", [1, 2])
def test_behind_proxies_the_callers_own_address_counts(
    visitor: ContractClient, settings: Any, proxies: int
) -> None:
    settings.THROTTLE_FACTOR, settings.NUM_PROXIES = 1, proxies
    inner = ", 10.0.0.1" * (proxies - 1)

    def ask(number: int, caller: str) -> int:
        """Ask with an invented address before the one that the first proxy saw."""
        forwarded = f"10.9.8.{number}, {caller}{inner}"
        return int(
            log_in(visitor, f"a{number}@portal.test", HTTP_X_FORWARDED_FOR=forwarded).status_code
        )

    assert [ask(number, "203.0.113.7") for number in range(31)] == [200] * 30 + [429]
    assert ask(31, "203.0.113.8") == 200


@pytest.mark.parametrize("proxies", [0, 1])
def test_behind_proxies_the_lock_is_the_callers_own(
    visitor: ContractClient, settings: Any, proxies: int
) -> None:
    settings.NUM_PROXIES = proxies
    user = make_user(password=PASSWORD)
    for number in range(5):
        log_in(
            visitor,
            user.email,
            HTTP_X_FORWARDED_FOR=f"10.9.8.{number}, 203.0.113.7",
            REMOTE_ADDR="10.0.0.1",
        )
    there = {"HTTP_X_FORWARDED_FOR": "10.9.8.9, 203.0.113.7", "REMOTE_ADDR": "10.0.0.1"}
    elsewhere = {
        "HTTP_X_FORWARDED_FOR": "203.0.113.8",
        "REMOTE_ADDR": "10.0.0.1" if proxies else "10.0.0.2",
    }
    assert log_in(visitor, user.email, PASSWORD, **there).json() == {"success": -1}
    assert log_in(visitor, user.email, PASSWORD, **elsewhere).json()["success"] == 1


def people() -> dict[str, str]:
    """Return addresses that must not be told apart by somebody without the password."""
    return {
        "unknown": "nobody@portal.test",
        "known": make_user(password=PASSWORD).email,
        "pending": make_user(password=PASSWORD, approval=User.Approval.PENDING).email,
        "deactivated": make_user(password=PASSWORD, is_active=False).email,
        "staff": make_staff(password=PASSWORD).email,
        "of a closed company": make_user(
            password=PASSWORD, company=make_company(is_open=False)
        ).email,
    }


def test_a_wrong_password_tells_nobody_apart(
    visitor: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same body, same headers, the same statements, and one hash: what takes time is the same for
    all.
    """
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    answers = {}
    for number, (kind, email) in enumerate(people().items()):
        hashed.clear()
        with CaptureQueriesContext(connection) as queries:
            answer = log_in(visitor, email, REMOTE_ADDR=f"10.0.0.{number}")
        kinds = [query["sql"].split()[0] for query in queries.captured_queries]
        headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
        answers[kind] = (answer.status_code, answer.content, headers, kinds, len(hashed))
    assert {kind: found for kind, found in answers.items() if found != answers["unknown"]} == {}
