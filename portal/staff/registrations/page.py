"""What one registration's page shows: what the company wrote, its certificate, its doubles, its
history; and its addresses: the note, the decision about a colleague, the certificate's pictures.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.core.exceptions import BadRequest
from django.core.files.storage import storages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_POST

from apps.accounts.models import Certificate, Registration, RegistrationEvent, User
from apps.accounts.registrations import (
    DOMAIN,
    MAX_DOUBLES_NAMED,
    NAME,
    PHONE,
    Double,
    approval_over,
    decision_text,
    doubles,
)
from apps.accounts.selectors import PostalAddress, postal_address
from apps.accounts.services.approval import add_note
from apps.accounts.services.colleagues import approve_colleague, decline_colleague
from apps.accounts.services.sign_up import stored_path
from apps.catalog.models import Brand
from apps.common.logs import log_event as security_note
from apps.common.staff import Context, humanize, run_action, staff_of
from apps.common.storage.files import HEADERS, PDF, is_signed, signed_name, storage_name_in
from apps.common.storage.private import send_private
from apps.common.storage.uploads import draw_page
from apps.common.texts import Text, phrase
from portal.staff.registrations.filters import TO_DECIDE

PAGES_SHOWN = 20
PAGES_KNOWN_SECONDS = 86_400
QUEUE_LOOKED_THROUGH = 1000
KIND_NAMES = {"application/pdf": "PDF", "image/jpeg": "JPEG", "image/png": "PNG"}
Approval, Kind = User.Approval, RegistrationEvent.Kind


def size_text(size: int) -> str:
    """Return a file's size in words (1 KB = 1024 bytes)."""
    return (
        f"{size / 1024 / 1024:.1f} MB"
        if size >= 1024 * 1024
        else f"{max(1, round(size / 1024))} KB"
    )


def certificate_text(certificate: Certificate) -> str:
    """Return the kind and the size of a certificate: `PDF 412 KB`."""
    return f"{KIND_NAMES.get(certificate.content_type, _('File'))} {size_text(certificate.size)}"


def doubles_text(doubles: Sequence[Double]) -> str:
    """Return how many registrations or companies this one may repeat, or that only the domain
    agrees.
    """
    if len(doubles) == 1 and doubles[0].agrees == (DOMAIN,):
        return _("Same domain")
    return ngettext(
        "%(count)s possible duplicate", "%(count)s possible duplicates", len(doubles)
    ) % {"count": len(doubles)}


def state_of(user: User, *, now: datetime) -> tuple[str, str]:
    """Return in words where a registration stands, and the tone of its tag."""
    if user.approval != Approval.PENDING:
        tone = "ok" if user.approval == Approval.APPROVED else "bad"
        return str(Approval(user.approval).label), tone
    if user.asked_at is not None:
        day = f"{timezone.localtime(user.asked_at):%m-%d}"
        return phrase("Asked %(day)s, waiting for the company", day=day), "info"
    age, over = waiting_time(user, now=now)
    if over:
        return phrase("Waits %(age)s, %(over)s", age=age, over=over), "bad"
    return phrase("Waits %(age)s", age=age), "accent"


def waiting_time(user: User, *, now: datetime) -> tuple[str, str]:
    """Return for how long a registration has waited, and which limit that has passed, if one."""
    since = user.registered_at or user.created_at
    return humanize(now - since), approval_over(since=since, now=now)


def queue() -> QuerySet[User, int]:
    """Return the registrations to decide by their ids, oldest first."""
    rows = Registration.objects.filter(TO_DECIDE).order_by("registered_at", "id")
    return rows.values_list("pk", flat=True)


def place_of(user: User) -> dict[str, int | None] | None:
    """Return the place in the queue and its neighbours; None for one that is not in it."""
    ids = list(queue()[:QUEUE_LOOKED_THROUGH])
    if user.pk not in ids:
        return None
    here = ids.index(user.pk)
    around = dict(enumerate(ids))
    return {
        "number": here + 1,
        "count": len(ids),
        "previous": around.get(here - 1),
        "next": around.get(here + 1),
    }


def address_lines(address: PostalAddress) -> list[str]:
    """Return an address as it is written on a parcel, without empty lines."""
    place = " ".join(part for part in (address.zipcode, address.city) if part)
    region = ", ".join(part for part in (address.state, address.country) if part)
    return [line for line in (address.address1, address.address2, place, region) if line]


def certificate_view(
    certificate: Certificate | None, *, staff: Any, now: datetime
) -> Context | None:
    """Return how a certificate is shown: one picture, or a picture of each page of a PDF, drawn on
    the server.
    """
    if certificate is None:
        return None
    scope = f"certificate-{certificate.user_id}"
    name = signed_name(
        signer=str(staff.uuid), scope=scope, storage_name=certificate.storage_name, now=now
    )
    where = [certificate.user_id, name]
    is_pdf = certificate.content_type == PDF.content_type
    count = page_count(certificate) if is_pdf else int(_is_stored(certificate))
    pages = range(1, min(count, PAGES_SHOWN) + 1)
    page = "admin:accounts_registration_page" if is_pdf else "admin:accounts_registration_picture"
    return {
        "text": certificate_text(certificate),
        "given_name": certificate.given_name,
        "count": count if is_pdf else 0,
        "hidden": max(0, count - PAGES_SHOWN),
        "pages": [
            (number, reverse(page, args=[*where, number] if is_pdf else where)) for number in pages
        ],
        "download": reverse("admin:accounts_registration_download", args=where),
    }


def page_count(certificate: Certificate) -> int:
    """Return the number of pages of a PDF; 0 where it cannot be shown. A stored file never changes:
    kept for a day.
    """
    key = f"certificate-pages:{certificate.storage_name}"
    count: int | None = cache.get(key)
    if count is None:
        content = content_of(certificate)
        if content is None:
            return 0  # gone, or the storage is down: asked again the next time
        count = int(draw_page(content, 0) or 0)
        cache.set(key, count, PAGES_KNOWN_SECONDS)
    return count


def _is_stored(certificate: Certificate) -> bool:
    try:
        return bool(storages["private"].exists(stored_path(certificate.storage_name)))
    except OSError:
        return False


def content_of(certificate: Certificate) -> bytes | None:
    """Return the content of a certificate; None where the storage does not have it."""
    try:
        with storages["private"].open(stored_path(certificate.storage_name)) as file:
            content: bytes = file.read()
            return content
    except OSError:
        return None


def asker_of(user: User) -> User | None:
    """Return the buyer who asked for this colleague; None for who registered."""
    if user.has_usable_password():
        return None
    events = user.registration_events.filter(kind=Kind.SENT, actor__isnull=False)
    event = events.select_related("actor").first()
    return event.actor if event else None


def registration_page(user: Any, *, staff: Any, now: datetime) -> Context:
    """Return what the page of a registration shows besides its form."""
    company = user.company
    state, tone = state_of(user, now=now)
    certificate = user.certificates.order_by("-id").first()
    asker = asker_of(user)
    doubles_of_user = (
        [] if asker else doubles([user])[user.pk]
    )  # a colleague is of the company itself
    agrees = {what for double in doubles_of_user for what in double.agrees}
    return {
        "buyer": user,
        "brand_count": Brand.objects.count(),
        "company": company,
        "state": state,
        "tone": tone,
        "is_pending": user.approval == Approval.PENDING,
        "asked_by": asker,
        "banner": "" if user.approval == Approval.PENDING else decision_text(user, now=now),
        "place": place_of(user),
        "doubles": doubles_of_user[:MAX_DOUBLES_NAMED],
        "double_count": len(doubles_of_user),
        "same_phone": PHONE in agrees,
        "same_name": NAME in agrees,
        "same_domain": DOMAIN in agrees,
        "address": address_lines(postal_address(company)),
        "ship_address": address_lines(postal_address(user, prefix="ship_")),
        "certificate": certificate_view(certificate, staff=staff, now=now),
        "history": user.registration_events.select_related("actor").order_by("-at", "-id"),
    }


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
    return _picture(draw_page(content, number) if content else None, "image/png")


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
