"""A buyer's baskets: edits of any device arrive in the one that he fills; others are put by, saved
under a name, shared with colleagues, or kept from before a Reset.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models.functions import Lower

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.rules import is_short
from apps.catalog.selectors import products_by_sku
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, row_or_404
from apps.orders.errors import BasketNameTaken, NoLines, TooManyBaskets
from apps.orders.models import Basket, SavedBasket
from apps.orders.rules import BASKET_FULL, MAX_BASKET_LINES, UNKNOWN_SKU, line_total, subtotal

# Each sign-in on a device counts as one; the longest unused is forgotten first.
MAX_DEVICES = 50
MAX_NAMED = 50
MAX_FORMER = 20
KEEP_FOR = timedelta(days=30)
Kind = SavedBasket.Kind


@one_transaction
def edit_basket(
    *, buyer: Buyer, device: UUID, sequence: int, edits: Sequence[tuple[str, int]], now: datetime
) -> tuple[Basket, Mapping[str, str], int]:
    """Set pieces of products in the buyer's basket; 0 takes a product out. The last edit that
    arrives wins its line. Return the basket, why edits are refused, by SKU, and which revision
    was edited.

    A device numbers what it sends: a number that has come before, or a smaller one, changes
    nothing. No clock of a device is asked. A SKU that does not exist for this buyer, and one too
    many, is refused; the others are set.
    """
    rows = Basket.objects.select_for_update().filter(user_id=buyer.id)
    basket = rows.first()
    if basket is None:
        Basket.objects.bulk_create([Basket(user_id=buyer.id)], ignore_conflicts=True)
        basket = rows.get()
    was_at = basket.revision
    if sequence <= dict(basket.devices).get(str(device), 0):
        return basket, {}, -1
    counts = dict(edits)
    ordered = {sku: count for sku, count in counts.items() if count}
    products = products_by_sku(buyer=buyer, skus=ordered, now=now)
    lines = {line["sku"]: line for line in basket.lines}
    refused: dict[str, str] = {}
    for sku, count in counts.items():
        if not count:
            lines.pop(sku, None)
        elif sku not in products:
            refused[sku] = UNKNOWN_SKU
        elif sku not in lines and len(lines) >= MAX_BASKET_LINES:
            refused[sku] = BASKET_FULL
        else:
            product, stock_free = products[sku], buyer.stock_free
            available = product.available(stock_free=stock_free)
            short = is_short(available=available, count=count, stock_free=stock_free)
            price = str(product.usd_supply)
            lines[sku] = {"sku": product.sku, "count": count, "price": price, "short": short}
    basket.lines = list(lines.values())
    others = [[uuid, last] for uuid, last in basket.devices if uuid != str(device)]
    basket.devices = [*others[-(MAX_DEVICES - 1) :], [str(device), sequence]]
    basket.revision += 1
    basket.edited_at = now
    basket.save()
    return basket, refused, was_at


@one_transaction
def save_basket(
    *,
    buyer: Buyer,
    uuid: UUID,
    kind: SavedBasket.Kind,
    name: str = "",
    is_shared: bool = False,
    lines: Sequence[tuple[str, int]],
    now: datetime,
) -> SavedBasket:
    """Put a basket by, under a name or as a former one; the buyer's own with this uuid is replaced.

    SKUs that do not exist for this buyer are left out. The oldest former baskets make room for a
    new one.

    Raises:
        NoLines: nothing of it can be ordered.
        NotFound: the uuid is another buyer's.
        BasketNameTaken: the buyer has another basket of this name.
        TooManyBaskets: the buyer has as many named ones as there may be.
    """
    counts: Mapping[str, int] = dict(lines)
    products = products_by_sku(buyer=buyer, skus=counts, now=now)
    orderable = {sku: count for sku, count in counts.items() if sku in products}
    if not orderable:
        raise NoLines
    _wait_for_turn(buyer)
    basket = SavedBasket.objects.filter(uuid=uuid).first() or SavedBasket(uuid=uuid)
    if basket.owner_id not in (None, buyer.id):
        raise NotFound
    is_named = kind == Kind.NAMED
    basket.owner_id, basket.kind, basket.is_shared = buyer.id, kind, is_shared and is_named
    basket.name = _free_name(basket, name, owner_id=buyer.id) if is_named else ""
    basket.saved_at, basket.expires_at = now, None if is_named else now + KEEP_FOR
    basket.lines = [{"sku": sku, "count": count} for sku, count in orderable.items()]
    basket.count, basket.pieces = len(orderable), sum(orderable.values())
    basket.total = subtotal(
        line_total(price=products[sku].usd_supply, quantity=count)
        for sku, count in orderable.items()
    )
    _make_room(basket)
    basket.save()
    return basket


@one_transaction
def name_basket(*, buyer: Buyer, uuid: UUID, name: str, is_shared: bool) -> None:
    """Give a basket of the buyer's own a name, and share it with the company or not; a former one
    stays for good then.

    Raises:
        NotFound: there is none, or it is a colleague's.
        BasketNameTaken, TooManyBaskets: see `save_basket`.
    """
    _wait_for_turn(buyer)
    basket = row_or_404(SavedBasket.objects.filter(uuid=uuid, owner_id=buyer.id))
    had_name = basket.kind == Kind.NAMED
    basket.name = _free_name(basket, name, owner_id=buyer.id)
    basket.kind, basket.is_shared, basket.expires_at = Kind.NAMED, is_shared, None
    if not had_name:
        _make_room(basket)
    basket.save()


def delete_basket(*, buyer: Buyer, uuid: UUID) -> None:
    """Delete a basket of the buyer's own.

    Raises:
        NotFound: there is none, or it is a colleague's.
    """
    deleted, _ = SavedBasket.objects.filter(uuid=uuid, owner_id=buyer.id).delete()
    if not deleted:
        raise NotFound


def _wait_for_turn(buyer: Buyer) -> None:
    """Lock a buyer's baskets: two of one name, or one uuid twice, would be found only by the
    database.
    """
    User.objects.select_for_update(of=("self",), no_key=True).only("pk").get(pk=buyer.id)


def _free_name(basket: SavedBasket, name: str, *, owner_id: int) -> str:
    others = SavedBasket.objects.filter(owner_id=owner_id, kind=Kind.NAMED).exclude(
        uuid=basket.uuid
    )
    if others.annotate(lower=Lower("name")).filter(lower=name.lower()).exists():
        raise BasketNameTaken
    return name


def _make_room(basket: SavedBasket) -> None:
    others = SavedBasket.objects.filter(owner_id=basket.owner_id).exclude(uuid=basket.uuid)
    if basket.kind == Kind.NAMED:
        if others.filter(kind=Kind.NAMED).count() >= MAX_NAMED:
            raise TooManyBaskets
        return
    former = others.exclude(kind=Kind.NAMED).order_by("-saved_at", "-id")
    oldest = list(former.values_list("id", flat=True)[MAX_FORMER - 1 :])
    SavedBasket.objects.filter(id__in=oldest).delete()
