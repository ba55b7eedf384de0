"""A line of a review, the rows of one SKU: what is wrong with it, and the fixes that end it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from apps.accounts.selectors import Buyer
from apps.catalog.lists.order_list import row_name
from apps.catalog.lists.rows import MAX_NAME_SHOWN, ListLine
from apps.catalog.review.problems import (
    BAD_QUANTITY,
    HIDDEN,
    LOST_ZEROS,
    OTHER_CARTON,
    PRICE_CHANGED,
    TWICE,
    UNKNOWN_SKU,
    fix,
    fixes_to,
    problem,
    quantity_problems,
)
from apps.catalog.rules import is_short
from apps.common.http.serializers import MAX_COUNT
from apps.common.money import usd
from apps.common.types import Json


@dataclass
class ReviewLine:
    """The rows of one SKU."""

    sku: str
    product: Json | None = None
    rows: list[int] = field(default_factory=list)
    count: int = 0
    prices: set[Decimal] = field(default_factory=set)
    faults: list[tuple[int, str]] = field(
        default_factory=list
    )  # the row, and why its quantity cannot be read
    guess: int = 0  # pieces that the quantities which cannot be read may mean
    several: bool = False  # products become this SKU without their leading zeros
    own_code: str = ""  # what the company calls it in the list
    called: str = ""  # the name beside its code
    hidden: list[int] = field(
        default_factory=list
    )  # those of the rows that are hidden in the sheet
    pieces_hidden: int = 0
    must_enter: bool = False  # nothing can be proposed in place of a quantity
    packs: int = 0
    units: set[str] = field(
        default_factory=set
    )  # what cartons are called in the rows, empty: pieces
    in_one: set[int] = field(default_factory=set)  # how many pieces rows say that a carton holds
    count_taught: int = 0  # pieces, by what the company has said of its cartons

    @property
    def is_partly_hidden(self) -> bool:
        """Return whether pieces stand in rows that are hidden and in others, and all can be read
        and ordered.
        """
        is_plain = self.product is not None and self.product["selectable"] and not self.faults
        return is_plain and 0 < self.pieces_hidden < self.count

    @property
    def has_like_cartons(self) -> bool:
        """Return whether all rows ask for cartons of one kind, so that their number says how many
        pieces they are.
        """
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


def judged(line: ReviewLine, *, buyer: Buyer) -> Json:
    """Return a line as it is answered: its product, its pieces, and its problems with
    their fixes.
    """
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


def _problems(line: ReviewLine, *, buyer: Buyer) -> list[Json]:
    product = line.product
    if product is None:
        return [problem(UNKNOWN_SKU, _why_unknown(line))]
    problems = []
    if line.sku != product["sku"]:
        text = (
            f"The zeros in front of this SKU are missing: {product['sku']} is in your price list."
        )
        problems.append(problem(LOST_ZEROS, text, fix(f"Use {product['sku']}", sku=product["sku"])))
    if line.is_partly_hidden:
        return [*problems, _partly_hidden(line, product, buyer=buyer)]
    if line.hidden:
        problems.append(
            problem(HIDDEN, f"{_these(line.hidden)} hidden in your sheet.", fix("Order it too"))
        )
    if line.faults:
        return [
            *problems,
            problem(
                BAD_QUANTITY, _why_unread(line), *_fixes_of_quantity(line, product, buyer=buyer)
            ),
        ]
    if line.count_taught != line.count and (said := _other_carton(line, product, buyer=buyer)):
        return [*problems, said]
    problems += quantity_problems(line.count, product, stock_free=buyer.stock_free)
    if len(line.rows) > 1:
        text = f"{_rows_of(line)}; added up they make {line.count:,}."
        problems.append(problem(TWICE, text, fix("Keep the sum")))
    return [*problems, *_price_problems(line.prices, product["usd_supply"])]


def _partly_hidden(line: ReviewLine, product: Json, *, buyer: Buyer) -> Json:
    """Return that some rows of a SKU are hidden; its fixes are the pieces with them,
    and without.
    """
    seen = line.count - line.pieces_hidden
    text = f"{_these(line.hidden)} hidden in your sheet: {line.count:,} pieces with what is hidden, {seen:,} without."
    both = [
        one
        for count in (line.count, seen)
        for one in fixes_to(count, product, stock_free=buyer.stock_free)[:1]
    ]
    return problem(HIDDEN, text, *both)


def _other_carton(line: ReviewLine, product: Json, *, buyer: Buyer) -> Json | None:
    """Return that cartons hold other pieces than the company has said; its fixes are the sheet's
    pieces, and those.

    None where neither can be ordered.
    """
    counts = (line.count, line.count_taught)
    found = [
        fixes_to(count, product, stock_free=buyer.stock_free, text="Order")[:1] for count in counts
    ]
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


def _why_unknown(line: ReviewLine) -> str:
    """Return why no product is found for a line, and of several rows what they make."""
    said = [_why_none(line)]
    if len(line.rows) > 1:
        said.append(f"{_rows_of(line, 'it')}; added up they make {line.count or line.guess:,}.")
    if line.hidden:
        said.append(f"{_these(line.hidden)} hidden in your sheet.")
    return " ".join(said)


def _why_none(line: ReviewLine) -> str:
    if line.faults and not line.sku:
        return line.faults[0][1]
    if line.several:
        return "Several SKUs end like this; the zeros in front of it are missing."
    if not line.sku:
        return "This row has no SKU."
    called = f"; your list calls it “{line.called[:MAX_NAME_SHOWN]}”" if line.called else ""
    return f"This SKU is not in your price list{called}."


def _why_unread(line: ReviewLine) -> str:
    """Return why a line's quantity cannot be read; of several rows, which it is and what the others
    make.
    """
    row, fault = line.faults[0]
    if len(line.rows) == 1:
        return fault
    more = f" and {len(line.faults) - 1:,} more" if len(line.faults) > 1 else ""
    others = f" The other rows make {line.count:,} pieces." if line.count else ""
    return f"Row {row_name(row)}{more}: {fault}{others}"


def _rows_of(line: ReviewLine, what: str = "this SKU") -> str:
    """Return which rows have a line's SKU, or how many if they are more than four."""
    if len(line.rows) > 4:
        return f"{len(line.rows):,} rows have {what}"
    return (
        f"Rows {', '.join(map(row_name, line.rows[:-1]))} and {row_name(line.rows[-1])} have {what}"
    )


def _fixes_of_quantity(line: ReviewLine, product: Json, *, buyer: Buyer) -> list[Json]:
    """Return the quantities that can be ordered in place of one that cannot be read: what it may
    mean, or the MOQ.

    None where nothing can be proposed (`ListLine.must_enter`), and none in place of more than there
    is.
    """
    wanted = line.count + line.guess or product["moq"]
    is_beyond = is_short(available=product["qty"], count=wanted, stock_free=buyer.stock_free)
    if not product["selectable"] or line.must_enter or is_beyond:
        return []
    return fixes_to(wanted, product, stock_free=buyer.stock_free)
