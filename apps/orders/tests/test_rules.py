"""The rules of orders by their tables, which the front end runs too."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq, OutOfStock
from apps.common.errors import Invalid, PortalError
from apps.common.testing import vectors
from apps.common.types import Json
from apps.orders.errors import NoLines
from apps.orders.rules import (
    balance_due,
    check_basket,
    deposit_due,
    kilograms,
    line_tag,
    line_total,
    overpayment,
    subtotal,
)
from apps.orders.status import MOVES, OrderStatus, allowed, check_move

REFUSALS: dict[str, type[PortalError]] = {
    "no_lines": NoLines,
    "out_of_stock": OutOfStock,
    "below_moq": BelowMoq,
    "not_multiple_of_moq": NotMultipleOfMoq,
}


def product(*, available: int = 0, moq: int = 1, step: int = 1, held: int = 0) -> SimpleNamespace:
    return SimpleNamespace(available=lambda **_: available, moq=moq, step=step, held=held)


@pytest.mark.parametrize("row", vectors("orders/check_basket"), ids=lambda row: row["source"])
def test_check_basket(row: Json) -> None:
    counts = {line.pop("sku"): line.pop("count") for line in row["lines"]}
    products = {sku: product(**line) for sku, line in zip(counts, row["lines"], strict=True)}
    if row["refusal"] is None:
        check_basket(counts, products, stock_free=bool(row["stock_free"]))
        return
    with pytest.raises(REFUSALS[row["refusal"]]) as refusal:
        check_basket(counts, products, stock_free=bool(row["stock_free"]))
    assert list(refusal.value.errors or {}) == row["skus"]


def test_an_unknown_sku_comes_before_stock_and_quantities() -> None:
    with pytest.raises(Invalid) as refusal:
        check_basket({"A": 1, "B": 10}, {"A": product(moq=10, step=10)}, stock_free=False)
    assert list(refusal.value.errors or {}) == ["B"]


@pytest.mark.parametrize("row", vectors("orders/subtotal"))
def test_subtotal(row: Json) -> None:
    prices = [
        line_total(price=Decimal(line["price"]), quantity=line["count"]) for line in row["lines"]
    ]
    assert subtotal(prices) == Decimal(row["subtotal"])


@pytest.mark.parametrize("row", vectors("orders/kilograms"))
def test_kilograms(row: Json) -> None:
    assert kilograms(row["grams"]) == Decimal(row["kg"])


@pytest.mark.parametrize("row", vectors("orders/line_tag"))
def test_line_tag(row: Json) -> None:
    shown = line_tag(is_confirmed=bool(row["is_true"]), order_price=Decimal(row["order_price"]))
    assert shown == row["tag"]


@pytest.mark.parametrize(
    ("rate", "amount"), [("1.0", "90.15"), ("0.5", "45.08"), ("0.3", "27.05"), ("0", "0.00")]
)
def test_deposit_due(rate: str, amount: str) -> None:
    assert deposit_due(goods=Decimal("90.15"), rate=Decimal(rate)) == Decimal(amount)


@pytest.mark.parametrize("row", vectors("orders/balance_due"))
def test_balance_due(row: Json) -> None:
    sums = {name: Decimal(row[name]) for name in ("real_total", "shipping_fee", "received")}
    assert balance_due(**sums) == Decimal(row["due"])
    assert overpayment(**sums) == Decimal(row["overpaid"])


def test_no_other_move_is_possible() -> None:
    S = OrderStatus
    possible = {(1, 2), (2, 3), (3, 4), (4, 5), (1, 0), (2, 0), (3, 0), (4, 0)}
    for current in S:
        for target in S:
            if (current, target) in possible:
                check_move(current, target)
            else:
                with pytest.raises(PortalError):
                    check_move(current, target)
    assert set(MOVES) == set(S)


PAPERS = ("documents", "packing_list")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (0, set()),
        (1, {"edit_address", "edit_po_number", "edit_ship_memo", "message", "withdraw"}),
        (2, {"edit_address", "edit_po_number", "edit_ship_memo", "message"}),
        (3, {*PAPERS, "edit_po_number", "edit_ship_memo", "message", "checkout"}),
        (4, {*PAPERS, "edit_po_number", "message"}),
        (5, {*PAPERS, "edit_po_number", "tracking"}),
    ],
)
def test_what_a_status_allows(status: int, expected: set[str]) -> None:
    order = SimpleNamespace(
        status=status, packing_status=2, payment_pending=False, wire_announced=False, received=0
    )
    may = vars(allowed(order, balance_due=True))
    assert {name for name, yes in may.items() if yes} == expected
    assert not allowed(order).checkout
    order.packing_status = 1
    assert not allowed(order).packing_list
    order.payment_pending = True
    assert not allowed(order, balance_due=True).checkout
