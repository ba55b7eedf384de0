"""Staff look at an order as its buyer sees it: the order's history says who and when."""

from datetime import datetime

from django.utils import timezone

from apps.accounts.models import User
from apps.common.permissions import needs
from apps.orders.models import Order, OrderEvent


@needs("orders.view_order")
def note_seen_as_buyer(*, order: Order, actor: User, now: datetime) -> OrderEvent:
    """Note that somebody of the staff sees an order as the buyer does, once a day for each; return
    the note.
    """
    key = f"seen:{actor.pk}:{timezone.localdate(now)}"
    event, _ = OrderEvent.objects.get_or_create(
        order=order, key=key, defaults={"kind": OrderEvent.Kind.SEEN, "actor": actor, "at": now}
    )
    return event
