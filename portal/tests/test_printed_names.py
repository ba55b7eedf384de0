"""A text that invoices cannot print is refused where it is typed, on every way to a paper."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Company, CompanyAddress, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_form, make_link, make_user
from apps.accounts.tests.registrations import send
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Brand, Product
from apps.catalog.tests.factories import make_brand, make_product
from apps.catalog.tests.import_files import applied, sent
from apps.common.fonts import unprintable
from apps.common.testing import ContractClient
from apps.common.texts import read
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_draft, make_order, make_order_at, ship_body
from apps.payments.tests.factories import make_confirmed_order, wire_body

pytestmark = pytest.mark.django_db
HAN = "東京堂"
REFUSED = [f"Invoices cannot print “{HAN}”: please write this in Latin letters."]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Société Générale, ul. Żółkiewskiego", ""),
        ("주식회사 한국뷰티유통", ""),
        ("ビューティー, Красота, Ομορφιά", ""),
        ("Mun\u0303oz", ""),  # the accent behind its letter
        ("Glow\u00ad\u200b Trading™\ufe0f", ""),  # what nobody sees is left out of papers
        ("東京堂 Tokyo 東", "東京堂"),
        ("محل", "محل"),
        ("ร้าน", "ร้าน"),
        ("Glow 😀", "😀"),
    ],
)
def test_the_fonts_decide_what_can_be_printed(text: str, missing: str) -> None:
    assert unprintable(text) == missing


@pytest.mark.parametrize("field", ["company", "manager", "city", "address1", "ship_city"])
def test_sign_up_says_which_characters_are_meant(visitor: ContractClient, field: str) -> None:
    answer = send(visitor, make_form(make_link(), **{field: f"{HAN} Tokyo"}))
    assert (answer.status_code, answer.json()["errors"]) == (400, {field: REFUSED})
    assert not User.objects.exists()
    assert send(visitor, make_form(make_link(), **{field: "한국뷰티"})).json() == {"success": 1}


def test_a_registration_that_is_asked_for_more_keeps_what_it_had(visitor: ContractClient) -> None:
    user = make_user(approval=User.Approval.PENDING, manager="山田")
    Company.objects.update(name=HAN)
    link = make_link(user=user)
    changed = send(visitor, make_form(link, company="東京堂二", manager="山田"))
    assert list(changed.json()["errors"]) == ["company"]
    assert send(visitor, make_form(link, company=HAN, manager="山田")).json() == {"success": 1}


def edit(api: ContractClient, order: Order, **fields: Any) -> Any:
    body = {"invoice_code": order.invoice_code, **ship_body(**fields)}
    return api.send("PUT", "/api/order/edit/address", body)


def test_edit_address_refuses_what_is_new_and_keeps_what_stands(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_order(buyer)
    assert edit(api, order, ship_city=HAN).json()["errors"] == {"ship_city": REFUSED}
    Order.objects.filter(pk=order.pk).update(ship_city=HAN)
    assert edit(api, order, ship_city=HAN, ship_address2="2F").json() == {"success": 1}
    assert list(edit(api, order, ship_city="渋谷区").json()["errors"]) == ["ship_city"]


def test_the_address_book_likewise(api: ContractClient, buyer: Buyer) -> None:
    def save(method: str, path: str = "", **fields: Any) -> Any:
        body = {"name": "店", **ship_body(**fields)}  # a name for the buyer alone
        return api.send(method, f"/api/account/addresses{path}", body).json()

    assert save("POST", ship_address1=HAN)["errors"] == {"ship_address1": REFUSED}
    path = f"/{save('POST')['address_id']}"
    CompanyAddress.objects.update(ship_address1=HAN)
    assert save("PUT", path, ship_address1=HAN, ship_city="Tokyo") == {"success": 1}
    assert list(save("PUT", path, ship_address1="渋谷区")["errors"]) == ["ship_address1"]


@pytest.mark.parametrize("way", ["tt", "paypal"])
def test_the_checkout_refuses_its_address_but_for_the_default_from_before(
    api: ContractClient, buyer: Buyer, way: str
) -> None:
    def check_out(**fields: Any) -> Any:
        draft = make_draft(buyer)
        paypal = {"payment_type": "PAYPAL", "amount": 1.0} if way == "paypal" else {}
        body = {**wire_body(buyer, draft, **paypal), **fields}
        return api.send("POST", f"/api/order/checkout-deposit/{way}", body).json()

    assert check_out(ship_city=HAN)["errors"] == {"ship_city": REFUSED}
    assert check_out(po_number=HAN)["errors"] == {"po_number": REFUSED}
    User.objects.filter(pk=buyer.id).update(ship_city=HAN)
    order = check_out(ship_city=HAN)
    assert order["success"] == 1 or list(order["errors"]) == ["amount"]
    assert list(check_out(ship_city="渋谷区")["errors"]) == ["ship_city"]


def test_a_depositor_and_a_po_number_are_printed_too(api: ContractClient, buyer: Buyer) -> None:
    body = wire_body(buyer, make_draft(buyer), payer_id=HAN, ship_city=HAN)
    answer = api.send("POST", "/api/order/checkout-deposit/tt", body)
    assert answer.json()["errors"] == {"ship_city": REFUSED, "payer_id": REFUSED}
    order = make_confirmed_order(buyer)
    balance = {"invoice_code": order.invoice_code, "depositor_name": HAN}
    assert api.send("POST", "/api/order/tt", balance).json()["errors"] == {
        "depositor_name": REFUSED
    }
    path = f"/api/order/po-number/{order.invoice_code}"
    assert api.send("PUT", path, {"po_number": HAN}).json()["errors"] == {"po_number": REFUSED}


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales")


def test_staff_are_told_at_the_field_unless_it_stood_there(sales: Client) -> None:
    company, brand, product = Company.objects.create(name=HAN), make_brand(), make_product()
    inline = {f"brand_access-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    page = f"/admin/accounts/company/{company.pk}/change/"
    form = {"name": HAN, "is_open": "on", **inline}
    approver = staff_client("Approvers")
    assert REFUSED[0] in approver.post(page, {**form, "city": HAN}).text
    assert approver.post(page, {**form, "city": "Tokyo"}).status_code == 302
    link = f"/admin/catalog/brand/{brand.pk}/change/"
    assert REFUSED[0] in sales.post(link, {"eng": HAN}).text
    columns = ("is_running", "usd_price", "usd_supply", "minimum", "weight_g", "hs_code", "origin")
    values = {"brand": product.brand_id, **{name: getattr(product, name) for name in columns}}
    at = f"/admin/catalog/product/{product.pk}/change/"
    assert REFUSED[0] in sales.post(at, {**values, "eng_name": HAN}).text
    Product.objects.filter(pk=product.pk).update(eng_name=HAN)
    assert sales.post(at, {**values, "eng_name": HAN, "weight_g": 90}).status_code == 302
    assert not Brand.objects.filter(eng=HAN).exists()


def test_an_import_refuses_a_new_name_alone() -> None:
    make_product(sku="A-1")
    make_product(sku="A-2", eng_name=HAN)
    source = sent(("A-1", HAN, 5), ("A-2", HAN, 5), head=("SKU", "Product", "On hand"))
    rows = {row.sku: (row.result, read(row.remark)) for row in source.rows.all()}
    assert rows["A-1"] == ("faulty", f"Product: {REFUSED[0]}")
    assert rows["A-2"][0] == "changed"
    applied(source)
    assert set(Product.objects.filter(eng_name=HAN).values_list("sku", flat=True)) == {"A-2"}


def test_what_staff_write_on_papers_is_refused_too(sales: Client, buyer: Buyer) -> None:
    order = make_order_at(OrderStatus.PREPARING, buyer)
    at, line = f"/admin/orders/order/{order.pk}/", order.lines.get()
    sheet = {
        "version": order.version,
        "revision": 0,
        "shipping_fee": "5.00",
        **{f"line-{name}": 1 for name in ("TOTAL_FORMS", "INITIAL_FORMS")},
        **{f"added-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")},
        "line-0-line_id": line.pk,
        "line-0-confirmed": line.quantity,
    }
    assert REFUSED[0] in sales.post(f"{at}confirm/", {**sheet, "line-0-comment": HAN}).text
    assert sales.post(f"{at}confirm/", {**sheet, "line-0-comment": "Thanks"}).status_code == 302
    order.refresh_from_db()
    packing = {"version": order.version, "rows": "", "notify": HAN}
    assert REFUSED[0] in sales.post(f"{at}packing/", packing).text
    Order.objects.filter(pk=order.pk).update(packing_notify=HAN)
    assert REFUSED[0] not in sales.post(f"{at}packing/", packing).text
