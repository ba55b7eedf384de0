"""How staff come in: the sign-in in two steps, where nobody is signed in before the second one, and
the page that makes the owner while there is no member of staff.
"""

import time
from base64 import b32encode
from typing import Any, ClassVar

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import BaseUserCreationForm, SetPasswordForm
from django.contrib.auth.views import LoginView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext as _, gettext_lazy

from apps.accounts.attempts import LoginAddressLimit, check_account
from apps.accounts.errors import LinkExpired
from apps.accounts.models import User
from apps.accounts.services.invitations import StaffLinks
from apps.accounts.services.owner import make_owner, opens
from apps.accounts.services.passwords import set_password
from apps.accounts.services.second_factor import (
    app_to_set_up,
    check_code,
    has_second_factor,
    renew_recovery_codes,
    set_up_app,
)
from apps.common.http.throttles import MINUTE, Limit, client_address
from apps.common.logs import log_event
from apps.common.staff import staff_of, staff_page
from apps.common.staff_fields import CITY

PENDING, TRIES, SECONDS = "second_factor", 5, 600
WRONG = gettext_lazy(
    "This code is wrong, was used before, or followed a wrong one too soon. Take the next one."
)
TOO_MANY = gettext_lazy("Too many wrong codes. Sign in again.")


class CodeForm(forms.Form):
    """A code of the app, or a recovery code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(
            {"autocomplete": "one-time-code", "autofocus": True, "autocapitalize": "none"}
        ),
    )


class OwnPasswordForm(SetPasswordForm):
    """Sets a password through the one function that also ends the older sign-ins."""

    def save(self, commit: bool = True) -> User:
        """Set the password."""
        user: User = self.user
        set_password(user=user, password=self.cleaned_data["new_password1"])
        log_event("password_reset", user=user.uuid)
        return user


class SetPassword(PasswordResetConfirmView):
    """The page of a colleague's mailed link: the own password, typed by nobody else."""

    form_class = OwnPasswordForm
    token_generator = StaffLinks()
    template_name = "registration/set_password.html"
    title = gettext_lazy("Choose your password")

    def get_user(self, uidb64: str) -> User | None:
        """Return the colleague of a link; buyers have their own page."""
        user = super().get_user(uidb64)
        return user if user and user.is_staff and user.is_active else None

    def get_success_url(self) -> str:
        """Lead to the sign-in."""
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return reverse("admin:login")


class StaffLogin(LoginView):
    """The first step: e-mail and password. It signs in where no second factor is asked for."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or remember in the session who has to show a code next."""
        if not settings.STAFF_SECOND_FACTOR:
            return super().form_valid(form)
        user = form.get_user()
        self.request.session.cycle_key()
        self.request.session[PENDING] = {
            "user": user.pk,
            "backend": user.backend,
            "hash": user.get_session_auth_hash(),
            "until": int(time.time()) + SECONDS,
            "tries": 0,
            "next": self.get_success_url(),
        }
        return redirect("admin:second_factor")


def second_factor(request: HttpRequest) -> HttpResponse:
    """Ask for the code, or show how to set up an app for it; sign in with the right one."""
    pending, user = request.session.get(PENDING), _waiting(request)
    if pending is None or user is None:
        request.session.pop(PENDING, None)
        return redirect("admin:login")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        LoginAddressLimit().check(client_address(request))
        check_account(request, user.email)
        if answer := _entered(request, user, form.cleaned_data["code"]):
            return answer
        log_event("second_factor_failed", user=user.uuid)
        pending["tries"] += 1
        if pending["tries"] == TRIES:
            del request.session[PENDING]
            messages.error(request, TOO_MANY)
            return redirect("admin:login")
        request.session[PENDING] = pending
        form.add_error("code", WRONG)
    set_up: dict[str, Any] = {}
    if not has_second_factor(user):
        app = app_to_set_up(user=user)
        # To scan: a QR code as SVG, black on white in either theme.
        picture = segno.make(app.config_url, error="m").svg_data_uri(scale=4, light="#fff")
        set_up = {"app": app, "secret": b32encode(app.bin_key).decode(), "picture": picture}
    title = _("Second step")
    template = "staff/second_factor.html"
    return staff_page(request, template, title=title, form=form, who=user.email, **set_up)


def _entered(request: HttpRequest, user: User, code: str) -> HttpResponse | None:
    """Sign in with the right code and return where that leads; the first one shows the recovery
    codes.
    """
    pending = request.session[PENDING]
    if has_second_factor(user):
        if not check_code(user=user, code=code):
            return None
        _enter(request, user, pending)
        return redirect(pending["next"])
    recovery = set_up_app(user=user, code=code)
    if not recovery:
        return None
    _enter(request, user, pending)
    log_event("second_factor_set_up", user=user.uuid)
    return _recovery_codes(request, recovery, onward=pending["next"])


def _recovery_codes(request: HttpRequest, codes: list[str], *, onward: str) -> HttpResponse:
    """Show the recovery codes, this once."""
    template, title = "staff/recovery_codes.html", _("Recovery codes")
    return staff_page(request, template, title=title, codes=codes, onward=onward)


def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes for who is signed in and enters a code once more; the old
    ones end.
    """
    user, form, home = staff_of(request), CodeForm(request.POST or None), reverse("admin:index")
    if not has_second_factor(user):
        messages.warning(request, _("You have no second factor: it is set up at the sign-in."))
        return redirect(home)
    if form.is_valid():
        if codes := renew_recovery_codes(user=user, code=form.cleaned_data["code"]):
            log_event("recovery_codes_renewed", user=user.uuid)
            return _recovery_codes(request, codes, onward=home)
        log_event("second_factor_failed", user=user.uuid)
        form.add_error("code", WRONG)
    return staff_page(
        request,
        "staff/form.html",
        title=_("New recovery codes"),
        lead=_(
            "Enter the code of your authenticator app, or a recovery code. The recovery codes that "
            "you have end then."
        ),
        form=form,
        verb=_("Make new codes"),
        back=home,
    )


def _waiting(request: HttpRequest) -> User | None:
    """Return who has shown the password a short while ago and may still come in."""
    pending = request.session.get(PENDING)
    if pending is None or time.time() > pending["until"]:
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True, is_staff=True).first()
    is_same = user is not None and constant_time_compare(
        user.get_session_auth_hash(), pending["hash"]
    )
    return user if is_same else None


def _enter(request: HttpRequest, user: User, pending: dict[str, Any]) -> None:
    del request.session[PENDING]
    login(request, user, backend=pending["backend"])
    log_event("login_ok", user=user.uuid)


class OwnerLimit(Limit):
    """The owner's page: 20 a minute from one address."""

    name, uses, seconds = "first-owner", 20, MINUTE


class OwnerForm(BaseUserCreationForm):
    """Who the owner is, and the own password twice."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language of these pages"),
        choices=settings.LANGUAGES,
        initial=get_language,
    )

    class Meta:
        model = User
        fields = ("email", "manager", "language")
        labels = {"manager": gettext_lazy("Your name"), "email": gettext_lazy("Email")}
        field_classes: ClassVar[dict[str, type]] = {}  # Django's own names a `username`


def first_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Make the owner; a link that was used, or has run out, leads to the sign-in."""
    OwnerLimit().check(client_address(request))
    if not opens(token):
        return _owner_link_is_over(request)
    form = OwnerForm(request.POST or None)
    if form.is_valid():
        about = {name: form.cleaned_data[name] for name in OwnerForm.Meta.fields}
        try:
            make_owner(token=token, password=form.cleaned_data["password1"], **about)
        except LinkExpired:
            return _owner_link_is_over(request)
        messages.success(request, _("The portal is yours. Sign in with your new password."))
        return redirect("admin:login")
    title = _("Make the owner's account")
    return staff_page(request, "staff/first_owner.html", title=title, form=form, town=CITY)


def _owner_link_is_over(request: HttpRequest) -> HttpResponse:
    messages.warning(request, _("This link was used, or has run out."))
    return redirect("admin:login")
