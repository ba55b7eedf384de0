"""GET /product/suggest: what is suggested while somebody types."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Running
from apps.catalog.selectors.search import PRODUCTS_SUGGESTED
from apps.catalog.tests.factories import make_brand, make_product, make_products, restrict
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.django_db


def suggested(api: ContractClient, buyer: Buyer, search: str) -> tuple[list[str], list[str]]:
    answer: Json = api.get(f"/api/product/suggest/{buyer.uuid}", {"search": search}).json()
    return [brand["eng"] for brand in answer["brands"]], [
        product["sku"] for product in answer["products"]
    ]


def test_brands_and_products_have_every_word_so_far(api: ContractClient, buyer: Buyer) -> None:
    gold = make_product(
        sku="G-1",
        eng_name="Gold Cream",
        image="g.jpg",
        brand=make_brand(eng="Aurum"),
        ean="96385074",
    )
    silver = make_product(sku="S-1", eng_name="Silver Cream", brand=make_brand(eng="Cremona"))
    make_product(sku="H-1", eng_name="Hidden Cream", brand=silver.brand, is_running=Running.HIDDEN)
    assert suggested(api, buyer, "cre") == (["Cremona"], [gold.sku, silver.sku])
    assert suggested(api, buyer, "creams gol") == ([], [gold.sku])
    assert suggested(api, buyer, "AURU") == (["Aurum"], [gold.sku])
    assert suggested(api, buyer, "96385074") == ([], [gold.sku])
    assert suggested(api, buyer, "g-1") == ([], [gold.sku])
    (product,) = api.get(f"/api/product/suggest/{buyer.uuid}", {"search": "gold"}).json()[
        "products"
    ]
    assert product == {"sku": "G-1", "eng_name": "Gold Cream", "brand": "Aurum", "image": "g.jpg"}


@pytest.mark.parametrize("search", ["", " ", "cr", "c r e", "%%%", "zzz"])
def test_too_little_or_nothing_suggests_nothing(
    api: ContractClient, buyer: Buyer, search: str
) -> None:
    make_product(eng_name="Cream", brand=make_brand(eng="Cremona"))
    assert suggested(api, buyer, search) == ([], [])


def test_a_few_of_many_are_suggested(api: ContractClient, buyer: Buyer) -> None:
    for number in range(4):
        make_products(3, brand=make_brand(eng=f"Lotion {number}"))
    brands, products = suggested(api, buyer, "lotion")
    assert (brands, len(products)) == (["Lotion 0", "Lotion 1", "Lotion 2"], PRODUCTS_SUGGESTED)


def test_nobody_is_suggested_what_the_company_does_not_see(
    sign_in: Callable[[Buyer], ContractClient], buyer: Buyer
) -> None:
    visible, hidden = make_brand(eng="Aurum"), make_brand(eng="Aurum Lab")
    product = make_product(brand=visible)
    make_product(brand=hidden)
    restrict(Company.objects.get(pk=buyer.company_id), [visible])
    assert suggested(sign_in(buyer), buyer, "aurum") == (["Aurum"], [product.sku])
