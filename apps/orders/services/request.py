"""A temporary order, which a basket becomes: requested, dropped, or claimed by its checkout."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction

from apps.accounts.selectors import Buyer
from apps.accounts.shipping import Shipping
from apps.catalog.selectors import products_by_sku
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, PortalError
from apps.common.seller import seller
from apps.common.types import Json
from apps.orders.errors import (
    BelowMinimumOrder,
    Expired,
    KeyUsed,
    NoLines,
    OrderExists,
    PriceChanged,
)
from apps.orders.models import FrozenLine, SavedBasket, TemporaryOrder
from apps.orders.rules import (
    check_basket,
    line_total,
    subtotal,
)
from apps.orders.selectors.orders import get_temporary_order, is_ordered, number_of
from apps.orders.services.baskets import save_basket
from apps.orders.services.lines import freeze
from apps.orders.services.place import take_ordered_out
from apps.orders.signals import temporary_order_dropped

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
            sku: (shown_price, products[sku].usd_supply)
            for sku, shown_price in (seen_prices or {}).items()
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
    key = draft.idempotency_key
    if key is None:  # no other can have it
        draft.save(force_insert=True)
        return draft
    with suppress(IntegrityError), transaction.atomic():
        draft.save(force_insert=True)
        return draft
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
