"""Wishes: what buyers wanted and did not get is kept, dropped when they do not want it any more,
and offered in order of age what arrives: held for a time, ordered, or passed on. The one writer.

Held pieces count as allocated. Whoever changes what is held has locked the products' stock first,
and then the wishes.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.models import BrandAccess, BrandClosure, Running
from apps.catalog.rules import ON_SALE, is_short
from apps.catalog.selectors import products_by_sku
from apps.catalog.services import stock
from apps.common.days import business_days_later
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, row_or_404
from apps.common.mail import queue
from apps.common.seller import seller
from apps.orders import mail
from apps.orders.errors import NotBack, NotSoldOut, TooManyWishes, WishTooLarge
from apps.orders.models import GivenPieces, LineProposal, Order, OrderLine, Wish
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.proposal_rules import pieces_of
from apps.orders.selectors.orders import seller_date

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
        Invalid: too long a code.
        NotSoldOut: it can be ordered now.
        NotBack: it is not sold any more, or sold on request alone.
        TooManyWishes: the buyer has as many open ones as there may be.
        WishTooLarge: for more than 10,000 pieces.
    """
    sku = sku.upper()
    if len(sku) > MAX_OWN_CODE:
        raise Invalid(sku=f"1 to {MAX_OWN_CODE} characters.")
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
    wish = row_or_404(own.select_for_update())
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
        wish.dropped += wish.open
        let_go(wish, now=now)
    Wish.objects.bulk_update(wishes, ["dropped", *OFFER])
    if freed:
        stock.release(quantities=freed)
        share(freed, now=now)


OFFER = ("held", "held_until", "told_at", "closed_at")
BATCH = 500
OWN_BRANDS = BrandAccess.objects.filter(
    company=OuterRef("company"), brand=OuterRef("product__brand")
)
CLOSURES = BrandClosure.objects.filter(
    country=OuterRef("company__country"), brand=OuterRef("product__brand")
)
ENTITLED_BUYERS = (Q(company__brands_restricted=False) | Exists(OWN_BRANDS)) & ~Exists(CLOSURES)
# Whose buyer may come in, and sees and may order the product.
ENTITLED = (
    Q(closed_at__isnull=True, product__is_running=Running.ON_SALE)
    & Q(user__is_active=True, user__approval=User.Approval.APPROVED, company__is_open=True)
    & ENTITLED_BUYERS
)


def share(pieces: Mapping[int, int], *, passed_by: Collection[int] = (), now: datetime) -> None:
    """Offer pieces (product id to count) to the oldest entitled wishes, in the caller's
    transaction.

    Never more than nobody is promised. `passed_by` are wishes that have just let them lapse.
    """
    shelves = stock.lock_shelves(product_ids=list(pieces))
    free = {
        product_id: min(pieces[product_id], shelf.on_hand - shelf.allocated)
        for product_id, shelf in shelves.items()
    }
    some = [product_id for product_id, count in free.items() if count > 0]
    rows = Wish.objects.filter(ENTITLED, product_id__in=some).exclude(pk__in=passed_by)
    allotted: Counter[int] = Counter()
    offered = []
    for wish in rows.select_for_update(of=("self",)).order_by("product_id", "since", "pk"):
        product_id = wish.product_id or 0
        if count := min(wish.waiting, free[product_id] - allotted[product_id]):
            allotted[product_id] += count
            wish.held, wish.held_until, wish.told_at = wish.held + count, _until(now), None
            offered.append(wish)
    if offered:
        stock.allocate(quantities=allotted, stock_free=False)
        Wish.objects.bulk_update(offered, OFFER, batch_size=BATCH)


def take_offers(
    *, company_id: int, quantities: Mapping[int, int], invoice_code: str, now: datetime
) -> None:
    """Give what is held for a company of these products (product id to count) to its order, the
    oldest wish first.

    In the caller's transaction, which promises the pieces to the order next. One statement where
    nothing is held.
    """
    offers = Wish.objects.filter(company_id=company_id, product_id__in=list(quantities), held__gt=0)
    if not offers.exists():
        return
    stock.lock_shelves(product_ids=list(quantities))
    remaining, freed, allotted, gifts = dict(quantities), Counter[int](), [], []
    for wish in offers.select_for_update().order_by("since", "pk"):
        product_id, until = wish.product_id or 0, wish.held_until or now
        if not (count := min(wish.held, remaining[product_id])):
            continue
        remaining[product_id] -= count
        freed[product_id] += count
        wish.given += count
        let_go(wish, count, now=now)
        allotted.append(wish)
        gifts.append(
            GivenPieces(wish=wish, invoice_code=invoice_code, pieces=count, held_until=until)
        )
    Wish.objects.bulk_update(allotted, ["given", *OFFER])
    GivenPieces.objects.bulk_create(gifts)
    stock.release(quantities=freed)


def give_offers_back(*, invoice_code: str) -> None:
    """Hold again for wishes what a payment of a priced list had taken and did not keep, in the
    caller's transaction.

    The caller has released the pieces. They are held until when they were, and told anew.
    """
    gifts = list(GivenPieces.objects.filter(invoice_code=invoice_code).order_by("pk"))
    if not gifts:
        return
    of = Wish.objects.filter(gifts__in=gifts)
    products = of.exclude(product=None).values_list("product_id", flat=True)
    shelves = stock.lock_shelves(product_ids=set(products))
    free = {
        product_id: max(0, shelf.on_hand - shelf.allocated) for product_id, shelf in shelves.items()
    }
    wishes = {wish.pk: wish for wish in of.select_for_update(of=("self",)).order_by("pk")}
    allotted: Counter[int] = Counter()
    for gift in gifts:
        wish = wishes[gift.wish_id]
        product_id = wish.product_id or 0
        count = min(gift.pieces, free[product_id] - allotted[product_id])
        wish.given, wish.closed_at = wish.given - gift.pieces, None
        if count:
            allotted[product_id] += count
            wish.held, wish.told_at = wish.held + count, None
            wish.held_until = max(wish.held_until or gift.held_until, gift.held_until)
    GivenPieces.objects.filter(pk__in=[gift.pk for gift in gifts]).delete()
    stock.allocate(quantities=+allotted, stock_free=False)  # `+` leaves out what took none
    Wish.objects.bulk_update(wishes.values(), ["given", *OFFER])


@one_transaction
def lapse_offers(*, product_id: int, now: datetime) -> int:
    """Pass on what was held of a product for too long: to the next wishes, or to everybody. Return
    how many lapsed.
    """
    stock.lock_shelves(product_ids=[product_id])
    late = list(
        late_offers(now=now).filter(product_id=product_id).select_for_update().order_by("pk")
    )
    freed = sum(wish.held for wish in late)
    for wish in late:
        wish.expired += wish.held
        let_go(wish, now=now)
    if late:
        Wish.objects.bulk_update(late, ["expired", *OFFER])
        stock.release(quantities={product_id: freed})
        share({product_id: freed}, passed_by=[wish.pk for wish in late], now=now)
    return len(late)


def late_offers(*, now: datetime) -> QuerySet[Wish]:
    """Return the wishes whose offer is over; one that no mail has told yet is not."""
    return Wish.objects.filter(held__gt=0, held_until__lte=now, told_at__isnull=False)


def untold_offers() -> QuerySet[Wish]:
    """Return the wishes with an offer that no mail has told, of brands that their companies see."""
    return Wish.objects.filter(ENTITLED_BUYERS, held__gt=0, told_at__isnull=True)


@one_transaction
def tell_offers(*, user_id: int, now: datetime) -> bool:
    """Mail a buyer all that is held for his wishes, unless he was mailed today; the time to order
    begins with the mail.

    Returns whether there was something to tell.
    """
    today = seller_date(now)
    mine = untold_offers().filter(user_id=user_id)
    stock.lock_shelves(product_ids=list(mine.values_list("product_id", flat=True)))
    offered = list(
        mine.select_for_update(of=("self",)).select_related("product", "user").order_by("pk")
    )
    not_today = User.objects.filter(pk=user_id).exclude(offers_told_on__gte=today)
    if not offered or not not_today.update(offers_told_on=today):
        return False
    for wish in offered:
        wish.told_at, wish.held_until = now, _until(now)
    Wish.objects.bulk_update(offered, ["told_at", "held_until"], batch_size=BATCH)
    queue([mail.offered(offered)])
    return True


def let_go(wish: Wish, pieces: int | None = None, *, now: datetime) -> None:
    """Take pieces of a locked wish's offer away, all of them unless told otherwise, unsaved; it is
    closed where nothing of it is open.
    """
    wish.held -= wish.held if pieces is None else pieces
    if not wish.held:
        wish.held_until = wish.told_at = None
    wish.closed_at = None if wish.open else now


def _until(now: datetime) -> datetime:
    return business_days_later(now, seller().promised_days("offer"))
