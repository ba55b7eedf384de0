"""Korean addresses, telephone numbers and company names: what forms take, and what papers draw."""

from typing import Any
from unicodedata import normalize

import pytest
from django.test import Client

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_form, make_link, make_user
from apps.accounts.tests.registrations import send
from apps.accounts.tests.staff import staff_client
from apps.accounts.tests.test_admin_people import INLINE, user_fields
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import cells_of, file_of, pdf_name, words_of, xlsx_name
from apps.orders.tests.factories import make_order_at, make_shipping

pytestmark = pytest.mark.django_db
ADDRESS = {
    "city": "서울특별시",
    "address1": "강남구 테헤란로 123 (역삼동)",
    "address2": "㈜한빛빌딩 4층",
}
PHONES = ("02-123-4567", "010-1234-5678", "+82 2-123-4567", "+82-10-1234-5678", "(02) 123-4567")
NAMES = ("㈜한빛", "(주)한빛", "주식회사 한빛")


@pytest.mark.parametrize(("phone", "name"), zip(PHONES, (*NAMES, *NAMES), strict=False))
def test_sign_up_takes_a_korean_company(visitor: ContractClient, phone: str, name: str) -> None:
    ship = {f"ship_{key}": value for key, value in ADDRESS.items()}
    form = make_form(
        make_link(),
        **{**ADDRESS, **ship, "company": name, "manager": "홍길동", "phone": phone},
        zipcode="06141",
        ship_zipcode="０６１４１",
        ship_phone="０２－１２３－４５６７",
    )
    assert send(visitor, form).json() == {"success": 1}
    company, user = Company.objects.get(), User.objects.get()
    assert (company.name, company.phone, company.zipcode) == (name, phone, "06141")
    assert (company.city, company.address1, company.address2) == tuple(ADDRESS.values())
    assert (user.ship_zipcode, user.ship_phone) == ("06141", "02-123-4567")
    assert (user.manager, user.ship_address2) == ("홍길동", ADDRESS["address2"])


def test_staff_change_a_korean_company_and_its_people() -> None:
    user = make_user()
    staff: Client = staff_client()
    fields = {"name": "㈜한빛", "zipcode": "０６１４１", "phone": "０１０－１２３４－５６７８"}
    page = f"/admin/accounts/company/{user.company_id}/change/"
    answer = staff.post(page, {**fields, **ADDRESS, "is_open": "on", **INLINE})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    company = Company.objects.get()
    assert (company.name, company.zipcode, company.phone) == ("㈜한빛", "06141", "010-1234-5678")
    ship = {"ship_address1": ADDRESS["address1"], "ship_zipcode": "０６１４１", "ship_city": "서울"}
    sent = user_fields(user, manager=normalize("NFD", "홍길동"), ship_phone="+82 2-1", **ship)
    answer = staff.post(f"/admin/accounts/user/{user.pk}/change/", sent)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    user.refresh_from_db()
    assert (user.manager, user.ship_zipcode, user.ship_phone) == ("홍길동", "06141", "+82 2-1")


def test_papers_draw_a_korean_customer_and_product(api: ContractClient, buyer: Buyer) -> None:
    Company.objects.filter(pk=buyer.company_id).update(name="㈜한빛", **ADDRESS)
    product = make_product(eng_name=normalize("NFD", "수분 진정 크림 뷁"), on_hand=100)
    assert Product.objects.get().eng_name == "수분 진정 크림 뷁"
    shipping = make_shipping(**{f"ship_{key}": value for key, value in ADDRESS.items()})
    order = make_order_at(OrderStatus.CONFIRMED, buyer, [(product, 20)], shipping=shipping)
    words = words_of(file_of(order, pdf_name(order)))
    for text in ("㈜한빛", "강남구 테헤란로 123 (역삼동)", "서울특별시", "수분 진정 크림 뷁"):
        assert text in words
    assert "□" not in words
    cells = [cell.value for row in cells_of(file_of(order, xlsx_name(order))) for cell in row]
    assert any("수분 진정 크림 뷁" in str(cell) for cell in cells)
    account: Any = api.get("/api/account/statement", {"format": "pdf"})
    assert "㈜한빛" in words_of(account.getvalue())
