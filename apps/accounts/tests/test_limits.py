"""The limits of the registration's calls, with Redis up, down and none."""

import os
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import override_settings

from apps.accounts.tests.factories import Link, make_form, make_link
from apps.accounts.tests.uploads import upload
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

REDIS = "apps.common.cache.SurvivingRedisCache"
NOBODY_LISTENS = "redis://127.0.0.1:1/0"
TOO_MANY = "Too many attempts. Please wait a moment."


@pytest.fixture(params=["none", pytest.param("up", marks=pytest.mark.redis), "down"])
def counting(request: pytest.FixtureRequest, settings: Any) -> Iterator[str]:
    """Count with the limits of earnest: in this process, in Redis, or in a Redis that does not
    answer.
    """
    settings.THROTTLE_FACTOR = 1
    if request.param == "none":
        yield "none"
        return
    address = os.environ["TEST_REDIS"] if request.param == "up" else NOBODY_LISTENS
    # Keys of its own: tests run beside each other on one Redis.
    caches = {"default": {"BACKEND": REDIS, "LOCATION": address, "KEY_PREFIX": uuid4().hex}}
    with override_settings(CACHES=caches):
        yield request.param


def ask(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    body = {"email": f"new{number}@glow.test"}
    return client.send("post", "/api/register/email-check", body, REMOTE_ADDR=caller)


def ask_for_one(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    spelling = ("Ines@Glow.test", " ines@glow.test ", "INES@GLOW.TEST")[number % 3]
    return client.send(
        "post", "/api/register/email-check", {"email": spelling}, REMOTE_ADDR=f"10.0.{number}.1"
    )


def open_form(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    return client.get(f"/api/register/init-info/x{number}", REMOTE_ADDR=caller)


def send_form(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    return client.send(
        "post", "/api/register/sign-up", make_form(link, company=""), REMOTE_ADDR=caller
    )


def set_password(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    body = {"token": "x", "password": "", "passwordConfirm": ""}
    return client.send("post", "/api/reset-password", body, REMOTE_ADDR=caller)


def send_file(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    return upload(client, link, b"no certificate", token=f"x{number}", REMOTE_ADDR=caller)


def send_file_for_one(client: ContractClient, link: Link, number: int, caller: str) -> Any:
    return upload(client, link, b"no certificate", REMOTE_ADDR=f"10.0.{number}.1")


LIMITS: list[tuple[Callable[..., Any], int, bool]] = [
    (ask, 5, True),
    (ask_for_one, 3, False),
    (open_form, 20, True),
    (send_form, 20, True),
    (set_password, 20, True),
    (send_file, 10, True),
    (send_file_for_one, 5, False),
]


@pytest.mark.parametrize(
    ("call", "uses", "by_caller"), LIMITS, ids=[call.__name__ for call, _, _ in LIMITS]
)
def test_a_limit_holds_and_is_the_callers_own(
    visitor: ContractClient, counting: str, call: Callable[..., Any], uses: int, by_caller: bool
) -> None:
    link = make_link()
    answers = [call(visitor, link, number, "10.1.1.1") for number in range(uses + 1)]
    assert all(answer.status_code != 429 for answer in answers[:-1])
    refused = answers[-1]
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert refused.json()["message"] == TOO_MANY
    assert int(refused["Retry-After"]) >= 1
    if by_caller:
        assert call(visitor, link, uses + 1, "10.1.1.2").status_code != 429
