"""GET /product/like: what somebody may have meant whose search found nothing."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product, SearchWord
from apps.catalog.tests.factories import make_brand, make_product, restrict
from apps.common.testing import ContractClient
from apps.common.types import Json


def like(api: ContractClient, buyer: Buyer, search: str) -> Json:
    """Return the answer."""
    answer: Json = api.get(f"/api/product/like/{buyer.uuid}", {"search": search}).json()
    return answer


@pytest.mark.django_db
@pytest.mark.parametrize(
    "search",
    [
        "craem",  # changed with its neighbour
        "crem",
        "creamm",
        "crezm",
        "gould cream",
        "craem glod",
        "craems",
        "CRAEM aurun",
        "ABC-O50",
        "abc-0500",
        "craem 50",
    ],
)
def test_one_letter_is_forgiven(api: ContractClient, buyer: Buyer, search: str) -> None:
    product = make_product(eng_name="Gold Cream 50ml", sku="ABC-050", brand=make_brand(eng="Aurum"))
    make_product(eng_name="Toner", sku="XYZ-999", brand=make_brand(eng="Zeta"))
    assert api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": search}).json()["total"] == 0
    assert [found["sku"] for found in like(api, buyer, search)["products"]] == [product.sku]


@pytest.mark.django_db
@pytest.mark.parametrize("search", ["", " ", "nothing", "xy", "craem toner", "%", "a" * 100])
def test_what_is_like_nothing_finds_nothing(api: ContractClient, buyer: Buyer, search: str) -> None:
    make_product(eng_name="Gold Cream", brand=make_brand(eng="Aurum"))
    answer = like(api, buyer, search)
    assert (answer["brands"], answer["products"]) == ([], [])


@pytest.mark.django_db
def test_brands_are_suggested_as_far_as_the_buyer_sees_them(
    sign_in: Callable[[Buyer], ContractClient], buyer: Buyer
) -> None:
    seen, hidden, empty = (
        make_brand(eng="Aurum"),
        make_brand(eng="Aurun Lab"),
        make_brand(eng="Aurumm"),
    )
    make_product(brand=seen)
    make_product(brand=hidden)
    restrict(Company.objects.get(pk=buyer.company_id), [seen, empty])
    answer = like(sign_in(buyer), buyer, "aurom")
    assert answer["brands"] == [{"brand_id": seen.pk, "eng": "Aurum"}]
    assert {product["brand"] for product in answer["products"]} == {"Aurum"}


@pytest.mark.django_db
def test_new_names_are_learned_once(api: ContractClient, buyer: Buyer) -> None:
    product = make_product(eng_name="Toner")
    assert like(api, buyer, "balsm")["products"] == []
    product.eng_name = "Balsam 2 in 1"
    product.save()
    Product.objects.get(pk=product.pk).save()
    assert len(like(api, buyer, "balsm")["products"]) == 1
    assert SearchWord.objects.filter(word__in=["balsam", "2", "in"]).count() == 1
