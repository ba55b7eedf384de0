"""What a company pays: the facts that `rules.price_of` judges, for pages as columns of their
statement, for staff's side by product; and the price as SQL, for what is put in order by it.

A group's company costs a page one look-up a product more, and only where the group has prices of
single products; one without a group costs nothing. The same for promotions and prices that begin.
Group prices and promotions are looked up in indexes that hold all that is asked of them.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value is a parameter

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from apps.accounts.models import Company
from apps.catalog.models import Product, PromotionItem
from apps.catalog.rules import MOST_PAID, ForTime, Price, price_of
from apps.common.db.dialect import least, listed, one_of
from apps.common.db.rows import Part, at, fetch_all, joined
from apps.common.money import usd

PromotionPrices = Mapping[int, list[tuple[str, Decimal]]]
RUNNING = """catalog_promotionitem i JOIN catalog_promotion r ON r.id = i.promotion_id
 WHERE r.starts_at <= %s AND r.ends_at > %s"""
RUN = "catalog_promotion r WHERE r.starts_at <= %s AND r.ends_at > %s"
SOME_RUN = f"SELECT EXISTS (SELECT 1 FROM {RUN})"
BEGUN = "catalog_productprice n WHERE NOT n.is_written AND n.starts_at <= %s"
GROUP = "catalog_pricegroupitem g WHERE g.group_id = %s"
# The first of an index: EXISTS may read the whole table for it.
HAS_ITEMS = f"(SELECT MIN(g.product_id) FROM {GROUP}) IS NOT NULL"
IN_FORCE = "(g.starts_at IS NULL OR g.starts_at <= %s) AND (g.ends_at IS NULL OR g.ends_at > %s)"


class Facts(NamedTuple):
    """What a price is read from, as the statement says it."""

    id: int
    base: Decimal
    percent: Decimal | None
    running: str | None
    promoted: str | None
    items: str | None


def price_facts(group_id: int | None, now: datetime) -> dict[str, Part]:
    """Return the columns of `Facts` by name, of `catalog_product p`."""
    promoted = f"""SELECT {listed("i.price || ',' || i.promotion_id")}
     FROM catalog_promotionitem i WHERE i.product_id = p.id AND i.price IS NOT NULL"""
    facts = {
        "id": Part("p.id"),
        "base": _base(now),
        # Once for all products, so that none of them looks its promotions up.
        "running": Part(
            f"""(SELECT {listed("r.id || ',' || r.ends_at")} FROM {RUN})""", (at(now),) * 2
        ),
        "promoted": Part(f"CASE WHEN ({SOME_RUN}) THEN ({promoted}) END", (at(now),) * 2),
    }
    if group_id is None:
        return {**facts, "percent": Part("NULL"), "items": Part("NULL")}
    one = (
        "g.price || ',' || COALESCE(g.starts_at || '', '') || ',' || COALESCE(g.ends_at || '', '')"
    )
    items = f"""SELECT {listed(one)} FROM {GROUP}
     AND g.product_id = p.id AND {IN_FORCE}"""
    return {
        **facts,
        "percent": Part("(SELECT percent FROM accounts_pricegroup WHERE id = %s)", (group_id,)),
        "items": Part(
            f"CASE WHEN {HAS_ITEMS} THEN ({items}) END",
            (group_id, group_id, at(now), at(now)),
        ),
    }


def read_price(
    base: Decimal,
    percent: Decimal | None,
    running: str | None,
    promoted: str | None,
    items: str | None,
) -> Price:
    """Return the price that the columns of `price_facts` say."""
    return price_of(
        base=base,
        percent=percent,
        items=[_for_time(text) for text in items.split(";")] if items else (),
        promotion=_least(promoted, _ends(running)) if promoted and running else None,
    )


@lru_cache(maxsize=64)
def _ends(running: str) -> dict[str, datetime]:
    """Return when the promotions that run end, by their ids."""
    pairs = (one.split(",") for one in running.split(";"))
    return {number: _moment(ends_at) for number, ends_at in pairs}


def _least(promoted: str, ends: dict[str, datetime]) -> ForTime | None:
    """Return the least promotional price of those that run, and of several the one that ends
    last.
    """
    pairs = (one.split(",") for one in promoted.split(";"))
    prices = [(usd(price), ends[number]) for price, number in pairs if number in ends]
    if not prices:
        return None
    least = min(price for price, _ in prices)
    return ForTime(least, None, max(ends_at for price, ends_at in prices if price == least))


def _for_time(text: str) -> ForTime:
    price, *moments = text.split(",")
    return ForTime(usd(price), *(_moment(one) if one else None for one in moments))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def price_sql(group_id: int | None, now: datetime) -> Part:
    """Return the price of `catalog_product p` as SQL, to the cent what `price_of` says."""
    base = _base(now)
    promotion = Part(
        f"""CASE WHEN ({SOME_RUN}) THEN (SELECT MIN(i.price) FROM {RUNNING}
         AND i.product_id = p.id) END""",
        (at(now),) * 4,
    )
    if group_id is None:
        return Part(f"COALESCE({promotion.sql}, {base.sql})", promotion.values + base.values)
    item = f"""CASE WHEN {HAS_ITEMS} THEN (SELECT g.price FROM {GROUP}
     AND g.product_id = p.id AND {IN_FORCE}
     ORDER BY g.starts_at IS NULL, g.starts_at DESC LIMIT 1) END"""
    usual = usual_sql(group_id, base)
    return Part(
        least(f"COALESCE({promotion.sql}, {MOST_PAID})", f"COALESCE({item}, {usual.sql})"),
        (*promotion.values, group_id, group_id, at(now), at(now), *usual.values),
    )


def usual_sql(group_id: int | None, base: Part) -> Part:
    """Return as SQL what is paid at a wholesale price where the product has no price of its own."""
    if group_id is None:
        return base
    # In whole cents, which both databases round alike.
    factor = """(SELECT 10000 + CAST(ROUND(percent * 100) AS BIGINT)
     FROM accounts_pricegroup WHERE id = %s)"""
    cents = f"(CAST(ROUND({base.sql} * 100) AS BIGINT) * {factor} + 5000) / 10000"
    return Part(least(str(MOST_PAID), f"ROUND({cents} / 100.0, 2)"), (*base.values, group_id))


def _base(now: datetime) -> Part:
    """Return the wholesale price: the product's, unless another has begun that is not written."""
    begun = f"SELECT n.price FROM {BEGUN} AND n.product_id = p.id"
    return Part(
        f"""COALESCE(CASE WHEN (SELECT EXISTS (SELECT 1 FROM {BEGUN})) THEN
         ({begun} ORDER BY n.starts_at DESC LIMIT 1) END, p.usd_supply)""",
        (at(now),) * 2,
    )


def prices_for(company: Company, products: Iterable[Product], now: datetime) -> dict[int, Price]:
    """Return what a company pays now for products, by their ids. One statement."""
    facts = price_facts(company.price_group_id, now)
    columns = joined(", ", (facts[name] for name in Facts._fields))
    ids = one_of("p.id", [product.pk for product in products])
    sql = f"SELECT {columns.sql} FROM catalog_product p WHERE {ids.sql}"
    rows = fetch_all(Facts, sql, columns.values + ids.values)
    return {
        row.id: read_price(row.base, row.percent, row.running, row.promoted, row.items)
        for row in rows
    }


def open_promotions(*, product_ids: Collection[int], now: datetime) -> PromotionPrices:
    """Return the names and prices (US dollars) of the promotions that run or are to come, by
    product. Those without a price ask the product's own. One statement.
    """
    items = PromotionItem.objects.filter(
        product_id__in=product_ids, promotion__ends_at__gt=now, price__isnull=False
    )
    prices: dict[int, list[tuple[str, Decimal]]] = {}
    rows = items.order_by("promotion__starts_at", "pk")
    for product_id, name, price in rows.values_list("product_id", "promotion__name", "price"):
        prices.setdefault(product_id, []).append((name, price))
    return prices
