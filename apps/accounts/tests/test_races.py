"""Many at once on one address or link: one winner, everybody else told so
(reliability-and-security, 19.1).
"""

from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import Company, EmailVerification, RegistrationEvent, User
from apps.accounts.services import sign_up as service
from apps.accounts.services.invitations import invite
from apps.accounts.services.passwords import reset_link
from apps.accounts.tests.factories import (
    PASSWORD,
    make_country,
    make_form,
    make_link,
    make_staff,
    make_user,
)
from apps.accounts.tests.test_invitations import GOOD, make_people, token_of
from apps.common.testing import ContractClient
from apps.common.tests.races import race

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 50
URL = "/api/register/sign-up"


def sign_up(form: dict[str, Any]) -> tuple[int, int]:
    response = ContractClient().send("post", URL, form)
    return response.status_code, response.json()["success"]


def assert_one_registration() -> None:
    assert (User.objects.count(), Company.objects.count()) == (1, 1)
    assert (RegistrationEvent.objects.count(), Email.objects.count()) == (1, 1)
    assert EmailVerification.objects.filter(used_at__isnull=False).count() == 1


ONE_WINS = {(200, 1): 1, (200, -1): TIMES - 1}


def test_fifty_sign_ups_by_one_link_make_one_registration() -> None:
    form = make_form(make_link())
    assert Counter(race(lambda _: sign_up(form), TIMES)) == ONE_WINS
    assert_one_registration()


def test_fifty_sign_ups_of_one_address_by_fifty_links_make_one_registration() -> None:
    forms = [
        make_form(make_link("ines@glow.test"), company=f"Glow {number}") for number in range(TIMES)
    ]
    assert Counter(race(lambda number: sign_up(forms[number]), TIMES)) == ONE_WINS
    assert_one_registration()


@pytest.mark.parametrize("is_asked", [False, True], ids=["rejected", "asked for more"])
def test_fifty_sign_ups_of_a_known_address_fill_it_anew_once(is_asked: bool) -> None:
    approval = User.Approval.PENDING if is_asked else User.Approval.REJECTED
    user = make_user(email="ines@glow.test", approval=approval)
    forms = [make_form(make_link("ines@glow.test")) for _ in range(TIMES)]
    if is_asked:
        forms = [make_form(make_link(user=user))] * TIMES
    assert Counter(race(lambda number: sign_up(forms[number]), TIMES)) == ONE_WINS
    assert RegistrationEvent.objects.count() == Email.objects.count() == 1


def test_control_without_looking_the_constraint_still_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Every link finds nobody there: what then stands between fifty users of one address is the
    # table itself.
    monkeypatch.setattr(service, "is_taken", lambda user, link: False)
    monkeypatch.setattr(User.objects, "select_for_update", lambda **_: User.objects.none())
    forms = [make_form(make_link("ines@glow.test")) for _ in range(TIMES)]
    assert Counter(race(lambda number: sign_up(forms[number]), TIMES)) == ONE_WINS
    assert_one_registration()


def test_another_broken_constraint_is_no_taken_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise IntegrityError("something else")

    monkeypatch.setattr(service, "_register", broken)
    make_country()
    with pytest.raises(IntegrityError):
        ContractClient().send("post", URL, make_form(make_link()))


def test_an_invitation_is_accepted_once() -> None:
    (user,) = make_people()
    invite(user_ids=[user.pk], actor=make_staff(is_superuser=True), now=timezone.now())
    body = {**GOOD, "token": token_of(user)}

    def accept(_: int) -> int:
        return int(ContractClient().send("post", "/api/invitation", body).status_code)

    assert Counter(race(accept, TIMES)) == {200: 1, 409: TIMES - 1}


def test_a_reset_link_sets_one_password() -> None:
    user = make_user(password=PASSWORD)
    token = reset_link(user=user).partition("#reset=")[2]

    def reset(number: int) -> int:
        new = f"password {number}"
        body = {"token": token, "password": new, "passwordConfirm": new}
        return int(ContractClient().send("post", "/api/reset-password", body).status_code)

    assert Counter(race(reset, TIMES)) == {200: 1, 409: TIMES - 1}
    assert Email.objects.count() == 1
