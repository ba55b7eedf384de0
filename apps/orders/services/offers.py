"""Pieces that arrive are offered to wishes in order of age, held for a time, ordered, or passed on
to the next.

Held pieces count as allocated. Whoever changes what is held has locked the products' stock first,
and then the wishes.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.catalog.models import BrandAccess, BrandClosure, Running
from apps.catalog.services import stock
from apps.common.business_days import business_days_later
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.seller import seller
from apps.orders import mail
from apps.orders.models import GivenPieces, Wish, WishMail
from apps.orders.selectors.orders import seller_date

OFFER = ("held", "held_until", "told_at")
BATCH = 500
OWN_BRANDS = BrandAccess.objects.filter(
    company=OuterRef("company"), brand=OuterRef("product__brand")
)
CLOSURES = BrandClosure.objects.filter(
    country=OuterRef("company__country"), brand=OuterRef("product__brand")
)
# Whose buyer may come in, and sees and may order the product.
ENTITLED = (
    Q(closed_at__isnull=True, product__is_running=Running.ON_SALE)
    & Q(user__is_active=True, user__approval=User.Approval.APPROVED, company__is_open=True)
    & (Q(company__brands_restricted=False) | Exists(OWN_BRANDS))
    & ~Exists(CLOSURES)
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
    taken: Counter[int] = Counter()
    offered = []
    for wish in (
        rows.select_for_update(of=("self",)).order_by("product_id", "since", "pk") if some else ()
    ):
        product_id = wish.product_id or 0
        if count := min(wish.waiting, free[product_id] - taken[product_id]):
            taken[product_id] += count
            wish.held, wish.held_until, wish.told_at = wish.held + count, _until(now), None
            offered.append(wish)
    if offered:
        stock.allocate(wanted=taken, stock_free=False)
        Wish.objects.bulk_update(offered, OFFER, batch_size=BATCH)


def take_offers(
    *, company_id: int, wanted: Mapping[int, int], invoice_code: str, now: datetime
) -> None:
    """Give what is held for a company of these products (product id to count) to its order, the
    oldest wish first.

    In the caller's transaction, which promises the pieces to the order next. One statement where
    nothing is held.
    """
    held = Wish.objects.filter(company_id=company_id, product_id__in=list(wanted), held__gt=0)
    if not held.exists():
        return
    stock.lock_shelves(product_ids=list(wanted))
    left, freed, taken, gifts = dict(wanted), Counter[int](), [], []
    for wish in held.select_for_update().order_by("since", "pk"):
        product_id, until = wish.product_id or 0, wish.held_until or now
        if not (count := min(wish.held, left[product_id])):
            continue
        left[product_id] -= count
        freed[product_id] += count
        wish.given += count
        let_go(wish, count)
        wish.closed_at = None if wish.open else now
        taken.append(wish)
        gifts.append(
            GivenPieces(wish=wish, invoice_code=invoice_code, pieces=count, held_until=until)
        )
    Wish.objects.bulk_update(taken, ["given", "closed_at", *OFFER])
    GivenPieces.objects.bulk_create(gifts)
    stock.release(wanted=freed)


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
    taken: Counter[int] = Counter()
    for gift in gifts:
        wish = wishes[gift.wish_id]
        product_id = wish.product_id or 0
        count = min(gift.pieces, free[product_id] - taken[product_id])
        wish.given, wish.closed_at = wish.given - gift.pieces, None
        if count:
            taken[product_id] += count
            wish.held, wish.told_at = wish.held + count, None
            wish.held_until = max(wish.held_until or gift.held_until, gift.held_until)
    GivenPieces.objects.filter(pk__in=[gift.pk for gift in gifts]).delete()
    stock.allocate(wanted=+taken, stock_free=False)  # `+` leaves out what took none
    Wish.objects.bulk_update(wishes.values(), ["given", "closed_at", *OFFER])


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
        let_go(wish)
        wish.closed_at = None if wish.open else now
    if late:
        Wish.objects.bulk_update(late, ["expired", "closed_at", *OFFER])
        stock.release(wanted={product_id: freed})
        share({product_id: freed}, passed_by=[wish.pk for wish in late], now=now)
    return len(late)


def late_offers(*, now: datetime) -> QuerySet[Wish]:
    """Return the wishes whose offer is over; one that no mail has told yet is not."""
    return Wish.objects.filter(held__gt=0, held_until__lte=now, told_at__isnull=False)


def untold_offers() -> QuerySet[Wish]:
    """Return the wishes with an offer that no mail has told."""
    return Wish.objects.filter(held__gt=0, told_at__isnull=True)


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
    if not offered or WishMail.objects.filter(user_id=user_id, day=today).exists():
        return False
    WishMail.objects.create(user_id=user_id, day=today)
    for wish in offered:
        wish.told_at, wish.held_until = now, _until(now)
    Wish.objects.bulk_update(offered, ["told_at", "held_until"], batch_size=BATCH)
    queue([mail.offered(offered)])
    return True


def let_go(wish: Wish, pieces: int | None = None) -> None:
    """Take pieces of a locked wish's offer away, all of them unless told otherwise, unsaved."""
    wish.held -= wish.held if pieces is None else pieces
    if not wish.held:
        wish.held_until = wish.told_at = None


def _until(now: datetime) -> datetime:
    return business_days_later(
        timezone.localtime(now), seller().promised_days["offer"], closed=seller().closed_days
    )
