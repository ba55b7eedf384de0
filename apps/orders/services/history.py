"""The lock, the version and the history of an order: what every change of one begins and ends
with.
"""

from datetime import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.texts import Text, stored
from apps.common.types import Label
from apps.orders.errors import StaleOrder
from apps.orders.models import ConfirmationDraft, Order, OrderEvent
from apps.orders.selectors.orders import get_order_for_staff


def locked_order(order_id: int, *, version: int | None = None) -> Order:
    """Return an order with its company and the user who ordered, locked until the transaction's
    end; of the `version` that a page showed, where it is named.

    Raises:
        NotFound: there is none.
        StaleOrder: somebody changed it since the page was opened; says who and when.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    if version is not None and order.version != version:
        raise stale(order)
    return order


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
    when = f"{timezone.localtime(at):%Y-%m-%d %H:%M}"
    return StaleOrder(who=who.manager if who else _("Somebody"), when=when)


def save_changed(order: Order, *columns: str) -> None:
    """Save columns of a locked order and raise its version: pages that staff have open are stale.
    One statement.
    """
    order.version += 1
    order.save(update_fields=[*columns, "version"])


def record(
    order: Order,
    kind: OrderEvent.Kind,
    note: Label | Text = "",
    *,
    actor: User | Buyer | None = None,
    key: str = "",
    now: datetime,
) -> None:
    """Write what happened to an order into its history, with what people wrote or a text of ours;
    nobody is the portal. What has a `key` happens to an order once.
    """
    actor_id = actor.id if actor else None
    OrderEvent.objects.create(
        order=order, kind=kind, note=stored(note), actor_id=actor_id, key=key, at=now
    )
