"""The list of buyers' messages, and what staff do in the conversation on an order: answer, keep a
note, let the buyer's words stand.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.lists import CappedPaginator
from apps.common.promises import Promise, due_at
from apps.common.staff import overdue, run_action, staff_page
from apps.common.texts import Text
from apps.orders.admin.base import order_or_404, page_of, show_order
from apps.orders.errors import AlreadySaid
from apps.orders.models import Order
from apps.orders.selectors.conversation import all_messages, messages_to_answer
from apps.orders.services.conversation import answer_buyer, keep_note, mark_read

A_PAGE = 50


def inbox(request: HttpRequest) -> HttpResponse:
    """List the messages to answer, the oldest first, or all of them, the newest first. Two
    statements.
    """
    shows_all, now = request.GET.get("show") == "all", timezone.now()
    found = all_messages() if shows_all else messages_to_answer()
    paginator = CappedPaginator(found.select_related("order__company", "actor"), A_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    return staff_page(
        request,
        "staff/messages.html",
        title=_("Messages"),
        subtitle=""
        if shows_all
        else _("%(number)s to answer, the oldest first") % {"number": f"{paginator.count:,}"},
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
    is_done = run_action(
        request,
        order,
        Text("Note saved") if is_note else Text("Answer sent"),
        keep_note if is_note else answer_buyer,
        refused=refusals.append,
        order_id=order.pk,
        text=text,
        opened=opened,
    )
    if is_done or isinstance(refusals[0], AlreadySaid):
        if not is_note:
            say_who_is_next(request)
        return redirect(f"{page_of(order)}#messages")
    # What was typed stays in its field, and a note is none to the buyer.
    return show_order(request, order_or_404(order.pk), text, is_note=is_note)


def say_who_is_next(request: HttpRequest) -> None:
    """Name the order whose buyer has waited longest for an answer, if one waits."""
    if following := messages_to_answer().select_related("order__company").first():
        order = following.order
        link = format_html('<a href="{}#message-{}">{}</a>', page_of(order), following.pk, order)
        text = format_html(
            _("Next to answer: {company}, {order}."), order=link, company=order.company
        )
        messages.info(request, text)


@require_POST
def read(request: HttpRequest, order: Order) -> None:
    """Let the buyer's words stand without an answer."""
    run_action(request, order, Text("No answer needed"), mark_read, order_id=order.pk)
