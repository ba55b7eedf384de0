"""The pieces of a row that asks for cartons, where the company has said how many are in one.

What the row says of itself goes before that; that the two differ is told.
"""

from collections.abc import Sequence
from dataclasses import replace

from apps.accounts.selectors import Buyer
from apps.catalog.lists.rows import ListLine, carton_code
from apps.catalog.review.which_product import ProductOf
from apps.catalog.selectors import pieces_of_cartons
from apps.common.http.serializers import MAX_COUNT


def unpacked(lines: Sequence[ListLine], product_of: ProductOf, *, buyer: Buyer) -> list[ListLine]:
    """Return rows; those of cartons whose pieces are known ask nothing. One statement, none without
    cartons.
    """
    codes = {line.row: code for line in lines if (code := _carton(line, product_of))}
    known = pieces_of_cartons(buyer=buyer, cartons=set(codes.values())) if codes else {}
    return [_counted(line, known.get(codes.get(line.row, ""), 0)) for line in lines]


def _carton(line: ListLine, product_of: ProductOf) -> str:
    """Return the code of the carton for which a row asks; empty where it asks for none."""
    product = product_of(line) if line.packs and line.sku else None
    return carton_code(product["sku"], line.unit) if product else ""


def _counted(line: ListLine, in_one: int) -> ListLine:
    """Return a row with the pieces of its cartons; as it is where they are not known, or too many.

    One that says itself what they hold keeps its pieces, beside those that the company has said.
    """
    count = line.packs * in_one
    if not 0 < count <= MAX_COUNT:
        return line
    return (
        replace(line, count=count, fault="", must_enter=False)
        if line.fault
        else replace(line, count_taught=count)
    )
