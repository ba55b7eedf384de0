"""What staff's searches find, where few rows are found and where many are: two ways that must
agree.
"""

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.tests.factories import make_brand, make_product
from apps.orders.services.conversation import keep_note
from apps.orders.tests.factories import make_order
from apps.payments.models import Payment
from apps.payments.tests.factories import make_wire_order

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[0, 10_000])
def sales(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a member of staff whose searches go through the list's order, or look each condition
    up.
    """
    monkeypatch.setattr("apps.common.lists.MAX_MATCHES", request.param)
    return staff_client()


def found(client: Client, path: str, term: str) -> set[int]:
    """Return the ids of the rows that a search shows, each once."""
    ids = [row.pk for row in client.get(f"/admin/{path}/", {"q": term}).context["cl"].result_list]
    assert len(ids) == len(set(ids))
    return set(ids)


def test_products_are_found_by_every_word(sales: Client) -> None:
    product = make_product(eng_name="Night Emulsion", sku="PEB-1", brand=make_brand(eng="Pebble"))
    make_product(eng_name="Night Cream", brand=make_brand(eng="Other"))
    for term in ("NIGHT pebble", "peb-1"):
        assert found(sales, "catalog/product", term) == {product.pk}


def test_payments_are_found_by_parts_of_names_and_by_paypals_number(sales: Client) -> None:
    order = make_wire_order(make_buyer(company=make_company(name="Haystack Ltd")))
    payment = Payment.objects.get(order=order)
    Payment.objects.filter(pk=payment.pk).update(depositor="Jane Doe", sale_id="SALE-9")
    make_wire_order(make_buyer())
    for term in (order.invoice_code[3:].lower(), "ne do", "stack l", "SALE-9"):
        assert found(sales, "payments/payment", term) == {payment.pk}, term


def test_events_are_found_by_their_orders_code_and_company_and_by_who_did_it(sales: Client) -> None:
    order = make_order(make_buyer(company=make_company(name="Glow Trading")))
    other = make_order(make_buyer())
    colleague = staff_in(email="colleague@portal.test")
    keep_note(order_id=other.pk, text="Pays late", actor=colleague, now=timezone.now())
    for term in (order.invoice_code.lower(), "glow"):
        assert found(sales, "orders/orderevent", term) == set(
            order.events.values_list("pk", flat=True)
        ), term
    assert found(sales, "orders/orderevent", "colleague@") == {other.events.get(actor=colleague).pk}


def test_a_customer_of_several_people_is_found_once(sales: Client) -> None:
    company = make_company(name="Glow Trading")
    buyers = [make_buyer(company=company) for _ in range(2)]
    make_order(buyers[0])
    make_buyer()
    for term in ("glow", buyers[1].email):
        assert found(sales, "accounts/company", term) == {company.pk}, term
