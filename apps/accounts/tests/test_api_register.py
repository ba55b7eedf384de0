"""The registration's calls: the link, the form that it opens, and the form sent."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.core.files.storage import storages
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT
from post_office.models import Email

from apps.accounts.models import Certificate, Company, EmailVerification, RegistrationEvent, User
from apps.accounts.services import sign_up as service
from apps.accounts.tests.factories import (
    PASSWORD,
    make_company,
    make_country,
    make_form,
    make_link,
    make_staff,
    make_state,
    make_user,
)
from apps.accounts.tests.hostile_uploads.documents import GOOD
from apps.accounts.tests.registrations import expire, open_form, rejected, send
from apps.accounts.tests.uploads import upload
from apps.common.errors import Unavailable
from apps.common.mail import write_texts
from apps.common.testing import ContractClient, selling
from apps.common.types import Json

pytestmark = pytest.mark.django_db

EXPIRED = {"success": 0, "code": "expired", "message": "Your token has expired."}
NO_TICKS: tuple[Any, ...] = (..., False, None, 0, 2, 1.0, "true", [], {})  # the first: left out
MISSING = "Please fill in all the necessary elements"
Kind = RegistrationEvent.Kind


# The form sent


def test_a_form_makes_a_waiting_buyer_of_a_company_and_tells_the_approvers(
    visitor: ContractClient,
) -> None:
    link, state = make_link("ines@glow.test"), make_state()
    name = upload(visitor, link, GOOD).json()["file_name"]
    change = {"email": " Ines@GLOW.test ", "company": "  Glow  ", "certificate_files": name}
    change |= {"state": state.pk, "ship_state": state.pk, "business_type": 3, "zipcode": "00-1"}
    before = datetime.now(UTC)
    response = send(visitor, make_form(link, **change))
    assert (response.status_code, response.json()) == (200, {"success": 1})
    user = User.objects.get()
    assert (user.email, user.approval) == ("ines@glow.test", User.Approval.PENDING)
    assert (user.is_active, user.is_staff, user.is_superuser) == (True, False, False)
    assert (user.stock_free, user.check_password(PASSWORD)) == (False, True)
    assert user.registered_at is not None
    assert before <= user.registered_at
    assert user.terms_accepted_at == user.registered_at
    assert (user.ship_city, user.ship_state_id) == ("Warszawa", state.pk)
    assert user.ship_zipcode == "00-682"
    company = user.company
    assert (company.name, company.phone, company.state_id) == ("Glow", "+48 22 555 01 74", state.pk)
    assert (company.business_type_id, company.sales_channel) == (3, "Own shops")
    assert company.zipcode == "00-1"
    assert (company.is_open, company.brands_restricted) == (True, False)
    assert Certificate.objects.get(storage_name=name).user == user
    event = RegistrationEvent.objects.get()
    assert (event.kind, event.actor, event.at) == (Kind.SENT, None, user.registered_at)
    mail = write_texts(Email.objects.get())
    assert (mail.to, mail.subject) == (["approvers@portal.test"], "New registration: Glow")
    assert "Poland" in mail.message
    assert f"/admin/accounts/registration/{user.pk}/change/" in mail.message
    assert PASSWORD not in mail.message + mail.html_message


def test_the_waiting_buyer_signs_in_to_minus_two(visitor: ContractClient) -> None:
    send(visitor, make_form(make_link("ines@glow.test")))
    body = {"email": "ines@glow.test", "password": PASSWORD}
    assert visitor.send("post", "/api/login", body).json() == {"success": -2}


def test_a_link_is_used_once(visitor: ContractClient) -> None:
    link = make_link()
    assert send(visitor, make_form(link)).json() == {"success": 1}
    assert send(visitor, make_form(link)).json() == {"success": -1}
    assert open_form(visitor, link.token) == {"success": -1}
    assert upload(visitor, link, GOOD).json() == EXPIRED
    assert (User.objects.count(), Company.objects.count(), Email.objects.count()) == (1, 1, 1)


def test_a_second_link_of_a_waiting_address_is_minus_one(visitor: ContractClient) -> None:
    first, second = make_link("ines@glow.test"), make_link("ines@glow.test")
    assert send(visitor, make_form(first)).json() == {"success": 1}
    assert send(visitor, make_form(second, company="Another")).json() == {"success": -1}
    assert Company.objects.get().name == "Glow Trading"
    assert second.row.used_at is None


@pytest.mark.parametrize("token", ["", "x", "x" * 43, None, 5, [], {}])
def test_a_forged_token_is_expired(visitor: ContractClient, token: object) -> None:
    responses = [send(visitor, make_form(make_link(), token=token))]
    if isinstance(token, str):
        responses.append(upload(visitor, make_link(), GOOD, token=token))
    for response in responses:
        assert (response.status_code, response.json()) == (409, EXPIRED)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "email", ["ines@localhost", "ines@glow\u00ad.test", "ines@ɡlow。test", f"{'a' * 255}@glow.test"]
)
def test_what_is_no_address_is_refused_with_a_good_link_too(
    visitor: ContractClient, email: str
) -> None:
    link = make_link()
    EmailVerification.objects.update(email=email[:254])
    for response in (
        send(visitor, make_form(link, email=email)),
        upload(visitor, link, GOOD, email=email),
    ):
        assert (response.status_code, list(response.json()["errors"])) == (400, ["email"])
    assert not User.objects.exists()


def test_an_expired_token_is_expired(visitor: ContractClient) -> None:
    link = make_link()
    expire(link)
    for response in (send(visitor, make_form(link)), upload(visitor, link, GOOD)):
        assert (response.status_code, response.json()) == (409, EXPIRED)
    assert not Certificate.objects.exists()


def test_another_address_than_the_links_is_refused(visitor: ContractClient) -> None:
    link = make_link()
    for response in (
        send(visitor, make_form(link, email="other@glow.test")),
        upload(visitor, link, GOOD, email="other@glow.test"),
    ):
        assert (response.status_code, list(response.json()["errors"])) == (400, ["email"])
    assert not User.objects.exists()
    assert link.row.used_at is None


@pytest.mark.parametrize(
    ("change", "message", "fields"),
    [
        ({"company": "  "}, MISSING, ["company"]),
        ({"country": None, "ship_zipcode": ""}, MISSING, ["country", "ship_zipcode"]),
        ({"email": ""}, MISSING, ["email"]),
        *(({"terms": tick}, MISSING, ["terms"]) for tick in NO_TICKS),
        (
            {"password": "1234567"},
            "Password must be at least 8 characters long",
            ["confirm_password", "password"],
        ),
        (
            {"confirm_password": PASSWORD + " "},
            "The passwords are not the same",
            ["confirm_password"],
        ),
    ],
)
def test_what_section_5_refuses(
    visitor: ContractClient, change: Json, message: str, fields: list[str]
) -> None:
    link = make_link()
    form = make_form(link, **change)
    response = send(visitor, {name: value for name, value in form.items() if value is not ...})
    assert (response.status_code, response.json()["message"]) == (400, message)
    assert sorted(response.json()["errors"]) == fields
    assert not User.objects.exists()
    assert send(visitor, make_form(link)).json() == {"success": 1}


@pytest.mark.parametrize("tick", [True, 1])
def test_the_terms_are_accepted_by_true_or_1(visitor: ContractClient, tick: object) -> None:
    assert send(visitor, make_form(make_link(), terms=tick)).json() == {"success": 1}
    assert User.objects.get().terms_accepted_at is not None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"country": 2**31 - 1}, "country"),
        ({"ship_country": 2**31 - 1}, "ship_country"),
        ({"state": 1}, "state"),
        ({"ship_state": 1}, "ship_state"),
        ({"business_type": 2**31 - 1}, "business_type"),
        ({"business_type": "1"}, "business_type"),
        ({"certificate_files": "0" * 32 + ".pdf"}, "certificate_files"),
        ({"certificate_files": "../../../etc/passwd"}, "certificate_files"),
        ({"company": "x" * 121}, "company"),
        ({"manager": "x" * 121}, "manager"),
        ({"sales_channel": "x" * 201}, "sales_channel"),
        ({"password": "x" * 129}, "password"),
        ({"company": "a\x00b"}, "company"),
        ({"company": {}}, "company"),
        ({"country": "5"}, "country"),
    ],
)
def test_what_is_unknown_or_of_the_wrong_shape(
    visitor: ContractClient, change: Json, field: str
) -> None:
    response = send(visitor, make_form(make_link(), **change))
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert list(response.json()["errors"]) == [field]
    assert not User.objects.exists()


def test_a_country_that_is_not_served_is_refused(visitor: ContractClient) -> None:
    link = make_link()
    form = make_form(link)
    selling(closed_countries=["XX", make_country().code])
    answer = send(visitor, form)
    text = ["We do not deliver to this country."]
    assert answer.json()["errors"] == {"country": text, "ship_country": text}
    selling(closed_countries=["XX"])
    assert send(visitor, form).json() == {"success": 1}


def test_fields_that_are_not_asked_for_change_nothing(visitor: ContractClient) -> None:
    extra = {"approval": "approved", "is_staff": True, "stock_free": 1, "id": 1}
    extra["company_id"] = make_company().pk
    assert send(visitor, make_form(make_link(), **extra)).json() == {"success": 1}
    user = User.objects.get()
    assert (user.approval, user.is_staff, user.stock_free) == (User.Approval.PENDING, False, False)
    assert user.company.name == "Glow Trading"


def test_a_certificate_of_another_link_is_refused(visitor: ContractClient) -> None:
    link, other = make_link("ines@glow.test"), make_link("ines@glow.test")
    name = upload(visitor, other, GOOD).json()["file_name"]
    response = send(visitor, make_form(link, certificate_files=name))
    assert (response.status_code, list(response.json()["errors"])) == (400, ["certificate_files"])


def test_the_hash_is_made_with_no_transaction_open(
    visitor: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth = len(connection.savepoint_ids)
    calls = []

    def hashing(password: str) -> str:
        calls.append(len(connection.savepoint_ids))
        return make_password(password)

    monkeypatch.setattr(service, "make_password", hashing)
    send(visitor, make_form(make_link()))
    assert calls == [depth]


# Once more


def test_a_rejected_address_signs_up_anew_in_the_same_rows(visitor: ContractClient) -> None:
    user = rejected(stock_free=True)
    link, version = make_link(user.email), user.session_version
    assert send(visitor, make_form(link, company="Second Try")).json() == {"success": 1}
    again = User.objects.get()
    assert (again.pk, again.company_id, again.uuid) == (user.pk, user.company_id, user.uuid)
    assert (again.approval, again.approval_reason) == (User.Approval.PENDING, "")
    assert again.stock_free is False
    assert again.check_password(PASSWORD)
    assert again.session_version == version + 1
    assert Company.objects.get().name == "Second Try"
    assert RegistrationEvent.objects.get().kind == Kind.SENT_AGAIN
    assert Email.objects.get().subject == "Registration sent again: Second Try"


@pytest.mark.parametrize("why", ["colleagues", "approved once", "never registered"])
def test_a_company_that_is_not_the_registrations_alone_is_left_as_it_is(
    visitor: ContractClient, why: str
) -> None:
    user = rejected()
    if why == "colleagues":
        make_user(company=user.company)
    elif why == "approved once":
        RegistrationEvent.objects.create(user=user, kind=Kind.APPROVED, at=datetime.now(UTC))
    else:
        User.objects.filter(pk=user.pk).update(registered_at=None)
    name = user.company.name
    assert send(visitor, make_form(make_link(user.email), company="Second Try")).json() == {
        "success": 1
    }
    user.company.refresh_from_db()
    assert user.company.name == name
    assert User.objects.get(pk=user.pk).company.name == "Second Try"


def test_what_was_asked_for_comes_in_the_same_rows(visitor: ContractClient) -> None:
    link = make_link("ines@glow.test")
    first, second = (upload(visitor, link, GOOD).json()["file_name"] for _ in range(2))
    send(visitor, make_form(link, certificate_files=first))
    user = User.objects.get()
    User.objects.update(asked_at=datetime.now(UTC))
    link_for_more = make_link(user=user)
    assert send(
        visitor, make_form(link_for_more, company="More", certificate_files=first)
    ).json() == {"success": 1}
    user.refresh_from_db()
    assert (user.asked_at, user.company.name, Company.objects.count()) == (None, "More", 1)
    assert user.certificates.get().storage_name == first
    newer = make_link(user=user)
    name = upload(visitor, newer, GOOD).json()["file_name"]
    assert send(visitor, make_form(newer, certificate_files=second)).status_code == 400
    assert send(visitor, make_form(newer, certificate_files=name)).json() == {"success": 1}
    assert user.certificates.get().storage_name == name


@pytest.mark.parametrize("approval", [User.Approval.APPROVED, User.Approval.PENDING])
def test_a_link_that_asked_for_more_opens_nobody_else(
    visitor: ContractClient, approval: str
) -> None:
    pending = make_user(approval=User.Approval.PENDING)
    link = make_link(user=pending)
    if approval == User.Approval.APPROVED:
        User.objects.update(approval=approval)
    else:
        User.objects.filter(pk=pending.pk).update(email="moved@glow.test")
        make_user(email=pending.email, approval=approval)
    before = list(User.objects.order_by("pk").values())
    assert send(visitor, make_form(link)).json() == {"success": -1}
    assert list(User.objects.order_by("pk").values()) == before


def test_staff_are_never_signed_up(visitor: ContractClient) -> None:
    staff = make_staff(approval=User.Approval.REJECTED)
    assert send(visitor, make_form(make_link(staff.email))).json() == {"success": -1}


# Certificates


def test_an_upload_answers_a_name_that_says_nothing(visitor: ContractClient) -> None:
    link = make_link()
    response = upload(visitor, link, GOOD, name="licence.pdf")
    assert response.status_code == 200
    certificate = Certificate.objects.get()
    assert response.json() == {"success": 1, "file_name": certificate.storage_name}
    assert re.fullmatch(r"[0-9a-f]{32}\.pdf", certificate.storage_name)
    assert (certificate.verification, certificate.user) == (link.row, None)
    assert certificate.given_name == "licence.pdf"
    assert not User.objects.exists()


def test_an_upload_without_its_file_is_refused(visitor: ContractClient) -> None:
    for response in (
        upload(visitor, make_link(), None),
        upload(visitor, make_link(), GOOD, field="other"),
    ):
        assert response.status_code == 400
        assert list(response.json()["errors"]) == ["certificate_files"]
    assert not Certificate.objects.exists()


HEAD = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="'
FILE = f'{HEAD}certificate_files"; filename="a.pdf"\r\n\r\n%PDF-\r\n'


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no form",
        "{}",
        f"--{BOUNDARY}",
        f"--{BOUNDARY}--\r\n",
        FILE,
        f"{FILE}{FILE}--{BOUNDARY}--\r\n",
        f"{FILE}{FILE.replace('certificate_files', 'more')}--{BOUNDARY}--\r\n",
        f'{HEAD}certificate_files"\r\n\r\n%PDF-\r\n--{BOUNDARY}--\r\n',
        f'{HEAD}token"\r\n\r\n\x00\r\n--{BOUNDARY}--\r\n',
        "".join(f'{HEAD}{number}"\r\n\r\nx\r\n' for number in range(10_001))
        + f"--{BOUNDARY}--\r\n",
    ],
)
def test_a_broken_form_is_refused(visitor: ContractClient, body: str) -> None:
    response = visitor.generic("POST", "/api/fileupload", body.encode(), MULTIPART_CONTENT)
    assert response.status_code in (400, 409)
    assert response.json()["success"] == 0
    assert not Certificate.objects.exists()


def test_an_upload_takes_a_form_and_nothing_else(visitor: ContractClient) -> None:
    others = ("application/json", "text/plain", "application/x-www-form-urlencoded", "")
    statuses = [(kind, 415) for kind in (*others, "multipart/mixed")]
    for kind, status in (*statuses, ("multipart/form-data", 400)):
        answer = visitor.generic("POST", "/api/fileupload", b"{}", kind)
        assert answer.status_code == status, kind


def test_a_body_over_6_mb_is_refused_before_it_is_read(visitor: ContractClient) -> None:
    response = upload(visitor, make_link(), bytes(6 * 1024 * 1024))
    assert response.status_code == 413
    assert response.json()["message"] == "Only files below 5MB can be uploaded."


def test_a_storage_that_is_down_leaves_nothing_behind(
    visitor: ContractClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def down(*args: object) -> str:
        assert not connection.savepoint_ids[depth:]
        raise OSError

    depth = len(connection.savepoint_ids)
    monkeypatch.setattr(storages["private"], "save", down)
    response = upload(visitor, make_link(), GOOD)
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert response.json()["message"] == Unavailable.message
    assert "storage_failed" in {getattr(record, "event", "") for record in caplog.records}
    assert not Certificate.objects.exists()
