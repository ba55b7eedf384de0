"""Names in Hangul: how staff's lists sort them, and how they are found: composed or not, without
their legal form, by initial consonants.
"""

from unicodedata import normalize

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from apps.accounts.models import AddressEntry, BusinessType, Company, User
from apps.accounts.tests.factories import make_buyer, make_company, make_user
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Brand
from apps.catalog.tests.factories import make_brand, make_product
from apps.common.db.migration import compose_names
from apps.common.names import bare, by_initials
from apps.orders.tests.factories import make_order
from portal.staff.customers.figures import is_customer

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    return staff_client()


def customer(name: str, person: str = "Jane") -> Company:
    company = make_company(name=name)
    make_buyer(company=company, manager=person)
    return company


def listed(client: Client, path: str, **query: str) -> list[str]:
    rows = client.get(f"/admin/{path}/", query).context["cl"].result_list
    return [getattr(row, "manager", "") or row.name for row in rows]


def jumped(client: Client, term: str) -> dict[str, list[str]]:
    kinds = client.get("/admin/jump/", {"q": term}).context["kinds"]
    return {kind["name"]: [row["title"] for row in kind["rows"]] for kind in kinds}


def test_customers_stand_in_the_order_of_the_korean_alphabet_without_their_legal_form(
    staff: Client,
) -> None:
    names = ["홍콩상사", "zeta", "㈜한빛", "Alpha", "(주)가람", "beta", "주식회사 나루"]
    for name in names:
        customer(normalize("NFD", name))
    sorted_ = ["Alpha", "beta", "zeta", "(주)가람", "주식회사 나루", "㈜한빛", "홍콩상사"]
    by_name = listed(staff, "accounts/company", o="0")
    assert by_name == sorted_
    assert list(Company.objects.filter(is_customer()).values_list("name", flat=True)) == sorted_
    assert listed(staff, "accounts/company", o="-0") == sorted_[::-1]


def test_users_and_brands_stand_in_that_order(staff: Client) -> None:
    for name in ("하나", "bob", "가온", "Amy"):
        make_buyer(manager=name, company=make_company(name="A"))
        make_brand(eng=name)
    people = [name for name in listed(staff, "accounts/user", o="0") if name in "Amy bob 가온 하나"]
    assert people == ["Amy", "bob", "가온", "하나"]
    brands = staff.get("/admin/catalog/brand/").context["cl"].result_list
    assert [brand.eng for brand in brands] == ["Amy", "bob", "가온", "하나"]
    assert [brand.eng for brand in Brand.objects.all()] == ["Amy", "bob", "가온", "하나"]


def test_a_name_is_found_however_its_syllables_are_written(staff: Client) -> None:
    customer(normalize("NFD", "서울상사"), normalize("NFD", "홍길동"))
    customer("부산상사", "김철수")
    assert User.objects.get(manager="홍길동").manager == "홍길동"
    for form in ("NFC", "NFD"):
        assert listed(staff, "accounts/company", q=normalize(form, "울상")) == ["서울상사"]
        assert listed(staff, "accounts/user", q=normalize(form, "길동")) == ["홍길동"]
        hits = jumped(staff, normalize(form, "서울"))
        assert hits == {"Customers": ["서울상사"]}
        assert jumped(staff, normalize(form, "길동"))["Users"] == ["홍길동"]


def test_names_taken_apart_before_are_composed_by_the_migration() -> None:
    company = customer("한빛")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_company SET name = %s", [normalize("NFD", "한빛")])
    assert not Company.objects.filter(name="한빛").exists()
    compose_names("accounts", "company", "name").code(apps, None)
    assert Company.objects.get(name="한빛").pk == company.pk


@pytest.mark.parametrize(
    ("term", "name"),
    [
        ("ㅎㄱㄷ", "홍길동"),
        ("홍ㄱㄷ", "홍길동"),
        ("ㅎ길ㄷ", "홍 길동"),
        ("ㅅㅇ", "(주)서울상사"),
        ("ㅎㅂ ㅁㅇ", "㈜한빛무역"),
        ("ㄳ", "가산"),  # as a keyboard joins ㄱ and ㅅ
        ("ㄲㅊ", "까치"),
        ("k.ㅂㅌ", "K.뷰티"),
    ],
)
def test_a_name_is_found_by_its_initial_consonants(staff: Client, term: str, name: str) -> None:
    customer(name, name)
    customer("한라", "힣")
    customer("kxㅂ타", "Jane")
    assert listed(staff, "accounts/company", q=term) == [name]
    assert listed(staff, "accounts/user", q=term) == [name]
    hits = jumped(staff, normalize("NFD", term))
    assert (hits["Customers"], hits["Users"]) == ([name], [name])


def test_registrations_and_products_are_found_by_initial_consonants(staff: Client) -> None:
    make_user(company=make_company(name="㈜한빛"), approval=User.Approval.PENDING)
    make_user(company=make_company(name="바다"), approval=User.Approval.PENDING)
    make_product(eng_name="수분 크림")
    make_product(eng_name="Cream")
    rows = staff.get("/admin/accounts/registration/", {"q": "ㅎㅂ"}).context["cl"].result_list
    assert [row.company.name for row in rows] == ["㈜한빛"]
    assert jumped(staff, "ㅎㅂ") == {"Registrations": ["㈜한빛"]}
    assert jumped(staff, "ㅅㅂ ㅋㄹ") == {"Products": ["수분 크림"]}


def test_orders_and_payments_are_found_by_their_customers_initials(staff: Client) -> None:
    order = make_order(make_buyer(company=customer("㈜한빛")))
    make_order(make_buyer(company=customer("바다")))
    rows = staff.get("/admin/orders/order/", {"q": "ㅎㅂ"}).context["cl"].result_list
    assert [row.pk for row in rows] == [order.pk]


def test_a_company_is_found_without_its_legal_form(staff: Client) -> None:
    names = ["㈜한빛", "(주) 한빛나라", "한빛주식회사"]
    for name in names:
        customer(name)
    for term in ("한빛", "㈜한빛", "(주)한빛", "주식회사 한빛"):
        assert sorted(jumped(staff, term)["Customers"]) == sorted(names), term


def test_a_long_term_of_initials_is_only_a_long_term(staff: Client) -> None:
    customer("한빛")
    assert listed(staff, "accounts/company", q="ㅎ" * 3_000) == []
    assert by_initials("hanbit 한빛") == ""
    assert bare(" ㈜ Hanbit ") == "hanbit"


def test_countries_and_kinds_of_business_are_named_and_found_in_korean() -> None:
    staff = staff_client(language="ko")
    country, kind = AddressEntry.objects.get(code="DE"), BusinessType.objects.get(type="Pharmacy")
    company = customer("Hanbit")
    Company.objects.filter(pk=company.pk).update(country=country, business_type=kind)
    for page in (
        f"accounts/company/{company.pk}/change/",
        "accounts/company/",
        "orders/salestally/",
    ):
        assert "독일" in staff.get(f"/admin/{page}").text, page
    assert "약국" in staff.get(f"/admin/accounts/company/{company.pk}/change/").text
    query = {"app_label": "accounts", "model_name": "company", "field_name": "country"}
    for term in ("독일", "german"):
        results = staff.get("/admin/autocomplete/", {**query, "term": term}).json()["results"]
        assert results == [{"id": str(country.pk), "text": "독일"}]
    assert (str(country), str(kind)) == ("Germany", "Pharmacy")
