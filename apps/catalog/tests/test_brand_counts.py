"""A brand's counter says how many products it has, whoever writes them: staff, imports, many at
once.
"""

from collections.abc import Callable
from itertools import count
from threading import Barrier

import pytest
from django.db import transaction

from apps.catalog.models import Brand, Product
from apps.catalog.tests.factories import make_brand, make_product
from apps.catalog.tests.test_admin_catalogue import PRODUCTS, product_fields
from apps.common.tests.races import race


def counted(*brands: Brand) -> list[int]:
    """Return the counters of brands as they are in the database."""
    counts = dict(Brand.objects.values_list("pk", "product_count"))
    return [counts[brand.pk] for brand in brands]


def new_product(brand: Brand, sku: str) -> Product:
    product = Product(brand=brand, sku=sku, eng_name="Cream", usd_price=2, usd_supply=1, weight_g=5)
    product.set_list_keys()
    return product


@pytest.mark.django_db
def test_staff_add_a_product_and_move_it_to_another_brand(api, buyer, sales) -> None:
    one, two = make_brand(), make_brand()
    sales.post(f"{PRODUCTS}add/", product_fields(new_product(one, ""), sku="NEW-1"))
    assert counted(one, two) == [1, 0]
    product = Product.objects.get()
    sales.post(f"{PRODUCTS}{product.pk}/change/", product_fields(product, brand=two.pk))
    assert counted(one, two) == [0, 1]
    pages = [api.get(f"/api/product/stock/{buyer.uuid}/{brand.pk}").json() for brand in (one, two)]
    assert [page["total"] for page in pages] == [0, 1]


@pytest.mark.django_db
def test_a_brand_that_is_saved_as_it_was_read_counts_what_was_added_since() -> None:
    brand = make_brand()
    make_product(brand=brand)
    brand.save()
    assert counted(brand) == [1]


def write_at_once(write: Callable[[int, Barrier], None], expected: Callable[[], bool]) -> None:
    """Let two transactions write at once, ten times, and look at what both have left."""
    together = Barrier(2, timeout=10)

    def work(number: int) -> bool:
        counts = []
        for _ in range(10):
            with transaction.atomic():
                write(number, together)
            together.wait()
            counts.append(expected())
            together.wait()
        return all(counts)

    assert race(work, times=2) == [True, True]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_transactions_that_add_to_the_same_brands_count_each_others_products() -> None:
    brands, numbers = [make_brand(), make_brand()], count()

    def add(number: int, together: Barrier) -> None:
        Product.objects.bulk_create(new_product(brand, f"{next(numbers)}") for brand in brands)
        together.wait()
        Brand.objects.recount_products(brand.pk for brand in brands)

    write_at_once(add, lambda: counted(*brands) == [Product.objects.count() / 2] * 2)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_product_that_two_move_at_once_is_counted_where_it_ends() -> None:
    brands = [make_brand(), make_brand(), make_brand()]
    pk = make_product(brand=brands[2]).pk

    def move(number: int, together: Barrier) -> None:
        product = Product.objects.get(pk=pk)
        places = [brand for brand in brands if brand.pk != product.brand_id]
        product.brand = places[number]
        together.wait()
        product.save()

    write_at_once(move, lambda: sum(counted(*brands)) == 1)
