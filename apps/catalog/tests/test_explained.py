"""A price explains itself: what a company paid on a day, and why."""

from datetime import date, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.models import Company, FormerPriceGroup
from apps.accounts.services.price_groups import keep_former_percent
from apps.accounts.tests.factories import make_company
from apps.catalog.models import PriceGroupItem, Product, ProductPrice, Promotion, PromotionItem
from apps.catalog.selectors import explain_day
from apps.catalog.tests.factories import make_price_group, make_product
from apps.common.days import midnight

pytestmark = pytest.mark.django_db
MAY = date(2026, 5, 4)
SEOUL = ZoneInfo("Asia/Seoul")


def told(company: Company, product: Product, day: date = MAY) -> list[tuple[str, str]]:
    return [(str(one.price), str(one.text)) for one in explain_day(company, product, day)]


@pytest.fixture
def product() -> Product:
    return make_product(usd_supply=Decimal("10.20"))


def test_without_a_group_it_is_the_wholesale_price_of_that_day(product: Product) -> None:
    begins = midnight(MAY) + timedelta(hours=14)
    ProductPrice.objects.create(
        product=product,
        price=product.usd_supply,
        former=Decimal("9.00"),
        starts_at=begins,
        is_written=True,
    )
    company = make_company()
    assert told(company, product) == [
        ("9.00", "Wholesale price 9.00, until 2026-05-04 14:00"),
        ("10.20", "Wholesale price 10.20, from 2026-05-04 14:00"),
    ]
    assert told(company, product, MAY + timedelta(days=1)) == told(company, product)[1:]


def test_group_and_percent_are_those_of_that_day(product: Product) -> None:
    company, former = make_company(), make_price_group(-20, name="Silver")
    group = make_price_group(Decimal("-12.50"), company, name="Gold")
    company.refresh_from_db()
    noon = midnight(MAY) + timedelta(hours=12)
    FormerPriceGroup.objects.create(company=company, group=None, until=midnight(MAY))
    assert told(company, product) == [
        ("8.93", "Wholesale price 10.20, -12.50 % for the group Gold")
    ]
    keep_former_percent(group=group, former=Decimal("5.00"), now=noon)
    assert [price for price, _ in told(company, product)] == ["10.71", "8.93"]
    FormerPriceGroup.objects.create(company=company, group=former, until=noon)
    assert [price for price, _ in told(company, product)] == ["8.16", "8.93"]
    assert told(company, product, MAY - timedelta(days=1))[0][0] == "10.20"


def test_an_own_price_and_a_promotion_are_named_with_their_time(product: Product) -> None:
    company = make_company()
    group = make_price_group(0, company, name="Gold")
    company.refresh_from_db()
    begins, ends = midnight(MAY), midnight(MAY + timedelta(days=7))
    PriceGroupItem.objects.create(group=group, product=product, price="9.50", starts_at=begins)
    own = ("9.50", "Price of the group Gold for this product, from 2026-05-04 00:00")
    assert told(company, product) == [own]
    promotion = Promotion.objects.create(name="May", starts_at=begins, ends_at=ends)
    PromotionItem.objects.create(promotion=promotion, product=product, price=Decimal("8.00"))
    text = "Promotion May, from 2026-05-04 00:00 until 2026-05-11 00:00; otherwise 9.50"
    assert told(company, product) == [("8.00", text)]
    assert told(company, product, ends.astimezone(SEOUL).date()) == [own]
