"""Reads of the buyer's basket and of those that were put by."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Case, F, JSONField, Q, QuerySet, Value, When

from apps.accounts.selectors import Buyer
from apps.common.errors import row_or_404
from apps.common.types import Json
from apps.orders.models import Basket, SavedBasket

PAGE_SIZE = 50
COLUMNS = ("kind", "name", "count", "pieces", "total", "saved_at")


def basket_since(*, buyer: Buyer, revision: int | None) -> Json | None:
    """Return the buyer's basket, or None where it is still at this revision. One statement.

    Who has never had one has an empty one at revision 0.
    """
    unchanged = When(revision=-1 if revision is None else revision, then=Value(None, JSONField()))
    new_lines = Case(unchanged, default=F("lines"))
    baskets = Basket.objects.filter(user_id=buyer.id)
    row = baskets.values_list("revision", "edited_at", new_lines).first()
    current, edited_at, lines = row or (0, None, [])
    if current == revision:
        return None
    return {"revision": current, "edited_at": edited_at, "lines": _lines(lines or [])}


def basket_json(basket: Basket) -> Json:
    """Return a basket as the calls answer it."""
    return {
        "revision": basket.revision,
        "edited_at": basket.edited_at,
        "lines": _lines(basket.lines),
    }


def _lines(lines: list[Json]) -> list[Json]:
    return [
        {**line, "price": Decimal(line["price"]), "short": int(line["short"])} for line in lines
    ]


def saved_baskets(*, buyer: Buyer, after: str, now: datetime) -> Json:
    """Return a page of the baskets that the buyer may open, the newest first: own ones and those
    that colleagues share.

    One statement. `after` is the last page's `next`; anything else finds nothing.
    """
    rows = _openable(buyer, now).select_related("owner").defer("lines").order_by("-id")
    if after:
        rows = rows.filter(
            id__lt=int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
        )
    baskets = list(rows[: PAGE_SIZE + 1])
    page, has_next = baskets[:PAGE_SIZE], len(baskets) > PAGE_SIZE
    return {
        "result": [_saved(basket, buyer) for basket in page],
        "has_next": has_next,
        "next": str(page[-1].pk) if has_next else None,
    }


def saved_basket(*, buyer: Buyer, uuid: UUID, now: datetime) -> Json:
    """Return a basket that the buyer may open, with its lines. One statement.

    Raises:
        NotFound: there is none, it is over, or it is not the buyer's to open.
    """
    basket = row_or_404(_openable(buyer, now).select_related("owner").filter(uuid=uuid))
    return {**_saved(basket, buyer), "lines": basket.lines}


def saved_baskets_count(*, buyer: Buyer, now: datetime) -> int:
    """Return how many baskets the buyer may open. One statement."""
    return _openable(buyer, now).count()


def _openable(buyer: Buyer, now: datetime) -> QuerySet[SavedBasket]:
    shared = Q(is_shared=True, owner__company_id=buyer.company_id)
    return SavedBasket.objects.filter(
        Q(owner_id=buyer.id) | shared, Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    )


def _saved(basket: SavedBasket, buyer: Buyer) -> Json:
    return {
        **{name: getattr(basket, name) for name in COLUMNS},
        "uuid": str(basket.uuid),
        "is_own": int(basket.owner_id == buyer.id),
        "owner": basket.owner.manager,
        "is_shared": int(basket.is_shared),
    }
