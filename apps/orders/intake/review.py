"""Stage five: a list as it would be ordered, with what is asked of each line and the fixes that end
it. Nothing is ordered. A fix changes a line's pieces, or accepts it as it is.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from apps.accounts.selectors import Buyer
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.rules import check_quantity, is_short, nearest_quantities
from apps.catalog.selectors import cart_stock
from apps.common.http.serializers import MAX_COUNT
from apps.common.money import usd
from apps.common.tables.cells import cell_at
from apps.common.types import Json
from apps.orders.intake.columns import why_not
from apps.orders.intake.rows import WHY_HEADINGS
from apps.orders.intake.table import Table
from apps.orders.intake.typed import HOW_MANY, Line, Passed
from apps.orders.intake.words import text_in

WHICH_PRODUCT, UNKNOWN_SKU, HIDDEN = "which_product", "unknown_sku", "hidden_row"
BAD_QUANTITY, OTHER_CARTON, UNAVAILABLE = "bad_quantity", "other_carton", "unavailable"
SHORT, BELOW_MOQ, NOT_MULTIPLE = "short_stock", "below_moq", "not_multiple_of_moq"
TWICE, PRICE_CHANGED = "sku_twice", "price_changed"
PROBLEMS = (
    WHICH_PRODUCT,
    UNKNOWN_SKU,
    HIDDEN,
    BAD_QUANTITY,
    OTHER_CARTON,
    UNAVAILABLE,
    SHORT,
    BELOW_MOQ,
    NOT_MULTIPLE,
    TWICE,
    PRICE_CHANGED,
)
MOST_PASSED = 300  # rows passed over for one reason that are shown
ROWS_SHOWN, COLUMNS_SHOWN, MAX_CELL_SHOWN = 8, 40, 60


def review_lines(*, buyer: Buyer, lines: Sequence[Line], now: datetime) -> list[Json]:
    """Return the lines of a review: one for each product, one for each row that is asked."""
    skus = {line.sku for line in lines if line.sku}
    skus |= {sku for line in lines for sku, _, _ in line.either}
    listed_products = cart_stock(buyer=buyer, lines=[(sku, 0) for sku in sorted(skus)], now=now)
    products = {product["sku"]: product for product in listed_products}
    groups: dict[str, list[Line]] = {}
    for line in lines:
        key = line.sku if line.sku and not line.which else f"\n{line.row}"
        groups.setdefault(key, []).append(line)
    return [_reviewed(group, products, buyer) for group in groups.values()]


def _sum(lines: Iterable[Line]) -> int:
    """Return the pieces of rows."""
    return min(sum(line.amount.count for line in lines), MAX_COUNT)


def _reviewed(lines: Sequence[Line], products: Mapping[str, Json], buyer: Buyer) -> Json:
    """Return the rows of one product as a line, those of one unknown code, or one that is asked
    with the products that may be meant.
    """
    first, count = lines[0], _sum(lines)
    sku, product = first.sku, products.get(first.sku)
    words, called, candidates = first.words, first.called, []
    if first.which:
        sku, product = "", None
        question = f"{first.which} {first.amount.question.replace(HOW_MANY, '')}"
        problems = [problem(WHICH_PRODUCT, question.strip())]
        candidates = [
            {"product": products[sku], "why": why, "agreeing": agreeing}
            for sku, why, agreeing in first.either
            if sku in products
        ]
    elif product is None:
        question = f"{sku} is not in your price list."
        if len(lines) > 1:
            question += f" {_rows(lines)} have it; added up they make {count:,}."
        problems = [problem(UNKNOWN_SKU, question)]
        called = called or sku
        count = count or sum(line.amount.guess for line in lines)
    else:
        words = called = ""
        problems = _problems(lines, product, buyer)
        product = {**product, "count": count}
    amounts = [line.amount for line in lines]
    packed = {(one.unit, one.packs and one.count // one.packs) for one in amounts}
    is_packed = len(packed) == 1
    return {
        "row": first.row,
        "rows": [line.row for line in lines],
        "sku": sku,
        "own_code": next((line.own_code for line in lines if line.own_code), ""),
        "product": product,
        "count": count,
        "problems": problems,
        "words": words,
        "called": called,
        "packs": sum(one.packs for one in amounts) if is_packed else 0,
        "unit": amounts[0].unit if is_packed else "",
        "candidates": candidates,
    }


def _problems(lines: Sequence[Line], product: Json, buyer: Buyer) -> list[Json]:
    count = _sum(lines)
    open_lines = [line for line in lines if line.amount.question]
    hidden = [line for line in lines if line.is_hidden]
    result: list[Json] = []
    if hidden:
        text = f"{_rows(hidden)} {'are' if len(hidden) > 1 else 'is'} hidden in your sheet"
        if open_lines or len(hidden) == len(lines):
            result = [problem(HIDDEN, f"{text}.", fix("Order it too"))]
        else:
            without = count - sum(line.amount.count for line in hidden)
            text += f": {count:,} pieces with what is hidden, {without:,} without."
            return [problem(HIDDEN, text, *_fixes((count, without), product, buyer))]
    if open_lines:
        return [*result, _bad_quantity(lines, open_lines, product, buyer)]
    taught = sum(line.by_memory or line.amount.count for line in lines)
    if taught != count:
        text = (
            f"Your list says that these cartons hold {count:,} pieces; by your own codes "
            f"they hold {taught:,}."
        )
        both = _fixes((count, taught), product, buyer, text="Order")
        return [*result, problem(OTHER_CARTON, text, *both)]
    result += _quantity_problems(count, product, buyer)
    if len(lines) > 1:
        text = f"{_rows(lines)} have this SKU; added up they make {count:,}."
        result.append(problem(TWICE, text, fix("Keep the sum")))
    price = product["usd_supply"]
    listed = {usd(line.price) for line in lines if line.price is not None} - {price}
    if listed:
        prices = " or ".join(f"${other:,.2f}" for other in sorted(listed)[:2])
        text = f"The price is ${price:,.2f} now; your list has {prices}."
        result.append(problem(PRICE_CHANGED, text, fix(f"Accept ${price:,.2f}")))
    return result


def _bad_quantity(
    lines: Sequence[Line], open_lines: Sequence[Line], product: Json, buyer: Buyer
) -> Json:
    """Return why the pieces of rows are asked, of several which it is and what the others make;
    with the pieces that may be meant, if any, but never more than there is.
    """
    first, *more = open_lines
    count, question = _sum(lines), first.amount.question
    if len(lines) > 1:
        others = f" The other rows make {count:,} pieces." if count else ""
        also = f" and {len(more):,} more" if more else ""
        question = f"Row {first.row:,}{also}: {question}{others}"
    guess = sum(line.amount.guess for line in lines)
    count += guess
    is_beyond = is_short(available=product["qty"], count=count, stock_free=buyer.stock_free)
    if not product["selectable"] or not guess or is_beyond:
        return problem(BAD_QUANTITY, question)
    problems = _quantity_problems(count, product, buyer)
    fixes = problems[0]["fixes"] if problems else [fix(f"Change to {count:,}", count=count)]
    return problem(BAD_QUANTITY, question, *fixes)


def _fixes(
    counts: Iterable[int], product: Json, buyer: Buyer, text: str = "Change to"
) -> list[Json]:
    """Return the fixes to some pieces, or to those nearest to them that can be ordered."""
    result: list[Json] = []
    for count in counts:
        problems = _quantity_problems(count, product, buyer)
        result += problems[0]["fixes"][:1] if problems else [fix(f"{text} {count:,}", count=count)]
    return list({one["text"]: one for one in result}.values())


def _rows(lines: Sequence[Line]) -> str:
    """Return rows by their numbers, or how many if they are more than four."""
    if len(lines) > 4:
        return f"{len(lines):,} rows"
    *first, last = (f"{line.row:,}" for line in lines)
    return f"Rows {', '.join(first)} and {last}" if first else f"Row {last}"


def _quantity_problems(count: int, product: Json, buyer: Buyer) -> list[Json]:
    """Return what keeps this many pieces from being ordered: at most one problem, whose fixes can
    all be ordered.
    """
    if not product["selectable"]:
        return [problem(UNAVAILABLE, f"{product['availability']}: it cannot be ordered now.")]
    qty, moq, step = product["qty"], product["moq"], product["step"]
    most = MAX_COUNT if buyer.stock_free else min(qty, MAX_COUNT)
    below, above = nearest_quantities(count=count, moq=moq, step=step, most=most)
    fewer = [fix(f"Change to {below:,}", count=below)] if below else []
    more = [fix(f"Change to {above:,}", count=above)] if above else []
    available = f"Only {qty:,} {'piece is' if qty == 1 else 'pieces are'} available"
    too_few = f"{available}, fewer than the MOQ of {moq:,}."
    if is_short(available=qty, count=count, stock_free=buyer.stock_free):
        return [problem(SHORT, f"{available}." if fewer else too_few, *fewer)]
    try:
        check_quantity(count=count, moq=moq, step=step)
    except BelowMoq:
        if not more:
            return [problem(SHORT, too_few)]
        return [problem(BELOW_MOQ, f"The MOQ is {moq:,}.", *more)]
    except NotMultipleOfMoq:
        return [problem(NOT_MULTIPLE, f"Only multiples of {step:,} can be ordered.", *more, *fewer)]
    return []


def problem(code: str, text: str, *fixes: Json) -> Json:
    """Return why a line cannot be ordered as it stands, with the fixes that there are."""
    return {"code": code, "text": text, "fixes": list(fixes)}


def fix(text: str, *, count: int | None = None) -> Json:
    """Return a fix by what its button says, and the pieces that it sets; null: those stay."""
    return {"text": text, "count": count}


def json_of_tables(tables: Collection[Table], selected: Table, proposed: int) -> list[Json]:
    """Return the tabs as their columns are shown; none of a text."""
    return [
        {
            "tab": table.place,
            "name": table.tab.name,
            "head": table.head,
            "count": len(table.tab.rows),
            "rows": [
                {
                    "row": row.number,
                    "cells": [
                        text_in(cell_at(row.cells, index))[:MAX_CELL_SHOWN]
                        for index in range(min(len(table.kinds), COLUMNS_SHOWN))
                    ],
                }
                for row in table.from_headings[:ROWS_SHOWN]
            ],
            "kinds": table.kinds[:COLUMNS_SHOWN],
            "carton": table.carton,
            "asks": table.asks if table is selected else "",
            "looks_like": table.looks_like if table is selected else "",
            "choices": table.choices if table is selected else [],
            "readings": table.readings if table is selected else [],
            "is_remembered": table.is_remembered,
            "is_read": table is selected,
            "is_proposed": table.place == proposed,
            "why": why_not(table, selected),
        }
        for table in tables
    ]


def json_of_passed(rows: Iterable[Passed]) -> Json:
    """Return why rows are no lines of the order: how many for which reason, and of each reason the
    first.
    """
    whys: Counter[str] = Counter()
    listed = []
    for row in rows:
        whys[row.why] += 1
        if whys[row.why] <= MOST_PASSED:
            listed.append(row._asdict())
    return {
        "passed": listed,
        "passed_why": [{"why": why, "rows": count} for why, count in whys.most_common()],
        "without_quantity": whys.total() - whys[WHY_HEADINGS],
    }
