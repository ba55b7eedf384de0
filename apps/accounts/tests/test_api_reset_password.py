"""POST /reset-password: a new password by the link that staff had mailed."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.services.passwords import reset_link, reset_tokens
from apps.accounts.services.sessions import end_sessions
from apps.accounts.tests.factories import PASSWORD, buyer_of, make_user
from apps.common.mail import write_texts
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

URL = "/api/reset-password"
NEW = "  a new pässword "
EXPIRED = {"success": 0, "code": "expired", "message": "Your token has expired."}


@pytest.fixture
def ines() -> User:
    return make_user(email="ines@portal.test", password=PASSWORD)


def token_of(user: User) -> str:
    match = re.fullmatch(
        r"http://testserver/login#reset=([0-9a-f]{32}\.[\w-]+)", reset_link(user=user)
    )
    assert match is not None
    return match[1]


def reset(client: ContractClient, token: object, **change: object) -> Any:
    return client.send(
        "post", URL, {"token": token, "password": NEW, "passwordConfirm": NEW, **change}
    )


def test_the_new_password_signs_in_and_the_old_sign_ins_end(
    ines: User, visitor: ContractClient, sign_in: Any
) -> None:
    buyer: Buyer = buyer_of(ines)
    elsewhere = sign_in(buyer)
    assert reset(visitor, token_of(ines)).json() == {"success": 1}
    assert elsewhere.get(f"/api/brand/{ines.uuid}").status_code == 403
    answer = visitor.send("post", "/api/login", {"email": ines.email, "password": NEW}).json()
    assert answer["success"] == 1
    mail = write_texts(Email.objects.get())
    assert (mail.to, mail.subject) == ([ines.email], "Your password has been changed")
    assert NEW.strip() not in mail.message + mail.html_message


def test_a_link_is_used_once(ines: User, visitor: ContractClient) -> None:
    token = token_of(ines)
    reset(visitor, token)
    response = reset(visitor, token, password="another one", passwordConfirm="another one")
    assert (response.status_code, response.json()) == (409, EXPIRED)
    ines.refresh_from_db()
    assert ines.check_password(NEW)


def test_what_is_refused_leaves_the_link_good(ines: User, visitor: ContractClient) -> None:
    """By the rules of a changed password (test_api_password)."""
    token = token_of(ines)
    response = reset(visitor, token, passwordConfirm=NEW.strip())
    assert (response.status_code, response.json()["message"]) == (400, "Password do not match.")
    assert reset(visitor, token).json() == {"success": 1}


def test_a_link_lives_24_hours(
    ines: User, visitor: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_of(ines)
    for hours, status in ((25, 409), (23, 200)):
        later = datetime.now() + timedelta(hours=hours)  # noqa: DTZ005 - as Django counts
        monkeypatch.setattr(reset_tokens, "_now", lambda later=later: later)
        assert reset(visitor, token).status_code == status


def test_a_link_ends_with_what_it_was_made_for(ines: User, visitor: ContractClient) -> None:
    token = token_of(ines)
    end_sessions(user_id=ines.pk)
    assert reset(visitor, token).json() == EXPIRED
    ines.refresh_from_db()
    token = token_of(ines)
    User.objects.update(email="moved@portal.test")
    assert reset(visitor, token).json() == EXPIRED


@pytest.mark.parametrize(
    "token", ["", "x", None, 5, [], "x.y", "0" * 32 + ".abc-def", "." * 50, "é" * 32 + ".a-b"]
)
def test_a_forged_link_is_expired(ines: User, visitor: ContractClient, token: object) -> None:
    response = reset(visitor, token)
    assert (response.status_code, response.json()) == (409, EXPIRED)


def test_somebody_elses_secret_is_expired(ines: User, visitor: ContractClient) -> None:
    other = make_user(password=PASSWORD)
    token = f"{ines.uuid.hex}.{token_of(other).partition('.')[2]}"
    assert reset(visitor, token).json() == EXPIRED


def test_staff_and_the_deactivated_set_no_password_here(visitor: ContractClient) -> None:
    for change in ({"is_staff": True}, {"is_active": False}):
        user = make_user(password=PASSWORD)
        token = token_of(user)
        User.objects.filter(pk=user.pk).update(**change)
        assert reset(visitor, token).json() == EXPIRED
        user.refresh_from_db()
        assert user.check_password(PASSWORD)


def test_a_mailed_secret_is_no_token_of_a_sign_in(ines: User, visitor: ContractClient) -> None:
    assert visitor.send("post", "/api/check", {"token": token_of(ines)}).json() == {"success": -1}
