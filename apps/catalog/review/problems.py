"""The problems of a list's line, and what keeps some pieces of a product from being ordered, with
the fixes.
"""

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.rules import check_quantity, is_short, nearest_quantities
from apps.common.http.serializers import MAX_COUNT
from apps.common.types import Json

UNKNOWN_SKU, LOST_ZEROS, TWICE = "unknown_sku", "lost_zeros", "sku_twice"
BAD_QUANTITY, UNAVAILABLE, SHORT = "bad_quantity", "unavailable", "short_stock"
BELOW_MOQ, NOT_MULTIPLE, PRICE_CHANGED = "below_moq", "not_multiple_of_moq", "price_changed"
OTHER_CARTON = "other_carton"
WHICH_PRODUCT, HIDDEN = "which_product", "hidden_row"
PROBLEMS = (
    WHICH_PRODUCT,
    UNKNOWN_SKU,
    HIDDEN,
    LOST_ZEROS,
    BAD_QUANTITY,
    OTHER_CARTON,
    UNAVAILABLE,
    SHORT,
    BELOW_MOQ,
    NOT_MULTIPLE,
    TWICE,
    PRICE_CHANGED,
)


def quantity_problems(count: int, product: Json, *, stock_free: bool) -> list[Json]:
    """Return what keeps this many pieces from being ordered: at most one problem, whose fixes can
    all be ordered.
    """
    if not product["selectable"]:
        return [problem(UNAVAILABLE, f"{product['availability']}: it cannot be ordered now.")]
    qty, moq, step = product["qty"], product["moq"], product["step"]
    fewer, more = _nearest_fixes(
        count, product, most=MAX_COUNT if stock_free else min(qty, MAX_COUNT)
    )
    available = f"Only {qty:,} {'piece is' if qty == 1 else 'pieces are'} available"
    below_moq = f"{available}, fewer than the MOQ of {moq:,}."
    if is_short(available=qty, count=count, stock_free=stock_free):
        return [problem(SHORT, f"{available}." if fewer else below_moq, *fewer)]
    try:
        check_quantity(count=count, moq=moq, step=step)
    except BelowMoq:
        return (
            [problem(BELOW_MOQ, f"The MOQ is {moq:,}.", *more)]
            if more
            else [problem(SHORT, below_moq)]
        )
    except NotMultipleOfMoq:
        return [problem(NOT_MULTIPLE, f"Only multiples of {step:,} can be ordered.", *more, *fewer)]
    return []


def fixes_to(count: int, product: Json, *, stock_free: bool, text: str = "Change to") -> list[Json]:
    """Return the fixes to these pieces, or to those near them that can be ordered."""
    if problems := quantity_problems(count, product, stock_free=stock_free):
        return list(problems[0]["fixes"])
    return [fix(f"{text} {count:,}", count=count)]


def _nearest_fixes(count: int, product: Json, *, most: int) -> tuple[list[Json], list[Json]]:
    """Return the fixes to the nearest quantities below and above that can be ordered, each if there
    is one.
    """
    below, above = nearest_quantities(
        count=count, moq=product["moq"], step=product["step"], most=most
    )
    return (
        [fix(f"Change to {below:,}", count=below)] if below else [],
        [fix(f"Change to {above:,}", count=above)] if above else [],
    )


def problem(code: str, text: str, *fixes: Json) -> Json:
    """Return why a line cannot be ordered as it stands, with the fixes that there are."""
    return {"code": code, "text": text, "fixes": list(fixes)}


def fix(text: str, *, sku: str | None = None, count: int | None = None) -> Json:
    """Return a fix by what its button says; what it leaves as it is, is null."""
    return {"text": text, "sku": sku, "count": count}
