"""Wishes: what buyers wanted and did not get is kept, and dropped when they do not want it any
more. The one writer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.rules import ON_SALE, is_short
from apps.catalog.selectors import products_by_sku
from apps.catalog.services import stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.orders.errors import NotBack, NotSoldOut, TooManyWishes, WishTooLarge
from apps.orders.models import LineProposal, Order, OrderLine, Wish
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.proposal_rules import pieces_of
from apps.orders.services.offers import OFFER, let_go, share

MOST_OWN = 1_000
MOST_PIECES = (
    10_000  # what arrives of a product is held for a wish until it has been offered so many
)
Why, Kind, State, Reason = Wish.Why, LineProposal.Kind, LineProposal.State, OrderLine.Reason
UNGIVEN = (Reason.SHORT, Reason.DISCONTINUED)  # a substitute stands for the pieces that it replaces


@dataclass(frozen=True)
class Missing:
    """Pieces that a line of an order does not give, why, and when they are expected."""

    line: OrderLine
    pieces: int
    why: str
    promised_on: date | None = None


def keep_missing(order: Order, missing: Sequence[Missing], *, now: datetime) -> None:
    """Keep what lines of a locked order do not give as wishes of who ordered. One statement."""
    Wish.objects.bulk_create(
        Wish(
            company_id=order.company_id,
            user_id=order.user_id,
            product_id=one.line.product_id,
            why=one.why,
            line=one.line,
            pieces=one.pieces,
            since=now,
            promised_on=one.promised_on,
        )
        for one in missing
        if one.pieces
    )


def keep_undelivered(order: Order, proposals: Sequence[LineProposal], *, now: datetime) -> None:
    """Keep what settled proposals of a locked order do not give: given up, declined or later, by
    answer or silence.
    """
    missing = []
    for proposal in proposals:
        went = pieces_of(proposal)
        if went.later:
            missing.append(Missing(proposal.line, went.later, Why.LATER, proposal.expected_on))
            continue
        why = Why.CUT if proposal.applied == LineProposal.Answer.ACCEPT else Why.DECLINED
        missing.append(Missing(proposal.line, went.declined + went.expired, why))
    keep_missing(order, missing, now=now)


@one_transaction
def wish_for(*, buyer: Buyer, sku: str, pieces: int, now: datetime) -> Wish:
    """Keep that a buyer wants pieces of a product that is sold out, or of a code that no product is
    known by.

    Asked again, the number is the newest; who wants more waits from then on.

    Raises:
        Invalid: no code or too long a one.
        NotSoldOut: it can be ordered now.
        NotBack: it is not sold any more, or sold on request alone.
        TooManyWishes: the buyer has as many open ones as there may be.
        WishTooLarge: for more than 10,000 pieces.
    """
    sku = sku.strip().upper()
    if not sku or len(sku) > MAX_OWN_CODE:
        raise Invalid(errors={"sku": [f"1 to {MAX_OWN_CODE} characters."]})
    if pieces > MOST_PIECES:
        raise WishTooLarge
    # What tells a buyer's wish from others: a product that is sold out, or a code of nobody's.
    of: dict[str, Any] = {"why": Why.UNKNOWN_SKU, "code": sku}
    if product := products_by_sku(buyer=buyer, skus=[sku], now=now).get(sku):
        of = {"why": Why.SOLD_OUT, "product_id": product.id}
        if product.is_running != ON_SALE:
            raise NotBack
        available, moq = product.qty - product.held, product.moq
        if not is_short(available=available, count=moq, stock_free=buyer.stock_free):
            raise NotSoldOut
    # One at a time for a buyer: the last place is not given twice.
    User.objects.select_for_update(of=("self",), no_key=True).only("pk").get(pk=buyer.id)
    own = Wish.objects.filter(user_id=buyer.id, closed_at__isnull=True, line__isnull=True)
    wish = own.filter(**of).select_for_update().first()
    if wish is None:
        if own.count() >= MOST_OWN:
            raise TooManyWishes
        return Wish.objects.create(
            company_id=buyer.company_id, user_id=buyer.id, pieces=pieces, since=now, **of
        )
    if pieces > wish.open:
        wish.since = now
    wish.pieces += max(pieces, wish.held) - wish.open
    wish.save(update_fields=["pieces", "since"])
    return wish


@one_transaction
def drop_wish(*, buyer: Buyer, wish_id: int, now: datetime) -> None:
    """Close an open wish of the buyer's company: what is open of it is not wanted any more, what is
    held goes on.

    Raises:
        NotFound: unknown, closed, or another company's.
    """
    own = Wish.objects.filter(pk=wish_id, company_id=buyer.company_id, closed_at__isnull=True)
    stock.lock_shelves(
        product_ids=list(own.filter(product__isnull=False).values_list("product_id", flat=True))
    )
    wish = own.select_for_update().first()
    if wish is None:
        raise NotFound
    _close([wish], now=now)


def end_wishes(order: Order, *, lines: Sequence[OrderLine] | None = None, now: datetime) -> None:
    """Close what is open of the wishes of a locked order's lines, in the caller's transaction: it
    is cancelled, or some `lines` are decided anew.
    """
    rows = Wish.objects.filter(line__order=order, closed_at__isnull=True)
    if lines is not None:
        rows = rows.filter(line__in=[line.pk for line in lines])
    if rows.exists():
        stock.lock_shelves(
            product_ids=list(order.lines.order_by().values_list("product_id", flat=True))
        )
        _close(list(rows.select_for_update(of=("self",)).order_by("pk")), now=now)


def _close(wishes: Sequence[Wish], *, now: datetime) -> None:
    """Close locked, open wishes, and pass on what was held for them; the stock of their products is
    locked.
    """
    freed: Counter[int] = Counter()
    for wish in wishes:
        if wish.product_id is not None and wish.held:
            freed[wish.product_id] += wish.held
        wish.dropped, wish.closed_at = wish.dropped + wish.open, now
        let_go(wish)
    Wish.objects.bulk_update(wishes, ["dropped", "closed_at", *OFFER])
    if freed:
        stock.release(wanted=freed)
        share(freed, now=now)
