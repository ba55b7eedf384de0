"""The registration link ("Check your email"), and the states of a country."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from post_office.models import Email

from apps.accounts.models import AddressEntry, EmailVerification, RegistrationEvent, User
from apps.accounts.selectors import token_hash
from apps.accounts.tests.factories import (
    PASSWORD,
    make_country,
    make_form,
    make_link,
    make_user,
)
from apps.accounts.tests.hostile_uploads.documents import GOOD
from apps.accounts.tests.registrations import CHECK, ask, expire, open_form, rejected, send
from apps.accounts.tests.uploads import upload
from apps.common.mail import write_texts
from apps.common.tables.cells import heading
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.django_db
EXPIRED = {"success": 0, "code": "expired", "message": "Your token has expired."}


def test_the_link_is_mailed_and_opens_the_form(visitor: ContractClient) -> None:
    assert ask(visitor, "  INES@Glow.test ").json() == {"success": 1}
    mail = write_texts(Email.objects.get())
    assert (mail.to, mail.subject) == (["ines@glow.test"], "Confirm your e-mail address")
    assert mail.context == {"private": True, "topic": "registrations"}
    assert "24 hours" in mail.message
    match = re.search(r"http://testserver/register/(\w{43})\s", mail.message)
    assert match is not None
    assert match[1] in mail.html_message
    answer = open_form(visitor, match[1])
    assert (answer["success"], answer["email"]) == (1, "ines@glow.test")
    assert (answer["registration"], answer["message"]) == (None, "")
    assert {"address_id", "content"} == set(answer["country"][0])
    assert answer["country"] == sorted(
        answer["country"], key=lambda entry: heading(entry["content"])
    )
    assert [entry["type"] for entry in answer["businessType"]][:2] == ["Distributor", "Wholesaler"]


def test_only_the_tokens_hash_is_kept(visitor: ContractClient) -> None:
    link = make_link()
    assert link.row.token_hash == token_hash(link.token) != link.token
    assert len(link.token) == 43


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"approval": User.Approval.PENDING},
        {"is_staff": True},
        {"is_staff": True, "approval": User.Approval.REJECTED},
        {"is_active": False},
    ],
)
def test_who_is_subscribed_gets_no_mail(visitor: ContractClient, fields: Json) -> None:
    make_user(email="ines@glow.test", **fields)
    assert ask(visitor, "Ines@Glow.test").json() == {"success": -1}
    assert not Email.objects.exists()
    assert not EmailVerification.objects.exists()


def test_a_rejection_frees_the_address(visitor: ContractClient) -> None:
    rejected()
    assert ask(visitor).json() == {"success": 1}
    assert Email.objects.count() == 1


def test_a_new_link_leaves_the_older_one_good(visitor: ContractClient) -> None:
    older = make_link("ines@glow.test")
    ask(visitor)
    assert open_form(visitor, older.token)["success"] == 1


@pytest.mark.parametrize("email", ["", "   ", None])
def test_an_empty_address_is_asked_for(visitor: ContractClient, email: object) -> None:
    response = ask(visitor, email)
    assert response.status_code == 400
    assert response.json()["message"] == "Please enter your email address."
    assert visitor.send("post", CHECK, {}).json()["message"] == "Please enter your email address."


@pytest.mark.parametrize(
    "email",
    [
        "ines",
        "ines@localhost",
        "ines@[127.0.0.1]",
        "in\u200bes@glow.test",
        "a@b.test\r\nBcc: x",
        "a\x00@b.test",
        5,
        [],
    ],
)
def test_what_is_no_address_is_refused(visitor: ContractClient, email: object) -> None:
    response = ask(visitor, email)
    assert (response.status_code, list(response.json()["errors"])) == (400, ["email"])
    assert not Email.objects.exists()


# The form


def test_bad_links_all_answer_alike(
    visitor: ContractClient, django_assert_num_queries: Any
) -> None:
    old, used = make_link(), make_link()
    expire(old)
    EmailVerification.objects.filter(pk=used.row.pk).update(used_at=datetime.now(UTC))
    for token in (old.token, used.token, "x" * 43, "x", old.row.token_hash, "%F0%9F%98%80"):
        with CaptureQueriesContext(connection) as queries:
            assert open_form(visitor, token) == {"success": -1}
        assert len(queries) == 1


@pytest.mark.parametrize("approval", [User.Approval.PENDING, User.Approval.APPROVED])
def test_a_link_to_an_address_that_is_taken_by_now_opens_no_form(
    visitor: ContractClient, approval: str
) -> None:
    link = make_link("ines@glow.test")
    make_user(email="ines@glow.test", approval=approval)
    assert open_form(visitor, link.token) == {"success": -1}


def test_the_link_that_asks_for_more_ends_with_the_approval(visitor: ContractClient) -> None:
    user = make_user(email="ines@glow.test", approval=User.Approval.PENDING)
    link = make_link(user=user)
    assert open_form(visitor, link.token)["success"] == 1
    User.objects.filter(pk=user.pk).update(approval=User.Approval.APPROVED)
    assert open_form(visitor, link.token) == {"success": -1}


def test_the_link_that_asks_for_more_opens_the_filled_in_form(visitor: ContractClient) -> None:
    link = make_link("ines@glow.test")
    name = upload(visitor, link, GOOD, name="licence.pdf").json()["file_name"]
    send(visitor, make_form(link, certificate_files=name, address2="lok. 14", business_type=2))
    user = User.objects.get()
    asked = {"kind": RegistrationEvent.Kind.ASKED, "note": "Which shops?", "body": "Dear Ines"}
    RegistrationEvent.objects.create(user=user, at=datetime.now(UTC), **asked)
    answer = open_form(visitor, make_link(user=user).token)
    form_sent = make_form(link, business_type=2, address2="lok. 14", state=None, zipcode="")
    for unsaid in ("email", "token", "password", "confirm_password", "terms"):
        del form_sent[unsaid]
    files = {"certificate_files": name, "certificate_name": "licence.pdf"}
    assert answer["registration"] == {**form_sent, **files, "ship_state": None, "ship_address2": ""}
    assert answer["message"] == "Which shops?"
    assert PASSWORD not in str(answer)


URL = "/api/register/find-state"


def test_states_by_name_case_and_accents_ignored(visitor: ContractClient) -> None:
    country = make_country("XX", "Examplia")
    for code, name in (("XX-1", "Ñuble"), ("XX-2", "Alpha"), ("XX-3", "maule"), ("XX-4", "Zeta")):
        AddressEntry.objects.create(code=code, content=name, parent=country)
    answer = visitor.send("post", URL, {"address_id": country.pk}).json()
    names = [state["content"] for state in answer["stateList"]]
    assert names == ["Alpha", "maule", "Ñuble", "Zeta"]
    assert answer["success"] == 1


def test_none_for_what_has_none(visitor: ContractClient) -> None:
    nothing = {"success": 1, "stateList": []}
    for address_id in (make_country("XX", "Examplia").pk, 2**31 - 1):
        assert visitor.send("post", URL, {"address_id": address_id}).json() == nothing


@pytest.mark.parametrize("address_id", [None, "", "5", 0, -1, 2**53 + 1, 1.5, True, [], {}])
def test_refuses_what_is_no_id(visitor: ContractClient, address_id: object) -> None:
    assert visitor.send("post", URL, {"address_id": address_id}).status_code == 400


def test_states_are_named_as_on_a_parcel() -> None:
    two = AddressEntry.objects.filter(code__in=("SE-M", "ES-CT"))
    names = dict(two.values_list("code", "content"))
    assert names == {"SE-M": "Skåne län", "ES-CT": "Catalunya"}
    assert not AddressEntry.objects.filter(content__contains="[").exists()
