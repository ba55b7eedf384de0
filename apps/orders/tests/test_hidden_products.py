"""A product that staff hid: there is none for buyers, whatever they ask; orders that name it keep
it.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Brand, Product, Running
from apps.catalog.tests.factories import make_brand, make_product, make_promotion, restrict
from apps.common.testing import ContractClient
from apps.orders.services.place import place_order
from apps.orders.services.request import claim_temporary_order
from apps.orders.tests.factories import make_draft, make_order, make_shipping
from apps.orders.tests.test_api_temporary_orders import body_of

pytestmark = pytest.mark.django_db


def hide(product: Product) -> None:
    """Hide a product as staff do."""
    columns = ("eng_name", "usd_price", "usd_supply", "minimum", "weight_g", "origin")
    form = {"brand": product.brand_id, **{name: getattr(product, name) for name in columns}}
    url = reverse("admin:catalog_product_change", args=[product.pk])
    answer = staff_client("Sales").post(url, {**form, "is_running": Running.HIDDEN.value})
    assert answer.status_code == 302, answer.context["adminform"].form.errors


@pytest.fixture
def hidden() -> Product:
    """Return a hidden product beside a shown one of its brand, both promoted."""
    brand = make_brand()
    shown, hidden = make_product(brand=brand, sku="SHOWN-1"), make_product(brand=brand, sku="0042")
    make_promotion([shown, hidden])
    hide(hidden)
    return hidden


def skus(answer: Any) -> list[str]:
    return [product["sku"] for product in answer.json()["result"]]


@pytest.mark.parametrize("restricted", [False, True])
def test_no_page_count_list_search_or_price_list_knows_it(
    hidden: Product, restricted: bool, buyer: Buyer, sign_in: Any
) -> None:
    if restricted:
        restrict(Company.objects.get(pk=buyer.company_id), [hidden.brand])
        buyer = make_buyer(company_id=buyer.company_id)
    api, base = sign_in(buyer), f"/api/product/stock/{buyer.uuid}"
    for path, query in (
        (f"{base}/0", {}),
        (f"{base}/{hidden.brand_id}", {}),
        (f"{base}/0", {"search": "product"}),
        (f"/api/product/promotion/stock/{buyer.uuid}", {}),
    ):
        answer = api.get(path, query)
        assert (skus(answer), answer.json()["total"]) == (["SHOWN-1"], 1), path
    body = {
        "uuid": str(buyer.uuid),
        "skuData": [{"sku": sku, "count": 10} for sku in ("SHOWN-1", "0042")],
    }
    assert skus(api.send("POST", "/api/product/cart/stock", body)) == ["SHOWN-1"]
    listed = json.loads(api.get(f"/api/excel/product-setting/{buyer.uuid}").getvalue())
    assert [row["sku"] for row in listed["result"]] == ["SHOWN-1"]
    sheet = SimpleUploadedFile("list.csv", b"SKU,Quantity\n0042,10\n42,10\n")
    lines = api.post("/api/basket/review", {"list": sheet}).json()["lines"]
    assert [line["product"] for line in lines] == [None, None]


def test_it_is_ordered_neither_anew_nor_from_a_list_that_was_priced_before(
    buyer: Buyer, api: ContractClient
) -> None:
    product = make_product()
    draft = make_draft(buyer, [(product, 20)])
    hide(product)
    claimed = claim_temporary_order(
        buyer=buyer, invoice_code=draft.invoice_code, now=datetime.now(UTC)
    )
    with pytest.raises(OutOfStock) as refused:
        place_order(
            draft=claimed,
            buyer=buyer,
            shipping=make_shipping(),
            export_declared=True,
            payment_type="T/T",
            deposit=draft.total,
            now=datetime.now(UTC),
        )
    assert list(refused.value.errors or {}) == [product.sku]
    answer = api.send("POST", "/api/temp-order?shop=first", body_of(buyer, [(product.sku, 20)]))
    assert (answer.status_code, answer.json()["errors"]) == (400, {product.sku: ["Unknown SKU."]})


def test_a_brand_counts_it_again_once_it_is_shown(hidden: Product) -> None:
    assert Brand.objects.get().product_count == 1
    hidden.refresh_from_db()
    hidden.is_running = Running.ON_SALE
    hidden.save()
    assert Brand.objects.get().product_count == 2


def test_orders_keep_it_and_are_not_offered_again_with_it(
    buyer: Buyer, api: ContractClient
) -> None:
    product = make_product(eng_name="Night Emulsion")
    order = make_order(buyer, [(product, 20)], now=datetime.now(UTC))
    hide(product)
    details = api.get(f"/api/details/{order.invoice_code}").json()
    assert "Night Emulsion" in json.dumps(details)
    (row,) = api.get(f"/api/recent/order/{buyer.uuid}/5").json()["result"]
    assert (row["count"], row["details"]) == (1, [])
