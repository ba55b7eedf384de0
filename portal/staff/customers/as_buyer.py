"""A customer's portal as one of its people sees it: made of what the buyer's calls answer, read
only.
"""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer, identify
from apps.common.days import midnight
from apps.common.staff import has_any_perm, log_action, staff_of, staff_page
from apps.common.texts import Text, in_english
from apps.orders.admin.page import TONES
from apps.orders.selectors.baskets import basket_since
from apps.orders.selectors.lists import order_list
from apps.orders.selectors.waiting import what_is_due
from apps.orders.status import OrderStatus
from apps.payments.selectors import wallet
from portal.staff.customers.page import back_to, may_sign_in, trail_to

SEE_AS_BUYER = "orders.view_order"


def as_buyer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what the calls of one of a customer's people answer, and note who looked."""
    company, now = get_object_or_404(Company, pk=pk), timezone.now()
    if request.method != "GET":  # there is nothing to send
        return HttpResponseRedirect(back_to(company))
    people = _people(company)
    asked = request.GET.get("person")
    person = min(
        people, key=lambda one: str(one.pk) != asked, default=None
    )  # the one asked for, or the first
    buyer = identify(person.uuid) if person else None
    if person is None or buyer is None:
        messages.warning(
            request, _("No user of %(company)s may sign in.") % {"company": company.name}
        )
        return HttpResponseRedirect(back_to(company))
    return staff_page(
        request,
        "staff/customer_as_buyer.html",
        title=company.name,
        trail=trail_to(company),
        here=_("As the buyer"),
        back=back_to(company),
        person=person,
        others=[one for one in people if one != person],
        seen_at=_noted(request, company, person, now),
        wallet=wallet(buyer=buyer) if has_any_perm(request, "payments.view_walletentry") else None,
        **_answers(buyer, now),
    )


def _answers(buyer: Buyer, now: datetime) -> dict[str, Any]:
    with in_english():  # as the buyer reads it
        due, listed = what_is_due(buyer=buyer, now=now), order_list(buyer=buyer, status=None)
        kept = basket_since(buyer=buyer, revision=None)
    return {
        "due": due,
        "orders": [(row, TONES[OrderStatus(row["status_id"])]) for row in listed["orderList"]],
        "more_orders": listed["has_next"],
        "basket": kept["lines"] if kept else [],
    }


def _people(company: Company) -> list[User]:
    """Return those who may sign in, who did so last first."""
    people = company.users.select_related("company").order_by(
        F("last_login").desc(nulls_last=True), "pk"
    )
    return [person for person in people if may_sign_in(person, company)]


def _noted(request: HttpRequest, company: Company, person: User, now: datetime) -> datetime:
    """Return when a member of staff first saw this today; the customer's history says so once a
    day.
    """
    note = Text("Seen as the buyer %(name)s sees it", name=person.manager)
    own: Any = LogEntry.objects.filter(
        user=staff_of(request),
        content_type=get_content_type_for_model(company),
        object_id=str(company.pk),
        action_time__gte=midnight(timezone.localdate(now)),
        change_message=note.stored(),
    )
    first = own.order_by("action_time").values_list("action_time", flat=True).first()
    if first is None:
        log_action(request, company, note)
    return first or now
