"""Who of the staff was quicker than a page that is sent."""

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.texts import day_text
from apps.orders.errors import StaleOrder
from apps.orders.models import ConfirmationDraft, Order, OrderEvent


def stale(order: Order) -> StaleOrder:
    """Return the refusal that names who of the staff changed the order last, and when."""
    changes = Q(actor__is_staff=True) | Q(kind=OrderEvent.Kind.PROPOSAL)
    events = OrderEvent.objects.filter(changes, order=order).exclude(kind=OrderEvent.Kind.SEEN)
    event = events.select_related("actor").order_by("-id").first()
    return _stale(event.actor if event else None, event.at if event else order.status_at)


def check_draft(order: Order, *, revision: int) -> None:
    """Raise StaleOrder where a locked order's sheet is not the one that a page showed."""
    draft = ConfirmationDraft.objects.filter(order=order).select_related("saved_by").first()
    if (draft.revision if draft else 0) != revision:
        raise _stale(
            draft.saved_by if draft else None, draft.saved_at if draft else order.status_at
        )


def _stale(who: User | None, at: datetime) -> StaleOrder:
    return StaleOrder(who=who.manager if who else _("Somebody"), when=day_text(at))
