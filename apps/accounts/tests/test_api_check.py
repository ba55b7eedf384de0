"""POST /check and the token: renewed while it is good, dead as soon as it is not."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4

import jwt
import pytest

from apps.accounts import tokens
from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer, identify
from apps.accounts.services.passwords import set_password
from apps.accounts.services.sessions import end_company_sessions, end_sessions, issue_token
from apps.common.models import ClosedDay, Seller
from apps.common.seller import Current, remember, seller, touch_seller
from apps.common.testing import ContractClient
from apps.common.types import Json

URL = "/api/check"
FUTURE = 2**32
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def check(client: ContractClient, token: object) -> Json:
    response = client.send("post", URL, {"token": token})
    assert response.status_code == 200
    answer: Json = response.json()
    return answer


def test_a_good_token_is_renewed_with_the_user(
    buyer: Buyer, visitor: ContractClient, now: datetime
) -> None:
    token = issue_token(buyer=buyer, signed_in_at=now - 3 * DAY, now=now - DAY / 2)
    answer = check(visitor, token)
    assert answer["success"] == 1
    assert answer["user"]["email"] == buyer.email
    assert answer["token"] != token
    renewed = tokens.decode(answer["token"])
    assert renewed.signed_in_at == (now - 3 * DAY).replace(microsecond=0)


def test_a_sign_in_ends_after_14_days(buyer: Buyer, visitor: ContractClient, now: datetime) -> None:
    last = issue_token(buyer=buyer, signed_in_at=now - 14 * DAY + timedelta(minutes=5), now=now)
    assert (
        jwt.decode(last, options={"verify_signature": False})["exp"]
        <= (now + timedelta(minutes=5)).timestamp()
    )
    assert check(visitor, last)["success"] == 1
    over = issue_token(buyer=buyer, signed_in_at=now - 14 * DAY, now=now)
    assert check(visitor, over) == {"success": -1}


@pytest.mark.parametrize(
    "token", ["", "nonsense", "a.b.c", None, 5, True, [], {}, "x" * 200_000, "é", "\x00"]
)
def test_anything_else_is_minus_one(db: None, visitor: ContractClient, token: object) -> None:
    assert check(visitor, token) == {"success": -1}


def test_no_token_at_all_is_minus_one(db: None, visitor: ContractClient) -> None:
    assert visitor.send("post", URL, {}).json() == {"success": -1}
    assert visitor.generic("POST", URL, b"", "application/json").json() == {"success": -1}


def claims(buyer: Buyer, now: datetime, **change: Any) -> Json:
    stamp = int(now.timestamp())
    good = {
        "sub": str(buyer.uuid),
        "sv": 1,
        "auth_time": stamp,
        "iat": stamp,
        "exp": stamp + 3600,
        "iss": "portal",
        "aud": "buyers",
        "jti": "1",
    }
    return {name: value for name, value in {**good, **change}.items() if value is not None}


@pytest.mark.parametrize(
    "change",
    [
        {"exp": 1},
        {"exp": None},
        {"iat": FUTURE},
        {"iat": None},
        {"iat": "0"},
        {"iat": 0, "auth_time": 0, "exp": FUTURE},
        {"nbf": FUTURE},
        {"auth_time": FUTURE},
        {"aud": "staff"},
        {"aud": None},
        {"iss": "other"},
        {"iss": None},
        {"sub": None},
        {"sub": "1"},
        {"sub": str(uuid4())},
        {"sv": 2},
        {"sv": "1"},
        {"sv": None},
        {"auth_time": None},
        {"auth_time": "yesterday"},
        {"auth_time": 1e300},
    ],
)
def test_odd_claims_under_the_right_key(
    buyer: Buyer, visitor: ContractClient, settings: Any, now: datetime, change: Json
) -> None:
    good = jwt.encode(claims(buyer, now), settings.JWT_SIGNING_KEY, "HS256")
    assert check(visitor, good)["success"] == 1
    token = jwt.encode(claims(buyer, now, **change), settings.JWT_SIGNING_KEY, "HS256")
    assert check(visitor, token) == {"success": -1}
    assert visitor.sign_in(token).get(f"/api/brand/{buyer.uuid}").status_code == 403


@pytest.mark.parametrize(
    ("issued", "signed_in", "is_good"),
    [
        (-DAY + MINUTE, -DAY, True),
        (-DAY, -DAY, False),  # older than a token gets, whatever its exp
        (timedelta(), -14 * DAY + MINUTE, True),
        (timedelta(), -14 * DAY, False),  # beyond the longest sign-in
        (MINUTE / 2, MINUTE / 2, True),  # of an instance whose clock is a little ahead
        (2 * MINUTE, timedelta(), False),
        (timedelta(), 2 * MINUTE, False),  # signed in after it was issued
    ],
)
def test_a_token_lives_no_longer_than_ours_whatever_it_says(
    buyer: Buyer,
    visitor: ContractClient,
    settings: Any,
    now: datetime,
    issued: timedelta,
    signed_in: timedelta,
    is_good: bool,
) -> None:
    times = {
        "iat": int((now + issued).timestamp()),
        "auth_time": int((now + signed_in).timestamp()),
        "exp": FUTURE,
    }
    token = jwt.encode(claims(buyer, now, **times), settings.JWT_SIGNING_KEY, "HS256")
    assert check(visitor, token)["success"] == (1 if is_good else -1)
    assert visitor.sign_in(token).get(f"/api/brand/{buyer.uuid}").status_code == (
        200 if is_good else 403
    )


@pytest.mark.parametrize(
    ("key", "algorithm"), [("other-key-of-at-least-64-characters" * 3, "HS256"), ("", "none")]
)
def test_forged_tokens(
    buyer: Buyer, visitor: ContractClient, now: datetime, key: str, algorithm: str
) -> None:
    assert check(visitor, jwt.encode(claims(buyer, now), key, algorithm)) == {"success": -1}


def test_another_algorithm_under_the_right_key(
    buyer: Buyer, visitor: ContractClient, settings: Any, now: datetime
) -> None:
    token = jwt.encode(claims(buyer, now), settings.JWT_SIGNING_KEY, "HS512")
    assert check(visitor, token) == {"success": -1}


@pytest.mark.parametrize(
    "end",
    [
        lambda buyer: User.objects.filter(pk=buyer.id).update(is_active=False),
        lambda buyer: User.objects.filter(pk=buyer.id).update(approval=User.Approval.PENDING),
        lambda buyer: User.objects.filter(pk=buyer.id).update(is_staff=True),
        lambda buyer: Company.objects.filter(pk=buyer.company_id).update(is_open=False),
        lambda buyer: end_sessions(user_id=buyer.id),
        lambda buyer: end_company_sessions(company_id=buyer.company_id),
        lambda buyer: set_password(user=User.objects.get(pk=buyer.id), password="another one"),
    ],
    ids=[
        "deactivated",
        "approval withdrawn",
        "staff",
        "company closed",
        "ended",
        "company ended",
        "new password",
    ],
)
def test_who_may_not_come_in_any_more_is_out_at_once(
    buyer: Buyer, api: ContractClient, end: Callable[[Buyer], object]
) -> None:
    url = f"/api/brand/{buyer.uuid}"
    assert api.get(url).status_code == 200
    end(buyer)
    response = api.get(url)
    assert response.status_code == 403
    assert response.json() == {
        "message": "Your login information has expired. Please log in again."
    }
    assert check(api, api.token) == {"success": -1}


def test_a_huge_header_is_a_dead_token(visitor: ContractClient, buyer: Buyer) -> None:
    assert visitor.sign_in("x" * 100_000).get(f"/api/brand/{buyer.uuid}").status_code == 403


def test_a_signed_in_call_looks_up_the_caller_once(
    api: ContractClient, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        api.get("/api/brand/nonsense")


def test_a_change_comes_with_the_caller(buyer: Buyer, django_assert_num_queries: Any) -> None:
    remember(Current(Seller()))
    touch_seller()
    Seller.objects.update(title="New")
    ClosedDay.objects.create(day=date(2026, 12, 24))
    with django_assert_num_queries(1):
        identify(buyer.uuid)
    assert seller().title == "New"
    assert seller().closed_days == {date(2026, 12, 24)}
    with django_assert_num_queries(1):
        identify(buyer.uuid)
        _ = seller().title
