"""What messages of a company are read with: the products that its buyer sees, its own words, and
its last order.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from typing import Any

from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, OwnCode
from apps.catalog.reading import Catalogue, Company, Reader, Row, words_meant
from apps.catalog.rules import searchable
from apps.catalog.selectors.products import LISTED, PRODUCTS, Part, all_of, visible_to
from apps.catalog.signals import last_order_asked
from apps.common.db.rows import containing, fetch_all

MOST_PRODUCTS = 5_000  # of a larger catalogue only those with a word of the message
MOST_WORDS = 100


def reader_for(*, buyer: Buyer, text: str) -> Reader:
    """Return what reads a message of the buyer's company. Four statements, one of them the orders'
    answer.
    """
    codes = OwnCode.objects.filter(company_id=buyer.company_id, pieces=None)
    words = codes.order_by("code").values_list("code", "product__sku")
    orders: list[Any] = [
        order for _, order in last_order_asked.send(sender=None, company_id=buyer.company_id)
    ]
    last_order: dict[str, int] = orders[0] if orders else {}
    return Reader(catalogue_for(buyer=buyer, text=text), Company(dict(words), last_order))


def catalogue_for(*, buyer: Buyer, text: str) -> Catalogue:
    """Return the products that the buyer sees, ready to be looked up by the words of a text. Two
    statements.
    """
    return Catalogue(_products(buyer, text))


def whole_catalogue(*, buyer: Buyer) -> Catalogue | None:
    """Return all products that the buyer sees, ready to be looked up; None of a large catalogue.
    Three statements.
    """
    return None if _is_large() else catalogue_for(buyer=buyer, text="")


def _is_large() -> bool:
    return sum(Brand.objects.values_list("product_count", flat=True)) > MOST_PRODUCTS


def _products(buyer: Buyer, text: str) -> list[Row]:
    conditions = [Part(LISTED), visible_to(buyer, "p.brand_id")]
    if _is_large():
        likes = [
            Part("p.search_text LIKE %s ESCAPE '\\'", (containing(searchable(word)),))
            for word in words_meant(text)[:MOST_WORDS]
        ]
        values = tuple(value for like in likes for value in like.values)
        conditions.append(Part(f"({' OR '.join(like.sql for like in likes) or '1 = 0'})", values))
    wanted = all_of(conditions)
    sql = f"""SELECT p.sku, p.eng_name, b.eng AS brand, p.ean FROM {PRODUCTS}
     WHERE {wanted.sql} ORDER BY p.sort_key LIMIT {MOST_PRODUCTS}"""
    return fetch_all(Row, sql, wanted.values)
