"""What stands between a list of SKUs and quantities and a basket: each problem of a line, with the fixes that end it.

Nothing is ordered and nothing stored. A fix changes a line's SKU or its pieces, or accepts it as it is; a line all of
whose problems are fixed can be ordered as far as the portal knows now.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from apps.accounts.selectors import Buyer
from apps.catalog.by_name import suggested_for
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.list_columns import Said, TabColumns, shown
from apps.catalog.list_rows import ListLine, code_of_name
from apps.catalog.message import read_message
from apps.catalog.models import MAX_OWN_CODE
from apps.catalog.order_list import row_name
from apps.catalog.reading import NO_LAST_TIME, ReadLine, Suggested
from apps.catalog.rules import check_quantity, is_short, nearest_quantities
from apps.catalog.selectors import cart_stock, products_behind_zeros, read_list, reader_for, skus_behind
from apps.common.http.serializers import MAX_COUNT
from apps.common.money import usd
from apps.common.tables.cells import cell_at
from apps.common.types import Json

UNKNOWN_SKU, LOST_ZEROS, TWICE = "unknown_sku", "lost_zeros", "sku_twice"
BAD_QUANTITY, UNAVAILABLE, SHORT = "bad_quantity", "unavailable", "short_stock"
BELOW_MOQ, NOT_MULTIPLE, PRICE_CHANGED = "below_moq", "not_multiple_of_moq", "price_changed"
WHICH_PRODUCT = "which_product"
MEANT = "named by another code of the row"
PROBLEMS = (
    WHICH_PRODUCT,
    UNKNOWN_SKU,
    LOST_ZEROS,
    BAD_QUANTITY,
    UNAVAILABLE,
    SHORT,
    BELOW_MOQ,
    NOT_MULTIPLE,
    TWICE,
    PRICE_CHANGED,
)


@dataclass
class _Line:
    """The rows of one SKU."""

    sku: str
    product: Json | None = None
    rows: list[int] = field(default_factory=list)
    count: int = 0
    prices: set[Decimal] = field(default_factory=set)
    faults: list[tuple[int, str]] = field(default_factory=list)  # the row, and why its quantity cannot be read
    guess: int = 0  # pieces that the quantities which cannot be read may mean
    several: bool = False  # products become this SKU without their leading zeros
    own_code: str = ""  # what the company calls it in the list

    def add(self, line: ListLine) -> None:
        """Add a row to those of its SKU."""
        if self.product and line.sku != self.product["sku"]:
            self.sku = line.sku  # named as the row that has lost its zeros, if one of them has
        self.rows.append(line.row)
        self.count = min(self.count + line.count, MAX_COUNT)
        if line.price is not None:
            self.prices.add(usd(line.price))
        if line.fault:
            self.faults.append((line.row, line.fault))
            self.guess += line.guess


def review_sent(
    *,
    buyer: Buyer,
    content: bytes,
    name: str,
    now: datetime,
    said: Sequence[Said] = (),
    settle: Callable[[Sequence[TabColumns]], None] | None = None,
) -> Json:
    """Return what somebody sent, a file or a pasted text by its `name`: its lines, and what was passed over.

    A sheet is read as is `said` of its columns; `settle` is called with them once it could be.

    Raises:
        SpreadsheetRefused: it cannot be read, or asks for nothing.
    """
    if (read := read_message(buyer=buyer, content=content, name=name)) is not None:
        lines = review_message(buyer=buyer, read=read.lines, now=now)
        return {"lines": lines, "without_quantity": 0, "unread": read.unread, "columns": []}
    asked = read_list(buyer=buyer, content=content, name=name, said=said)
    if settle:
        settle(asked.columns)
    lines = review_list(buyer=buyer, lines=asked.lines, now=now)
    columns = [_columns(place, one) for place, one in enumerate(asked.columns)]
    return {"lines": lines, "without_quantity": asked.without_quantity, "unread": [], "columns": columns}


def _columns(place: int, tab: TabColumns) -> Json:
    """Return a tab as its columns are shown."""
    width = len(tab.kinds)
    return {
        "tab": place,
        "name": tab.name,
        "head": tab.head,
        "count": tab.count,
        "rows": [
            {"row": row.number, "cells": [shown(cell_at(row.cells, index)) for index in range(width)]}
            for row in tab.rows
        ],
        "kinds": tab.kinds,
        "carton": tab.carton,
        "asks": tab.asks,
        "is_remembered": tab.is_remembered,
    }


def review_list(*, buyer: Buyer, lines: Sequence[ListLine], now: datetime) -> list[Json]:
    """Return the list as it would be ordered: a line for each SKU, its product, and its problems with their fixes."""
    own = skus_behind(buyer=buyer, codes={line.sku for line in lines if line.sku})
    products = _products_of(buyer=buyer, lines=lines, own=own, now=now)
    judged = [_judged(line, buyer=buyer) for line in _by_product(lines, own, products)]
    named = {line.row: line for line in lines if line.name}
    return _with_candidates(judged, named, buyer=buyer, now=now) if named else judged


def _by_product(
    lines: Iterable[ListLine], own: Mapping[str, str], products: Mapping[str, list[Json]]
) -> Iterable[_Line]:
    """Return the rows of a list together by what they order; what has no SKU stays a line of its own."""
    found: dict[str, _Line] = {}
    for given in lines:
        line = _by_our_sku(given, own, products)
        behind = products.get(line.sku, [])
        product = behind[0] if len(behind) == 1 else None
        key = product["sku"] if product else line.sku or f"\n{line.row}"
        one = found.setdefault(key, _Line(sku=line.sku, several=len(behind) > 1))
        one.product = product
        one.own_code = one.own_code or (given.sku if line is not given else "")
        one.add(line)
    return found.values()


def _with_candidates(judged: list[Json], named: Mapping[int, ListLine], *, buyer: Buyer, now: datetime) -> list[Json]:
    """Return lines of which those that have a name alone are asked: which product is it?"""
    by_row = _suggestions(named, buyer=buyer)
    skus = list(dict.fromkeys((one.sku, 0) for found in by_row.values() for one in found))
    products = {product["sku"]: product for product in cart_stock(buyer=buyer, lines=skus, now=now)}
    for line in judged:
        if line["row"] in named:
            name = named[line["row"]].name
            line["words"], line["called"] = name, code_of_name(name)
            line["problems"] = [_problem(WHICH_PRODUCT, line["problems"][0]["text"])]
            line["candidates"] = _candidates(by_row[line["row"]], products)
    return judged


def _suggestions(named: Mapping[int, ListLine], *, buyer: Buyer) -> dict[int, list[Suggested]]:
    """Return by row what it may mean: what another of its codes means, else the products that its name fits."""
    names = [line.name for line in named.values() if not line.meant]
    fitting = suggested_for(names, reader_for(buyer=buyer, text=" ".join(names)).catalogue) if names else {}
    return {
        row: [Suggested(line.meant, MEANT)] if line.meant else fitting.get(line.name, []) for row, line in named.items()
    }


def _candidates(suggested: Iterable[Suggested], products: Mapping[str, Json]) -> list[Json]:
    return [
        {"product": products[one.sku], "why": one.why, "agreeing": list(one.agreeing)}
        for one in suggested
        if one.sku in products
    ]


def review_message(*, buyer: Buyer, read: Sequence[ReadLine], now: datetime) -> list[Json]:
    """Return what a message asks for, questions first; `read` are its lines, told apart by their places from 1.

    What is not sure is asked: which product, with those that it may be and none chosen, or how many pieces.
    """
    asked = [
        ListLine(row, line.sku, 0 if line.question else line.pieces, None, line.why, line.guess)
        for row, line in enumerate(read, 1)
        if line.sku
    ]
    judged = {line["row"]: line for line in review_list(buyer=buyer, lines=asked, now=now)}
    products = _proposed(buyer=buyer, read=read, now=now)
    lines = []
    for row, line in enumerate(read, 1):
        if line.sku and row in judged:
            lines.append({**judged[row], "words": line.words})
        elif not line.sku:
            lines.append(_asked(row, line, products))
    return sorted(lines, key=lambda line: (line["sku"] != "", not line["problems"]))


def _proposed(*, buyer: Buyer, read: Sequence[ReadLine], now: datetime) -> dict[str, Json]:
    """Return the products by their SKUs that are proposed where it is asked which is meant."""
    suggested = [(one.sku, 0) for line in read if not line.sku for one in line.suggested]
    return {product["sku"]: product for product in cart_stock(buyer=buyer, lines=suggested, now=now)}


def _asked(row: int, line: ReadLine, products: Mapping[str, Json]) -> Json:
    """Return a line whose product is asked."""
    return {
        "row": row,
        "rows": [row],
        "sku": "",
        "own_code": "",
        "product": None,
        "count": line.pieces or line.guess,
        "problems": [_problem(WHICH_PRODUCT, line.why)],
        "words": line.words,
        "called": _remembered(line),
        "candidates": _candidates(line.suggested, products),
    }


def _remembered(line: ReadLine) -> str:
    """Return what may be kept as the company's own code of the product that is chosen."""
    called = line.code or line.name
    return called if line.question != NO_LAST_TIME and len(called) <= MAX_OWN_CODE else ""


def _by_our_sku(line: ListLine, own: Mapping[str, str], products: Mapping[str, list[Json]]) -> ListLine:
    """Return a row by our SKU where it has the company's own code of a product; a SKU of ours means itself."""
    sku = own.get(line.sku, "")
    return replace(line, sku=sku) if sku in products and line.sku not in products else line


def _products_of(
    *, buyer: Buyer, lines: Sequence[ListLine], own: Mapping[str, str], now: datetime
) -> dict[str, list[Json]]:
    """Return the products by the SKUs of a list: the one that has it, or those that have it behind zeros.

    Besides those that the company's own codes mean.
    """
    skus = list(dict.fromkeys([*(line.sku for line in lines if line.sku), *own.values()]))
    known = cart_stock(buyer=buyer, lines=[(sku, 0) for sku in skus], now=now)
    products = {product["sku"]: [product] for product in known}
    bare = [sku for sku in skus if sku not in products and sku not in own and _may_have_lost_zeros(sku)]
    return {**products, **products_behind_zeros(buyer=buyer, bare=bare, now=now)}


def _may_have_lost_zeros(sku: str) -> bool:
    return sku.isdigit() and sku.isascii() and not sku.startswith("0")


def _judged(line: _Line, *, buyer: Buyer) -> Json:
    return {
        "row": line.rows[0],
        "rows": line.rows,
        "sku": line.sku,
        "own_code": line.own_code,
        "product": line.product and {**line.product, "count": line.count},
        "count": line.count if line.sku else line.guess,
        "problems": _problems(line, buyer=buyer),
        "words": "",
        "called": "",
        "candidates": [],
    }


def _problems(line: _Line, *, buyer: Buyer) -> list[Json]:
    product = line.product
    if product is None:
        return [_problem(UNKNOWN_SKU, _why_unknown(line))]
    problems = []
    if line.sku != product["sku"]:
        text = f"The zeros in front of this SKU are missing: {product['sku']} is in your price list."
        problems.append(_problem(LOST_ZEROS, text, _fix(f"Use {product['sku']}", sku=product["sku"])))
    if line.faults:
        return [*problems, _problem(BAD_QUANTITY, _why_unread(line), *_fixes_of_quantity(line, product, buyer=buyer))]
    problems += _quantity_problems(line.count, product, stock_free=buyer.stock_free)
    if len(line.rows) > 1:
        text = f"{_rows_of(line)}; added up they make {line.count:,}."
        problems.append(_problem(TWICE, text, _fix("Keep the sum")))
    return [*problems, *_price_problems(line.prices, product["usd_supply"])]


def _price_problems(listed: Collection[Decimal], price: Decimal) -> list[Json]:
    """Return that the price is another one than those of the list."""
    others = sorted({*listed} - {price})
    if not others:
        return []
    shown = " or ".join(f"${other:,.2f}" for other in others[:2])
    text = f"The price is ${price:,.2f} now; your list has {shown}."
    return [_problem(PRICE_CHANGED, text, _fix(f"Accept ${price:,.2f}"))]


def _why_unknown(line: _Line) -> str:
    """Return why no product is found for a line."""
    if line.faults and not line.sku:
        return line.faults[0][1]
    if line.several:
        return "Several SKUs end like this; the zeros in front of it are missing."
    return "This SKU is not in your price list." if line.sku else "This row has no SKU."


def _why_unread(line: _Line) -> str:
    """Return why a line's quantity cannot be read; of several rows, which it is and what the others make."""
    row, fault = line.faults[0]
    if len(line.rows) == 1:
        return fault
    more = f" and {len(line.faults) - 1:,} more" if len(line.faults) > 1 else ""
    return f"Row {row_name(row)}{more}: {fault} The rows that can be read make {line.count:,}."


def _rows_of(line: _Line) -> str:
    """Return which rows have a line's SKU, or how many if they are more than four."""
    if len(line.rows) > 4:
        return f"{len(line.rows)} rows have this SKU"
    return f"Rows {', '.join(map(row_name, line.rows[:-1]))} and {row_name(line.rows[-1])} have this SKU"


def _quantity_problems(count: int, product: Json, *, stock_free: bool) -> list[Json]:
    """Return what keeps this many pieces from being ordered: at most one problem, whose fixes can all be ordered."""
    if not product["selectable"]:
        return [_problem(UNAVAILABLE, f"{product['availability']}: it cannot be ordered now.")]
    qty, moq, step = product["qty"], product["moq"], product["step"]
    fewer, more = _nearest_fixes(count, product, most=MAX_COUNT if stock_free else min(qty, MAX_COUNT))
    available = f"Only {qty:,} {'piece is' if qty == 1 else 'pieces are'} available"
    below_moq = f"{available}, fewer than the MOQ of {moq:,}."
    if is_short(available=qty, count=count, stock_free=stock_free):
        return [_problem(SHORT, f"{available}." if fewer else below_moq, *fewer)]
    try:
        check_quantity(count=count, moq=moq, step=step)
    except BelowMoq:
        return [_problem(BELOW_MOQ, f"The MOQ is {moq:,}.", *more)] if more else [_problem(SHORT, below_moq)]
    except NotMultipleOfMoq:
        return [_problem(NOT_MULTIPLE, f"Only multiples of {step:,} can be ordered.", *more, *fewer)]
    return []


def _fixes_of_quantity(line: _Line, product: Json, *, buyer: Buyer) -> list[Json]:
    """Return the quantities that can be ordered in place of one that cannot be read: what it may mean, or the MOQ."""
    if not product["selectable"]:
        return []
    meant = line.count + line.guess or product["moq"]
    if problems := _quantity_problems(meant, product, stock_free=buyer.stock_free):
        return list(problems[0]["fixes"])
    return [_fix(f"Change to {meant:,}", count=meant)]


def _nearest_fixes(count: int, product: Json, *, most: int) -> tuple[list[Json], list[Json]]:
    """Return the fixes to the nearest quantities below and above that can be ordered, each if there is one."""
    below, above = nearest_quantities(count=count, moq=product["moq"], step=product["step"], most=most)
    return (
        [_fix(f"Change to {below:,}", count=below)] if below else [],
        [_fix(f"Change to {above:,}", count=above)] if above else [],
    )


def _problem(code: str, text: str, *fixes: Json) -> Json:
    return {"code": code, "text": text, "fixes": list(fixes)}


def _fix(text: str, *, sku: str | None = None, count: int | None = None) -> Json:
    """Return a fix by what its button says; what it leaves as it is, is null."""
    return {"text": text, "sku": sku, "count": count}
