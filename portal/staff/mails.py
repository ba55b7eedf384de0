"""The mails of the portal: the list with the failed ones first, one mail as it went out, and a mail
of an order sent again.
"""

import re
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin import site
from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _, pgettext_lazy
from django.views.decorators.http import require_POST
from post_office.models import STATUS, Email

from apps.accounts.models import User
from apps.common.filters import Choices, ConditionFilter
from apps.common.mail import queue_again, write_texts
from apps.common.staff import (
    View,
    has_any_perm,
    list_of,
    page_of,
    run_action,
    run_action_on_all,
    staff_of,
    staff_page,
    trail_to,
)
from apps.common.staff_lists import PhoneRow, column, tag, two_lines
from apps.common.texts import Text, phrase
from apps.orders.models import Order
from portal.staff.visible import OwnRowsAdmin, mail_rows, mail_state, mails_for, mails_of_order

PRIVATE = _("This mail holds a private link and is not shown.")
FAILED_FIRST = Case(
    When(status=STATUS.failed, then=Value(0)), default=Value(1), output_field=IntegerField()
)
CODE = re.compile(r"[A-Z]{1,10}-\d{6}-\d{1,12}")
LOGS_SHOWN = 20
# A mail's own HTML: styles on its elements and the seller's logo, nothing that runs or is fetched;
# framed by this portal alone.
FRAMED = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data: LOGO; frame-ancestors 'self'"
    ).replace("LOGO", f"{settings.SITE_URL}/logo.png"),
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
}


def framed(view: View) -> View:
    """Return a page that may frame a mail."""
    framing: Any = csp_update({"frame-src": [SELF]})
    page: View = framing(view)
    return page


class MailStateFilter(ConditionFilter):
    """Mails by how they fare."""

    title = _("state")
    parameter_name = "state"

    def conditions(self) -> Choices:
        """Return the states."""
        return {
            "failed": (pgettext_lazy("mail", "Failed"), Q(status=STATUS.failed)),
            "queued": (
                pgettext_lazy("mail", "Waiting"),
                Q(status__in=(STATUS.queued, STATUS.requeued)),
            ),
            "sent": (pgettext_lazy("mail", "Sent"), Q(status=STATUS.sent)),
        }


def resend(email: Email) -> None:
    """Put a mail back into the queue; the sweep delivers it."""
    email.status, email.number_of_retries, email.scheduled_time = STATUS.queued, None, None
    email.save(update_fields=["status", "number_of_retries", "scheduled_time", "last_updated"])


def is_private(email: Email) -> bool:
    """Return whether a mail holds a link that is meant for its reader alone."""
    return bool((email.context or {}).get("private"))


@admin.register(Email)
class MailAdmin(OwnRowsAdmin):
    """The mails of the portal, the failed ones first, with a button that sends one again."""

    list_title = _("Mail")
    words = (_("mail"), _("mails"))
    list_display = ("heading", "state_tag", "created_at", "updated_at")
    list_display_links = ("heading",)
    phone_row = PhoneRow(right="state_tag", next="created_at")
    created_at = column("created", _("Created"))
    updated_at = column("last_updated", _("Last updated"))
    list_filter = (MailStateFilter,)
    search_fields = ("to", "subject")
    search_help_text = _("Address or subject")
    ordering = (FAILED_FIRST.asc(), "-id")
    actions = ("send_again",)

    @admin.display(description=_("Subject and reader"), ordering="subject")
    def heading(self, email: Email) -> str:
        """Return what a mail is about and to whom it goes."""
        return two_lines(email.subject, ", ".join(email.to))

    @admin.display(description=_("State"), ordering="status")
    def state_tag(self, email: Email) -> str:
        """Return how a mail fares."""
        return tag(*mail_state(email))

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """Return whether the member of staff may send mails again."""
        return has_any_perm(request, AGAIN)

    @admin.action(description=_("Send again"), permissions=["resend"])
    def send_again(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Send the chosen mails again."""
        run_action_on_all(request, queryset, Text("Sent again"), lambda email, **_: resend(email))

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the mails of what the member of staff may open."""
        return mails_for(staff_of(request)).order_by(*self.ordering)

    def own_page(self, request: HttpRequest, obj: Email) -> HttpResponseBase | None:
        """Show a mail as it went out, and what happened to it."""
        return framed(self._mail)(request, obj) if request.method == "GET" else None

    def _mail(self, request: HttpRequest, email: Email) -> HttpResponse:
        mails = mails_for(staff_of(request)).order_by("id").values_list("pk", flat=True)
        code, texts = CODE.search(email.subject), None if is_private(email) else write_texts(email)
        return self.page(
            request,
            "staff/mail.html",
            title=email.subject,
            trail=[list_of(Email)],
            here=", ".join(email.to),
            email=email,
            state=mail_state(email),
            is_sent=email.status == STATUS.sent,
            is_failed=email.status == STATUS.failed,
            kind=CODE.sub("", email.subject).strip(" :") if code else "",
            about=code.group() if code and has_any_perm(request, "orders.view_order") else "",
            again=reversed(self.last_actions(email)),
            shown=texts,
            private=PRIVATE,
            logs=email.logs.order_by("id")[:LOGS_SHOWN],
            newer=mails.filter(pk__gt=email.pk).first(),
            older=mails.filter(pk__lt=email.pk).last(),
            may_send=self.has_resend_permission(request),
        )


def mail_html(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the HTML of a mail for the frame of its page: nothing in it runs.

    Raises:
        Http404: there is no such mail, or it holds a private link.
    """
    email = _mail_of(request, pk)
    if is_private(email):
        raise Http404
    return HttpResponse(write_texts(email).html_message, headers=FRAMED)


@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a mail again."""
    email = _mail_of(request, pk)
    run_action(request, email, Text("Sent again"), lambda actor, now: resend(email))
    return redirect(page_of(email))


def _mail_of(request: HttpRequest, pk: int) -> Email:
    """Return a mail.

    Raises:
        Http404: there is none.
        PermissionDenied: it is of another group.
    """
    email: Email | None = site._registry[Email].get_object(request, str(pk))
    if email is None:
        raise Http404
    return email


AGAIN = "post_office.change_email"
SHOWN = 30


class PersonField(forms.ModelChoiceField):
    """A person of a company, by name and address."""

    def label_from_instance(self, obj: User) -> str:
        """Return what stands for a person."""
        return f"{obj.manager} · {obj.email}"


class ResendForm(forms.Form):
    """Which mail, and who gets it."""

    mail = forms.ModelChoiceField(Email.objects.none(), widget=forms.HiddenInput)
    person = PersonField(User.objects.none(), label=_("Person of the company"), empty_label=None)

    def __init__(
        self, *args: Any, mails: QuerySet[Email], people: QuerySet[User], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        fields: Any = self.fields
        fields["mail"].queryset, fields["person"].queryset = mails, people


@framed
def resend_of_order(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the mails of an order with one of them as it went out, and send that to a person of
    the company.

    Raises:
        PermissionDenied: the member of staff sees no orders.
        Http404: there is no such order.
    """
    if not staff_of(request).has_perm("orders.view_order"):
        raise PermissionDenied
    order = get_object_or_404(Order.objects.select_related("company", "user"), pk=pk)
    mails = mails_of_order(staff_of(request), order)
    people = User.objects.filter(
        company=order.company_id, is_active=True, approval=User.Approval.APPROVED
    )
    number = request.POST.get("mail") or request.GET.get("mail") or ""
    selected = mails.filter(pk=number).first() if number.isdigit() else None
    selected, latest = selected or mails.first(), list(mails[:SHOWN])
    form = ResendForm(
        request.POST or None,
        mails=mails,
        people=people.order_by("manager", "id"),
        initial={"mail": selected, "person": order.user_id},  # the newest mail, and who ordered
    )
    if form.is_valid():
        mail, person = form.cleaned_data["mail"], form.cleaned_data["person"]
        history = Text("“%(subject)s” sent again to %(to)s", subject=mail.subject, to=person.email)
        run_action(
            request,
            order,
            history,
            lambda actor, now: queue_again(mail, to=person.email),
            also=[mail],
        )
        return redirect(page_of(order))
    return staff_page(
        request,
        "staff/resend.html",
        title=phrase("Resend a mail of %(order)s", order=order),
        subtitle=order.company.name,
        trail=trail_to(order),
        here=_("Resend a mail"),
        order=order,
        form=form,
        chosen=selected,
        rows=[
            {**row, "is_chosen": mail == selected, "pk": mail.pk}
            for mail, row in zip(latest, mail_rows(latest), strict=True)
        ],
    )
