"""The page that makes the owner, while the portal has no member of staff."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from apps.accounts.errors import LinkExpired
from apps.accounts.models import User
from apps.accounts.services.owner import make_owner, opens
from apps.common.http.throttles import MINUTE, Limit, client_address
from apps.common.staff import staff_page
from apps.common.staff_moments import CITY


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
        labels: ClassVar = {"manager": gettext_lazy("Your name"), "email": gettext_lazy("Email")}
        field_classes: ClassVar[dict[str, type]] = {}  # Django's own names a `username`


def first_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Make the owner; where there is one, or the link has run out, there is no such page."""
    OwnerLimit().check(client_address(request))
    if not opens(token):
        raise Http404
    form = OwnerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        about = {name: form.cleaned_data[name] for name in OwnerForm.Meta.fields}
        try:
            make_owner(token=token, password=form.cleaned_data["password1"], **about)
        except LinkExpired:
            raise Http404 from None
        messages.success(request, _("The portal is yours. Sign in with your new password."))
        return HttpResponseRedirect(reverse("admin:login"))
    title = _("Make the owner's account")
    return staff_page(request, "staff/first_owner.html", title=title, form=form, town=CITY)
