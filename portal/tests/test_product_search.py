"""One form of names and codes: whoever searches for a product finds it however it is typed."""

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.rules import searchable
from apps.catalog.selectors.search import SHORTEST
from apps.catalog.tests.factories import make_brand, make_product
from apps.common.testing import ContractClient
from apps.orders.models import Wish
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db

TYPED = [
    "50ml",
    "50 ML",
    "aurgc050",
    "AUR GC050",
    "aur-gc050",
    "gc\u2011050",  # a hyphen that breaks no line
    "céramide",
    "CERAMIDE",
    "ceramide crème l'or",
    "ceramide lor",
    "ＡＵＲ",
    "ａｕｒｇｃ０５０",
    "spf50",
    "spf 50+",
    "3931",
    "333931",
    "３３３９３１",
    "4 006381 333931",
    "maison éclat",
    "MAISON ECLAT",
    "전자",
]


@pytest.fixture
def product(buyer: Buyer) -> Product:
    """Return a product that is ordered and wished for, beside another."""
    product = make_product(
        sku="AUR-GC050",
        eng_name="Cèramide Crème L’Or SPF 50+ 전자 50 ml",
        brand=make_brand(eng="Maison Éclat"),
        ean="4006381333931",
    )
    other = make_product(
        sku="XX-1", eng_name="Toner 1.5 ml", brand=make_brand(eng="Zeta"), ean="0036000291452"
    )
    for one in (product, other):
        order = make_order(buyer, [(one, 20)])
        Wish.objects.create(
            company_id=buyer.company_id,
            user_id=buyer.id,
            product=one,
            why=Wish.Why.choices[0][0],
            pieces=10,
            since=order.placed_at,
        )
    return product


@pytest.mark.parametrize("term", TYPED)
def test_a_product_is_found_however_it_is_typed(
    api: ContractClient, buyer: Buyer, product: Product, term: str
) -> None:
    staff, word = staff_client(), {"search": term}
    order = product.order_lines.get().order

    def rows(path: str) -> set[int]:
        return {row.pk for row in staff.get(path, {"q": term}).context["cl"].result_list}

    skus = {
        "list": api.get(f"/api/product/stock/{buyer.uuid}/0", word).json()["result"],
        "suggestions": api.get(f"/api/product/suggest/{buyer.uuid}", word).json()["products"],
        "wishes": api.get("/api/account/wishes", word).json()["wishes"],
        "sheet": staff.get(f"/admin/orders/order/{order.pk}/products/", {"q": term}).json()[
            "products"
        ],
    }
    if max(map(len, term.split())) < SHORTEST:
        del skus["suggestions"]
    for where, some in skus.items():
        assert [row["sku"] for row in some] == [product.sku], where
    orders = api.get("/api/order/0", word).json()["orderList"]
    assert [row["invoice_code"] for row in orders] == [order.invoice_code]
    assert rows("/admin/catalog/product/") == {product.pk}
    page = staff.get("/admin/jump/", {"q": term}, follow=True).text
    assert (product.eng_name in page, "Toner" in page) == (True, False)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Gold Cream 50 ml", "gold cream50ml"),
        ("1.5 ml, 10 20", "1.5ml, 10 20"),
        ("Dr. Jart+ A.H.C", "dr jart+ ahc"),
        ("Straße ﬁne 100%_\\", "strasse fine100%_\\"),
        ("が 한국 Ё", "が 한국 е"),
        ("a" * 3, "aaa"),
        ("-", ""),
    ],
)
def test_the_form_in_which_names_are_looked_for(text: str, form: str) -> None:
    assert searchable(text) == form


def test_a_brand_is_suggested_with_or_without_its_accents(
    api: ContractClient, buyer: Buyer, product: Product
) -> None:
    for term in ("eclat", "ÉCLAT", "ｅｃｌａｔ"):
        answer = api.get(f"/api/product/suggest/{buyer.uuid}", {"search": term}).json()
        assert [brand["eng"] for brand in answer["brands"]] == ["Maison Éclat"], term


def test_signs_alone_find_what_has_them(
    api: ContractClient, buyer: Buyer, product: Product
) -> None:
    for term, count in {"-": 0, "’": 0, "%": 0, "+": 1}.items():
        answer = api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": term}).json()
        assert answer["total"] == count, term


def test_a_size_is_found_with_and_without_its_space_alike(
    api: ContractClient, buyer: Buyer, product: Product
) -> None:
    make_product(sku="SUN-60", eng_name="Sun Milk SPF 50+ 60 ml")
    for term in ("50 ml", "50ml", "50  ML", "crème 50 ml"):
        answer = api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": term}).json()
        assert [row["sku"] for row in answer["result"]] == [product.sku], term
