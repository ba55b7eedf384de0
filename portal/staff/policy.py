"""The policy: its versions, one of them as buyers read it, and a new one."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.models import Policy
from apps.common.policy import OWN, PolicyRefused, own_policy, policy, publish_policy, with_anchors
from apps.common.staff import StaffAdmin, has_any_perm, list_of, log_action, staff_of, staff_page
from apps.common.texts import Text, phrase


class PageAdmin(StaffAdmin):
    """Rows that have a page of their own, for whoever has its permission."""

    is_record = True
    list_display_links = None
    permission: str
    shown_at: str  # the name of a page that is named by `named_by`
    named_by: str

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever may open the page."""
        return has_any_perm(request, self.permission)

    def own_page(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Lead to the row's page."""
        return redirect(self.shown_at, getattr(obj, self.named_by))


PUBLISH = "common.add_policy"
MAX_TEXT = 100_000


class PolicyForm(forms.Form):
    """The text of a version and the day from which it holds."""

    content = forms.CharField(
        label=pgettext_lazy("notice", "Text"),
        max_length=MAX_TEXT,
        widget=forms.Textarea({"rows": 24, "lang": "en"}),
        error_messages={"required": gettext_lazy("Write the text.")},
    )
    holds_from = forms.DateField(
        label=gettext_lazy("Holds from"), widget=forms.DateInput({"type": "date"})
    )


@admin.register(Policy)
class PolicyAdmin(PageAdmin):
    """The versions of the policy, for the list of what staff did; their pages are below."""

    list_title = gettext_lazy("Policy and terms")
    permission = PUBLISH
    shown_at, named_by = "admin:common_policy_version", "number"


def versions(request: HttpRequest) -> HttpResponse:
    """List the versions, the newest first, with how many buyers accepted each."""
    people = User.objects.filter(terms_version__isnull=False).values("terms_version")
    accepted = dict(people.annotate(count=Count("pk")).values_list("terms_version", "count"))
    rows = [
        (one.number, one.holds_from, one, accepted.get(one.number, 0))
        for one in Policy.objects.select_related("published_by")
    ]
    own = (OWN, own_policy().holds_from, None, accepted.get(OWN, 0))
    now = timezone.now()
    return staff_page(
        request,
        "staff/policy.html",
        title=_("Policy and terms"),
        rows=[*rows, own],
        current=policy(now).number,
        today=timezone.localdate(now),
    )


def version(request: HttpRequest, number: int) -> HttpResponse:
    """Show a version as buyers read it.

    Raises:
        Http404: there is none.
    """
    row = Policy.objects.select_related("published_by").filter(number=number).first()
    if row is None and number != OWN:
        raise Http404
    html, _headings = with_anchors(row.html if row else own_policy().html)
    return staff_page(
        request,
        "staff/policy_version.html",
        title=phrase("Version %(number)s", number=number) if row else _("The portal's own text"),
        trail=[list_of(Policy)],
        row=row,
        html=html,
    )


def new_version(request: HttpRequest) -> HttpResponse:
    """Show the newest text to be changed, and publish what it has become."""
    now = timezone.now()
    newest = Policy.objects.first()
    html = newest.html if newest else own_policy().html
    initial = {"content": html, "holds_from": timezone.localdate(now)}
    form = PolicyForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            row = _publish(request, **form.cleaned_data)
        except PolicyRefused as error:
            for name, texts in (error.errors or {}).items():
                form.add_error(name, list(texts))
        else:
            messages.success(request, phrase("%(version)s is published.", version=row))
            return redirect("admin:common_policy_changelist")
    return staff_page(
        request,
        "staff/policy_new.html",
        title=_("New version"),
        trail=[list_of(Policy)],
        form=form,
    )


@one_transaction
def _publish(request: HttpRequest, *, content: str, holds_from: date) -> Policy:
    row = publish_policy(
        html=content, holds_from=holds_from, actor=staff_of(request), now=timezone.now()
    )
    log_action(request, row, Text("Published, holds from %(day)s", day=holds_from))
    return row
