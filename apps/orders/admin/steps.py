"""The steps of an order that a form or a button takes: its preparation, its files, its prepared
mails, its parcel; and the conversation on it: the list of buyers' messages, answers, notes.
"""

from typing import IO, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.lists import CappedPaginator
from apps.common.mail import Mail
from apps.common.promises import Promise, due_at
from apps.common.staff import (
    Context,
    overdue,
    page_of,
    run_action,
    run_action_on_all,
    show_now,
    staff_page,
)
from apps.common.staff_fields import day_field
from apps.common.storage.files import download
from apps.common.storage.private import open_private
from apps.common.texts import Text, phrase
from apps.orders import mail
from apps.orders.admin.base import order_or_404, page_below, show_order
from apps.orders.carriers import Carrier
from apps.orders.errors import AlreadyMailed, AlreadyStated, NotLate, StaffRefusal
from apps.orders.models import Order, OrderEvent
from apps.orders.models.documents import StoredFile
from apps.orders.selectors.conversation import all_messages, messages_to_answer
from apps.orders.selectors.orders import due_of
from apps.orders.services.conversation import (
    LATE,
    REMINDER,
    answer_buyer,
    keep_note,
    mail_late_shipment,
    mails_sent,
    mark_read,
    remind_buyer,
    reminder_obstacle,
)
from apps.orders.services.documents import add_document, note_seen, open_document, remove_document
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import correct_tracking, ship_order
from apps.orders.status import OrderStatus

A_PAGE = 50


class ShipForm(forms.Form):
    """The parcel: its carrier, its number, the carrier's address where the portal does not know it,
    and its day.
    """

    carrier = forms.ChoiceField(
        label=gettext_lazy("Carrier"),
        required=False,
        choices=[("", gettext_lazy("Not named")), *Carrier.choices],
    )
    tracking_number = forms.CharField(label=gettext_lazy("Tracking number"), max_length=80)
    shipping_url = forms.URLField(
        label=gettext_lazy("Carrier's tracking address"),
        max_length=500,
        required=False,
        assume_scheme="https",
        help_text=gettext_lazy(
            "Buyers open it by “Track”. The portal makes it for a carrier that is chosen by name."
        ),
    )
    expected_on = day_field(
        pgettext_lazy("parcel", "Expected on"),
        required=False,
        help_text=gettext_lazy("When the parcel is to arrive, if the carrier says so."),
    )


class TrackingForm(ShipForm):
    """Another tracking number, carrier or day for a shipped order; `seen` is the one that the page
    showed.
    """

    reason = forms.CharField(label=gettext_lazy("Reason for the history"), max_length=200)
    send = forms.BooleanField(label=gettext_lazy("Send it"), required=False, initial=True)
    letter = forms.CharField(
        label=gettext_lazy("Letter"),
        max_length=4000,
        required=False,
        widget=forms.Textarea({"rows": 5}),
        help_text=gettext_lazy("Carrier, number, link, day and the number before follow below it."),
    )
    seen = forms.CharField(max_length=80, widget=forms.HiddenInput)


class BuyerMailForm(forms.Form):
    """A prepared mail to the buyer, as it will be sent; `seen` is how many of its kind the page
    knew of.
    """

    text = forms.CharField(
        label=gettext_lazy("Text of the mail"), max_length=4000, widget=forms.Textarea({"rows": 10})
    )
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class DocumentForm(forms.Form):
    """A file for the buyer."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    file = forms.FileField(label=gettext_lazy("File"))


@require_POST
def prepare(request: HttpRequest, order: Order) -> None:
    """Start preparing; that it was started before is nothing to worry about."""
    if order.status == OrderStatus.PREPARING:
        messages.info(request, phrase("%(order)s: it is already being prepared.", order=order))
    else:
        run_action(request, order, Text("Preparing started"), start_preparing, order_id=order.pk)


@require_POST
def remove(request: HttpRequest, order: Order, document: int) -> None:
    """Take a document away."""
    get_object_or_404(order.documents, pk=document)
    run_action(request, order, Text("Document removed"), remove_document, document_id=document)


def document(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Add a document for the buyer."""
    form = DocumentForm(request.POST or None, request.FILES or None)
    if form.is_valid() and run_action(
        request,
        order,
        Text("Document added"),
        add_document,
        form=form,
        outward=True,
        order_id=order.pk,
        **form.cleaned_data,
    ):
        return None
    return page_below(
        request,
        "staff/form.html",
        order,
        here=_("Add a document"),
        form=form,
        verb=_("Add this file"),
        lead=_(
            "Buyers see documents from Confirmed on. PDF, JPEG, PNG, XLSX, DOCX or CSV, "
            "at most 10 MB."
        ),
    )


def file(request: HttpRequest, order: Order, document: int) -> HttpResponseBase:
    """Send a document to staff."""
    row = get_object_or_404(order.documents, pk=document)
    return _send(row, row.title, open_document(document=row, now=timezone.now()))


def buyer_file(request: HttpRequest, order: Order, file: int) -> HttpResponseBase:
    """Send a file that the buyer gave to staff, and note when it was opened first."""
    row = get_object_or_404(order.buyer_files, pk=file)
    content = open_private(row.path)
    note_seen(file=row, now=timezone.now())
    return _send(row, row.given_name, content)


def _send(row: StoredFile, title: str, content: IO[bytes]) -> HttpResponseBase:
    return download(
        content, title=title, storage_name=row.storage_name, content_type=row.content_type
    )


@admin.action(description=gettext_lazy("Mail the buyer that it ships late"), permissions=["change"])
def mail_late_selected(_: object, request: HttpRequest, queryset: QuerySet) -> None:
    """Send the prepared mail for each late shipment whose buyer has none yet."""
    run_action_on_all(
        request,
        queryset,
        Text("Late-shipment mail sent"),
        lambda order, **by: mail_late_shipment(order_id=order.pk, seen=0, only_late=True, **by),
        skips=(AlreadyMailed, NotLate),
    )


def late(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the mail that the order ships late, and send it as it was changed."""
    if order.status != OrderStatus.PAID:
        raise StaffRefusal(_("only a paid order waits for its shipment."))
    return _mail(
        request,
        order,
        mail.late_shipment(order, now=timezone.now()),
        LATE,
        mail_late_shipment,
        here=_("Late-shipment mail"),
        history=Text("Late-shipment mail sent"),
    )


def remind(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the reminder of the balance, and send it as it was changed."""
    if obstacle := reminder_obstacle(order):
        raise StaffRefusal(obstacle)
    return _mail(
        request,
        order,
        mail.reminder(order),
        REMINDER,
        lambda seen, **fields: remind_buyer(**fields),
        here=_("Reminder"),
        history=Text("Reminder sent"),
    )


def _mail(
    request: HttpRequest,
    order: Order,
    prepared: Mail,
    kind: str,
    service: Any,
    *,
    here: str,
    history: Text,
) -> HttpResponse | None:
    mails = list(mails_sent(order, kind))
    form = BuyerMailForm(
        request.POST or None, initial={"text": prepared.context["text"], "seen": len(mails)}
    )
    if form.is_valid() and run_action(
        request, order, history, service, form=form, order_id=order.pk, **form.cleaned_data
    ):
        return None
    if form.is_bound:  # once told of the mail that was quicker, what is sent next is meant
        show_now(form, seen=len(mails))
    return page_below(
        request,
        "staff/buyer_mail.html",
        order,
        here=here,
        form=form,
        prepared=prepared,
        sent=mails,
    )


def ship(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Ship the order with its tracking number."""
    form = ShipForm(request.POST or None)
    if form.is_valid() and run_action(
        request,
        order,
        Text("Shipped"),
        ship_order,
        form=form,
        order_id=order.pk,
        **form.cleaned_data,
    ):
        return None
    leaving = [pieces for pieces in order.lines.values_list("allocated", flat=True) if pieces]
    return page_below(
        request,
        "staff/ship.html",
        order,
        title=phrase("Ship %(order)s", order=order),
        here=_("Ship"),
        form=form,
        late=overdue(due_at=order.due_at, now=timezone.now(), short=True),
        shipped_label=OrderStatus.SHIPPED.staff_label,
        pieces=sum(leaving),
        products=len(leaving),
        boxes=sum(order.boxes.values_list("count", flat=True)),
        kg=f"{(order.measured_weight_g or 0) / 1000:,.1f}",
        due=due_of(order),
        letter=mail.shipped(order),
    )


def tracking(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Correct the tracking number, carrier or day of a shipped order; what was is kept."""
    if order.status != OrderStatus.SHIPPED:
        raise StaffRefusal(_("only a shipped order has a tracking number."))
    names = ("tracking_number", "shipping_url", "carrier", "expected_on")
    initial: dict[str, Any] = {name: getattr(order, name) for name in names}
    initial |= {"letter": mail.tracking_corrected_text(order), "seen": order.tracking_number}
    form = TrackingForm(request.POST or None, initial=initial)
    if form.is_valid():
        fields = dict(form.cleaned_data)
        is_sent, letter = fields.pop("send"), fields.pop("letter")
        history = Text("Tracking number corrected to %(number)s", number=fields["tracking_number"])
        fields |= {"order_id": order.pk, "letter": letter if is_sent else None}
        if run_action(request, order, history, correct_tracking, form=form, **fields):
            return None
        order.refresh_from_db()
    if form.is_bound:  # once told of the number of now, what is sent next is meant
        show_now(form, seen=order.tracking_number)
    return page_below(
        request,
        "staff/tracking.html",
        order,
        title=_("Correct the tracking number"),
        here=_("Tracking number"),
        form=form,
        numbers=_numbers(order),
    )


def _numbers(order: Order) -> list[Context]:
    """Return the numbers that an order has had, the present one first: since when, by whom, why no
    more.
    """
    shipped = order.events.select_related("actor").get(
        kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.SHIPPED
    )
    numbers: Any = shipped
    rows = []
    for former in order.former_trackings.select_related("actor"):
        rows.append({"number": former.tracking_number, "given": numbers, "why": former.note})
        numbers = former
    return [{"number": order.tracking_number, "given": numbers, "why": ""}, *reversed(rows)]


def inbox(request: HttpRequest) -> HttpResponse:
    """List the messages to answer, the oldest first, or all of them, the newest first. Three
    statements at most.
    """
    shows_all, now = request.GET.get("show") == "all", timezone.now()
    messages_found = all_messages() if shows_all else messages_to_answer()
    paginator = CappedPaginator(messages_found.select_related("order__company", "actor"), A_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    subtitle = ""
    if not shows_all:  # the menu counts the orders
        subtitle = phrase(
            "%(number)s to answer (orders: %(orders)s), the oldest first",
            number=f"{paginator.count:,}",
            orders=f"{messages_found.values('order').order_by().distinct().count():,}",
        )
    return staff_page(
        request,
        "staff/messages.html",
        title=_("Messages"),
        subtitle=subtitle,
        shows_all=shows_all,
        page=page,
        pages=paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        rows=[
            (message, overdue(due_at=due_at(Promise.MESSAGE, since=message.at), now=now))
            for message in page
        ],
    )


@require_POST
def answer(request: HttpRequest, order: Order) -> HttpResponse:
    """Send an answer to the buyer, or keep a note for colleagues, as the pressed
    button says.
    """
    refusals: list[PortalError] = []
    text, opened = request.POST.get("text", ""), request.POST.get("_opened", "")
    is_note = request.POST.get("_as") == "note"
    succeeded = run_action(
        request,
        order,
        Text("Note saved") if is_note else Text("Answer sent"),
        keep_note if is_note else answer_buyer,
        refused=refusals.append,
        order_id=order.pk,
        text=text,
        opened=opened,
    )
    if succeeded or isinstance(refusals[0], AlreadyStated):
        waiting = messages_to_answer().select_related("order__company")
        if not is_note and (following := waiting.first()):  # whose buyer has waited longest
            other = following.order
            link = format_html(
                '<a href="{}#message-{}">{}</a>', page_of(other), following.pk, other
            )
            text_next = _("Next to answer: {company}, {order}.")
            messages.info(request, format_html(text_next, order=link, company=other.company))
        return redirect(f"{page_of(order)}#messages")
    # What was typed stays in its field, and a note is none to the buyer.
    return show_order(request, order_or_404(order.pk), text, is_note=is_note)


@require_POST
def read(request: HttpRequest, order: Order) -> None:
    """Let the buyer's words stand without an answer."""
    run_action(request, order, Text("No answer needed"), mark_read, order_id=order.pk)
