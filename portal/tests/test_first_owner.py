"""The owner of an empty portal: by the link that the start command prints, once."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.errors import LinkExpired
from apps.accounts.models import User
from apps.accounts.services.owner import SIGNER, make_owner, owner_link, owner_notice
from apps.accounts.tests.factories import make_staff, make_user
from apps.common.models import Seller
from apps.common.tests.races import race

PASSWORD = "long words of an owner"
TYPED = {
    "manager": "Owner",
    "email": "Owner@Seller.test",
    "language": "ko",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def page_of(link: str) -> str:
    return urlsplit(link).path


@pytest.mark.django_db
class TestOwner:
    def test_the_printed_link_makes_one_owner_and_is_gone_then(self) -> None:
        page, client = page_of(owner_notice().split()[-1]), Client()
        assert "All times are those of Seoul" in client.get(page).text
        answer = client.post(page, TYPED, follow=True)
        assert "The portal is yours." in answer.text
        owner = User.objects.get()
        assert (owner.email, owner.is_superuser, owner.approval, owner.language) == (
            "owner@seller.test",
            True,
            "approved",
            "ko",
        )
        assert owner.check_password(PASSWORD)
        assert Seller.objects.get().staff_language == "ko"
        for answer in (
            client.get(page, follow=True),
            client.post(page, {**TYPED, "email": "b@seller.test"}, follow=True),
        ):
            assert answer.redirect_chain == [("/admin/login/", 302)]
            assert "This link was used, or has run out." in answer.text
        assert User.objects.get() == owner
        assert owner_notice() == ""

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"password2": "other words of an owner"}, "match"),
            ({"password1": "short", "password2": "short"}, "too short"),
            ({"email": "no address"}, "email"),
            ({"manager": " "}, "required"),
        ],
    )
    def test_what_is_wrong_is_said_and_nobody_made(
        self, changed: dict[str, str], message: str
    ) -> None:
        answer = Client().post(page_of(owner_link()), {**TYPED, **changed})
        assert message in answer.text
        assert not User.objects.exists()

    def test_a_forged_or_old_link_opens_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        page = page_of(owner_link())
        assert Client().get(page[:-2] + "x/").headers["Location"] == "/admin/login/"
        later = timezone.now().timestamp() + timedelta(hours=25).total_seconds()
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
        answer = Client().get(page, follow=True)
        assert "This link was used, or has run out." in answer.text
        assert "Nobody has an account yet." in answer.text

    def test_tries_are_limited(self, settings: Any) -> None:
        settings.THROTTLE_FACTOR = 1
        answers = [Client().get("/admin/first-owner/x/").status_code for _ in range(21)]
        assert answers == [302] * 20 + [429]

    def test_the_sign_in_says_where_the_link_is_while_nobody_is_there(self) -> None:
        make_user()
        assert "Nobody has an account yet." in Client().get("/admin/login/").text
        make_staff()
        assert "Nobody has an account yet." not in Client().get("/admin/login/").text

    def test_an_owner_of_the_command_has_nothing_to_be_decided(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", email="root@seller.test", manager="Root", interactive=False)
        assert User.objects.get().approval == "approved"


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_is_the_owner() -> None:
    Group.objects.get_or_create(name="Sales")  # a migration's, which tests like this one empty
    token = SIGNER.sign("owner")

    def exists(number: int) -> bool:
        email = f"owner{number}@seller.test"
        try:
            make_owner(token=token, email=email, manager="O", password=PASSWORD, language="en")
        except LinkExpired:
            return False
        return True

    assert sum(race(exists, 3)) == User.objects.count() == 1
