"""A buyer's baskets, and the temporary order that one becomes.

Edits of any device arrive in the basket; others are put by: saved under a name, shared with
colleagues, or kept from before a Reset. A temporary order is requested, dropped, or claimed by its
checkout.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Lower

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.shipping import Shipping
from apps.catalog.rules import is_short
from apps.catalog.selectors import products_by_sku
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, PortalError, row_or_404
from apps.common.seller import seller
from apps.common.types import Json
from apps.orders.errors import (
    BasketNameTaken,
    BelowMinimumOrder,
    Expired,
    KeyUsed,
    NoLines,
    OrderExists,
    PriceChanged,
    TooManyBaskets,
)
from apps.orders.models import Basket, FrozenLine, SavedBasket, TemporaryOrder
from apps.orders.rules import (
    BASKET_FULL,
    MAX_BASKET_LINES,
    UNKNOWN_SKU,
    check_basket,
    line_total,
    subtotal,
)
from apps.orders.selectors.orders import get_temporary_order, is_ordered, number_of
from apps.orders.services.lines import freeze
from apps.orders.services.place import take_ordered_out
from apps.orders.signals import temporary_order_dropped

# Each sign-in on a device counts as one; the longest unused is forgotten first.
MAX_DEVICES = 50


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
    others = [[known, last] for known, last in basket.devices if known != str(device)]
    basket.devices = [*others[-(MAX_DEVICES - 1) :], [str(device), sequence]]
    basket.revision += 1
    basket.edited_at = now
    basket.save()
    return basket, refused, was_at


MAX_NAMED = 50
MAX_FORMER = 20
KEPT_FOR = timedelta(days=30)
Kind = SavedBasket.Kind


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
    counts: Mapping[str, int] = dict(lines[:MAX_BASKET_LINES])
    products = products_by_sku(buyer=buyer, skus=counts, now=now)
    known = {sku: count for sku, count in counts.items() if sku in products}
    if not known:
        raise NoLines
    _wait_for_turn(buyer)
    basket = SavedBasket.objects.filter(uuid=uuid).first() or SavedBasket(uuid=uuid)
    if basket.owner_id not in (None, buyer.id):
        raise NotFound
    named = kind == Kind.NAMED
    basket.owner_id, basket.kind, basket.is_shared = buyer.id, kind, is_shared and named
    basket.name = _free_name(basket, name, owner_id=buyer.id) if named else ""
    basket.saved_at, basket.expires_at = now, None if named else now + KEPT_FOR
    basket.lines = [{"sku": sku, "count": count} for sku, count in known.items()]
    basket.count, basket.pieces = len(known), sum(known.values())
    basket.total = subtotal(
        line_total(price=products[sku].usd_supply, quantity=count) for sku, count in known.items()
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
    was_named = basket.kind == Kind.NAMED
    basket.name = _free_name(basket, name, owner_id=buyer.id)
    basket.kind, basket.is_shared, basket.expires_at = Kind.NAMED, is_shared, None
    if not was_named:
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


KEY_LIFETIME = timedelta(hours=24)
# So many of the buyer's open requests are looked through for the same lines.
REQUESTS_COMPARED = 5

# The condition is judged again after waiting for the row, so that of many checkouts of one list
# exactly one claims it. By Django it is two statements, and 0.6 ms of an order's 9 more.
CLAIM = """
UPDATE orders_temporaryorder SET ordered_at = %s
WHERE id = %s AND user_id = %s AND ordered_at IS NULL AND expires_at > %s
RETURNING *, EXISTS (SELECT 1 FROM orders_wish WHERE company_id = %s
AND held > 0) AS may_take_offers"""


def request_order(
    *,
    buyer: Buyer,
    lines: Sequence[tuple[str, int]],
    seen_prices: Mapping[str, Decimal] | None = None,
    shipping: Shipping,
    idempotency_key: UUID | None = None,
    request_hash: str = "",
    now: datetime,
) -> TemporaryOrder:
    """Freeze a basket (SKU and pieces) at today's prices under an invoice code; nothing is
    reserved.

    A repeat with the same key and body within 24 hours gets the first answer (api.md). With a key,
    the buyer's open request of the same lines is priced anew instead of making another.
    `seen_prices` are the unit prices by SKU that the buyer was shown, in US dollars. Two
    statements, with a key three.

    Raises:
        NoLines, Invalid, OutOfStock, BelowMoq, NotMultipleOfMoq: see `check_basket`, in its order.
        PriceChanged: a price is not the one that the buyer was shown.
        BelowMinimumOrder: it comes to less than the minimum of the buyer's group, or the seller's.
        KeyUsed: the key came before with another body.
    """
    counts: dict[str, int] = {}
    for sku, count in lines:
        counts[sku] = counts.get(sku, 0) + count
    products = products_by_sku(buyer=buyer, skus=counts, now=now)
    try:
        check_basket(counts, products, stock_free=buyer.stock_free)
        prices = {
            sku: (seen, products[sku].usd_supply) for sku, seen in (seen_prices or {}).items()
        }
        if changed := {sku: pair for sku, pair in prices.items() if pair[0] != pair[1]}:
            raise PriceChanged(
                errors={sku: [f"{price:.2f}" for price in pair] for sku, pair in changed.items()}
            )
        total = subtotal(
            line_total(price=products[sku].usd_supply, quantity=n) for sku, n in counts.items()
        )
        if (least := buyer.least_order) > total:
            raise BelowMinimumOrder(missing=least - total, least=least)
    except PortalError:
        # What was there at the first call may be gone now: a repeat still gets that call's answer.
        if draft := _first_answer(
            buyer=buyer, key=idempotency_key, request_hash=request_hash, now=now
        ):
            return draft
        raise
    frozen: list[FrozenLine] = [
        {**freeze(one, price=one.usd_supply, moq=one.moq), "count": count}
        for sku, count in counts.items()
        for one in [products[sku]]
    ]
    priced = {
        "lines": frozen,
        "total": total,
        "count": len(frozen),
        "deposit_rate": buyer.deposit_share,
        "weight_g": sum(products[sku].weight_g * count for sku, count in counts.items()),
        "expires_at": now + seller().temporary_order_lifetime,
        **shipping.columns(),
    }
    draft = TemporaryOrder(
        user_id=buyer.id,
        created_at=now,
        idempotency_key=idempotency_key,
        request_hash=request_hash,
        **priced,
    )
    return _open_again(draft, priced) or _insert(draft, buyer=buyer, now=now)


def _open_again(draft: TemporaryOrder, priced: Json) -> TemporaryOrder | None:
    """Return the buyer's open request of the same lines, now `priced` as the new one; None where
    there is none, or it is this very request that is repeated.
    """
    if draft.idempotency_key is None:
        return None
    open_requests = TemporaryOrder.objects.filter(
        user_id=draft.user_id,
        ordered_at__isnull=True,
        paypal_at__isnull=True,
        expires_at__gt=draft.created_at,
    )
    for former in open_requests.filter(count=draft.count).order_by("-id")[:REQUESTS_COMPARED]:
        if former.idempotency_key == draft.idempotency_key:
            return None
        if _pieces(former) == _pieces(draft):
            # It may become an order at this very moment.
            return former if open_requests.filter(pk=former.pk).update(**priced) else None
    return None


def _pieces(draft: TemporaryOrder) -> dict[str, int]:
    return {line["sku"]: line["count"] for line in draft.lines}


def _insert(draft: TemporaryOrder, *, buyer: Buyer, now: datetime) -> TemporaryOrder:
    with suppress(IntegrityError), transaction.atomic():
        draft.save(force_insert=True)
        return draft
    key = draft.idempotency_key
    if first := _first_answer(buyer=buyer, key=key, request_hash=draft.request_hash, now=now):
        return first
    # An old key that its sweep has not cleared yet.
    TemporaryOrder.objects.filter(user_id=buyer.id, idempotency_key=key).update(
        idempotency_key=None
    )
    draft.save(force_insert=True)
    return draft


def _first_answer(
    *, buyer: Buyer, key: UUID | None, request_hash: str, now: datetime
) -> TemporaryOrder | None:
    if key is None:
        return None
    drafts = TemporaryOrder.objects.filter(
        user_id=buyer.id, idempotency_key=key, created_at__gt=now - KEY_LIFETIME
    )
    draft = drafts.first()
    if draft is not None and draft.request_hash != request_hash:
        raise KeyUsed
    return draft


@one_transaction
def cancel_temporary_order(*, buyer: Buyer, invoice_code: str, now: datetime) -> None:
    """Delete the buyer's temporary order, and its lines in the basket (section 4, Checkout flow:
    Cancel); they are kept as a former basket.

    Raises:
        NotFound: unknown, or somebody else's.
        OrderExists: it is an order already.
        PaymentPending: from the payments app, while a payment of it is under way.
    """
    if is_ordered(buyer=buyer, invoice_code=invoice_code):
        raise OrderExists
    draft = get_temporary_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if draft.ordered_at is not None:
        raise OrderExists
    temporary_order_dropped.send(sender=TemporaryOrder, draft=draft, now=now)
    with suppress(NoLines):  # none of its products is in the buyer's price list any more
        save_basket(
            buyer=buyer,
            uuid=uuid4(),
            kind=SavedBasket.Kind.CANCELLED,
            lines=list(_pieces(draft).items()),
            now=now,
        )
    take_ordered_out(draft=draft)
    draft.delete()


def record_paypal_request(draft: TemporaryOrder, *, now: datetime) -> None:
    """Note on a locked temporary order that a PayPal link was asked for."""
    draft.paypal_at = now
    draft.save(update_fields=["paypal_at"])


def claim_locked(draft: TemporaryOrder, *, now: datetime) -> None:
    """Claim a locked temporary order for the order that its payment makes, however old it is by
    now.

    Raises:
        OrderExists: it is an order already.
    """
    if draft.ordered_at is not None:
        raise OrderExists
    draft.ordered_at = now
    draft.save(update_fields=["ordered_at"])


def claim_temporary_order(*, buyer: Buyer, invoice_code: str, now: datetime) -> TemporaryOrder:
    """Lock the buyer's temporary order for the transaction that makes the order of it. One
    statement.

    It notes too whether anything is held for the company's wishes.

    Raises:
        NotFound: unknown, or somebody else's.
        OrderExists: it is an order already.
        Expired: it is older than 7 days.
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    values = [moment, number_of(invoice_code), buyer.id, moment, buyer.company_id]
    claimed = list(TemporaryOrder.objects.raw(CLAIM, values))
    if claimed and claimed[0].invoice_code == invoice_code:
        return claimed[0]
    if claimed:
        raise NotFound
    if is_ordered(buyer=buyer, invoice_code=invoice_code):
        raise OrderExists
    raise Expired
