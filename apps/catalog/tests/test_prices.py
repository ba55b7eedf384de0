"""What a company pays: one rule, and the statements that say the same to the cent."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.catalog.models import PriceGroupItem, Product, ProductPrice, Promotion, PromotionItem
from apps.catalog.rules import ForTime, Price, PriceRule, price_of
from apps.catalog.selectors import price_list, prices_for, product_page, products_by_sku
from apps.catalog.selectors.pages import ProductListRequest
from apps.catalog.selectors.prices import price_sql
from apps.catalog.sweeps import write_begun_prices
from apps.catalog.tests.factories import make_price_group, make_products
from apps.common.db.columns import money_field

NOW = datetime(2026, 8, 15, 12, tzinfo=UTC)
SOON, LATER = NOW + timedelta(days=3), NOW + timedelta(days=9)
FIVE, SIX, SEVEN, TEN = map(Decimal, ("5.00", "6.00", "7.00", "10.00"))
MINUS_TEN = Decimal("-10.00")
PROMOTION = ForTime(SEVEN, NOW, SOON)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, Price(TEN, PriceRule.BASE)),
        ({"promotion": PROMOTION}, Price(SEVEN, PriceRule.PROMOTION, TEN, SOON)),
        ({"promotion": ForTime(Decimal(11), NOW, SOON)}, Price(Decimal(11), PriceRule.PROMOTION)),
        ({"percent": MINUS_TEN}, Price(Decimal("9.00"), PriceRule.PERCENT)),
        ({"percent": Decimal("12.35")}, Price(Decimal("11.24"), PriceRule.PERCENT)),  # 11.235
        (
            {"percent": MINUS_TEN, "promotion": PROMOTION},
            Price(SEVEN, PriceRule.PROMOTION, Decimal("9.00"), SOON),
        ),
        (
            {"percent": MINUS_TEN, "items": [ForTime(SIX)], "promotion": PROMOTION},
            Price(SIX, PriceRule.ITEM),
        ),
        (
            {"percent": MINUS_TEN, "items": [ForTime(SIX, NOW, LATER)]},
            Price(SIX, PriceRule.ITEM, Decimal("9.00"), LATER),
        ),
        (
            {"percent": MINUS_TEN, "items": [ForTime(SIX), ForTime(FIVE, NOW, LATER)]},
            Price(FIVE, PriceRule.ITEM, SIX, LATER),
        ),
        (  # an item may be dearer than the percentage
            {"percent": MINUS_TEN, "items": [ForTime(Decimal(12), NOW, LATER)]},
            Price(Decimal(12), PriceRule.ITEM),
        ),
    ],
)
def test_the_lowest_of_group_price_and_promotion_is_paid(facts: dict, expected: Price) -> None:
    assert price_of(base=TEN, **facts) == expected


def _moment(random: Random) -> datetime | None:
    return random.choice([None, NOW, NOW + timedelta(days=random.randint(-9, 9))])


def _span(random: Random) -> tuple[datetime | None, datetime | None]:
    starts_at, ends_at = _moment(random), _moment(random)
    return (
        (starts_at, ends_at)
        if not starts_at or not ends_at or starts_at < ends_at
        else (starts_at, None)
    )


def _cents(random: Random) -> Decimal:
    return Decimal(random.choice([0, 5, 115, random.randint(0, 3000), 999999999999])) / 100


def scatter(random: Random, *, count: int = 40) -> tuple[list[Product], list[Buyer]]:
    """Make products with prices of every kind, and buyers of some groups and of none."""
    products = make_products(count)
    for product in products:
        product.usd_supply = _cents(random)
    Product.objects.bulk_update(products, ["usd_supply"])
    buyers = [make_buyer()]
    for percent in (0, -100, Decimal("-7.77"), Decimal("33.33"), Decimal("999.99")):
        company = make_company()
        group = make_price_group(percent, company)
        buyers.append(make_buyer(company=company))
        spans = {(product.pk, *_span(random)) for product in products for _ in range(3)}
        starts = {(product, starts_at): ends_at for product, starts_at, ends_at in spans}
        PriceGroupItem.objects.bulk_create(
            PriceGroupItem(
                group=group, product_id=pk, price=_cents(random), starts_at=one, ends_at=ends_at
            )
            for (pk, one), ends_at in starts.items()
            if random.random() < 0.6
        )
    for _ in range(4):
        starts_at = NOW + timedelta(days=random.randint(-5, 2))
        ends_at = starts_at + timedelta(days=random.randint(1, 9))
        run = Promotion.objects.create(name="P", starts_at=starts_at, ends_at=ends_at)
        PromotionItem.objects.bulk_create(
            PromotionItem(promotion=run, product=one, price=random.choice([None, _cents(random)]))
            for one in random.sample(products, count // 3)
        )
    ProductPrice.objects.bulk_create(
        ProductPrice(product=one, price=_cents(random), starts_at=NOW + timedelta(days=days))
        for one in random.sample(products, count // 2)
        for days in random.sample(range(-2, 3), 2)
    )
    return products, buyers


def prices_by_models(
    company: Company, products: Iterable[Product], now: datetime
) -> dict[int, Price]:
    """Return what `prices_for` does, judged of what the models hold."""
    products, group = list(products), company.price_group
    within = {"product__in": [product.pk for product in products]}
    begun = ProductPrice.objects.filter(is_written=False, starts_at__lte=now, **within)
    bases = dict(begun.order_by("starts_at").values_list("product_id", "price"))
    items: dict[int, list[ForTime]] = {}
    in_time = Q(starts_at__isnull=True) | Q(starts_at__lte=now)
    in_force = in_time & (Q(ends_at__isnull=True) | Q(ends_at__gt=now))
    of_group = PriceGroupItem.objects.filter(in_force, group=group, **within) if group else ()
    for item in of_group:
        one = ForTime(item.price, item.starts_at, item.ends_at)
        items.setdefault(item.product_id, []).append(one)
    promotions: dict[int, ForTime] = {}
    running = PromotionItem.objects.filter(
        promotion__starts_at__lte=now, promotion__ends_at__gt=now, price__isnull=False
    )
    # The least price comes last, and of several the one that ends last.
    for product_id, *promoted in (
        running.filter(**within)
        .order_by("-price", "promotion__ends_at")
        .values_list("product_id", "price", "promotion__starts_at", "promotion__ends_at")
    ):
        promotions[product_id] = ForTime(*promoted)
    return {
        product.pk: price_of(
            base=bases.get(product.pk, product.usd_supply),
            percent=group.percent if group else None,
            items=items.get(product.pk, ()),
            promotion=promotions.get(product.pk),
        )
        for product in products
    }


def check_agreement(buyer: Buyer, products: list[Product], moment: datetime) -> set[PriceRule]:
    """Check that every statement says what the rule says, and return the rules that said it."""
    company = Company.objects.get(pk=buyer.company_id)
    expected = prices_by_models(company, products, moment)
    prices = prices_for(company, products, moment)
    assert prices == expected
    assert {price.price.as_tuple().exponent for price in prices.values()} == {-2}
    skus = [product.sku for product in products]
    rows = products_by_sku(buyer=buyer, skus=skus, now=moment)
    assert {row.id: row.price for row in rows.values()} == expected
    priced = price_sql(buyer.price_group_id, moment)
    sql = priced.sql.replace("p.", "catalog_product.")
    expression = RawSQL(sql, priced.values, money_field())  # noqa: S611 - constants alone
    by_statement = dict(Product.objects.values_list("pk", expression))
    assert by_statement == {pk: price.price for pk, price in expected.items()}
    listed = [row["usd_supply"] for row in price_list(buyer=buyer, now=moment)]
    assert sorted(listed) == sorted(by_statement.values())
    by_price = ProductListRequest(sort="price")
    pages = [product_page(buyer=buyer, page=one, request=by_price, now=moment) for one in (1, 2)]
    rows_by_price = [row for page in pages for row in page["result"]]
    assert [row["usd_supply"] for row in rows_by_price] == sorted(listed)[:100]
    assert len({row["sku"] for row in rows_by_price}) == len(rows_by_price)
    return {price.rule for price in expected.values()}


@pytest.mark.parametrize("seed", range(3))
def test_every_statement_says_the_price_of_the_rule(seed: int, db: None) -> None:
    products, buyers = scatter(Random(seed))
    rules = set()
    for buyer in buyers:
        for moment in (NOW, NOW + timedelta(days=2)):
            rules |= check_agreement(buyer, products, moment)
    assert rules == set(PriceRule)


def test_the_price_that_began_last_is_written_into_its_product_once(db: None) -> None:
    (product,) = make_products(1)
    for price, days in ((SEVEN, -2), (SIX, -1), (SEVEN, 1)):
        starts_at = NOW + timedelta(days=days)
        ProductPrice.objects.create(product=product, price=price, starts_at=starts_at)
    assert [write_begun_prices(NOW), write_begun_prices(NOW)] == [2, 0]
    product.refresh_from_db()
    assert product.usd_supply == SIX


def test_a_price_that_is_typed_wins_over_one_that_began_before(buyer: Buyer) -> None:
    (product,) = make_products(1)
    begun = timezone.now() - timedelta(minutes=1)
    ProductPrice.objects.create(product=product, price=SIX, starts_at=begun)
    product.usd_supply = SEVEN
    product.save()
    (row,) = products_by_sku(buyer=buyer, skus=[product.sku], now=timezone.now()).values()
    assert row.usd_supply == SEVEN
    assert write_begun_prices(timezone.now()) == 0
