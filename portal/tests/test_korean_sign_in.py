"""The sign-in and the password page in Korean: Django's own texts, in ours."""

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client

pytestmark = pytest.mark.django_db


def test_a_failed_sign_in_names_the_address_in_the_readers_language() -> None:
    fields = {"username": "who@portal.test", "password": "wrong"}
    korean = Client(headers={"accept-language": "ko"}).post("/admin/login/", fields).text
    assert "로그인할 수 없습니다. 직원 계정의 이메일 주소, 비밀번호를 확인하십시오." in korean
    english = Client().post("/admin/login/", fields).text
    assert "Please enter the correct email and password for a staff account." in english


def test_the_password_page_is_written_in_our_korean() -> None:
    page = staff_client(language="ko").get("/admin/password_change/").text
    assert "현재 비밀번호" in page
    assert "기존 비밀번호" not in page  # Django's own
