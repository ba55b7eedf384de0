"""Stage five: a list as it would be ordered, with what is asked of each line and the fixes that end
it. Nothing is ordered. A fix changes a line's pieces, or accepts it as it is.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from apps.accounts.selectors import Buyer
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.rules import check_quantity, is_short, nearest_quantities
from apps.catalog.selectors import cart_stock
from apps.common.http.serializers import MAX_COUNT
from apps.common.money import usd
from apps.common.tables.cells import cell_at
from apps.common.types import Json
from apps.orders.intake.columns import Table, why_not
from apps.orders.intake.match import Line
from apps.orders.intake.quantities import text_in
from apps.orders.intake.rows import HEADINGS_SAID
from apps.orders.intake.typed import HOW_MANY, Passed

UNKNOWN_SKU, WHICH_PRODUCT, HIDDEN, TWICE = (
    "unknown_sku",
    "which_product",
    "hidden_row",
    "sku_twice",
)
BAD_QUANTITY, UNAVAILABLE, SHORT = "bad_quantity", "unavailable", "short_stock"
BELOW_MOQ, NOT_MULTIPLE, PRICE_CHANGED = "below_moq", "not_multiple_of_moq", "price_changed"
OTHER_CARTON = "other_carton"
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


@dataclass
class Group:
    """The rows of one product, or those of one unknown code."""

    sku: str
    product: Json | None
    lines: list[Line] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Return the pieces of all rows."""
        return min(sum(line.amount.count for line in self.lines), MAX_COUNT)

    @property
    def guess(self) -> int:
        """Return the pieces that may be meant by those rows that are asked."""
        return sum(line.amount.guess for line in self.lines)

    @property
    def faults(self) -> list[Line]:
        """Return the rows whose pieces are asked."""
        return [line for line in self.lines if line.amount.question]

    @property
    def question(self) -> str:
        """Return why the pieces are asked; of several rows, which it is and what others make."""
        line, *more = self.faults
        if len(self.lines) == 1:
            return line.amount.question
        others = f" The other rows make {self.count:,} pieces." if self.count else ""
        also = f" and {len(more):,} more" if more else ""
        return f"Row {line.row:,}{also}: {line.amount.question}{others}"

    @property
    def rows(self) -> list[int]:
        """Return the numbers of the rows."""
        return [line.row for line in self.lines]


def review_lines(*, buyer: Buyer, lines: Sequence[Line], now: datetime) -> list[Json]:
    """Return the lines of a review: one for each product, one for each row that is asked."""
    skus = {line.sku for line in lines if line.sku}
    skus |= {sku for line in lines for sku, _, _ in line.either}
    known = cart_stock(buyer=buyer, lines=[(sku, 0) for sku in sorted(skus)], now=now)
    products = {product["sku"]: product for product in known}
    groups: dict[str, Group] = {}
    for line in lines:
        key = line.sku if line.sku and not line.which else f"\n{line.row}"
        groups.setdefault(key, Group(line.sku, products.get(line.sku))).lines.append(line)
    return [
        _which_product(group.lines[0], products)
        if group.lines[0].which
        else _judged(group, buyer=buyer)
        for group in groups.values()
    ]


def review_each(*, buyer: Buyer, lines: Sequence[Line], now: datetime) -> list[Json]:
    """Return rows whose product is settled as each would be ordered by itself, whatever the others
    order.
    """
    return [result for line in lines for result in review_lines(buyer=buyer, lines=[line], now=now)]


def _json_of(group: Group, count: int, problems: list[Json]) -> Json:
    line, units = group.lines[0], {one.amount.unit for one in group.lines}
    held = {one.amount.count // one.amount.packs if one.amount.packs else 0 for one in group.lines}
    is_packed = len(units) == len(held) == 1
    product = group.product and {**group.product, "count": group.count}
    return {
        "row": line.row,
        "rows": group.rows,
        "sku": group.sku,
        "own_code": next((one.own_code for one in group.lines if one.own_code), ""),
        "product": product,
        "count": count,
        "problems": problems,
        "words": "",
        "called": "",
        "packs": sum(one.amount.packs for one in group.lines) if is_packed else 0,
        "unit": line.amount.unit if is_packed else "",
        "candidates": [],
    }


def _which_product(line: Line, products: Mapping[str, Json]) -> Json:
    """Return a row whose product is asked, with those that may be meant."""
    said = " ".join(filter(None, (line.which, line.amount.question.replace(HOW_MANY, ""))))
    group = Group("", None, [line])
    return _json_of(group, line.amount.count, [problem(WHICH_PRODUCT, said.strip())]) | {
        "words": line.words,
        "called": line.called,
        "candidates": [
            {"product": products[sku], "why": why, "agreeing": agreeing}
            for sku, why, agreeing in line.either
            if sku in products
        ],
    }


def _judged(group: Group, *, buyer: Buyer) -> Json:
    if group.product is not None:
        return _json_of(group, group.count, _problems(group, group.product, buyer=buyer))
    said = f"{group.sku} is not in your price list."
    if len(group.lines) > 1:
        said += f" {_rows(group.rows)} have it; added up they make {group.count:,}."
    called = {"words": group.lines[0].words, "called": group.lines[0].called or group.sku}
    count = group.count or group.guess
    return _json_of(group, count, [problem(UNKNOWN_SKU, said)]) | called


def _problems(group: Group, product: Json, *, buyer: Buyer) -> list[Json]:
    hidden = [line for line in group.lines if line.is_hidden]
    result = _hidden(group, hidden, product, buyer=buyer) if hidden else []
    if result and len(hidden) < len(group.lines) and not group.faults:
        return result
    if group.faults:
        return [
            *result,
            problem(BAD_QUANTITY, group.question, *_guessed(group, product, buyer=buyer)),
        ]
    taught = sum(line.by_memory or line.amount.count for line in group.lines)
    if taught != group.count:
        text = (
            f"Your list says that these cartons hold {group.count:,} pieces; by your own codes "
            f"they hold {taught:,}."
        )
        both = _fixes(group.count, taught, product=product, buyer=buyer, text="Order")
        return [*result, problem(OTHER_CARTON, text, *both)]
    result += quantity_problems(group.count, product, stock_free=buyer.stock_free)
    if len(group.lines) > 1:
        text = f"{_rows(group.rows)} have this SKU; added up they make {group.count:,}."
        result.append(problem(TWICE, text, fix("Keep the sum")))
    price = product["usd_supply"]
    listed = {usd(line.price) for line in group.lines if line.price is not None} - {price}
    if listed:
        shown = " or ".join(f"${other:,.2f}" for other in sorted(listed)[:2])
        text = f"The price is ${price:,.2f} now; your list has {shown}."
        result.append(problem(PRICE_CHANGED, text, fix(f"Accept ${price:,.2f}")))
    return result


def _hidden(group: Group, hidden: Sequence[Line], product: Json, *, buyer: Buyer) -> list[Json]:
    """Return that rows are hidden in the sheet; where others are not, with both sums."""
    these = f"{_rows([line.row for line in hidden])} {'are' if len(hidden) > 1 else 'is'}"
    without = group.count - sum(line.amount.count for line in hidden)
    if len(hidden) == len(group.lines) or group.faults:
        return [problem(HIDDEN, f"{these} hidden in your sheet.", fix("Order it too"))]
    text = (
        f"{these} hidden in your sheet: {group.count:,} pieces with "
        f"what is hidden, {without:,} without."
    )
    return [problem(HIDDEN, text, *_fixes(group.count, without, product=product, buyer=buyer))]


def _fixes(*counts: int, product: Json, buyer: Buyer, text: str = "Change to") -> list[Json]:
    """Return the fixes to some pieces, or to those nearest to them that can be ordered."""
    result: list[Json] = []
    for count in counts:
        problems = quantity_problems(count, product, stock_free=buyer.stock_free)
        result += problems[0]["fixes"][:1] if problems else [fix(f"{text} {count:,}", count=count)]
    return list({one["text"]: one for one in result}.values())


def _rows(rows: Sequence[int]) -> str:
    """Return rows by their numbers, or how many if they are more than four."""
    if len(rows) > 4:
        return f"{len(rows):,} rows"
    *first, last = map("{:,}".format, rows)
    return f"Rows {', '.join(first)} and {last}" if first else f"Row {last}"


def _guessed(group: Group, product: Json, *, buyer: Buyer) -> list[Json]:
    """Return the fixes to the pieces that may be meant, if any; never in place of more than there
    is.
    """
    count = group.count + group.guess
    is_beyond = is_short(available=product["qty"], count=count, stock_free=buyer.stock_free)
    if not product["selectable"] or not group.guess or is_beyond:
        return []
    problems = quantity_problems(count, product, stock_free=buyer.stock_free)
    return list(problems[0]["fixes"]) if problems else [fix(f"Change to {count:,}", count=count)]


def quantity_problems(count: int, product: Json, *, stock_free: bool) -> list[Json]:
    """Return what keeps this many pieces from being ordered: at most one problem, whose fixes can
    all be ordered.
    """
    if not product["selectable"]:
        return [problem(UNAVAILABLE, f"{product['availability']}: it cannot be ordered now.")]
    qty, moq, step = product["qty"], product["moq"], product["step"]
    most = MAX_COUNT if stock_free else min(qty, MAX_COUNT)
    below, above = nearest_quantities(count=count, moq=moq, step=step, most=most)
    fewer = [fix(f"Change to {below:,}", count=below)] if below else []
    more = [fix(f"Change to {above:,}", count=above)] if above else []
    available = f"Only {qty:,} {'piece is' if qty == 1 else 'pieces are'} available"
    too_few = f"{available}, fewer than the MOQ of {moq:,}."
    if is_short(available=qty, count=count, stock_free=stock_free):
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


def json_of_tables(tables: Collection[Table], read: Table, proposed: int) -> list[Json]:
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
                for row in table.first_rows(ROWS_SHOWN)
            ],
            "kinds": table.kinds[:COLUMNS_SHOWN],
            "carton": table.carton,
            "asks": table.asks if table is read else "",
            "looks_like": table.looks_like if table is read else "",
            "choices": [one._asdict() for one in table.choices] if table is read else [],
            "readings": [one._asdict() for one in table.readings] if table is read else [],
            "is_remembered": table.is_remembered,
            "is_read": table is read,
            "is_proposed": table.place == proposed,
            "why": why_not(table, read),
        }
        for table in tables
    ]


def json_of_passed(rows: Iterable[Passed]) -> Json:
    """Return why rows are no lines of the order: how many for which reason, and of each reason the
    first.
    """
    whys: Counter[str] = Counter()
    shown = []
    rows = list(rows)
    for row in rows:
        whys[row.why] += 1
        if whys[row.why] <= MOST_PASSED:
            shown.append(row._asdict())
    return {
        "passed": shown,
        "passed_why": [{"why": why, "rows": count} for why, count in whys.most_common()],
        "without_quantity": sum(row.why != HEADINGS_SAID for row in rows),
    }
