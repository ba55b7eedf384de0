"""What has to be looked at before a price, a promotion or a count is saved, by one table for what
is typed and what is imported.
"""

from collections.abc import Callable
from decimal import Decimal

import pytest

from apps.catalog.guards import (
    Named,
    price_guards,
    promotion_guards,
    stock_guards,
    wholesale_guards,
)
from apps.common.testing import vectors
from apps.common.types import Json


def _price(row: Json) -> list[Named]:
    old = None if row["old"] is None else Decimal(row["old"])
    return price_guards(old=old, new=Decimal(row["new"]))


def _wholesale(row: Json) -> list[Named]:
    promotions = [(name, Decimal(price)) for name, price in row["promotions"]]
    return wholesale_guards(Decimal(row["new"]), usrp=Decimal(row["usrp"]), promotions=promotions)


def _promotion(row: Json) -> list[Named]:
    return promotion_guards(Decimal(row["new"]), wholesale=Decimal(row["wholesale"]))


def _stock(row: Json) -> list[Named]:
    return stock_guards(old=row["old"], new=row["new"], promised=row["promised"])


RULES: dict[str, Callable[[Json], list[Named]]] = {
    "price": _price,
    "wholesale": _wholesale,
    "promotion": _promotion,
    "stock": _stock,
}


@pytest.mark.parametrize("row", vectors("catalog/guards"))
def test_guards(row: Json) -> None:
    named = RULES[row["rule"]](row)
    said = [[one.guard, one.size, one.key % one.values] for one in named]
    assert said == row["named"]
