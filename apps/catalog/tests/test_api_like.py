"""GET /product/like: what somebody may have meant whose search found nothing."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Running
from apps.catalog.tests.factories import make_brand, make_product, restrict
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.django_db


def like(api: ContractClient, buyer: Buyer, search: str) -> Json:
    """Return the answer."""
    answer: Json = api.get(f"/api/product/like/{buyer.uuid}", {"search": search}).json()
    return answer


def skus(api: ContractClient, buyer: Buyer, search: str) -> list[str]:
    """Return the SKUs of the products of the answer."""
    return [product["sku"] for product in like(api, buyer, search)["products"]]


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "search",
    [
        "craem",
        "crem",
        "creamm",
        "crezm",
        "crème craem",
        "gould cream",
        "craems",
        "CRAEM aurun",
        "ABC-O50",
        "abc-0500",
    ],
)
def test_a_misspelt_word_is_forgiven(api: ContractClient, buyer: Buyer, search: str) -> None:
    product = make_product(eng_name="Gold Cream 50ml", sku="ABC-050", brand=make_brand(eng="Aurum"))
    make_product(eng_name="Toner", sku="XYZ-999", brand=make_brand(eng="Zeta"))
    assert api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": search}).json()["total"] == 0
    assert skus(api, buyer, search) == [product.sku]


@pytest.mark.postgresql
def test_the_likest_stand_first(api: ContractClient, buyer: Buyer) -> None:
    for number, name in enumerate(("Crema Lotion", "Cream Lotion", "Creek Lotion")):
        make_product(eng_name=name, sku=f"X-{number}")
    assert skus(api, buyer, "creamm lotoin")[0] == "X-1"


@pytest.mark.postgresql
def test_a_product_has_something_like_every_word(api: ContractClient, buyer: Buyer) -> None:
    make_product(eng_name="Gold Cream")
    make_product(eng_name="Toner")
    assert skus(api, buyer, "craem toner") == []


def test_without_trigrams_one_of_the_words_is_enough(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.common.db.dialect._has_trigrams", lambda: False)
    brand = make_brand(eng="Aurum")
    for sku, name in (("A", "Gold Toner"), ("B", "Gold Crème 50 ml"), ("C", "Serum")):
        make_product(sku=sku, eng_name=name, brand=brand)
    assert skus(api, buyer, "gold crème lotoin") == ["B", "A"]
    assert skus(api, buyer, "lotoin") == []
    assert like(api, buyer, "aurum lotoin")["brands"] == [{"brand_id": brand.pk, "eng": "Aurum"}]


@pytest.mark.parametrize("search", ["", " ", "nothing", "xy", "%", "-", "a" * 100])
def test_what_is_like_nothing_finds_nothing(api: ContractClient, buyer: Buyer, search: str) -> None:
    make_product(eng_name="Gold Cream", brand=make_brand(eng="Aurum"))
    answer = like(api, buyer, search)
    assert (answer["brands"], answer["products"]) == ([], [])


def test_only_what_the_buyer_sees_is_suggested(
    sign_in: Callable[[Buyer], ContractClient], buyer: Buyer
) -> None:
    visible, hidden, empty = (
        make_brand(eng="Aurum"),
        make_brand(eng="Aurum Lab"),
        make_brand(eng="Aurumm"),
    )
    make_product(brand=visible)
    make_product(brand=visible, is_running=Running.HIDDEN)
    make_product(brand=hidden)
    restrict(Company.objects.get(pk=buyer.company_id), [visible, empty])
    answer = like(sign_in(buyer), buyer, "aurum")
    assert answer["brands"] == [{"brand_id": visible.pk, "eng": "Aurum"}]
    assert [product["brand"] for product in answer["products"]] == ["Aurum"]
