"""Products in the order of their prices, none of them priced but those of a page.

What has no price of its own stands in the order of wholesale prices, what the group has a price of
in the order of that; only products of running promotions, and those whose wholesale price began and
is not written yet, are all priced. At 1,000,000 products the first page reads 2,600 blocks instead
of 2,100,000, and 7,000 instead of 3,500,000 where the group has 20,000 prices.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from datetime import datetime

from django.db import connection

from apps.catalog.selectors.prices import BEGUN, GROUP, IN_FORCE, RUNNING, price_sql, usual_sql
from apps.common.db.rows import Part, all_of, at, joined

# OFFSET 0 keeps PostgreSQL at an index of the group's prices, product by product, as far as a page:
# it would read all products instead, 1.3 s for the fortieth page.
ITEMS = {
    "postgresql": """catalog_pricegroupitem i
     CROSS JOIN LATERAL (SELECT * FROM catalog_product WHERE id = i.product_id OFFSET 0) p""",
    "sqlite": "catalog_product p JOIN catalog_pricegroupitem i ON i.product_id = p.id",
}
# Of several group prices in force the one that began last holds.
BEGAN_LAST = f"""NOT EXISTS (SELECT 1 FROM {GROUP} AND g.product_id = i.product_id AND {IN_FORCE}
 AND (g.starts_at > i.starts_at OR (i.starts_at IS NULL AND g.starts_at IS NOT NULL)))"""


def cheapest(group_id: int | None, now: datetime, *, condition: Part, most: Part) -> Part:
    """Return the products that a condition names, `most` of each kind of price, as a subquery of
    `id` and `price`; among them are the `most` cheapest of all.
    """
    usual, price = usual_sql(group_id, Part("p.usd_supply")), price_sql(group_id, now)
    special = Part(
        f"SELECT i.product_id FROM {RUNNING} UNION ALL SELECT n.product_id FROM {BEGUN}",
        (at(now),) * 3,
    )
    is_special = Part(f"p.id IN ({special.sql})", special.values)
    is_usual = [condition, Part(f"NOT {is_special.sql}", special.values)]
    walks = [_walk("catalog_product p", price, [condition, is_special], price, most)]
    if group_id is not None:
        in_force = (at(now), at(now))
        holds = Part(
            f"i.group_id = %s AND {IN_FORCE.replace('g.', 'i.')} AND {BEGAN_LAST}",
            (group_id, *in_force, group_id, *in_force),
        )
        own = Part("i.price")
        walks.append(_walk(ITEMS[connection.vendor], own, [*is_usual, holds], own, most))
        item = f"SELECT 1 FROM {GROUP} AND g.product_id = p.id AND {IN_FORCE}"
        is_usual.append(Part(f"NOT EXISTS ({item})", (group_id, *in_force)))
    walks.append(_walk("catalog_product p", usual, is_usual, Part("p.usd_supply"), most))
    return joined(" UNION ALL ", walks)


def _walk(source: str, price: Part, where: list[Part], order: Part, most: Part) -> Part:
    condition = all_of(where)
    return Part(
        f"""SELECT * FROM (SELECT p.id, {price.sql} AS price FROM {source}
         WHERE {condition.sql} ORDER BY {order.sql}, p.usd_supply, p.id LIMIT {most.sql}) walk""",
        price.values + condition.values + order.values + most.values,
    )
