"""The staff's admin site: Django's own, with the portal's sidebar, home page, jump box
and sign-in.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from posixpath import normpath
from typing import Any, cast
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.models import LogEntry
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, gettext_lazy
from django.views.i18n import set_language

from apps.accounts.api.throttles import PasswordLimit
from apps.accounts.models import User, normalize_email
from apps.accounts.services.owner import has_staff
from apps.common.logs import log_event
from apps.common.seller import seller
from apps.common.staff import Context, StaffAdmin, staff_of, staff_page
from portal.staff.home import everything_late, home
from portal.staff.jump import exact_page, hits, nearest_order
from portal.staff.menu import RECORDS, sections
from portal.staff.refusals import sign_in_first
from portal.staff.sign_in import (
    SetPassword,
    StaffLogin,
    first_owner,
    new_recovery_codes,
    second_factor,
)
from portal.staff.work import group_of, sidebar_work
from portal.web.accent import stylesheet

ROLES = {
    "all": gettext_lazy("Sales, Approvers"),
    "sales": gettext_lazy("Sales"),
    "approvers": gettext_lazy("Approvers"),
    "none": gettext_lazy("no group yet"),
}
LAST_ACTIONS = 8
# Where pages of the apps' own have their addresses. They ask for this site, so they come later.
ROOMS = (
    *("apps.accounts.admin", "apps.catalog.admin", "apps.notices.admin"),
    *("apps.orders.admin", "apps.payments.admin"),
    "portal.staff",
)


class StaffLoginForm(AdminAuthenticationForm):
    """The sign-in of staff; the address is taken as it is stored, so that no spelling of it escapes
    the lock.
    """

    def get_invalid_login_error(self) -> forms.ValidationError:
        """Return Django's refusal in our Korean, with the reader's word for the address."""
        refusal = _(
            "Please enter the correct %(username)s and password for a staff account. Note that "
            "both fields may be case-sensitive."
        )
        return forms.ValidationError(refusal, code="invalid_login", params={"username": _("email")})

    def clean_username(self) -> str:
        """Return the address as it is stored."""
        return normalize_email(self.cleaned_data["username"])

    def clean(self) -> dict[str, Any]:
        """Check the password, and note how it went."""
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            log_event(
                "locked" if getattr(self.request, "axes_locked_out", False) else "login_failed",
                who="staff",
            )
            raise
        user = self.get_user()  # None while a field is empty
        if user is not None and not settings.STAFF_SECOND_FACTOR:
            log_event("login_ok", user=user.uuid)
        return cleaned


def is_staff_page(address: str) -> bool:
    """Return whether an address, which a stranger may have written, is the path of a page that
    staff may be led to.
    """
    if not url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return False
    # As a browser reads it: a backslash is a slash, and `..` leads up.
    page = normpath(unquote(urlsplit(address).path).replace("\\", "/")) + "/"
    return page.startswith(reverse("admin:index")) and page not in (
        reverse("admin:login"),
        reverse("admin:logout"),
    )


class JumpForm(forms.Form):
    """What was typed into the jump box."""

    q = forms.CharField(max_length=120)


class StaffSite(admin.AdminSite):
    """Django's own admin, dressed in the product's type and colours."""

    site_title = gettext_lazy("Staff")
    index_title = gettext_lazy("To do")

    @property
    def site_header(self) -> str:  # type: ignore[override]
        """Return the configured title."""
        return seller().title

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Take the portal's own model admins; what packages bring along for staff stays out."""
        if admin_class is not None and issubclass(admin_class, StaffAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Return admin's addresses and those of the apps' own pages, jump box and accent."""
        return [
            path("accent.css", self.accent_css, name="accent"),
            path(
                "set-password/<uidb64>/<token>/",
                SetPassword.as_view(extra_context={"site_header": lambda: seller().title}),
                name="set_password",
            ),
            path("second-factor/", self.second_factor, name="second_factor"),
            path(
                "second-factor/codes/", self.admin_view(new_recovery_codes), name="recovery_codes"
            ),
            path("first-owner/<str:token>/", first_owner, name="first_owner"),
            path("language/", self.language, name="language"),
            path("jump/", self.admin_view(self.jump), name="jump"),
            path("late/", self.admin_view(self.late), name="late"),
            path("records/", self.admin_view(self.records), name="records"),
            *(page for room in ROOMS for page in import_module(f"{room}.urls").urlpatterns),
            *super().get_urls(),
        ]

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Return a view for staff alone; who sends a form and is nobody yet signs in first."""
        guarded = super().admin_view(view, cacheable)

        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not self.has_permission(request):
                return sign_in_first(request)
            answer: HttpResponse = guarded(request, *args, **kwargs)
            return answer

        return page

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the sidebar; no app has a page of its own."""
        work = sidebar_work(user=staff_of(request), now=timezone.now())
        return sections(request=request, work=work)

    def each_context(self, request: HttpRequest) -> Context:
        """Return what the frame of every page shows."""
        context = super().each_context(request)
        context["logo"] = seller().logo_address
        if context["has_permission"]:
            staff = staff_of(request)
            context["zone"] = settings.TIME_ZONE
            context["has_second_step"] = settings.STAFF_SECOND_FACTOR
            context["role"] = _("Superuser") if staff.is_superuser else ROLES[group_of(staff)]
        return context

    def login(self, request: HttpRequest, extra_context: Context | None = None) -> HttpResponse:
        """Sign in, and lead to the page that `next` names if it is one of staff's."""
        if request.method == "GET" and self.has_permission(request):
            return redirect("admin:index")
        request.current_app = self.name
        data = request.POST if REDIRECT_FIELD_NAME in request.POST else request.GET
        context = {
            **self.each_context(request),
            "title": _("Sign in"),
            "has_staff": has_staff,  # asked where the page is shown alone
            "app_path": request.get_full_path(),
            REDIRECT_FIELD_NAME: data.get(REDIRECT_FIELD_NAME) or reverse("admin:index"),
            **(extra_context or {}),
        }
        sign_in = StaffLogin.as_view(
            extra_context=context,
            authentication_form=StaffLoginForm,
            template_name="admin/login.html",
        )
        return self._kept_here(cast(HttpResponse, sign_in(request)))

    def language(self, request: HttpRequest) -> HttpResponse:
        """Show the pages in another language from now on, and lead back."""
        language = request.POST.get("language")
        if language in dict(settings.LANGUAGES):
            User.objects.filter(pk=staff_of(request).pk).update(language=language)
        return self._kept_here(set_language(request))

    def accent_css(self, request: HttpRequest) -> HttpResponse:
        """Answer the stylesheet of the configured accent."""
        sheet = stylesheet(seller().accent, accent="brand")
        return HttpResponse(sheet, content_type="text/css; charset=utf-8")

    def second_factor(self, request: HttpRequest) -> HttpResponse:
        """Ask whoever has shown a password for the code."""
        return self._kept_here(second_factor(request))

    def password_change(
        self, request: HttpRequest, extra_context: Context | None = None
    ) -> TemplateResponse:
        """Change the own password, as often as a buyer may: each try costs hashes."""
        if request.method == "POST":
            PasswordLimit().check(str(staff_of(request).uuid))
        return super().password_change(request, extra_context)

    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: Context | None = None
    ) -> HttpResponse:
        """Sign out, and lead to the page that `next` names if it is one of staff's."""
        return self._kept_here(super().logout(request, extra_context))

    def _kept_here(self, response: HttpResponse) -> HttpResponse:
        # Django follows `next` to any path of the portal's host: a file, a call, the buyers' pages.
        own = (reverse("admin:login"), reverse("admin:second_factor"))
        is_led_away = isinstance(response, HttpResponseRedirect) and response.url not in own
        if is_led_away and not is_staff_page(response.headers["Location"]):
            response["Location"] = reverse("admin:index")
        return response

    def index(self, request: HttpRequest, extra_context: Context | None = None) -> TemplateResponse:
        """Show the work that waits."""
        actions = LogEntry.objects.filter(user=staff_of(request)).select_related("content_type")[
            :LAST_ACTIONS
        ]
        cards = home(user=staff_of(request), now=timezone.now())
        return super().index(request, {**cards, "last_actions": actions, **(extra_context or {})})

    def app_index(  # type: ignore[override]
        self, request: HttpRequest, app_label: str, extra_context: Context | None = None
    ) -> HttpResponse:
        """Lead home: the sidebar is ordered by work, and staff know no apps."""
        return redirect("admin:index")

    def late(self, request: HttpRequest) -> HttpResponse:
        """List everything that is late, or `of` one kind, that the member of staff sees."""
        late = everything_late(
            user=staff_of(request), now=timezone.now(), kind=request.GET.get("of", "")
        )
        return staff_page(
            request, "staff/late.html", title=_("Late"), subtitle=_("most overdue first"), late=late
        )

    def records(self, request: HttpRequest) -> HttpResponse:
        """Lead to the lists that are looked into now and then."""
        work = sidebar_work(user=staff_of(request), now=timezone.now())
        lists = sections(request=request, work=work, lines=RECORDS)
        return staff_page(request, "staff/records.html", title=_("Records"), lists=lists)

    def jump(self, request: HttpRequest) -> HttpResponse:
        """Go to what an exact code names, or list what begins with the words."""
        form, user = JumpForm(request.GET), staff_of(request)
        kinds: Sequence[Any] = ()
        term, nearest = "", None
        if form.is_valid():
            term = normalize("NFC", form.cleaned_data["q"])  # as names are stored
            if page := exact_page(user=user, term=term):
                return redirect(page)
            kinds = list(hits(user=user, term=term))
            if not kinds and "-" in term:
                nearest = nearest_order(user=user, term=term)
        return staff_page(
            request,
            "staff/jump.html",
            title=_("Find"),
            subtitle=term,
            term=term,
            kinds=kinds,
            nearest=nearest,
        )
