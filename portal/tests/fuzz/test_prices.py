"""Prices of many companies, products and moments: rule, statements and every surface agree to the
cent.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from django.db import transaction

from apps.accounts.models import Company
from apps.catalog.models import Product, ProductPrice
from apps.catalog.selectors import prices_for
from apps.catalog.tests.factories import make_group_price, make_price_group, make_promotion
from apps.catalog.tests.test_prices import NOW, check_agreement, scatter
from apps.orders.tests.test_prices_agree import met_everywhere
from portal.tests.fuzz.size import chance_of, share

MOMENTS, PRODUCTS, CASES = 8, 300, 3


@pytest.mark.django_db
def test_prices_agree_to_the_cent(request: pytest.FixtureRequest, tally: Counter[str]) -> None:
    random = chance_of(request, 37)
    products, buyers = scatter(random, count=min(2_000, share(PRODUCTS)))
    for _ in range(share(MOMENTS)):
        moment = NOW + timedelta(minutes=random.randint(-15_000, 15_000))
        for buyer in buyers:
            check_agreement(buyer, products, moment)
            tally["prices"] += len(products)


def cents(random: Random) -> Decimal:
    return Decimal(random.randint(100, 3_000)) / 100


def days(random: Random) -> tuple[int, int]:
    first = random.choice([-9, -5, -1, 2])
    return first, random.choice([last for last in (-4, -2, 3, 8) if last > first])


def terms_at_random(random: Random, company: Company, product: Product) -> None:
    """Give a company and a product prices of every kind, some of them over or to come."""
    # Without a history: a price that begins is never older than one that was typed.
    Product.objects.filter(pk=product.pk).update(usd_supply=cents(random))
    product.refresh_from_db()
    for day in random.sample([-3, -2, 2, 4], random.randint(0, 2)):
        starts_at = datetime.now(UTC) + timedelta(days=day)
        ProductPrice.objects.create(product=product, price=cents(random), starts_at=starts_at)
    for mine in (True, False):
        group = make_price_group(Decimal(random.randint(-5_000, 5_000)) / 100)
        if mine and random.random() < 0.8:
            company.price_group = group
            company.save()
        for first, last in {one[0]: one for one in (days(random), days(random))}.values():
            if random.random() < 0.6:
                make_group_price(group, product, cents(random), days=(first, last))
        if random.random() < 0.5:
            make_group_price(group, product, cents(random))
    for _ in range(random.randint(0, 2)):
        price = random.choice([None, cents(random), cents(random)])
        make_promotion([product], price=price, days=days(random))


@pytest.mark.django_db
def test_every_surface_shows_the_price(request: pytest.FixtureRequest, tally: Counter[str]) -> None:
    random = chance_of(request, 73)
    for _ in range(share(CASES)):
        with transaction.atomic():
            expected: list[Decimal] = []

            def terms(company: Company, product: Product) -> None:
                terms_at_random(random, company, product)
                prices = prices_for(company, [product], datetime.now(UTC))
                expected.append(prices[product.pk].price)  # noqa: B023

            shown = met_everywhere(terms)
            assert shown == dict.fromkeys(shown, *expected)
            tally["shown prices"] += len(shown)
            transaction.set_rollback(True)
