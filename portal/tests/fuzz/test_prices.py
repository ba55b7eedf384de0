"""Prices of many companies, products and moments: rule and statements agree to the cent."""

from datetime import timedelta

import pytest

from apps.catalog.tests.test_prices import NOW, check_agreement, scatter
from portal.tests.fuzz.size import chance_of, share

MOMENTS, PRODUCTS = 8, 300


@pytest.mark.django_db
def test_prices_agree_to_the_cent(request: pytest.FixtureRequest) -> None:
    random = chance_of(request, 37)
    products, buyers = scatter(random, count=min(2_000, share(PRODUCTS)))
    for _ in range(share(MOMENTS)):
        moment = NOW + timedelta(minutes=random.randint(-15_000, 15_000))
        for buyer in buyers:
            check_agreement(buyer, products, moment)
