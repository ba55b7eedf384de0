"""Staff choose the language of their pages; everything else is English."""

import re
from io import BytesIO

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD, make_staff, make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.tests.factories import make_product
from apps.common.models import Seller
from apps.common.seller import remember

pytestmark = pytest.mark.django_db

KOREAN, ENGLISH = '<html lang="ko"', '<html lang="en"'


def choose(client, language, page="/admin/"):
    return client.post("/admin/language/", {"language": language, "next": page})


def test_the_choice_stays_with_the_person_and_leads_back():
    client = staff_client()
    page = client.get("/admin/late/?of=wire").text
    assert ENGLISH in page
    (here,) = set(re.findall(r'name="next" value="(.*?)">', page))
    assert choose(client, "ko", here).headers["Location"] == "/admin/late/?of=wire"
    assert KOREAN in client.get("/admin/late/").text
    assert User.objects.get(is_staff=True).language == "ko"
    del client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert KOREAN in client.get("/admin/").text
    choose(client, "en")
    assert ENGLISH in client.get("/admin/").text


@pytest.mark.parametrize(
    "where", ["https://evil.test/admin/", "http://testserver/orders", "/orders", "//x", ""]
)
def test_it_leads_nowhere_else(where):
    back = choose(staff_client(), "ko", where)
    assert back.headers["Location"] == "/admin/"


def test_an_unknown_language_is_none():
    client = staff_client()
    choose(client, "fr")
    assert ENGLISH in client.get("/admin/").text
    assert User.objects.get(is_staff=True).language == ""


def test_who_has_not_chosen_gets_what_the_browser_asks_for():
    client = Client()
    assert ENGLISH in client.get("/admin/login/").text
    assert KOREAN in client.get("/admin/login/", headers={"accept-language": "ko-KR,ko"}).text
    assert ENGLISH in client.get("/admin/login/", headers={"accept-language": "de,fr"}).text
    choose(client, "ko")
    assert KOREAN in client.get("/admin/login/").text
    user = staff_in("Sales", language="en")
    client.post("/admin/login/?next=/admin/", {"username": user.email, "password": PASSWORD})
    assert ENGLISH in client.get("/admin/").text


def test_all_else_is_english(api, client):
    korean = {"accept-language": "ko", "cookie": f"{settings.LANGUAGE_COOKIE_NAME}=ko"}
    for ask in (
        lambda **kw: api.get("/api/products?page=x", **kw),
        lambda **kw: client.get("/", **kw),
    ):
        assert ask(headers=korean).content == ask().content


def test_a_price_list_is_english(api, buyer, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    make_product(eng_name="Serum")
    korean = {"accept-language": "ko", "cookie": f"{settings.LANGUAGE_COOKIE_NAME}=ko"}
    address = f"/api/excel/product-setting/{buyer.uuid}"
    rows = api.get(address, headers=korean).getvalue()
    file = api.get(address, {"format": "xlsx"}, headers=korean).getvalue()
    cells = [cell for row in load_workbook(BytesIO(file)).active.values for cell in row]
    assert "Serum" in cells
    assert not re.search("[가-힣]", f"{rows.decode()} {cells}")


def test_a_page_in_korean_costs_no_statement_more():
    client, costs = staff_client(), {}
    for language in ("en", "ko", "en", "ko"):
        User.objects.update(language=language)
        with CaptureQueriesContext(connection) as statements:
            assert f'<html lang="{language}"' in client.get("/admin/late/").text
        costs[language] = len(statements)
    assert costs["ko"] == costs["en"]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_new_colleague_begins_in_the_sellers_language(language):
    Seller.objects.create(staff_language=language)
    remember(None)
    form = {"email": "new@seller.test", "manager": "New", "is_staff": "True", "groups": ["1"]}
    staff_client().post("/admin/accounts/user/add/", form)
    assert User.objects.get(email="new@seller.test").language == language
    assert User.objects.create_superuser("root@seller.test").language == language


def test_a_mail_about_the_own_account_follows_its_reader():
    client = staff_client(language="ko")
    people = {one: make_staff(language=one) for one in ("ko", "en")} | {"buyer": make_user()}
    subjects = {}
    for name, person in people.items():
        client.post(f"/admin/accounts/user/{person.pk}/password-mail/")
        subjects[name] = Email.objects.latest("id").subject
    english = "Your account at Maren & Holt"
    assert subjects == {"ko": "Maren & Holt 계정 안내", "en": english, "buyer": english}
