"""What a buyer's sheet is answered with: as the basket stands, or as the order does that came of
it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.selectors import cart_stock
from apps.common.tables.answered import Added, AddedColumns
from apps.orders.models import LineProposal, Order, OrderLine, PackingItem, SentSheet
from apps.orders.models.sheets import SheetAnswer
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import expected_days
from apps.orders.status import PACKING_COMPLETE, OrderStatus

SKU, ORDERED, CONFIRMED, PRICE, AMOUNT = "SKU", "Ordered", "Confirmed", "Price", "Amount"
WHY, SUBSTITUTE, EXPECTED, BOXES = "Why not", "Substitute offered", "Expected", "Boxes"
TITLES = (SKU, ORDERED, PRICE, AMOUNT, WHY, SUBSTITUTE, EXPECTED)
NOT_ORDERED = "not in this order"
ROWS_OF_A_TAB = 10_000_000  # answers of several tabs, before 1.1, say the tab in the row
ACCEPTED = LineProposal.Answer.ACCEPT


@dataclass
class _Answer:
    """What is said of a SKU: its pieces, the price of one, and all else as text.

    `why` and `arrives` are for rows that do not get what they ask for, `terms` for all of its rows.
    """

    price: Decimal | None = None
    ordered: int = 0
    confirmed: int = 0
    why: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    substitute: str = ""
    expected: str = ""
    arrives: str = ""
    boxes: list[str] = field(default_factory=list)


class _Share(NamedTuple):
    """Pieces of one row of a sheet; `wanted` as it asks for, where that cannot be read as the
    review settled it.
    """

    wanted: int
    ordered: int
    confirmed: int

    def is_less(self, got: int) -> bool:
        """Return whether the row does not get just what it asks for."""
        return not got or got != self.wanted


def answers_of_basket(*, buyer: Buyer, sheet: SentSheet, now: datetime) -> list[AddedColumns]:
    """Return the columns of a sheet whose lines are in the basket; prices are those of now."""
    skus = [(answer["sku"], 0) for answer in sheet.answers if answer["sku"]]
    prices = {
        product["sku"]: product["usd_supply"]
        for product in cart_stock(buyer=buyer, lines=skus, now=now)
    }
    by_sku = {sku: _Answer(price=price) for sku, price in prices.items()}
    less = [given["sku"] for given in sheet.answers if given["count"] < max(1, sum(given["asked"]))]
    _add_arrivals(by_sku, less, now=now)
    return _columns(sheet, TITLES, by_sku, is_ordered=False)


def answers_of_order(*, sheet: SentSheet, order: Order, now: datetime) -> list[AddedColumns]:
    """Return the columns of a sheet that became an order: confirmed pieces once they are, boxes
    once it is packed.
    """
    by_sku = _lines_and_proposals(order)
    _add_arrivals(
        by_sku,
        [sku for sku, answer in by_sku.items() if answer.confirmed < answer.ordered],
        now=now,
    )
    is_confirmed = order.status >= OrderStatus.CONFIRMED
    is_packed = is_confirmed and order.packing_status == PACKING_COMPLETE
    if is_packed:
        _add_boxes(by_sku, order)
    new = {CONFIRMED: is_confirmed, BOXES: is_packed}
    titles = [
        title for title in (SKU, ORDERED, CONFIRMED, *TITLES[2:], BOXES) if new.get(title, True)
    ]
    return _columns(sheet, titles, by_sku, is_ordered=True)


def _lines_and_proposals(order: Order) -> dict[str, _Answer]:
    """Return what is said of the SKUs of an order by its lines and by what was proposed of them."""
    by_sku: dict[str, _Answer] = {}
    proposals = LineProposal.objects.filter(order=order).exclude(state=LineProposal.State.WITHDRAWN)
    proposed = list(proposals.select_related("product", "line"))
    skus = {one.line.sku for one in proposed}
    priced = {
        one.line_id
        for one in proposed
        if one.kind == LineProposal.Kind.PRICE and one.applied == ACCEPTED
    }
    for line in OrderLine.objects.filter(order=order):
        answer = by_sku.setdefault(line.sku, _Answer())
        _add_line(answer, line, is_proposed=line.sku in skus, is_priced=line.pk in priced)
    _add_proposals(by_sku, proposed)
    return by_sku


def _add_line(answer: _Answer, line: OrderLine, *, is_proposed: bool, is_priced: bool) -> None:
    """Add a line; where it was proposed what becomes of it, its comment says that, and its reason
    is one for papers.
    """
    if line.is_ordered:
        answer.ordered += line.quantity
    if line.is_confirmed:
        answer.confirmed += line.quantity
        answer.price = line.price
        return
    answer.price = answer.price or line.price
    reason = (
        "" if is_proposed and line.comment else line.get_reason_display() if line.reason else ""
    )
    texts = answer.terms if is_priced else answer.why
    texts.append(": ".join(filter(None, (reason, line.comment))) or "not confirmed")


def _add_arrivals(by_sku: Mapping[str, _Answer], skus: Collection[str], *, now: datetime) -> None:
    """Add when more is expected of products of which not all is given."""
    for sku, day in expected_days(skus, today=seller_date(now)).items() if skus else ():
        if sku in by_sku:
            by_sku[sku].arrives = day.isoformat()


def _add_proposals(by_sku: Mapping[str, _Answer], proposed: Iterable[LineProposal]) -> None:
    for one in proposed:
        answer = by_sku.get(one.line.sku)
        if answer is None or one.state not in (
            LineProposal.State.OPEN,
            LineProposal.State.ACCEPTED,
        ):
            continue
        if one.product is not None:
            answer.substitute = f"{one.product.sku} × {one.pieces:,}"
        if one.expected_on is not None:
            answer.expected = one.expected_on.isoformat()


def _add_boxes(by_sku: Mapping[str, _Answer], order: Order) -> None:
    packed = (
        PackingItem.objects.filter(box__order=order)
        .select_related("box", "product")
        .order_by("box__number")
    )
    for item in packed:
        if item.product.sku in by_sku:
            times = f" × {item.box.count}" if item.box.count > 1 else ""
            by_sku[item.product.sku].boxes.append(f"{item.box.number}{times}: {item.quantity:,}")


def _columns(
    sheet: SentSheet, titles: Sequence[str], by_sku: Mapping[str, _Answer], *, is_ordered: bool
) -> list[AddedColumns]:
    tabs: dict[int, dict[int, list[Added]]] = {}
    ordered = _allotted(sheet, {sku: answer.ordered for sku, answer in by_sku.items()})
    confirmed = _allotted(sheet, {sku: answer.confirmed for sku, answer in by_sku.items()})
    for place, given in enumerate(sheet.answers):
        answer = by_sku.get(given["sku"]) or _Answer()
        is_missing = is_ordered and given["sku"] not in by_sku
        in_order = ordered[place] if is_ordered else given["count"]
        for row, share in _by_row(given, in_order, confirmed[place]):
            is_less = share.is_less(share.confirmed if is_ordered else share.ordered)
            tab, number = divmod(row, ROWS_OF_A_TAB)
            said = _said(given, answer, is_less=is_less, is_missing=is_missing)
            tabs.setdefault(tab, {})[number] = _cells(
                titles, given["sku"], answer, share, said, is_less=is_less
            )
    return [
        AddedColumns(titles=titles, head=sheet.heads[tab][1], rows=rows, sheet=sheet.heads[tab][0])
        for tab, rows in tabs.items()
    ]


def _by_row(given: SheetAnswer, ordered: int, confirmed: int) -> Iterator[tuple[int, _Share]]:
    """Yield the rows of an answer with their pieces of those that it has."""
    shares = (_shares(pieces, given) for pieces in (given["count"], ordered, confirmed))
    for row, asked, settled, *pieces in zip(given["rows"], given["asked"], *shares, strict=True):
        yield row, _Share(asked or settled, *pieces)


def _cells(
    titles: Sequence[str], sku: str, answer: _Answer, share: _Share, why: str, *, is_less: bool
) -> list[Added]:
    paid = share.confirmed if CONFIRMED in titles else share.ordered
    cells: dict[str, Added] = {
        SKU: sku,
        ORDERED: share.ordered,
        CONFIRMED: share.confirmed,
        PRICE: answer.price,
        AMOUNT: answer.price * paid if answer.price is not None and paid else None,
        WHY: why,
        SUBSTITUTE: answer.substitute,
        EXPECTED: answer.expected or (answer.arrives if is_less else ""),
        BOXES: "; ".join(answer.boxes),
    }
    return [cells[title] for title in titles]


def _allotted(sheet: SentSheet, pieces: Mapping[str, int]) -> list[int]:
    """Return how many of its SKU's pieces each answer of a sheet gets: its own, the last of several
    the rest.
    """
    by_count = sorted(enumerate(sheet.answers), key=lambda one: one[1]["count"] > 0)
    last = {given["sku"]: place for place, given in by_count}  # of those with pieces, if any has
    left = Counter(pieces)
    return [
        _taken(left, given, is_last=last[given["sku"]] == place)
        for place, given in enumerate(sheet.answers)
    ]


def _taken(left: Counter[str], given: SheetAnswer, *, is_last: bool) -> int:
    """Take the pieces of one answer from those that are left of its SKU; the last of its answers
    gets the rest.
    """
    taken = left[given["sku"]] if is_last else min(given["count"], left[given["sku"]])
    left[given["sku"]] -= taken
    return taken


def _said(given: SheetAnswer, answer: _Answer, *, is_less: bool, is_missing: bool) -> str:
    """Return why a row does not get just what it asks for, and at which other terms it gets it."""
    why = [given["why"], *answer.why] if is_less else []
    if is_missing and not given["why"]:
        why.append(NOT_ORDERED)
    *before, last = [*filter(None, [*why, *answer.terms])] or [""]
    return "; ".join([*(text.removesuffix(".") for text in before), last])


def _shares(pieces: int, given: SheetAnswer) -> Iterable[int]:
    """Return how many of a SKU's pieces each of its rows gets: what it asks for, in their order,
    the last the rest.
    """
    shares = []
    for asked in given["asked"][:-1]:
        shares.append(min(asked, pieces))
        pieces -= shares[-1]
    return [*shares, pieces]
