"""Stock: the only writer of `on_hand`, `allocated` and `short` (design/reliability-and-security.md,
sections 2 and 16).

Every function takes the pieces of all its products in one statement that locks the rows in the
order of their ids, so that two orders can neither sell the same piece nor wait for each other; by
Django it is two statements, and 3.6 of an order's 9 ms more.
`short` is what is promised beyond the shelf: every movement sets it to max(0, allocated - on_hand),
only a `stock_free` buyer's order and a recount may raise it.
"""
# ruff: noqa: S608 - constant fragments; every value travels as a parameter

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.utils.translation import gettext, gettext_noop as _

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.errors import OutOfStock, StockBelowZero
from apps.catalog.guards import stock_guards
from apps.catalog.models import Product, Stock, StockChange
from apps.catalog.selectors.products import LISTED, visible_to
from apps.catalog.signals import stock_arrived
from apps.common.db.dialect import locked, pairs_of
from apps.common.db.rows import Part, fetch_all
from apps.common.errors import Invalid, row_or_404
from apps.common.permissions import needs
from apps.common.texts import Text

NOT_AVAILABLE = _("Not enough in stock.")
NOT_ON_SHELF = _("Not enough on the shelf.")
NOT_ALLOCATED = _("Fewer pieces are allocated.")
CHANGED_MEANWHILE = _("The shelf changed meanwhile.")
SHIPPED = _("Shipped")

ENOUGH_TO_PROMISE = "s.on_hand - s.allocated >= w.pieces"
ENOUGH_ALLOCATED = "s.allocated >= w.pieces"
ENOUGH_TO_SHIP = "s.allocated >= w.pieces AND s.on_hand >= w.pieces"

Quantities = Mapping[int, int]


class Shelf(NamedTuple):
    """What a product has, in pieces."""

    on_hand: int
    allocated: int


class Moved(NamedTuple):
    """A product's stock after a movement, in pieces."""

    product_id: int
    on_hand: int
    short: int


def allocate(*, quantities: Quantities, stock_free: bool, seen_by: Buyer | None = None) -> bool:
    """Promise pieces (product id to count) to an order: all of them, or none.

    Of products that `seen_by` does not see (hidden ones, those of brands not given to the company)
    there is nothing to promise. Returns whether some of the pieces are beyond the shelf, which only
    a `stock_free` buyer's may be: they are counted as `short`.

    Raises:
        OutOfStock: a product has no stock row, is not seen, or has too few that are not promised
            yet while the buyer is not `stock_free`.
    """
    moved = _move(
        quantities,
        on_hand=0,
        allocated=+1,
        only_if="1 = 1" if stock_free else ENOUGH_TO_PROMISE,
        refusal=OutOfStock,
        text=NOT_AVAILABLE,
        seen_by=seen_by,
    )
    return any(stock.short for stock in moved.values())


def release(*, quantities: Quantities) -> None:
    """Take back pieces (product id to count) that were promised.

    Raises:
        StockBelowZero: more than were promised.
    """
    _move(
        quantities,
        on_hand=0,
        allocated=-1,
        only_if=ENOUGH_ALLOCATED,
        refusal=StockBelowZero,
        text=NOT_ALLOCATED,
    )


def ship(*, quantities: Quantities, invoice_code: str, actor: User | None, now: datetime) -> None:
    """Take pieces (product id to count) off the shelf for the order they were promised to.

    Raises:
        StockBelowZero: fewer on the shelf, or fewer promised.
    """
    moved = _move(
        quantities,
        on_hand=-1,
        allocated=-1,
        only_if=ENOUGH_TO_SHIP,
        refusal=StockBelowZero,
        text=NOT_ON_SHELF,
    )
    StockChange.objects.bulk_create(
        StockChange(
            product_id=product_id,
            change=-quantities[product_id],
            on_hand=after.on_hand,
            reason=SHIPPED,
            invoice_code=invoice_code,
            actor=actor,
            at=now,
        )
        for product_id, after in sorted(moved.items())
    )


@needs("catalog.change_stock")
@transaction.atomic
def recount(
    *,
    product_id: int,
    on_hand: int,
    reason: str,
    actor: User,
    now: datetime,
    seen: Shelf | None = None,
) -> StockChange:
    """Set the pieces on the shelf to what was counted; promises stay, and what they exceed it by
    becomes `short`.

    `seen` is the shelf that was shown: what guards name is looked at again where it is another one
    by now. Returns the movement.

    Raises:
        NotFound: no such product.
        Invalid: there is something else to look at than was seen.
    """
    stock = _locked(product_id)
    warnings = stock_guards(old=stock.on_hand, new=on_hand, promised=stock.allocated)
    if seen and warnings != stock_guards(old=seen.on_hand, new=on_hand, promised=seen.allocated):
        sentences = [str(Text(one.key, **one.values)) for one in warnings]
        raise Invalid(on_hand=" ".join([gettext(CHANGED_MEANWHILE), *sentences]))
    return _set_on_hand({stock: on_hand}, reason, actor, now)[0]


@needs("catalog.change_stock")
@transaction.atomic
def receive(
    *, product_id: int, pieces: int, reason: str, actor: User, now: datetime
) -> StockChange:
    """Add pieces that arrived to the shelf. Returns the movement.

    Raises:
        NotFound: no such product.
    """
    stock = _locked(product_id)
    return _set_on_hand({stock: stock.on_hand + pieces}, reason, actor, now)[0]


@needs("catalog.change_stock")
@transaction.atomic
def expect(
    *, product_id: int, pieces: int, expected_on: date, actor: User, now: datetime
) -> tuple[int, date | None]:
    """Say how many pieces of a product come in next, and when; none takes back what was said.

    Buyers' wishes and staff's Wanted tell it. What comes onto the shelf is no longer on its way.
    Returns the pieces and the day that were said before.

    Raises:
        NotFound: no such product.
    """
    stock = _locked(product_id)
    before = stock.arriving, stock.expected_on
    stock.arriving, stock.expected_on = pieces, expected_on if pieces else None
    stock.save(update_fields=["arriving", "expected_on"])
    return before


def lock_shelves(*, product_ids: Collection[int]) -> dict[int, Shelf]:
    """Lock the stock of products until the transaction ends, in the order of their ids, and return
    it by product.
    """
    rows = (
        Stock.objects.select_for_update().filter(product_id__in=product_ids).order_by("product_id")
    )
    return {row.product_id: Shelf(row.on_hand, row.allocated) for row in rows}


@needs("catalog.change_stock")
def recount_many(*, counted: Quantities, reason: str, actor: User, now: datetime) -> None:
    """Set the pieces on the shelf of many products (product id to count); promises stay, as in
    `recount`. Whoever calls has locked them in this transaction (`lock_shelves`).
    """
    rows = Stock.objects.filter(product_id__in=counted).order_by("product_id")
    changed = {row: counted[row.pk] for row in rows if row.on_hand != counted[row.pk]}
    _set_on_hand(changed, reason, actor, now)


def add_stock_rows(products: Iterable[Product]) -> None:
    """Give new products their stock row, with nothing on the shelf."""
    Stock.objects.bulk_create(
        (Stock(product=product) for product in products), ignore_conflicts=True
    )


def _locked(product_id: int) -> Stock:
    return row_or_404(Stock.objects.select_for_update().filter(product_id=product_id))


def _set_on_hand(
    counted: Mapping[Stock, int], reason: str, actor: User, now: datetime
) -> list[StockChange]:
    """Set the pieces of shelves that are locked; return the movements."""
    movements, arrived = [], []
    for stock, pieces in counted.items():
        change = pieces - stock.on_hand
        fields = {"change": change, "on_hand": pieces, "reason": reason}
        movements.append(StockChange(product_id=stock.pk, actor=actor, at=now, **fields))
        stock.on_hand, stock.short = pieces, max(0, stock.allocated - pieces)
        if stock.arriving and change > 0:
            stock.arriving = max(0, stock.arriving - change)
            stock.expected_on = stock.expected_on if stock.arriving else None
            arrived.append(stock)
    Stock.objects.bulk_update(counted, ["on_hand", "short"])
    Stock.objects.bulk_update(arrived, ["arriving", "expected_on"])
    StockChange.objects.bulk_create(movements)
    more = {one.product_id: one.change for one in movements if one.change > 0}
    if more:  # whoever waits for them comes before everybody else
        stock_arrived.send(sender=Stock, pieces=more, now=now)
    return movements


def _move(
    quantities: Quantities,
    *,
    on_hand: int,
    allocated: int,
    only_if: str,
    refusal: type[OutOfStock | StockBelowZero],
    text: str,
    seen_by: Buyer | None = None,
) -> dict[int, Moved]:
    """Add the pieces times `on_hand` and `allocated` (-1, 0, 1) to both columns where all rows
    allow it.

    Returns the stock afterwards, by product.
    """
    if not quantities:
        return {}
    if min(quantities.values()) < 1:
        raise ValueError("pieces are counted from one")
    pairs, values = pairs_of(quantities)
    visible = _visible(seen_by)
    new_on_hand = f"catalog_stock.on_hand + ({on_hand}) * w.pieces"
    new_allocated = f"catalog_stock.allocated + ({allocated}) * w.pieces"
    still = only_if.replace("s.", "catalog_stock.")  # the condition stands in the update itself too
    statement = f"""
    WITH w AS ({pairs}),
    locked AS (SELECT s.product_id, s.on_hand, s.allocated FROM catalog_stock s
     JOIN w ON w.product_id = s.product_id WHERE {visible.sql}
     {locked("s.product_id", "s")}),
    allowed AS (SELECT COUNT(*) AS n FROM locked s JOIN w ON w.product_id = s.product_id
    WHERE {only_if}) UPDATE catalog_stock SET on_hand = {new_on_hand}, allocated = {new_allocated},
     short = CASE WHEN {new_allocated} > {new_on_hand}
     THEN {new_allocated} - ({new_on_hand}) ELSE 0 END
    FROM w, allowed WHERE catalog_stock.product_id = w.product_id AND allowed.n = %s AND {still}
    RETURNING catalog_stock.product_id, catalog_stock.on_hand, catalog_stock.short"""
    rows = fetch_all(Moved, statement, [*values, *visible.values, len(quantities)])
    moved = {row.product_id: row for row in rows}
    if len(moved) != len(quantities):
        raise refusal(errors=_refused(quantities, only_if=only_if, text=text, seen_by=seen_by))
    return moved


def _visible(buyer: Buyer | None) -> Part:
    """Return the condition that a product is one that the buyer sees."""
    if buyer is None:
        return Part("1 = 1")
    brand = visible_to(buyer, "p.brand_id", each=True)
    listed = f"p.id = s.product_id AND {LISTED} AND {brand.sql}"
    return Part(f"EXISTS (SELECT 1 FROM catalog_product p WHERE {listed})", brand.values)


def _refused(
    quantities: Quantities, *, only_if: str, text: str, seen_by: Buyer | None
) -> dict[str, list[str]]:
    """Return the SKUs that stand in the way, each with the text."""
    pairs, values = pairs_of(quantities)
    visible = _visible(seen_by)
    statement = f"""
    WITH w AS ({pairs}) SELECT p.sku FROM w JOIN catalog_product p ON p.id = w.product_id
    LEFT JOIN catalog_stock s ON s.product_id = p.id WHERE s.product_id IS NULL OR NOT ({only_if})
    OR NOT ({visible.sql})
    ORDER BY p.sku"""
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, *visible.values])
        return {sku: [gettext(text)] for (sku,) in cursor.fetchall()}
