"""Notes that name a member of staff, on the home page until they are seen (design/admin-2.md,
section 3).
"""

from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Mention, User
from apps.accounts.services.mentions import MAY_OPEN, mark_seen
from apps.common.errors import NotFound
from apps.common.staff import staff_of

SHOWN = 8
PAGES = {
    Mention.Kind.ORDER: "admin:orders_order_change",
    Mention.Kind.COMPANY: "admin:accounts_company_change",
    Mention.Kind.REGISTRATION: "admin:accounts_registration_change",
}


def mentions_of(user: User) -> list[dict[str, Any]]:
    """Return the unseen notes that name somebody, on pages that he may open, the oldest first. One
    statement.
    """
    kinds = [kind for kind, permission in MAY_OPEN.items() if user.has_perm(permission)]
    unseen = Mention.objects.filter(
        colleague=user, seen_at__isnull=True, kind__in=kinds
    ).select_related("actor")
    return [
        {"mention": one, "url": reverse(PAGES[Mention.Kind(one.kind)], args=[one.object_id])}
        for one in unseen[:SHOWN]
    ]


def mention_seen(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a note off the home page of the member of staff whom it names, and lead back there."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        mark_seen(mention_id=pk, colleague=staff_of(request), now=timezone.now())
    except NotFound as error:
        raise Http404 from error
    return HttpResponseRedirect(reverse("admin:index"))
