"""What staff do in the conversation on an order: answer, keep a note, let the buyer's
words stand.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from apps.common.staff import run_action, staff_of
from apps.orders.admin.base import order_or_404, page_of, show_order
from apps.orders.errors import AlreadySaid
from apps.orders.selectors.conversation import longest_unanswered
from apps.orders.services.conversation import answer_buyer, keep_note, mark_read


@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Send an answer to the buyer, or keep a note for colleagues, as the pressed
    button says.
    """
    order, actor, now = order_or_404(pk), staff_of(request), timezone.now()
    text, opened = request.POST.get("text", ""), request.POST.get("_opened", "")
    is_note, is_repeat = request.POST.get("_as") == "note", False
    write = keep_note if is_note else answer_buyer

    def service() -> None:
        nonlocal is_repeat
        try:
            write(order_id=pk, text=text, actor=actor, now=now, opened=opened)
        except AlreadySaid:
            is_repeat = True
            raise

    done = "Note kept" if is_note else "Answer sent"
    if run_action(request, order, done, service) or is_repeat:
        if not is_note:
            say_who_is_next(request)
        return HttpResponseRedirect(f"{page_of(order)}#messages")
    # What was typed stays in its field, and a note is none to the buyer.
    return show_order(request, order_or_404(pk), text, is_note=is_note)


def say_who_is_next(request: HttpRequest) -> None:
    """Name the order whose buyer has waited longest for an answer, if one waits."""
    if following := longest_unanswered():
        link = format_html('<a href="{}#messages">{}</a>', page_of(following), following)
        messages.info(request, format_html("Next to answer: {}, {}.", link, following.company))


@require_POST
def read(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the buyer's words stand without an answer."""
    order, actor = order_or_404(pk), staff_of(request)
    run_action(
        request,
        order,
        "No answer needed",
        lambda: mark_read(order_id=pk, actor=actor, now=timezone.now()),
    )
    return HttpResponseRedirect(page_of(order))
