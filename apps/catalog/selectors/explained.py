"""What a company paid for a product on a day, and why: for staff."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import Company, FormerPercent, PriceGroup
from apps.accounts.selectors import price_terms
from apps.catalog.models import PriceGroupItem, Product, ProductPrice, PromotionItem
from apps.catalog.rules import ForTime, PriceRule, price_of
from apps.catalog.selectors.prices import base_at
from apps.common.days import midnight
from apps.common.money import ZERO
from apps.common.texts import Text


class Explained(NamedTuple):
    """A price in US dollars from a moment on, and what gives it in words."""

    since: datetime
    price: Decimal
    text: Text


def explain_day(company: Company, product: Product, day: date) -> list[Explained]:
    """Return what a company paid, or will pay, for a product on a day of the seller, and why: each
    price of that day.

    Told by what is kept: wholesale prices, the company's groups and their percent as they were
    then, group prices and promotions as they stand now.
    """
    begins, ends = midnight(day), midnight(day + timedelta(days=1))
    changes = {one for one in _changes(company, product) if begins < one < ends}
    found: list[Explained] = []
    for moment in sorted({begins, *changes}):
        one = explain(company, product, moment)
        if not found or (one.price, str(one.text)) != (found[-1].price, str(found[-1].text)):
            found.append(one)
    return found


def explain(company: Company | None, product: Product, moment: datetime) -> Explained:
    """Return what a company, None: one without a group, pays for a product at a moment, and what
    gives that price in words. At most six statements.
    """
    group, percent = price_terms(company, moment) if company else (None, None)
    of_group = PriceGroupItem.objects.filter(_in_force(moment), group=group, product=product)
    items = list(of_group.order_by(F("starts_at").asc(nulls_first=True))) if group else []
    promoted = _promoted(product).filter(_in_force(moment, "promotion__")).first()
    wholesale = list(product.prices.order_by("starts_at"))
    base = base_at(product, wholesale, moment)
    price = price_of(
        base=base,
        percent=percent,
        items=[ForTime(one.price, one.starts_at, one.ends_at) for one in items],
        promotion=ForTime(promoted.price or ZERO, None, promoted.promotion.ends_at)
        if promoted
        else None,
    )
    match price.rule:
        case PriceRule.PROMOTION if promoted:
            time: Any = promoted.promotion
            name = Text("Promotion %(name)s", name=time)
        case PriceRule.ITEM:
            time = items[-1]
            name = Text("Price of the group %(group)s for this product", group=group)
        case _:
            time = _time_of(wholesale, moment)
            name = _by_wholesale(base, group, percent)
    text = _told(price.former, name, time.starts_at, time.ends_at)
    return Explained(moment, price.price, text)


def _by_wholesale(base: Decimal, group: PriceGroup | None, percent: Decimal | None) -> Text:
    name = Text("Wholesale price %(price)s", price=f"{base:,.2f}")
    if percent is None:
        return name
    change = f"{percent:+.2f}"
    return Text(
        "%(price)s, %(percent)s %% for the group %(group)s",
        price=name,
        percent=change,
        group=group,
    )


def _time_of(rows: Sequence[ProductPrice], moment: datetime) -> ForTime:
    """Return from and until when the wholesale price of a moment holds; the oldest row first."""
    begun = [row.starts_at for row in rows if row.starts_at <= moment]
    coming = [row.starts_at for row in rows if row.starts_at > moment]
    return ForTime(ZERO, begun[-1] if begun else None, coming[0] if coming else None)


def _told(
    former: Decimal | None, name: Text, starts_at: datetime | None, ends_at: datetime | None
) -> Text:
    """Return what gives a price with its time, and what the price is without it."""
    start, end = (
        one and f"{timezone.localtime(one):%Y-%m-%d %H:%M}" for one in (starts_at, ends_at)
    )
    told = name
    if start and end:
        told = Text("%(name)s, from %(start)s until %(end)s", name=name, start=start, end=end)
    elif start:
        told = Text("%(name)s, from %(start)s", name=name, start=start)
    elif end:
        told = Text("%(name)s, until %(end)s", name=name, end=end)
    if former is None:
        return told
    return Text("%(price)s; otherwise %(former)s", price=told, former=f"{former:,.2f}")


def _promoted(product: Product) -> QuerySet[PromotionItem]:
    """Return a product's promotional prices, the least first, and of several the one that ends
    last.
    """
    items = PromotionItem.objects.filter(product=product, price__isnull=False)
    return items.select_related("promotion").order_by("price", "-promotion__ends_at")


def _in_force(moment: datetime, path: str = "") -> Q:
    begun = Q((f"{path}starts_at__isnull", True)) | Q((f"{path}starts_at__lte", moment))
    return begun & (Q((f"{path}ends_at__isnull", True)) | Q((f"{path}ends_at__gt", moment)))


def _changes(company: Company, product: Product) -> Iterator[datetime]:
    """Yield when a company's price of a product may have changed, or will."""
    promoted, of_groups = _promoted(product), PriceGroupItem.objects.filter(product=product)
    found = chain(
        product.prices.values_list("starts_at"),
        of_groups.values_list("starts_at", "ends_at"),
        promoted.values_list("promotion__starts_at", "promotion__ends_at"),
        company.former_price_groups.values_list("until"),
        FormerPercent.objects.values_list("until"),
    )
    return (one for row in found for one in row if one is not None)
