"""Staff's second factor: nobody is in before it, its codes are good for once, and its tries are
few.
"""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from apps.accounts.models import User
from apps.accounts.services.passwords import reset_tokens
from apps.accounts.services.second_factor import (
    app_to_set_up,
    check_code,
    reset_second_factor,
    set_up_app,
)
from apps.accounts.tests.factories import PASSWORD, make_staff
from apps.accounts.tests.staff import shown_messages, signed_in, staff_client, staff_in

pytestmark = pytest.mark.django_db
LOGIN, STEP = "/admin/login/", "/admin/second-factor/"


@pytest.fixture(autouse=True)
def switched_on(settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def user() -> User:
    return make_staff(email="yuna@portal.test", is_superuser=True, password=PASSWORD)


def code_of(user: User, *, drift: int = 0) -> str:
    """Return what the app shows now, or some steps later."""
    app = TOTPDevice.objects.get(user=user)
    return f"{totp(app.bin_key, drift=drift):06d}"


def with_password(user: User, client: Client | None = None, page: str = "") -> Client:
    client = client or Client()
    address = f"{LOGIN}?next={page}" if page else LOGIN
    names = {"username": user.email, "password": PASSWORD, "next": page or "/admin/"}
    answer = client.post(address, names)
    assert (answer.status_code, answer.headers["Location"]) == (302, STEP)
    return client


def set_up(user: User) -> list[str]:
    """Return the recovery codes of a member of staff whose app is set up; its last code is a while
    ago.
    """
    app_to_set_up(user=user)
    codes = set_up_app(user=user, code=code_of(user))
    TOTPDevice.objects.update(last_t=-1)
    return codes


def without_pause() -> None:
    """Let the pause after wrong codes be over."""
    long_ago = timezone.now() - timedelta(hours=1)
    for devices in (TOTPDevice, StaticDevice):
        failing = devices.objects.filter(throttling_failure_count__gt=0)
        failing.update(throttling_failure_timestamp=long_ago)


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def test_new_recovery_codes_need_a_code_and_end_the_old_ones(user: User) -> None:
    old, client = set_up(user), signed_in(user)
    page = "/admin/second-factor/codes/"
    assert page in client.get("/admin/").text
    assert "is wrong" in client.post(page, {"code": "000000"}).text
    without_pause()
    new = client.post(page, {"code": code_of(user)}).context["codes"]
    assert len(new) == 10
    assert not set(new) & set(old)
    without_pause()
    assert not check_code(user=user, code=old[0])
    without_pause()
    assert check_code(user=user, code=new[0])
    reset_second_factor(actor=None, user_id=user.pk)
    client = signed_in(User.objects.get(pk=user.pk))
    assert "You have no second factor" in str(shown_messages(client.get(page, follow=True)))


def test_no_page_answers_before_the_second_step(user: User) -> None:
    set_up(user)
    client = with_password(user)
    pages = "orders/order/", "accounts/user/", "password_change/", "jump/?q=a", "schema", "docs"
    for page in ("", *pages):
        for ask in (client.get, client.post):
            answer = ask(f"/admin/{page}")
            assert answer.status_code == 302, page
            assert answer.headers["Location"].startswith(LOGIN), page
    assert client.post(STEP, {"code": code_of(user)}).headers["Location"] == "/admin/"
    assert is_in(client)


def test_the_step_leads_to_the_page_that_was_asked_for_and_to_no_other(user: User) -> None:
    set_up(user)
    answer = with_password(user, page="/admin/orders/order/").post(STEP, {"code": code_of(user)})
    assert answer.headers["Location"] == "/admin/orders/order/"
    TOTPDevice.objects.update(last_t=-1)
    answer = with_password(user, page="//evil.test/admin/").post(STEP, {"code": code_of(user)})
    assert answer.headers["Location"] == "/admin/"


def test_the_first_sign_in_sets_up_the_app_and_shows_the_codes_once(user: User) -> None:
    client = with_password(user)
    page = client.get(STEP)
    assert 'src="data:image/svg+xml' in page.text
    assert "style=" not in page.text
    assert client.post(STEP, {"code": "000000"}).status_code == 200
    assert not is_in(client)
    without_pause()
    response = client.post(STEP, {"code": code_of(user)})
    codes = re.findall(r"<code>([a-z0-9]{5}-[a-z0-9]{5})</code>", response.text)
    assert len(set(codes)) == 10
    plain = [code.replace("-", "") for code in codes]
    assert not StaticToken.objects.filter(token__in=plain).exists()
    assert is_in(client)
    assert codes[0] not in client.get("/admin/").text
    assert client.get(STEP).headers["Location"] == LOGIN


def test_a_second_app_is_not_set_up_beside_the_first(user: User) -> None:
    set_up(user)
    another = TOTPDevice.objects.create(user=user, confirmed=False)
    code = f"{totp(another.bin_key):06d}"
    assert set_up_app(user=user, code=code) == []
    assert not check_code(user=user, code=code)


def test_a_code_of_the_app_is_used_once(user: User) -> None:
    set_up(user)
    code = code_of(user)
    assert with_password(user).post(STEP, {"code": code}).status_code == 302
    again = with_password(user)
    assert "was used before" in again.post(STEP, {"code": code}).text
    assert not is_in(again)


def test_a_recovery_code_is_used_once_however_it_is_typed(user: User) -> None:
    first, *_ = set_up(user)
    client = with_password(user)
    client.post(STEP, {"code": f" {first.upper()} "})
    assert is_in(client)
    assert StaticToken.objects.count() == 9
    again = with_password(user)
    assert again.post(STEP, {"code": first}).status_code == 200
    assert not is_in(again)


def test_another_persons_codes_open_nothing(user: User) -> None:
    other = make_staff(email="other@portal.test")
    codes = set_up(other)
    set_up(user)
    client = with_password(user)
    client.post(STEP, {"code": codes[0]})
    assert not is_in(client)


def test_tries_are_few_and_wait_for_each_other(user: User) -> None:
    set_up(user)
    client = with_password(user)
    wrong = "000000" if code_of(user) != "000000" else "111111"
    client.post(STEP, {"code": wrong})
    too_soon = client.post(STEP, {"code": code_of(user)})
    assert too_soon.status_code == 200
    for _ in range(2):
        client.post(STEP, {"code": wrong})
    last = client.post(STEP, {"code": wrong}, follow=True)
    assert "Too many wrong codes" in shown_messages(last)[0]
    without_pause()
    assert client.post(STEP, {"code": code_of(user)}).headers["Location"] == LOGIN
    assert not is_in(client)


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
def test_who_may_no_longer_come_in_is_stopped_between_the_steps(
    user: User, change: dict[str, Any]
) -> None:
    set_up(user)
    client = with_password(user)
    User.objects.filter(pk=user.pk).update(**change)
    assert client.post(STEP, {"code": code_of(user)}).headers["Location"] == LOGIN


def test_the_second_step_is_taken_within_minutes(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(user)
    monkeypatch.setattr("portal.staff.sign_in.SECONDS", -1)
    client = with_password(user)
    assert client.post(STEP, {"code": code_of(user)}).headers["Location"] == LOGIN


def test_a_session_that_is_open_stays_open() -> None:
    assert is_in(staff_client())


def test_without_the_setting_the_password_is_enough(user: User, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    client = Client()
    client.post(LOGIN, {"username": user.email, "password": PASSWORD, "next": "/admin/"})
    assert is_in(client)


def test_a_superuser_resets_a_lost_device_and_the_record_says_so(user: User) -> None:
    set_up(user)
    open_elsewhere = signed_in(user)
    url, mailed = f"/admin/accounts/user/{user.pk}/second-factor/", reset_tokens.make_token(user)
    assert staff_client("Approvers").post(url).status_code == 403
    with pytest.raises(PermissionDenied):
        reset_second_factor(actor=staff_in("Approvers"), user_id=user.pk)
    assert TOTPDevice.objects.exists()
    assert is_in(open_elsewhere)
    staff_client().post(url)
    assert not is_in(open_elsewhere)
    assert not reset_tokens.check_token(User.objects.get(pk=user.pk), mailed)
    assert not TOTPDevice.objects.exists()
    assert not StaticDevice.objects.exists()
    record = LogEntry.objects.filter(object_id=str(user.pk))
    assert record.filter(change_message__contains="Second factor reset").exists()
    assert "Set up the second factor" in with_password(user).get(STEP).text


def test_the_operator_resets_the_only_superuser(user: User) -> None:
    set_up(user)
    call_command("reset_second_factor", user.email)
    assert not TOTPDevice.objects.exists()
