"""The decision about a colleague whom a buyer asked for: one press."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.models import Registration
from apps.accounts.services.colleagues import approve_colleague, decline_colleague
from apps.common.staff import run_action
from apps.common.texts import Text


@require_POST
def decide_colleague(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve and invite a colleague, or decline.

    Raises:
        Http404: there is no such registration.
        BadRequest: it says neither.
    """
    decision = request.POST.get("decision")
    if decision not in ("approve", "decline"):
        raise BadRequest
    user = get_object_or_404(Registration, pk=pk, is_staff=False)
    is_approval = decision == "approve"
    done = Text("Approved and invited") if is_approval else Text("Declined")
    service = approve_colleague if is_approval else decline_colleague
    run_action(request, user, done, service, user_id=pk)
    return HttpResponseRedirect(reverse("admin:accounts_registration_change", args=[pk]))
