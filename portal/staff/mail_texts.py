"""Texts of mails and of the checkout: which there are, and one of them with a preview."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _, pgettext_lazy
from django.views.decorators.http import require_POST

from apps.accounts import mail_kinds as account
from apps.common.mail import as_it_goes_out
from apps.common.mail_texts import (
    EVERYWHERE,
    MailKind,
    Words,
    clean,
    faults_of,
    save_mail_text,
    trying,
    version_of,
    words_of,
)
from apps.common.models import MAX_BODY, MAX_SUBJECT, MailText
from apps.common.screen_texts import NOTES, checkout_kinds, screen_text
from apps.common.staff import has_any_perm, list_of, run_action, show_now, staff_page
from apps.common.texts import Text, joined
from apps.orders import mail_kinds as orders
from apps.orders.models import Order
from apps.payments import mail_kinds as payments
from portal.samples.mails import KINDS, SAMPLES, example_order
from portal.staff.mails import FRAMED, framed
from portal.staff.policy import PageAdmin

CHANGE = "common.change_mailtext"
GROUPS = (
    (_("Registration and password"), account.KINDS),
    (_("Orders"), orders.KINDS),
    (pgettext_lazy("mails", "Money"), payments.KINDS),
)
# The document stays the page's own, so that its script may show the next text in it; nothing in it
# runs.
PREVIEWED = {
    **FRAMED,
    "Content-Security-Policy": FRAMED["Content-Security-Policy"].replace(
        "sandbox;", "sandbox allow-same-origin;"
    ),
}


class MailTextForm(forms.Form):
    """Subject and text of a mail."""

    version = forms.CharField(required=False, widget=forms.HiddenInput)
    subject = forms.CharField(
        label=_("Subject"),
        required=False,
        max_length=MAX_SUBJECT,
        widget=forms.TextInput({"lang": "en"}),
    )
    body = forms.CharField(
        label=pgettext_lazy("mail", "Text"),
        required=False,
        max_length=MAX_BODY,
        widget=forms.Textarea({"rows": 14, "lang": "en"}),
    )


@admin.register(MailText)
class MailTextAdmin(PageAdmin):
    """The history of mail texts; their pages are below."""

    list_title = _("Texts")
    words = (_("mail text"), _("mail texts"))
    permission = CHANGE
    shown_at, named_by = "admin:common_mailtext_text", "key"


def mail_texts(request: HttpRequest) -> HttpResponse:
    """List the mails to customers and the checkout's texts, with who changed which of them."""
    changed = {row.key: row for row in MailText.objects.select_related("changed_by")}
    checkout = (pgettext_lazy("texts", "Checkout"), checkout_kinds())
    groups = [
        (name, [(kind, words_of(kind).subject, changed.get(kind.key)) for kind in kinds])
        for name, kinds in (*GROUPS, checkout)
    ]
    return staff_page(request, "staff/mail_texts.html", title=_("Texts"), groups=groups)


@framed
def mail_text(request: HttpRequest, key: str) -> HttpResponse:
    """Show what a mail says, and save what it shall say.

    Raises:
        Http404: there is no such mail.
    """
    kind = _kind(key)
    row = MailText.objects.select_related("changed_by").filter(key=key).first()
    is_default = "_default" in request.POST
    words = kind.default if is_default else words_of(kind)
    initial = {**words._asdict(), "version": version_of(row)}
    form = MailTextForm(None if is_default else request.POST or None, initial=initial)
    if form.is_valid() and _save(request, kind, form):
        return redirect("admin:common_mailtext_changelist")
    if "version" in form.errors:  # once told of the change that was quicker, it is replaced
        row = MailText.objects.select_related("changed_by").filter(key=key).first()
        show_now(form, version=version_of(row))
    return _page(request, kind, row, form, is_default=is_default)


def _save(request: HttpRequest, kind: MailKind, form: MailTextForm) -> bool:
    fields, saved = form.cleaned_data, MailText(key=kind.key)
    words = clean(fields["subject"], fields["body"])

    def save(**who_and_when: Any) -> tuple[MailText, Words]:
        row, before = save_mail_text(kind=kind, words=words, seen=fields["version"], **who_and_when)
        saved.pk = row.pk
        return row, before

    def history(saved: tuple[MailText, Words]) -> Text:
        before, parts = saved[1], []
        if before.subject != words.subject:
            parts.append(Text("Subject %(old)s → %(new)s", old=before.subject, new=words.subject))
        if before.body != words.body:
            parts.append(Text("Text %(old)s → %(new)s", old=before.body, new=words.body))
        return joined("; ", parts) if parts else Text("Nothing changed")

    return run_action(request, saved, history, save, form=form)


def _page(
    request: HttpRequest,
    kind: MailKind,
    row: MailText | None,
    form: MailTextForm,
    *,
    is_default: bool,
) -> HttpResponse:
    label = _("What the mail says")
    if kind.key not in SAMPLES:
        form.fields["subject"].label = _("Heading")
        label = _("What it says, a point a line")
    if kind in NOTES.values():
        form.fields["subject"].widget = forms.HiddenInput()
        label = _("What it says")
    return staff_page(
        request,
        "staff/mail_text.html",
        title=kind.name,
        trail=[list_of(MailText)],
        kind=kind,
        said=label,
        form=form,
        row=row,
        is_default=is_default,
        places={**kind.places, **EVERYWHERE}.items(),
        about=_order_for(request, kind).invoice_code if kind.key in SAMPLES else "",
    )


def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Send a mail as its saved text makes it, for the frame of its page."""
    kind = _kind(key)
    return HttpResponse(_preview(request, kind, words_of(kind)), headers=PREVIEWED)


@require_POST
def preview_of_typed(request: HttpRequest, key: str) -> JsonResponse:
    """Answer a mail as what is typed makes it, and what is wrong with that."""
    kind = _kind(key)
    words = clean(request.POST.get("subject", ""), request.POST.get("body", ""))
    words = Words(words.subject[:MAX_SUBJECT], words.body[:MAX_BODY])
    faults = [fault for faults in faults_of(kind, words).values() for fault in faults]
    return JsonResponse({"html": _preview(request, kind, words), "faults": faults})


def _kind(key: str) -> MailKind:
    for kind in (*KINDS, *checkout_kinds()):
        if kind.key == key:
            return kind
    raise Http404


def _preview(request: HttpRequest, kind: MailKind, words: Words) -> str:
    """Return the HTML of what a text makes: a mail about an order, or what the checkout says."""
    with trying(kind, words):
        if kind.key not in SAMPLES:
            heading, lines = screen_text(kind)
            context = {"heading": heading, "lines": lines, "is_note": kind in NOTES.values()}
            return render_to_string("staff/checkout_preview.html", context)
        _, make = SAMPLES[kind.key]
        html: str = as_it_goes_out(make(_order_for(request, kind))).html_message
        return html


def _order_for(request: HttpRequest, kind: MailKind) -> Order:
    """Return the newest order that the mail fits; an example where there is none, or none that the
    member of staff may see.
    """
    status, _ = SAMPLES[kind.key]
    if has_any_perm(request, "orders.view_order"):
        orders = Order.objects.select_related("user__company", "company").filter(status=status)
        if newest := orders.order_by("-id").first():
            return newest
    return example_order(status)
