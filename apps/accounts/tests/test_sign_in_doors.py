"""The doors that hash: what strangers do there slows strangers, costs few hashes and locks no owner
out.
"""

from collections.abc import Callable
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog
from django.contrib.auth import hashers as django_hashers
from django.test import Client, RequestFactory

from apps.accounts import hashers
from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD, make_staff, make_user
from apps.accounts.tests.staff import signed_in
from apps.common.http.throttles import client_address
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

STRANGER, HOME, CAFE = "203.0.113.7", "198.51.100.9", "192.0.2.33"


@pytest.fixture(autouse=True)
def in_earnest(settings: Any) -> None:
    settings.THROTTLE_FACTOR = 1


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the passwords that were checked against an account's hash."""
    checked: list[str] = []
    check = User.check_password
    monkeypatch.setattr(
        User, "check_password", lambda user, raw: checked.append(raw) or check(user, raw)
    )
    return checked


def log_in(visitor: ContractClient, password: str, address: str) -> Any:
    spelling = "ines@portal.test" if password == PASSWORD else " Ines@Portal.test"
    body = {"email": spelling, "password": password}
    return visitor.send("post", "/api/login", body, REMOTE_ADDR=address)


def staff_log_in(visitor: ContractClient, password: str, address: str) -> Any:
    body = {"username": "ines@portal.test", "password": password}
    return Client().post("/admin/login/", body, REMOTE_ADDR=address)


def test_a_strangers_flood_keeps_no_owner_out(visitor: ContractClient, hashed: list[str]) -> None:
    make_user(email="ines@portal.test", password=PASSWORD)
    assert log_in(visitor, PASSWORD, HOME).json()["success"] == 1
    del hashed[:]
    answers = [log_in(visitor, "wrong", STRANGER) for _ in range(105)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429] * 75
    assert len(hashed) == AccessFailureLog.objects.count() == 5
    assert log_in(visitor, PASSWORD, CAFE).json()["success"] == 1


def test_many_strangers_slow_each_other_and_no_owner(visitor: ContractClient) -> None:
    make_user(email="ines@portal.test", password=PASSWORD)
    assert log_in(visitor, PASSWORD, HOME).json()["success"] == 1
    answers = [log_in(visitor, "wrong", f"203.0.113.{number}") for number in range(30)]
    assert [answer.status_code for answer in answers] == [200] * 24 + [429] * 6
    assert 1 <= int(answers[-1]["Retry-After"]) <= 15 * 60
    assert log_in(visitor, PASSWORD, CAFE).status_code == 429
    assert log_in(visitor, PASSWORD, HOME).json()["success"] == 1


def test_a_try_while_locked_does_not_make_the_lock_longer(visitor: ContractClient) -> None:
    for _ in range(5):
        log_in(visitor, "wrong", STRANGER)
    last = AccessAttempt.objects.get().attempt_time
    log_in(visitor, "wrong", STRANGER)
    assert AccessAttempt.objects.get().attempt_time == last


def test_the_doors_of_buyers_and_staff_share_their_limits(
    visitor: ContractClient, hashed: list[str]
) -> None:
    make_staff(email="ines@portal.test", password=PASSWORD)
    for number in range(24):
        (log_in if number % 2 else staff_log_in)(visitor, "wrong", f"203.0.113.{number}")
    assert len(hashed) == 24
    assert staff_log_in(visitor, PASSWORD, HOME).status_code == 302
    refused = staff_log_in(visitor, PASSWORD, CAFE)
    assert refused.status_code == 429
    assert "Too many attempts. Please wait a moment." in refused.text
    assert 1 <= int(refused["Retry-After"]) <= 15 * 60
    assert len(hashed) == 25


def test_staffs_door_refuses_an_address_before_the_hash(
    visitor: ContractClient, hashed: list[str]
) -> None:
    for number in range(31):
        make_staff(email=f"a{number}@portal.test")
    answers = [
        Client().post(
            "/admin/login/",
            {"username": f"a{number}@portal.test", "password": "wrong"},
            REMOTE_ADDR=STRANGER,
        )
        for number in range(31)
    ]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert len(hashed) == 30


def test_staff_change_their_password_thirty_times_an_hour(hashed: list[str]) -> None:
    client = signed_in(make_staff())
    body = {"old_password": "wrong", "new_password1": "x", "new_password2": "x"}
    answers = [client.post("/admin/password_change/", body) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert len(hashed) == 30


def test_a_newcomers_mailbox_waits_for_minutes(
    visitor: ContractClient, limits_clock: Callable[[float], None]
) -> None:
    limits_clock(900_000.0)
    body = {"email": "new@glow.test"}
    answers = [
        visitor.send("post", "/api/register/email-check", body, REMOTE_ADDR=STRANGER)
        for _ in range(9)
    ]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 6
    assert int(answers[3]["Retry-After"]) == 15 * 60
    limits_clock(900_000.0 + 15 * 60)
    again = visitor.send("post", "/api/register/email-check", body, REMOTE_ADDR=HOME)
    assert again.status_code == 200


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("a socket", ""),
    ],
)
def test_one_caller_is_one_address(settings: Any, peer: str, counted: str) -> None:
    # The caller's own invention, where nothing stands in front
    request = RequestFactory().get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR="10.0.0.9")
    assert client_address(request) == counted
    settings.NUM_PROXIES = 1
    behind = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=f"x, {peer}")
    assert client_address(behind) == (counted if peer else "")


def test_a_network_of_ipv6_is_one_caller_for_every_limit(visitor: ContractClient) -> None:
    answers = [
        log_in(visitor, "wrong", f"2001:db8:1:2::{number:x}").status_code for number in range(31)
    ]
    assert answers == [200] * 30 + [429]
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"2001:db8:1:2::"}


def test_two_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    two, three = Barrier(2, timeout=5), Barrier(3, timeout=0.2)
    together: list[bool] = []

    def encode(*_: object) -> str:
        two.wait()
        try:
            three.wait()
        except BrokenBarrierError:
            together.append(False)
        return "hash"

    monkeypatch.setattr(django_hashers.Argon2PasswordHasher, "encode", encode)
    threads = [
        Thread(target=hashers.FewArgon2Hashes().encode, args=("word", "salt")) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [False] * 4
