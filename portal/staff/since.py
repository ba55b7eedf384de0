"""What was changed of a thing since a form of it was opened: by whom, when, and what stands there
now.
"""

from datetime import datetime
from typing import Any

from django.contrib.admin import site
from django.contrib.admin.options import get_content_type_for_model
from django.core.exceptions import FieldDoesNotExist, PermissionDenied
from django.db.models import BooleanField, Model
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.orders.models import Order, OrderEvent
from portal.staff.visible import actions_for

SHOWN = 20


def object_of_page(request: HttpRequest) -> Model | None:
    """Return what a staff page is about; None where it is about nothing, or not for the member of
    staff who asks.
    """
    match = request.resolver_match
    name = (match.url_name if match else None) or ""
    pk = str(next(iter(match.kwargs.values()), "")) if match else ""
    pages = {
        f"{model._meta.app_label}_{model._meta.model_name}_": page
        for model, page in site._registry.items()
    }
    page = pages.get(name.rpartition("_")[0] + "_")
    if page is None or not pk.isdecimal() or not page.has_view_permission(request):
        return None
    try:
        found: Model | None = page.get_object(request, pk)
    except PermissionDenied:
        return None
    return found


def changed_since(
    request: HttpRequest, thing: Model | None, opened: datetime | None
) -> list[tuple[datetime, str, str]]:
    """Return what was done to a thing since then, the newest first: when, who, what. Two statements
    at most.
    """
    if thing is None or opened is None:
        return []
    actions = actions_for(request).filter(
        content_type=get_content_type_for_model(thing),
        object_id=str(thing.pk),
        action_time__gt=opened,
    )
    done = [
        (entry.action_time, entry.user.get_short_name(), entry.get_change_message() or _("Added"))
        for entry in actions.select_related("user").order_by("-id")[:SHOWN]
    ]
    if isinstance(thing, Order):
        events = OrderEvent.objects.filter(
            order=thing, at__gt=opened, actor__is_staff=False
        ).select_related("actor")
        done += [
            (event.at, event.actor.manager, event.get_kind_display())  # type: ignore[union-attr]
            for event in events.order_by("-id")[:SHOWN]
        ]
    return sorted(done, key=lambda one: one[0], reverse=True)[:SHOWN]


def value_now(thing: Model | None, name: str, typed: str) -> str | None:
    """Return what a field holds now where that is not what was typed; None where it is the same or
    no such field.
    """
    if thing is None:
        return None
    try:
        field: Any = thing._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    if not field.concrete or field.many_to_many or isinstance(field, BooleanField):
        return None
    held = field.value_from_object(thing)
    if str("" if held is None else held) == typed.replace("\r\n", "\n"):
        return None
    if field.choices:
        return str(getattr(thing, f"get_{name}_display")())
    return str(getattr(thing, name) or "")
