"""A registration's note, the decision about a colleague, and the certificate as pictures and as a
file.
"""

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.accounts.models import Certificate, Registration, User
from apps.accounts.services.approval import add_note
from apps.accounts.services.certificates import stored_path
from apps.accounts.services.colleagues import approve_colleague, decline_colleague
from apps.common.pdf import draw_page
from apps.common.security import log_event as security_note
from apps.common.staff import run_action, staff_of
from apps.common.storage.files import HEADERS, is_signed, storage_name_in
from apps.common.storage.private import send_private
from apps.common.texts import Text
from portal.staff.registrations.page import PAGES_SHOWN, content_of

BUYERS = Registration.objects.filter(is_staff=False)


@require_POST
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a note for colleagues."""
    user, text = get_object_or_404(BUYERS, pk=pk), request.POST.get("text", "")[:2000]
    run_action(request, user, Text("Note saved"), add_note, user_id=pk, text=text)
    return redirect("admin:accounts_registration_change", pk)


@require_POST
def decide_colleague(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve and invite a colleague whom a buyer asked for, or decline: one press.

    Raises:
        Http404: there is no such registration.
        BadRequest: it says neither.
    """
    decisions = {
        "approve": (Text("Approved and invited"), approve_colleague),
        "decline": (Text("Declined"), decline_colleague),
    }
    if (decision := request.POST.get("decision")) not in decisions:
        raise BadRequest
    run_action(request, get_object_or_404(BUYERS, pk=pk), *decisions[decision], user_id=pk)
    return redirect("admin:accounts_registration_change", pk)


def picture(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """Answer a certificate that is a picture."""
    certificate = _opened(request, pk, name)
    if not certificate.content_type.startswith("image/"):
        raise Http404
    return _picture(content_of(certificate), certificate.content_type)


def page_picture(request: HttpRequest, pk: int, name: str, number: int) -> HttpResponseBase:
    """Answer one page of a certificate that is a PDF, drawn as a picture."""
    certificate = _opened(request, pk, name)
    content = content_of(certificate) if 1 <= number <= PAGES_SHOWN else None
    drawn = draw_page(content, number=number) if content else None
    return _picture(drawn.png if drawn else None, "image/png")


def certificate_file(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """Answer a certificate as a file to keep, under its given name.

    Raises:
        Http404: a bad, old or foreign name, or the storage does not have it.
    """
    certificate = _opened(request, pk, name)
    return send_private(
        stored_path(certificate.storage_name),
        title=certificate.given_name,
        storage_name=certificate.storage_name,
        content_type=certificate.content_type,
    )


def _opened(request: HttpRequest, pk: int, name: str) -> Certificate:
    """Return the certificate of a signed name that this member of staff was given, and note
    that it was opened.

    Raises:
        Http404: a bad, old or foreign name.
    """
    staff, scope = staff_of(request), f"certificate-{pk}"
    if not is_signed(name, scope=scope, signers=[str(staff.uuid)], now=timezone.now()):
        raise Http404
    user = get_object_or_404(User, pk=pk, is_staff=False)
    certificate = get_object_or_404(user.certificates, storage_name=storage_name_in(name))
    security_note(
        "certificate_opened", certificate=certificate.pk, user=user.uuid, actor=staff.uuid
    )
    return certificate


def _picture(content: bytes | None, content_type: str) -> HttpResponse:
    if content is None:
        raise Http404
    return HttpResponse(content, content_type=content_type, headers=HEADERS)
