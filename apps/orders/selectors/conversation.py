"""The conversation on an order: what its buyers and the seller wrote to each other."""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.seller import seller
from apps.common.types import Json
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import get_order

PAGE_SIZE = 50
Kind = OrderEvent.Kind
BUYERS_WORDS = (Kind.MESSAGE, Kind.SHIP_MEMO)
UNANSWERED = Q(message_unread=True) | Q(ship_memo_unread=True)
# What a buyer reads of an order's history: these and nothing else, so that notes for colleagues
# stay with them.
THREAD = {Kind.MESSAGE: "message", Kind.SHIP_MEMO: "shipping", Kind.MEMO: "answer"}


def conversation(*, buyer: Buyer, invoice_code: str, before: int | None = None) -> Json:
    """Return what was written on an order, the oldest first, by pages from the newest backwards.
    Two statements.

    `before` is the last page's `next`. `unread` names the newest answer, while nobody of the
    company has seen it.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    read_at = order.answer_read_at
    events = OrderEvent.objects.filter(order=order, kind__in=list(THREAD)).exclude(note="")
    if before is not None:
        at = Subquery(OrderEvent.objects.filter(pk=before, order=order).values("at"))
        events = events.filter(Q(at__lt=at) | Q(at=at, id__lt=before))
    rows = list(events.select_related("actor").order_by("-at", "-id")[: PAGE_SIZE + 1])
    page = rows[:PAGE_SIZE]
    answers = [one for one in page if one.kind == Kind.MEMO and before is None]
    unread = next((one.pk for one in answers[:1] if read_at is None or read_at < one.at), None)
    return {
        "messages": [
            {
                "message_id": one.pk,
                "kind": THREAD[Kind(one.kind)],
                "at": one.at,
                "name": (one.actor and one.actor.manager) or seller().title,
                "is_own": one.actor_id == buyer.id,
                "text": one.note,
            }
            for one in reversed(page)
        ],
        "unread": unread,
        "next": str(page[-1].pk) if len(rows) > PAGE_SIZE else None,
    }


def messages_to_answer() -> QuerySet[OrderEvent]:
    """Return what buyers wrote and staff neither answered nor let stand, the oldest first."""
    answers = OrderEvent.objects.filter(
        order=OuterRef("order"), kind__in=(Kind.MEMO, Kind.READ), pk__gt=OuterRef("pk")
    )
    unread = Q(kind=Kind.MESSAGE, order__message_unread=True) | Q(
        kind=Kind.SHIP_MEMO, order__ship_memo_unread=True
    )
    # The orders first: they are few and have an index.
    waiting = OrderEvent.objects.filter(unread, order__in=Order.objects.filter(UNANSWERED))
    return waiting.exclude(Exists(answers)).order_by("pk")


def all_messages() -> QuerySet[OrderEvent]:
    """Return what buyers wrote, the newest first, each with whether it `waits` for an answer."""
    messages = OrderEvent.objects.filter(kind__in=BUYERS_WORDS)
    return messages.annotate(waits=Exists(messages_to_answer().filter(pk=OuterRef("pk")))).order_by(
        "-pk"
    )


def reader_of(order: Order) -> User:
    """Return to whom an answer goes: who wrote last of the company's people, else who ordered."""
    words = OrderEvent.objects.filter(
        order=order,
        kind__in=BUYERS_WORDS,
        actor__is_active=True,
        actor__company_id=order.company_id,
    )
    newest = words.select_related("actor").order_by("-at", "-id").first()
    return newest.actor if newest is not None and newest.actor is not None else order.user
