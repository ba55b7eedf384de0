"""Pure rules of orders: prices of lines, weights, what is due."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, Decimal
from typing import Any

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq, OutOfStock
from apps.catalog.rules import check_quantity, is_short
from apps.common.errors import Invalid, PortalError
from apps.common.money import ZERO, usd
from apps.common.texts import gettext as _
from apps.orders.errors import NoLines

CONFIRMED_TAG = "Confirmed"
NOT_CONFIRMED_TAG = "Not Confirmed"
FREE_OFFER_TAG = "Free offer"

UNKNOWN_SKU = "Unknown SKU."
MOST_OF_GOODS = Decimal("0.3")  # a shipping fee above is asked about
MAX_BASKET_LINES = 2_000
BASKET_FULL = f"A basket holds at most {MAX_BASKET_LINES:,} products."


def line_total(*, price: Decimal, quantity: int) -> Decimal:
    """Return a line's price in US dollars: frozen wholesale price times pieces (api.md, Orders)."""
    return usd(price * quantity)


def subtotal(prices: Iterable[Decimal]) -> Decimal:
    """Return the sum of lines' prices in US dollars."""
    return usd(sum(prices, ZERO))


def kilograms(grams: int) -> Decimal:
    """Return kilograms with one decimal, rounded up (section 9)."""
    return Decimal(-(-grams // 100)) / 10


def balance_due(*, real_total: Decimal, shipping_fee: Decimal, received: Decimal) -> Decimal:
    """Return what is still to pay of a confirmed order in US dollars, never below zero (readings,
    Money).
    """
    return max(ZERO, usd(real_total + shipping_fee - received))


def overpayment(*, real_total: Decimal, shipping_fee: Decimal, received: Decimal) -> Decimal:
    """Return what was received beyond the cost of a confirmed order in US dollars (readings,
    Money).
    """
    return max(ZERO, usd(received - real_total - shipping_fee))


def fee_guard(*, shipping_fee: Decimal, goods: Decimal) -> str:
    """Return what has to be looked at in a shipping fee: more than 30 % of the goods; both in US
    dollars. Nothing where it is usual.
    """
    if shipping_fee <= goods * MOST_OF_GOODS:
        return ""
    if not goods:
        return _("%(fee)s for an order without goods.") % {"fee": f"{shipping_fee:,.2f}"}
    percent = (shipping_fee * 100 / goods).to_integral_value(ROUND_CEILING)
    figures = {"fee": f"{shipping_fee:,.2f}", "percent": f"{percent:,}", "goods": f"{goods:,.2f}"}
    return _("%(fee)s is %(percent)s %% of the goods, %(goods)s.") % figures


def line_tag(*, is_confirmed: bool, order_price: Decimal) -> str:
    """Return a line's tag (readings, Order life): a line that is not confirmed and costs nothing is
    a free offer.
    """
    if is_confirmed:
        return CONFIRMED_TAG
    return NOT_CONFIRMED_TAG if order_price else FREE_OFFER_TAG


def check_basket(
    counts: Mapping[str, int], products: Mapping[str, Any], *, stock_free: bool
) -> None:
    """Check the pieces by SKU of a basket against the products that its buyer sees, before it
    becomes an order, in the order of api.md (POST /temp-order).

    Raises:
        NoLines: it is empty.
        Invalid: a SKU does not exist for this buyer.
        OutOfStock: pieces that cannot be promised to a buyer who is not `stock_free`.
        BelowMoq, NotMultipleOfMoq: quantities that cannot be ordered.
    """
    if not counts:
        raise NoLines
    if unknown := {sku: [UNKNOWN_SKU] for sku in counts if sku not in products}:
        raise Invalid(errors=unknown)
    short = {}
    faults: dict[type[PortalError], dict[str, list[str]]] = {}
    for sku, count in counts.items():
        product = products[sku]
        available = product.available(stock_free=stock_free)
        if is_short(available=available, count=count, stock_free=stock_free):
            short[sku] = [OutOfStock.message]
        try:
            check_quantity(count=count, moq=product.moq, step=product.step, held=product.held)
        except (BelowMoq, NotMultipleOfMoq) as fault:
            faults.setdefault(type(fault), {})[sku] = [fault.message]
    if short:
        raise OutOfStock(errors=short)
    for refusal in (BelowMoq, NotMultipleOfMoq):
        if refusal in faults:
            raise refusal(errors=faults[refusal])
