"""What staff do in the conversation on an order: answer, keep a note, let the buyer's
words stand.
"""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern
from django.utils import timezone
from django.utils.html import format_html

from apps.common.staff import run_action, staff_of
from apps.orders.admin.base import OrderPages
from apps.orders.errors import AlreadySaid
from apps.orders.selectors.conversation import longest_unanswered
from apps.orders.services.conversation import answer_buyer, keep_note, mark_read


class ConversationPages(OrderPages):
    """What staff do in the conversation; each needs the permission to change orders."""

    def conversation_urls(self) -> list[URLPattern]:
        """Return the addresses."""
        page = partial(self.address, permission="orders.change_order")
        return [
            page("<int:pk>/answer/", self.answer, name="answer"),
            page("<int:pk>/read/", self.read, name="read"),
        ]

    def answer(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send an answer to the buyer, or keep a note for colleagues, as the pressed
        button says.
        """
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        order, actor, now = self.order_of(pk), staff_of(request), timezone.now()
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
                self.say_who_is_next(request)
            return HttpResponseRedirect(f"{self.back(order)}#messages")
        # What was typed stays in its field, and a note is none to the buyer.
        return self.show(request, self.order_of(pk), text, is_note=is_note)

    def say_who_is_next(self, request: HttpRequest) -> None:
        """Name the order whose buyer has waited longest for an answer, if one waits."""
        if following := longest_unanswered():
            link = format_html('<a href="{}#messages">{}</a>', self.back(following), following)
            messages.info(request, format_html("Next to answer: {}, {}.", link, following.company))

    def read(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let the buyer's words stand without an answer."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        order, actor = self.order_of(pk), staff_of(request)
        run_action(
            request,
            order,
            "No answer needed",
            lambda: mark_read(order_id=pk, actor=actor, now=timezone.now()),
        )
        return HttpResponseRedirect(self.back(order))
