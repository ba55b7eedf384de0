"""Refusals inside the staff's frame: a form older than the sign-in, a page of another group,
nothing at an address.

Whoever is no member of staff, and every address that is not admin's, gets a short text instead.
"""

import re
from datetime import datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import site
from django.contrib.admin.options import get_content_type_for_model
from django.contrib.auth.models import Group
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import FieldDoesNotExist, PermissionDenied
from django.db.models import BooleanField, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import User
from apps.common.staff import staff_of, staff_page
from apps.common.staff_fields import opened_at
from apps.common.texts import phrase
from apps.orders.models import Order, OrderEvent
from portal.staff.jump import nearest_order
from portal.staff.menu import MENU, RECORDS, Entry
from portal.staff.visible import actions_for
from portal.web import views

FORM_IS_OLDER = gettext_lazy(
    "This form is older than your sign-in. Nothing was done. Open the page again."
)
NOT_SIGNED_IN = gettext_lazy("Nothing was done: sign in first, then send the form again.")
NOT_ALLOWED = gettext_lazy("You may not open this page.")
CODE = re.compile(r"[A-Za-z]{1,10}-\d{6}-\d{1,12}")
OWN_NAMES = re.compile(
    r"csrfmiddlewaretoken|initial-.*|.*-(TOTAL|INITIAL|MIN_NUM|MAX_NUM)_FORMS"
    r"|version|seen|.*-line_id|_.*"
)
OPEN_TO_ALL = frozenset({"login", "logout", "second_factor", "set_password", "first_owner"})
# What can be sent once more by one press, because it can be changed back as easily. Everything else
# is opened first.
CAN_BE_CHANGED_BACK = frozenset(
    {
        *(
            f"{model}_{page}"
            for model in (
                "accounts_company",
                "accounts_user",
                "catalog_brand",
                "catalog_product",
                "catalog_promotion",
                "notices_notice",
            )
            for page in ("add", "change")
        ),
        "payments_payment_statement_away",
    }
)


def form_is_older(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that was opened before the sign-in of now: what was typed is kept and sent
    again by its sender.

    Only a form of these very pages is kept: the browser says from where it came. Another site's
    gets the short text.
    """
    own = f"{request.scheme}://{request.get_host()}"
    is_own = request.method == "POST" and request.headers.get("Origin") == own
    if is_own and _is_signed_out(request):
        return sign_in_first(request)
    if not is_own or not _in_frame(request):
        return HttpResponse(
            f"{FORM_IS_OLDER}\n", status=403, content_type="text/plain; charset=utf-8"
        )
    is_secret = any("password" in name for name in request.POST)
    fields = [] if is_secret else _fields(request)
    files = [file.name for _, uploads in request.FILES.lists() for file in uploads]
    thing, opened = object_of_page(request), opened_at(request.POST)
    page, entry = came_from(request) or request.get_full_path(), _entry_of(request)
    route = getattr(request.resolver_match, "url_name", "")
    return staff_page(
        request,
        "staff/form_is_older.html",
        status=403,
        title=_("You have signed in again since this form was opened"),
        here=_("Signed in again"),
        trail=[
            *([(str(entry), entry.url())] if entry else []),
            *([(str(thing), page)] if thing else []),
        ],
        page=page,
        page_name=", ".join(str(part) for part in (entry, thing) if part),
        fields=fields,
        typed=[
            (_word(thing, name), value, value_now(thing, name, value))
            for name, value in fields
            if value and not OWN_NAMES.fullmatch(name)
        ],
        opened=opened,
        since=changed_since(request, thing, opened),
        files=files,
        is_secret=is_secret,
        may_send=bool(fields) and not files and route in CAN_BE_CHANGED_BACK,
        target=request.get_full_path(),
    )


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a page that is not for the group of the member of staff: whom it is for, and the way
    back.
    """
    if not _in_frame(request):
        return HttpResponse(
            f"{NOT_ALLOWED}\n", status=403, content_type="text/plain; charset=utf-8"
        )
    entry = _entry_of(request)
    is_theirs = entry is None or staff_of(request).has_perm(entry.permission)
    groups = []
    if entry and not is_theirs:
        app, _dot, codename = entry.permission.partition(".")
        allowed = Group.objects.filter(
            permissions__codename=codename, permissions__content_type__app_label=app
        )
        # Their names are marked beside what each opens (accounts/admin/users.py).
        groups = [_(name) for name in allowed.order_by("name").values_list("name", flat=True)]
    names = (
        User.objects.filter(is_superuser=True, is_active=True)
        .exclude(pk=staff_of(request).pk)
        .order_by("pk")
        .values_list("manager", flat=True)
    )
    return staff_page(
        request,
        "staff/forbidden.html",
        status=403,
        title=_("This page is not for your group"),
        here=_("Not for your group"),
        area=None if is_theirs else entry,
        groups=groups,
        superusers=[name for name in names[:2] if name],
        back=came_from(request),
        trace=getattr(request, "request_id", ""),
    )


def not_found(request: HttpRequest, exception: Exception | Http404) -> HttpResponse:
    """Answer an address of the staff's pages at which there is nothing: the nearest order, the
    list, the jump box.
    """
    if not _in_frame(request):
        return views.not_found(request, exception)
    code = CODE.search(unquote(request.path_info))
    term = code.group().upper() if code else ""
    entry = _entry_of(request)
    may_list = entry is not None and (
        not entry.permission or staff_of(request).has_perm(entry.permission)
    )
    return staff_page(
        request,
        "staff/not_found.html",
        status=404,
        title=_("There is nothing here"),
        here=_("Not found"),
        term=term,
        nearest=nearest_order(user=staff_of(request), term=term) if term else None,
        area=entry if may_list else None,
    )


def _in_frame(request: HttpRequest) -> bool:
    """Return whether a member of staff asks for a page of admin."""
    user = getattr(request, "staff", None)
    return _is_page(request) and user is not None and user.is_active and user.is_staff


def _is_page(request: HttpRequest) -> bool:
    return request.path_info.startswith(f"/{settings.ADMIN_PATH}")


def _is_signed_out(request: HttpRequest) -> bool:
    """Return whether nobody is signed in at a page of admin that needs it."""
    name = getattr(request.resolver_match, "url_name", "")
    return _is_page(request) and name not in OPEN_TO_ALL and not staff_of(request).is_authenticated


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in, and from there to the page of a form: where it was sent may be none."""
    messages.warning(request, NOT_SIGNED_IN)
    page = came_from(request) or request.get_full_path()
    return redirect_to_login(page, reverse("admin:login"))


def came_from(request: HttpRequest) -> str:
    """Return the staff page on which a link or a form was pressed; nothing if it was none."""
    came = urlsplit(request.headers.get("Referer", ""))
    is_own = came.netloc == request.get_host() and came.path.startswith(f"/{settings.ADMIN_PATH}")
    return (f"{came.path}?{came.query}" if came.query else came.path) if is_own else ""


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what a form sent, each value with its name."""
    fields = ((name, str(value)) for name, values in request.POST.lists() for value in values)
    return [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]


def _word(thing: Model | None, name: str) -> str:
    """Return what a field of a thing is called, of others as far as the name tells:
    `line-3-confirmed` is `Row 4: Confirmed`.
    """
    if thing is not None and name in {field.name for field in thing._meta.concrete_fields}:
        return capfirst(str(thing._meta.get_field(name).verbose_name))  # type: ignore[union-attr]
    parts = re.fullmatch(r"(?s)(?:[a-z_]+-(\d+)-)?(.*)", name)
    number, field = parts.groups()  # type: ignore[union-attr]
    word = _(field.replace("_", " ").capitalize())
    return phrase("Row %(number)s: %(what)s", number=int(number) + 1, what=word) if number else word


def _entry_of(request: HttpRequest) -> Entry | None:
    """Return the line of the sidebar to which an address belongs: the longest address that it
    begins with.
    """
    entries = [
        entry
        for _, lines in (*MENU, *RECORDS)
        for entry in lines
        if entry.route not in ("index", "records")
    ]
    at = [(url, entry) for entry in entries if request.path.startswith(url := entry.pages())]
    return max(at, key=lambda pair: len(pair[0]))[1] if at else None


SHOWN = 20


def object_of_page(request: HttpRequest) -> Model | None:
    """Return what a staff page is about; None where it is about nothing, or not for the member of
    staff who asks.
    """
    match = request.resolver_match
    name = (match.url_name if match else None) or ""
    pk = str(next(iter(match.kwargs.values()), "")) if match else ""
    pages = {
        f"{model._meta.app_label}_{model._meta.model_name}": page
        for model, page in site._registry.items()
    }
    page = pages.get(name.rpartition("_")[0])
    if page is None or not pk.isdecimal() or not page.has_view_permission(request):
        return None
    try:
        obj: Model | None = page.get_object(request, pk)
    except PermissionDenied:
        return None
    return obj


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
    changes = [
        (entry.action_time, entry.user.get_short_name(), entry.get_change_message() or _("Added"))
        for entry in actions.select_related("user").order_by("-id")[:SHOWN]
    ]
    if isinstance(thing, Order):
        events = OrderEvent.objects.filter(
            order=thing, at__gt=opened, actor__is_staff=False
        ).select_related("actor")
        changes += [
            (event.at, event.actor.manager, event.get_kind_display())
            for event in events.order_by("-id")[:SHOWN]
        ]
    return sorted(changes, key=lambda one: one[0], reverse=True)[:SHOWN]


def value_now(thing: Model | None, name: str, text: str) -> str | None:
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
    value = field.value_from_object(thing)
    if str("" if value is None else value) == text.replace("\r\n", "\n"):
        return None
    if field.choices:
        return str(getattr(thing, f"get_{name}_display")())
    return str(getattr(thing, name) or "")
