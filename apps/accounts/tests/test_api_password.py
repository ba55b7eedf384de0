"""PUT /password/{company_id}: a new password, a mail, and one token that goes on."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from post_office.models import Email

from apps.accounts import tokens
from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.services import passwords
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import make_company
from apps.common.mail import write_texts
from apps.common.testing import ContractClient

NEW = "  a new pässword "


def change(client: ContractClient, buyer: Buyer, **fields: Any) -> Any:
    path = fields.pop("path", buyer.company_id)
    body = {"password": NEW, "passwordConfirm": NEW, "company_id": buyer.company_id, **fields}
    return client.send("put", f"/api/password/{path}", body)


def test_the_new_password_signs_in_and_the_old_tokens_end(
    buyer: Buyer, api: ContractClient, now: datetime
) -> None:
    elsewhere = ContractClient().sign_in(issue_token(buyer=buyer, signed_in_at=now, now=now))
    response = change(api, buyer)
    assert response.status_code == 200
    assert set(response.json()) == {"success", "token"}
    assert User.objects.get(pk=buyer.id).check_password(NEW)
    url = f"/api/brand/{buyer.uuid}"
    assert api.get(url).status_code == elsewhere.get(url).status_code == 403
    assert api.sign_in(response.json()["token"]).get(url).status_code == 200


def test_the_new_token_belongs_to_the_same_sign_in(
    buyer: Buyer, visitor: ContractClient, now: datetime
) -> None:
    began = now - timedelta(days=13)
    visitor.sign_in(issue_token(buyer=buyer, signed_in_at=began, now=now))
    token = change(visitor, buyer).json()["token"]
    assert tokens.decode(token).signed_in_at == began.replace(microsecond=0)


def test_the_buyer_is_told_by_mail_without_the_password(buyer: Buyer, api: ContractClient) -> None:
    change(api, buyer)
    mail = write_texts(Email.objects.get())
    assert mail.to == [buyer.email]
    assert mail.subject == "Your password has been changed"
    assert buyer.company in mail.message
    assert NEW.strip() not in mail.message + mail.html_message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"password": "", "passwordConfirm": ""}, "Enter your password."),
        ({"passwordConfirm": ""}, "Enter your password."),
        (
            {"password": "1234567", "passwordConfirm": "1234567"},
            "Password must be at least 8 characters",
        ),
        (
            {"password": "1234567", "passwordConfirm": "12345678"},
            "Password must be at least 8 characters",
        ),
        ({"passwordConfirm": NEW.strip()}, "Password do not match."),
    ],
)
def test_what_is_refused_says_why_and_changes_nothing(
    buyer: Buyer, api: ContractClient, fields: dict[str, str], message: str
) -> None:
    before = User.objects.get(pk=buyer.id).password
    response = change(api, buyer, **fields)
    assert (response.status_code, response.json()["message"]) == (400, message)
    assert User.objects.get(pk=buyer.id).password == before
    assert api.get(f"/api/brand/{buyer.uuid}").status_code == 200
    assert not Email.objects.exists()


def test_8_to_128_characters_are_taken(buyer: Buyer, api: ContractClient) -> None:
    for password, status in (("x" * 129, 400), ("12345678", 200)):
        response = change(api, buyer, password=password, passwordConfirm=password)
        assert response.status_code == status
    api.sign_in(response.json()["token"])
    assert change(api, buyer, password="x" * 128, passwordConfirm="x" * 128).status_code == 200


def test_the_hash_is_made_with_no_transaction_open(
    buyer: Buyer, api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth, depths = len(connection.savepoint_ids), []

    def hashing(password: str) -> str:
        depths.append(len(connection.savepoint_ids))
        return make_password(password)

    monkeypatch.setattr(passwords, "make_password", hashing)
    assert change(api, buyer).status_code == 200
    assert depths == [depth]


def test_another_companys_id_is_not_found(buyer: Buyer, api: ContractClient) -> None:
    other = make_company().pk
    before = User.objects.get(pk=buyer.id).password
    for fields in (
        {"path": other},
        {"company_id": other},
        {"path": "x"},
        {"path": f"0{buyer.company_id}"},
    ):
        assert change(api, buyer, **fields).status_code == 404
    assert User.objects.get(pk=buyer.id).password == before


def test_changes_have_a_limit(buyer: Buyer, api: ContractClient, settings: Any) -> None:
    settings.THROTTLE_FACTOR = 1
    statuses = [change(api, buyer, password="short").status_code for _ in range(31)]
    assert statuses == [400] * 30 + [429]
