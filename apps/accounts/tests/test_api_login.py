"""POST /login: who comes in, who does not, and how little the answer says."""

from datetime import UTC, datetime
from typing import Any

import pytest
from axes.models import AccessAttempt

from apps.accounts import tokens
from apps.accounts.models import Company, User
from apps.accounts.tests.factories import PASSWORD, make_company, make_staff, make_user
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.django_db

URL = "/api/login"


def log_in(client: ContractClient, **change: object) -> Json:
    body = {"email": "ines@portal.test", "password": PASSWORD, **change}
    response = client.send("post", URL, body)
    assert response.status_code == 200
    answer: Json = response.json()
    return answer


@pytest.fixture
def ines() -> User:
    return make_user(
        email="ines@portal.test", password=PASSWORD, manager="Ines Brandt", stock_free=True
    )


def test_the_right_password_gives_a_token_and_the_user(ines: User, visitor: ContractClient) -> None:
    answer = log_in(visitor)
    assert answer["success"] == 1
    assert answer["user"] == {
        "uuid": str(ines.uuid),
        "company_id": ines.company_id,
        "company": ines.company.name,
        "manager": "Ines Brandt",
        "email": "ines@portal.test",
        "stock_free": 1,
        "minimum_order": 0,
        "ship_country": ines.ship_country_id,
        "ship_state": ines.ship_state_id,
        "ship_city": "Warszawa",
        "ship_zipcode": "00-682",
        "ship_address1": "ul. Lipowa 51",
        "ship_address2": "lok. 14",
        "ship_phone": "+48 22 555 01 74",
    }
    assert tokens.decode(answer["token"]).uuid == ines.uuid
    assert visitor.sign_in(answer["token"]).get(f"/api/brand/{ines.uuid}").status_code == 200


def test_a_token_says_nothing_of_the_person(ines: User, visitor: ContractClient) -> None:
    claims = tokens._backends()[0].decode(log_in(visitor)["token"])
    assert set(claims) == {"sub", "sv", "auth_time", "iat", "exp", "jti", "iss", "aud"}


@pytest.mark.parametrize("email", ["  INES@Portal.Test ", "ines@portal.test"])
def test_the_address_is_found_however_it_is_written(
    ines: User, visitor: ContractClient, email: str
) -> None:
    assert log_in(visitor, email=email)["success"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"password": PASSWORD + " "},
        {"password": PASSWORD.upper()},
        {"password": ""},
        {"email": "nobody@portal.test"},
        {"email": ""},
        {"email": "' OR 1=1 --"},
    ],
)
def test_wrong_is_minus_one_and_nothing_else(
    ines: User, visitor: ContractClient, change: Json
) -> None:
    assert log_in(visitor, **change) == {"success": -1}


@pytest.mark.parametrize("approval", [User.Approval.PENDING, User.Approval.REJECTED])
def test_not_approved_is_minus_two_only_with_the_right_password(
    ines: User, visitor: ContractClient, approval: str
) -> None:
    User.objects.update(approval=approval)
    assert log_in(visitor) == {"success": -2}
    assert log_in(visitor, password="wrong") == {"success": -1}


def test_deactivated_closed_and_staff_are_minus_one(visitor: ContractClient) -> None:
    make_user(email="gone@portal.test", password=PASSWORD, is_active=False)
    make_user(email="closed@portal.test", password=PASSWORD, company=make_company(is_open=False))
    make_staff(email="staff@portal.test", password=PASSWORD)
    for email in ("gone@portal.test", "closed@portal.test", "staff@portal.test"):
        assert log_in(visitor, email=email) == {"success": -1}


def test_five_failures_lock_the_account_for_this_caller(
    ines: User, visitor: ContractClient
) -> None:
    for _ in range(5):
        assert log_in(visitor, password="wrong")["success"] == -1
    assert log_in(visitor) == {"success": -1}
    assert log_in(visitor, email="INES@portal.test") == {"success": -1}
    body = {"email": ines.email, "password": PASSWORD}
    assert visitor.send("post", URL, body, REMOTE_ADDR="10.1.1.1").json()["success"] == 1


def test_the_right_password_ends_the_count(ines: User, visitor: ContractClient) -> None:
    for _ in range(2):
        for _ in range(4):
            log_in(visitor, password="wrong")
        assert log_in(visitor)["success"] == 1
    assert not AccessAttempt.objects.exists()


def test_an_old_hash_is_renewed_at_sign_in(
    settings: Any, ines: User, visitor: ContractClient
) -> None:
    old = ines.password
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.Argon2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    assert log_in(visitor)["success"] == 1
    ines.refresh_from_db()
    assert ines.password != old
    assert ines.password.startswith("argon2$argon2id$")
    assert log_in(visitor)["success"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "a@b.c"},
        {"email": None, "password": "x"},
        {"email": 5, "password": "x"},
        {"email": ["a"], "password": "x"},
        {"email": "a@b.c", "password": 5},
        {"email": "a\x00b", "password": "x"},
        {"email": "a" * 255, "password": "x"},
        {"email": "a@b.c", "password": "x" * 129},
        {"email": {"$ne": 1}, "password": {"$ne": 1}},
    ],
)
def test_a_body_of_the_wrong_shape_is_invalid(visitor: ContractClient, body: Json) -> None:
    response = visitor.send("post", URL, body)
    assert (response.status_code, response.json()["code"]) == (400, "invalid")


def test_a_token_in_the_header_is_not_looked_at(ines: User, visitor: ContractClient) -> None:
    assert log_in(visitor.sign_in("nonsense"))["success"] == 1


def test_a_sign_in_is_noted(ines: User, visitor: ContractClient) -> None:
    before = datetime.now(UTC)
    log_in(visitor)
    ines.refresh_from_db()
    assert ines.last_login is not None
    assert ines.last_login >= before
    assert Company.objects.count() == 1
