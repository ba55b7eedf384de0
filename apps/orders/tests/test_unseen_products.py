"""A brand that is closed to a country: for its companies there is none, whatever they ask."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer, identify
from apps.accounts.tests.factories import make_buyer, make_country
from apps.accounts.tests.staff import staff_client
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Brand, BrandClosure, Product, Running
from apps.catalog.selectors import shown_to
from apps.catalog.tests.factories import make_brand, make_product, make_promotion, restrict
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_draft, make_order, make_order_of
from apps.orders.tests.test_api_temporary_orders import body_of

pytestmark = pytest.mark.django_db


def close(product: Product, buyer: Buyer, *, has_access: bool) -> Buyer:
    """Close the product's brand to the country that the buyer's company moves to."""
    country = make_country("DE", "Germany")
    Company.objects.filter(pk=buyer.company_id).update(country=country)
    if has_access:
        company = Company.objects.get(pk=buyer.company_id)
        restrict(company, [product.brand, Product.objects.get(sku="SHOWN-1").brand])
    BrandClosure.objects.create(brand=product.brand, country=country)
    identified = identify(buyer.uuid)
    assert identified is not None
    return identified


def said(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text: str = content.decode()
    return text


@pytest.mark.parametrize("has_access", [False, True])
def test_no_call_knows_a_closed_brand(has_access: bool, buyer: Buyer, sign_in: Any) -> None:
    visible = make_product(sku="SHOWN-1", eng_name="Serum one", brand=make_brand(eng="Aurum"))
    closed = make_product(sku="CLOSED-1", eng_name="Serum two", brand=make_brand(eng="Nocturne"))
    make_promotion([visible, closed])
    api, lines = sign_in(buyer), [(visible, 10), (closed, 10)]
    order = make_order(buyer, lines, now=datetime.now(UTC))
    sold_out = make_product(sku="CLOSED-2", brand=closed.brand, on_hand=0)
    wished = {"sku": sold_out.sku, "count": 20}
    assert api.send("POST", "/api/account/wishes", wished).status_code == 200
    buyer = close(closed, buyer, has_access=has_access)
    uuid = buyer.uuid
    page_of = f"/api/product/stock/{uuid}/0"
    calls = [
        *((page_of, {"sort": sort}) for sort in ("name", "price", "new")),
        (page_of, {"search": "serum"}),
        (page_of, {"search": "nocturne"}),
        *(
            (f"/api/product/{path}/{uuid}", {"search": "nocturne serum"})
            for path in ("like", "suggest", "promotion/stock")
        ),
        *(
            (f"/api/{path}", {})
            for path in (
                *(f"{one}/{uuid}" for one in ("brand", "product/promotion/stock")),
                *(f"{one}/{uuid}" for one in ("excel/product-setting", "dashboard/due")),
                *(f"recent/order/{uuid}/5", "account/wishes"),
            )
        ),
    ]
    answers = [api.get(path, query) for path, query in calls]
    sku_data = [{"sku": one.sku, "count": 10} for one, _ in lines]
    body = {"uuid": str(uuid), "skuData": sku_data}
    answers.append(api.send("POST", "/api/product/cart/stock", body))
    assert [text for text in answers if text.status_code != 200] == []
    texts = list(map(said, answers))
    assert [text for text in texts if "CLOSED" in text or "octurne" in text] == []
    assert sum("SHOWN-1" in text for text in texts) >= 8
    page = api.get(page_of).json()
    assert (page["total"], len(page["result"])) == (1, 1)
    assert api.get(f"/api/product/stock/{uuid}/{closed.brand_id}").status_code == 404
    sheet = SimpleUploadedFile("list.csv", b"SKU,Quantity\nCLOSED-1,10\n")
    review = api.post("/api/basket/review", {"list": sheet}).json()
    assert [line["product"] for line in review["lines"]] == [None]
    again = api.get("/api/order-again", {"invoice_code": order.invoice_code}).json()["lines"]
    assert sorted(line["sku"] for line in again if line["product"]) == ["SHOWN-1"]
    response = api.send("POST", "/api/temp-order?shop=first", body_of(buyer, [("CLOSED-1", 20)]))
    assert response.json()["errors"] == {"CLOSED-1": ["Unknown SKU."]}
    company = Company.objects.get(pk=buyer.company_id)
    assert list(Product.objects.filter(shown_to(company))) == [visible]


def test_a_company_of_no_country_and_others_see_all(buyer: Buyer) -> None:
    product = make_product()
    BrandClosure.objects.create(brand=product.brand, country=make_country("DE", "Germany"))
    for country in (None, make_country()):
        Company.objects.filter(pk=buyer.company_id).update(country=country)
        company = Company.objects.get(pk=buyer.company_id)
        assert list(Product.objects.filter(shown_to(company))) == [product]
        identified = identify(buyer.uuid)
        assert identified is not None
        assert identified.closed_in is None


# Hidden products


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
    visible, hidden = (
        make_product(brand=brand, sku="SHOWN-1"),
        make_product(brand=brand, sku="0042"),
    )
    make_promotion([visible, hidden])
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
    lines = [{"sku": sku, "count": 10} for sku in ("SHOWN-1", "0042")]
    body = {"uuid": str(buyer.uuid), "skuData": lines}
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
    with pytest.raises(OutOfStock) as refused:
        make_order_of(draft, buyer)
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
