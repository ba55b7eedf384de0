"""What a buyer's sheet is answered with: as the basket stands, or as the order does that came of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from apps.accounts.selectors import Buyer
from apps.catalog.lists.order_list import ROWS_OF_A_TAB
from apps.catalog.selectors import cart_stock
from apps.common.tables.answered import Added, AddedColumns
from apps.orders.models import LineProposal, Order, OrderLine, PackingItem, SentSheet
from apps.orders.models.sheets import SheetAnswer
from apps.orders.status import PACKING_COMPLETE, OrderStatus

SKU, ORDERED, CONFIRMED, PRICE, AMOUNT = "SKU", "Ordered", "Confirmed", "Price", "Amount"
WHY, SUBSTITUTE, EXPECTED, BOXES = "Why not", "Substitute offered", "Expected", "Boxes"
TITLES = (SKU, ORDERED, PRICE, AMOUNT, WHY, SUBSTITUTE, EXPECTED)
NOT_ORDERED = "not in this order"


@dataclass
class _Answer:
    """What is said of a SKU: its pieces, the price of one, and all else as text."""

    price: Decimal | None = None
    ordered: int = 0
    confirmed: int = 0
    why: list[str] = field(default_factory=list)
    substitute: str = ""
    expected: str = ""
    boxes: list[str] = field(default_factory=list)


def answers_of_basket(*, buyer: Buyer, sheet: SentSheet, now: datetime) -> list[AddedColumns]:
    """Return the columns of a sheet whose lines are in the basket; prices are those of now."""
    skus = [(answer["sku"], 0) for answer in sheet.answers if answer["sku"]]
    prices = {product["sku"]: product["usd_supply"] for product in cart_stock(buyer=buyer, lines=skus, now=now)}
    by_sku = {sku: _Answer(price=price) for sku, price in prices.items()}
    return _columns(sheet, TITLES, by_sku, is_ordered=False)


def answers_of_order(*, sheet: SentSheet, order: Order) -> list[AddedColumns]:
    """Return the columns of a sheet that became an order: confirmed pieces once they are, boxes once it is packed."""
    by_sku: dict[str, _Answer] = {}
    proposals = LineProposal.objects.filter(order=order).exclude(state=LineProposal.State.WITHDRAWN)
    proposed = list(proposals.select_related("product", "line"))
    skus = {one.line.sku for one in proposed}
    for line in OrderLine.objects.filter(order=order):
        _add_line(by_sku.setdefault(line.sku, _Answer()), line, is_proposed=line.sku in skus)
    _add_proposals(by_sku, proposed)
    is_confirmed = order.status >= OrderStatus.CONFIRMED
    is_packed = is_confirmed and order.packing_status == PACKING_COMPLETE
    if is_packed:
        _add_boxes(by_sku, order)
    new = {CONFIRMED: is_confirmed, BOXES: is_packed}
    titles = [title for title in (SKU, ORDERED, CONFIRMED, *TITLES[2:], BOXES) if new.get(title, True)]
    return _columns(sheet, titles, by_sku, is_ordered=True)


def _add_line(answer: _Answer, line: OrderLine, *, is_proposed: bool) -> None:
    """Add a line; where it was proposed what becomes of it, its comment says that, and its reason is one for papers."""
    if line.is_ordered:
        answer.ordered += line.quantity
    if line.is_confirmed:
        answer.confirmed += line.quantity
        answer.price = line.price
        return
    answer.price = answer.price or line.price
    reason = "" if is_proposed and line.comment else line.get_reason_display() if line.reason else ""
    answer.why.append(": ".join(filter(None, (reason, line.comment))) or "not confirmed")


def _add_proposals(by_sku: Mapping[str, _Answer], proposed: Iterable[LineProposal]) -> None:
    for one in proposed:
        answer = by_sku.get(one.line.sku)
        if answer is None or one.state not in (LineProposal.State.OPEN, LineProposal.State.ACCEPTED):
            continue
        if one.product is not None:
            answer.substitute = f"{one.product.sku} × {one.pieces:,}"
        if one.expected_on is not None:
            answer.expected = one.expected_on.isoformat()


def _add_boxes(by_sku: Mapping[str, _Answer], order: Order) -> None:
    packed = PackingItem.objects.filter(box__order=order).select_related("box", "product").order_by("box__number")
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
        pieces = ordered[place] if is_ordered else given["count"]
        said = _said(given, answer, is_ordered=is_ordered, is_in=given["sku"] in by_sku)
        for row, *shares in zip(given["rows"], _shares(pieces, given), _shares(confirmed[place], given), strict=True):
            tab, number = divmod(row, ROWS_OF_A_TAB)
            tabs.setdefault(tab, {})[number] = _cells(titles, given["sku"], answer, said, *shares)
    return [
        AddedColumns(titles=titles, head=sheet.heads[tab][1], rows=rows, sheet=sheet.heads[tab][0])
        for tab, rows in tabs.items()
    ]


def _cells(titles: Sequence[str], sku: str, answer: _Answer, why: str, pieces: int, confirmed: int) -> list[Added]:
    paid = confirmed if CONFIRMED in titles else pieces
    cells: dict[str, Added] = {
        SKU: sku,
        ORDERED: pieces,
        CONFIRMED: confirmed,
        PRICE: answer.price,
        AMOUNT: answer.price * paid if answer.price is not None and paid else None,
        WHY: why,
        SUBSTITUTE: answer.substitute,
        EXPECTED: answer.expected,
        BOXES: "; ".join(answer.boxes),
    }
    return [cells[title] for title in titles]


def _allotted(sheet: SentSheet, pieces: Mapping[str, int]) -> list[int]:
    """Return how many of its SKU's pieces each answer of a sheet gets: its own, the last of several the rest."""
    by_count = sorted(enumerate(sheet.answers), key=lambda one: one[1]["count"] > 0)
    last = {given["sku"]: place for place, given in by_count}  # of those with pieces, if any has
    left = Counter(pieces)
    return [_taken(left, given, is_last=last[given["sku"]] == place) for place, given in enumerate(sheet.answers)]


def _taken(left: Counter[str], given: SheetAnswer, *, is_last: bool) -> int:
    """Take the pieces of one answer from those that are left of its SKU; the last of its answers gets the rest."""
    taken = left[given["sku"]] if is_last else min(given["count"], left[given["sku"]])
    left[given["sku"]] -= taken
    return taken


def _said(given: SheetAnswer, answer: _Answer, *, is_ordered: bool, is_in: bool) -> str:
    said = [given["why"], *answer.why]
    if is_ordered and not is_in and not given["why"]:
        said.append(NOT_ORDERED)
    return "; ".join(filter(None, said))


def _shares(pieces: int, given: SheetAnswer) -> Iterable[int]:
    """Return how many of a SKU's pieces each of its rows gets: what it asks for, in their order, the last the rest."""
    shares = []
    for asked in given["asked"][:-1]:
        shares.append(min(asked, pieces))
        pieces -= shares[-1]
    return [*shares, pieces]
