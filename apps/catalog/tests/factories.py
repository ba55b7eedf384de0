"""Makers of brands, products and promotions for tests; a test names only the fields it is about."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.db.models import F

from apps.accounts.models import Company, PriceGroup
from apps.catalog.models import (
    Brand,
    BrandAccess,
    BrandClosure,
    PriceGroupItem,
    Product,
    Promotion,
    PromotionItem,
    Running,
    Stock,
)

_numbers = count(1)


def make_brand(**fields: Any) -> Brand:
    """Return a brand."""
    return Brand.objects.create(**{"eng": f"Brand {next(_numbers):04d}", **fields})


def make_product(**fields: Any) -> Product:
    """Return a product on sale, minimum 10, wholesale 4.50 USD, 120 g, with pieces on the shelf."""
    return make_products(1, **fields)[0]


def make_products(
    number: int, *, on_hand: int = 1000, allocated: int = 0, **fields: Any
) -> list[Product]:
    """Return several products, written in a few statements."""
    fields.setdefault("brand", Brand.objects.first() or make_brand())
    products = [_unsaved(next(_numbers), **fields) for _ in range(number)]
    Product.objects.bulk_create(products)
    if fields.get("is_running") != Running.HIDDEN:
        brands = Brand.objects.filter(pk=fields["brand"].pk)
        brands.update(product_count=F("product_count") + number)
    short = max(0, allocated - on_hand)
    Stock.objects.bulk_create(
        Stock(product=product, on_hand=on_hand, allocated=allocated, short=short)
        for product in products
    )
    return products


def _unsaved(number: int, **fields: Any) -> Product:
    product = Product(
        **{
            "sku": f"SKU-{number:05d}",
            "eng_name": f"Product {number:05d}",
            "image": f"product-{number}.jpg",
            "is_running": Running.ON_SALE,
            "usd_price": Decimal("12.00"),
            "usd_supply": Decimal("4.50"),
            "minimum": 10,
            "weight_g": 120,
            **fields,
        }
    )
    product.set_list_keys()
    return product


def restrict(company: Company, brands: Sequence[Brand]) -> None:
    """Let a company see these brands only."""
    Company.objects.filter(pk=company.pk).update(brands_restricted=True)
    BrandAccess.objects.bulk_create(BrandAccess(company=company, brand=brand) for brand in brands)


def close_brand(brand_id: int, *, country: int) -> BrandClosure:
    """Return what closes a brand to the companies of a country, by its id."""
    return BrandClosure.objects.create(brand_id=brand_id, country_id=country)


def make_promotion(
    products: Sequence[Product], *, price: Decimal | None = None, days: tuple[int, int] = (-1, 30)
) -> Promotion:
    """Return a promotion of these products that runs from and until so many days from now."""
    now = datetime.now(UTC)
    promotion = Promotion.objects.create(
        name=f"Promotion {next(_numbers)}",
        starts_at=now + timedelta(days=days[0]),
        ends_at=now + timedelta(days=days[1]),
    )
    PromotionItem.objects.bulk_create(
        PromotionItem(promotion=promotion, product=product, price=price) for product in products
    )
    return promotion


def make_price_group(percent: Decimal | int = 0, *companies: Company, **fields: Any) -> PriceGroup:
    """Return a price group with these companies in it."""
    fields.setdefault("name", f"Group {next(_numbers)}")
    group = PriceGroup.objects.create(percent=percent, **fields)
    Company.objects.filter(pk__in=[company.pk for company in companies]).update(price_group=group)
    return group


def make_group_price(
    group: PriceGroup,
    product: Product,
    price: Decimal,
    *,
    days: tuple[int | None, int | None] = (None, None),
) -> PriceGroupItem:
    """Return a group's price of a product from and until so many days from now; None: always."""
    now = datetime.now(UTC)
    starts_at, ends_at = (None if day is None else now + timedelta(days=day) for day in days)
    return PriceGroupItem.objects.create(
        group=group, product=product, price=price, starts_at=starts_at, ends_at=ends_at
    )
