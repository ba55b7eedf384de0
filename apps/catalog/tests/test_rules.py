"""The rules of quantities and availability, by the tables that the screens are tested with too."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from apps.catalog import rules
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.guards import (
    GuardWarning,
    price_guards,
    promotion_guards,
    stock_guards,
    wholesale_guards,
)
from apps.common.testing import vectors
from apps.common.types import Json

REFUSALS = {"below_moq": BelowMoq, "not_multiple_of_moq": NotMultipleOfMoq}


@pytest.mark.parametrize("row", vectors("catalog/effective_moq"))
def test_effective_moq_and_step(row: Json) -> None:
    product = {"minimum": row["minimum"], "special": bool(row["special"])}
    assert rules.effective_moq(**product) == row["moq"]
    assert rules.quantity_step(**product) == row["step"]


@pytest.mark.parametrize("row", vectors("catalog/check_quantity"))
def test_check_quantity(row: Json) -> None:
    line = {name: row[name] for name in ("count", "moq", "step", "held") if name in row}
    if row["refusal"] is None:
        rules.check_quantity(**line)
    else:
        with pytest.raises(REFUSALS[row["refusal"]]):
            rules.check_quantity(**line)


@pytest.mark.parametrize("row", vectors("catalog/is_short"))
def test_is_short(row: Json) -> None:
    short = rules.is_short(
        available=row["available"], count=row["count"], stock_free=bool(row["stock_free"])
    )
    assert short is row["short"]


@pytest.mark.parametrize("row", vectors("catalog/availability"))
def test_availability(row: Json) -> None:
    product = {"is_running": row["is_running"], "qty": row["qty"]}
    assert rules.availability_tag(**product) == row["tag"]
    assert rules.can_select(**product, stock_free=bool(row["stock_free"])) is bool(
        row["selectable"]
    )


@pytest.mark.parametrize("row", vectors("catalog/ean"))
def test_ean(row: Json) -> None:
    assert rules.ean_of(row["text"]) == row["ean"]


@pytest.mark.parametrize(
    ("count", "moq", "step", "most", "nearest"),
    [
        (10, 10, 10, 500, (10, 10)),
        (15, 10, 10, 500, (10, 20)),
        (9, 10, 10, 500, (None, 10)),
        (15, 10, 10, 19, (10, None)),
        (95, 10, 10, 34, (30, None)),
        (95, 10, 10, 9, (None, None)),
        (5, 10, 10, -20, (None, None)),
        (21, 20, 1, 500, (21, 21)),
        (3, 20, 1, 500, (None, 20)),
        (700, 20, 1, 33, (33, None)),
    ],
)
def test_nearest_quantities(
    count: int, moq: int, step: int, most: int, nearest: tuple[int | None, int | None]
) -> None:
    assert rules.nearest_quantities(count=count, moq=moq, step=step, most=most) == nearest


def _price(row: Json) -> list[GuardWarning]:
    old = None if row["old"] is None else Decimal(row["old"])
    return price_guards(old=old, new=Decimal(row["new"]))


def _wholesale(row: Json) -> list[GuardWarning]:
    promotions = [(name, Decimal(price)) for name, price in row["promotions"]]
    return wholesale_guards(Decimal(row["new"]), usrp=Decimal(row["usrp"]), promotions=promotions)


def _promotion(row: Json) -> list[GuardWarning]:
    return promotion_guards(Decimal(row["new"]), wholesale=Decimal(row["wholesale"]))


def _stock(row: Json) -> list[GuardWarning]:
    return stock_guards(old=row["old"], new=row["new"], promised=row["promised"])


RULES: dict[str, Callable[[Json], list[GuardWarning]]] = {
    "price": _price,
    "wholesale": _wholesale,
    "promotion": _promotion,
    "stock": _stock,
}


@pytest.mark.parametrize("row", vectors("catalog/guards"))
def test_guards(row: Json) -> None:
    warnings = RULES[row["rule"]](row)
    texts = [[one.guard, one.size, one.key % one.values] for one in warnings]
    assert texts == row["named"]
