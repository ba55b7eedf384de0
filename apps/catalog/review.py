"""What stands between a list of SKUs and quantities and a basket: each problem of a line, with the fixes that end it.

Nothing is ordered and nothing stored. A fix changes a line's SKU or its pieces, or accepts it as it is; a line all of
whose problems are fixed can be ordered as far as the portal knows now.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from apps.accounts.selectors import Buyer
from apps.catalog.list_columns import Said, TabColumns
from apps.catalog.list_json import json_beside, json_of_passed, lines_of_json
from apps.catalog.list_rows import MAX_NAME_SHOWN, ListLine, code_of_name
from apps.catalog.message import read_message
from apps.catalog.models import MAX_OWN_CODE
from apps.catalog.order_list import row_name
from apps.catalog.problems import (
    BAD_QUANTITY,
    HIDDEN,
    LOST_ZEROS,
    OTHER_CARTON,
    PRICE_CHANGED,
    TWICE,
    UNKNOWN_SKU,
    WHICH_PRODUCT,
    fix,
    fixes_to,
    problem,
    quantity_problems,
)
from apps.catalog.reading import NO_LAST_TIME, ReadLine
from apps.catalog.rules import is_short
from apps.catalog.selectors import cart_stock, products_behind_zeros, read_list, skus_behind
from apps.catalog.unpacking import unpacked
from apps.catalog.which_product import ProductOf, asked_which, candidates_of, with_candidates
from apps.common.http.serializers import MAX_COUNT
from apps.common.money import usd
from apps.common.types import Json


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
    called: str = ""  # the name beside its code
    hidden: list[int] = field(default_factory=list)  # those of the rows that are hidden in the sheet
    pieces_hidden: int = 0
    must_enter: bool = False  # nothing can be proposed in place of a quantity
    packs: int = 0
    units: set[str] = field(default_factory=set)  # what cartons are called in the rows, empty: pieces
    in_one: set[int] = field(default_factory=set)  # how many pieces rows say that a carton holds
    count_taught: int = 0  # pieces, by what the company has said of its cartons

    @property
    def is_partly_hidden(self) -> bool:
        """Return whether pieces stand in rows that are hidden and in others, and all can be read and ordered."""
        is_plain = self.product is not None and self.product["selectable"] and not self.faults
        return is_plain and 0 < self.pieces_hidden < self.count

    @property
    def has_like_cartons(self) -> bool:
        """Return whether all rows ask for cartons of one kind, so that their number says how many pieces they are."""
        return len(self.units) == len(self.in_one) == 1

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
            self.must_enter |= line.must_enter
        self.packs += line.packs
        self.units.add(line.unit)
        self.in_one.add(line.count // line.packs if line.packs else 0)
        self.count_taught = min(self.count_taught + (line.count_taught or line.count), MAX_COUNT)
        if line.is_hidden:
            self.hidden.append(line.row)
            self.pieces_hidden += line.count


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
        return {"lines": lines, "without_quantity": 0, "unread": read.unread, "columns": [], **json_of_passed([])}
    asked = read_list(buyer=buyer, content=content, name=name, said=said)
    if settle:
        settle(asked.columns)
    return {"lines": review_list(buyer=buyer, lines=asked.lines, now=now), **json_beside(asked)}


def review_kept(*, buyer: Buyer, kept: Json, now: datetime) -> Json:
    """Return the review of a list that was read before (`json_of_read`), by today's products, prices and stock.

    The lines of 20,000 rows take 0.6 seconds.
    """
    return {"lines": review_list(buyer=buyer, lines=lines_of_json(kept), now=now), **kept["beside"]}


def review_list(*, buyer: Buyer, lines: Sequence[ListLine], now: datetime) -> list[Json]:
    """Return the list as it would be ordered: a line for each SKU, its product, and its problems with their fixes."""
    own = skus_behind(buyer=buyer, codes={line.sku for line in lines if line.sku})
    products = _products_of(buyer=buyer, lines=lines, own=own, now=now)
    product_of = _finder(own, products)
    unknown = {line.sku for line in lines if line.sku not in products and own.get(line.sku) not in products} - {""}
    asked, suggested = asked_which(lines, product_of, unknown=unknown, buyer=buyer)
    counted = unpacked(asked, product_of, buyer=buyer)
    judged = [_judged(line, buyer=buyer) for line in by_product(counted, own, products)]
    named = {line.row: line for line in asked if line.name}
    return with_candidates(judged, named, suggested, buyer=buyer, now=now) if named else judged


def review_each(*, buyer: Buyer, lines: Sequence[ListLine], now: datetime) -> list[Json]:
    """Return rows whose product is settled as each would be ordered by itself, whatever the others order."""
    own = skus_behind(buyer=buyer, codes={line.sku for line in lines})
    products = _products_of(buyer=buyer, lines=lines, own=own, now=now)
    counted = unpacked(lines, _finder(own, products), buyer=buyer)
    return [_judged(one, buyer=buyer) for line in counted for one in by_product([line], own, products)]


def _finder(own: Mapping[str, str], products: Mapping[str, list[Json]]) -> ProductOf:
    """Return what tells the product of a row, if it is one alone."""
    return lambda line: _only(products.get(_by_our_sku(line, own, products).sku, []))


def _only(products: Sequence[Json]) -> Json | None:
    return products[0] if len(products) == 1 else None


def by_product(
    lines: Iterable[ListLine], own: Mapping[str, str], products: Mapping[str, list[Json]]
) -> Iterable[_Line]:
    """Return the rows of a list together by what they order, and those together that ask the same of the same name.

    Any other row without a SKU stays a line of its own.
    """
    found: dict[str, _Line] = {}
    for given in lines:
        line = _by_our_sku(given, own, products)
        behind = products.get(line.sku, [])
        product = _only(behind)
        key = product["sku"] if product else line.sku or _question(line)
        one = found.setdefault(key, _Line(sku=line.sku, several=len(behind) > 1))
        one.product = product
        one.own_code = one.own_code or (given.sku if line is not given else "")
        one.called = one.called or line.called
        one.add(line)
    return found.values()


def _question(line: ListLine) -> str:
    """Return what rows without a SKU have in common that ask the same; a row without pieces is asked by itself."""
    if line.name and line.guess:
        return "\n".join(["", code_of_name(line.name), line.meant, line.fault])
    return f"\n{line.row}"


def review_message(*, buyer: Buyer, read: Sequence[ReadLine], now: datetime) -> list[Json]:
    """Return what a message asks for, questions first; `read` are its lines, told apart by their places from 1.

    What is not sure is asked: which product, with those that it may be and none chosen, or how many pieces.
    """
    asked = [_line_read(row, line) for row, line in enumerate(read, 1) if line.sku]
    judged = {line["row"]: line for line in review_list(buyer=buyer, lines=asked, now=now)}
    products = _proposed(buyer=buyer, read=read, now=now)
    lines = []
    for row, line in enumerate(read, 1):
        if line.sku and row in judged:
            lines.append({**judged[row], "words": line.words})
        elif not line.sku:
            lines.append(_asked(row, line, products))
    return sorted(lines, key=lambda line: (line["sku"] != "", not line["problems"]))


def _line_read(row: int, line: ReadLine) -> ListLine:
    """Return a line of a message whose product is plain; a number that is no plain one has nothing in its place."""
    must_enter = line.is_packed or (line.is_counted and not line.guess)
    count = 0 if line.question else line.pieces
    asked = ListLine(row, line.sku, count, None, line.why, line.guess, must_enter=must_enter)
    return replace(asked, packs=line.packs, unit=line.unit)


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
        "problems": [problem(WHICH_PRODUCT, line.why)],
        "words": line.words,
        "packs": line.packs,
        "unit": line.unit,
        "called": _remembered(line),
        "candidates": candidates_of(line.suggested, products),
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
        "packs": line.packs if line.has_like_cartons else 0,
        "unit": min(line.units) if line.has_like_cartons else "",
        "called": "",
        "candidates": [],
    }


def _problems(line: _Line, *, buyer: Buyer) -> list[Json]:
    product = line.product
    if product is None:
        return [problem(UNKNOWN_SKU, _why_unknown(line))]
    problems = []
    if line.sku != product["sku"]:
        text = f"The zeros in front of this SKU are missing: {product['sku']} is in your price list."
        problems.append(problem(LOST_ZEROS, text, fix(f"Use {product['sku']}", sku=product["sku"])))
    if line.is_partly_hidden:
        return [*problems, _partly_hidden(line, product, buyer=buyer)]
    if line.hidden:
        problems.append(problem(HIDDEN, f"{_these(line.hidden)} hidden in your sheet.", fix("Order it too")))
    if line.faults:
        return [*problems, problem(BAD_QUANTITY, _why_unread(line), *_fixes_of_quantity(line, product, buyer=buyer))]
    if line.count_taught != line.count and (said := _other_carton(line, product, buyer=buyer)):
        return [*problems, said]
    problems += quantity_problems(line.count, product, stock_free=buyer.stock_free)
    if len(line.rows) > 1:
        text = f"{_rows_of(line)}; added up they make {line.count:,}."
        problems.append(problem(TWICE, text, fix("Keep the sum")))
    return [*problems, *_price_problems(line.prices, product["usd_supply"])]


def _partly_hidden(line: _Line, product: Json, *, buyer: Buyer) -> Json:
    """Return that some rows of a SKU are hidden; its fixes are the pieces with them, and without."""
    seen = line.count - line.pieces_hidden
    text = f"{_these(line.hidden)} hidden in your sheet: {line.count:,} pieces with what is hidden, {seen:,} without."
    both = [one for count in (line.count, seen) for one in fixes_to(count, product, stock_free=buyer.stock_free)[:1]]
    return problem(HIDDEN, text, *both)


def _other_carton(line: _Line, product: Json, *, buyer: Buyer) -> Json | None:
    """Return that cartons hold other pieces than the company has said; its fixes are the sheet's pieces, and those.

    None where neither can be ordered.
    """
    counts = (line.count, line.count_taught)
    found = [fixes_to(count, product, stock_free=buyer.stock_free, text="Order")[:1] for count in counts]
    both = {one["text"]: one for fixes in found for one in fixes}.values()
    text = f"Your sheet says that these cartons hold {counts[0]:,} pieces; by your own codes they hold {counts[1]:,}."
    return problem(OTHER_CARTON, text, *both) if both else None


def _these(rows: Sequence[int]) -> str:
    if len(rows) > 1:
        return f"{len(rows):,} rows are"
    return f"Row {row_name(rows[0])} is"


def _price_problems(listed: Collection[Decimal], price: Decimal) -> list[Json]:
    """Return that the price is another one than those of the list."""
    others = sorted({*listed} - {price})
    if not others:
        return []
    shown = " or ".join(f"${other:,.2f}" for other in others[:2])
    text = f"The price is ${price:,.2f} now; your list has {shown}."
    return [problem(PRICE_CHANGED, text, fix(f"Accept ${price:,.2f}"))]


def _why_unknown(line: _Line) -> str:
    """Return why no product is found for a line, and of several rows what they make."""
    said = [_why_none(line)]
    if len(line.rows) > 1:
        said.append(f"{_rows_of(line, 'it')}; added up they make {line.count or line.guess:,}.")
    if line.hidden:
        said.append(f"{_these(line.hidden)} hidden in your sheet.")
    return " ".join(said)


def _why_none(line: _Line) -> str:
    if line.faults and not line.sku:
        return line.faults[0][1]
    if line.several:
        return "Several SKUs end like this; the zeros in front of it are missing."
    if not line.sku:
        return "This row has no SKU."
    called = f"; your list calls it “{line.called[:MAX_NAME_SHOWN]}”" if line.called else ""
    return f"This SKU is not in your price list{called}."


def _why_unread(line: _Line) -> str:
    """Return why a line's quantity cannot be read; of several rows, which it is and what the others make."""
    row, fault = line.faults[0]
    if len(line.rows) == 1:
        return fault
    more = f" and {len(line.faults) - 1:,} more" if len(line.faults) > 1 else ""
    others = f" The other rows make {line.count:,} pieces." if line.count else ""
    return f"Row {row_name(row)}{more}: {fault}{others}"


def _rows_of(line: _Line, what: str = "this SKU") -> str:
    """Return which rows have a line's SKU, or how many if they are more than four."""
    if len(line.rows) > 4:
        return f"{len(line.rows):,} rows have {what}"
    return f"Rows {', '.join(map(row_name, line.rows[:-1]))} and {row_name(line.rows[-1])} have {what}"


def _fixes_of_quantity(line: _Line, product: Json, *, buyer: Buyer) -> list[Json]:
    """Return the quantities that can be ordered in place of one that cannot be read: what it may mean, or the MOQ.

    None where nothing can be proposed (`ListLine.must_enter`), and none in place of more than there is.
    """
    wanted = line.count + line.guess or product["moq"]
    is_beyond = is_short(available=product["qty"], count=wanted, stock_free=buyer.stock_free)
    if not product["selectable"] or line.must_enter or is_beyond:
        return []
    return fixes_to(wanted, product, stock_free=buyer.stock_free)
