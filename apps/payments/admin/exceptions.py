"""PayPal payments that staff must look at: what is wrong, for how long, and what can be done about
each.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import humanize, log_action, refusal_text, run_action, staff_of, staff_page
from apps.payments.admin.forms import AttendForm, BookHeldForm, RefundForm, show_now
from apps.payments.models import Payment, Refund
from apps.payments.selectors import exceptions
from apps.payments.services.corrections import close_alarm
from apps.payments.services.held import HeldFigures, book_held, held_figures
from apps.payments.services.reconcile import check_attempt
from apps.payments.services.refunds import OPEN_REFUNDS, refund_payment, refundable, send_refund
from apps.payments.states import IN_FLIGHT, PaymentState

SHOWN = 20


@dataclass(frozen=True)
class ExceptionRow:
    """A payment that needs somebody: what is wrong and what may be done."""

    payment: Payment
    title: str
    tone: str
    text: str
    age: str
    may_ask: bool = False
    may_book: bool = False
    may_refund: bool = False
    may_attend: bool = False


def exception_rows(*, now: datetime) -> list[ExceptionRow]:
    """Return what staff must look at, oldest first. Two statements."""
    payments = exceptions(now).select_related("order", "company").prefetch_related("refunds")
    return [exception_row(payment, now=now) for payment in payments[:SHOWN]]


def exception_row(payment: Payment, *, now: datetime) -> ExceptionRow:
    """Return what is wrong with a payment: the gravest first."""
    since = (
        payment.executing_since
        if payment.state in IN_FLIGHT and payment.executing_since
        else payment.created_at
    )
    refunds = list(payment.refunds.all())
    waiting = _first_in(refunds, OPEN_REFUNDS)
    title, tone, text = _what_is_wrong(
        payment, waiting, _first_in(refunds, (Refund.State.FAILED,)), now=now
    )
    return ExceptionRow(
        payment,
        title,
        tone,
        f"{payment.charged:,.2f} of {payment.company.name}: {text}.",
        humanize(now - since),
        may_ask=payment.state in (*IN_FLIGHT, PaymentState.PENDING) or waiting is not None,
        may_book=payment.state == PaymentState.HELD
        and all(refund.state == Refund.State.FAILED for refund in refunds),
        may_refund=waiting is None and bool(refundable(payment)),
        may_attend=bool(payment.alarm) and payment.state not in (*IN_FLIGHT, PaymentState.HELD),
    )


def _first_in(refunds: Iterable[Refund], states: Container[str]) -> Refund | None:
    return next((refund for refund in refunds if refund.state in states), None)


def _what_is_wrong(
    payment: Payment, waiting: Refund | None, failed: Refund | None, *, now: datetime
) -> tuple[str, str, str]:
    """Return the title, tone and text of the gravest fault."""
    if payment.state == PaymentState.HELD:
        asked = f"; {payment.amount:,.2f} was asked for" if payment.taken is not None else ""
        return "Held PayPal money", "bad", f"{payment.reason}{asked}"
    if payment.state in IN_FLIGHT:
        times = f"{payment.checks} time{'' if payment.checks == 1 else 's'}"
        return "Outcome unknown", "warn", f"asked {times}{_next(payment.next_check_at, now)}"
    if waiting is not None:
        due, text = (
            due_at(Promise.REFUND, since=waiting.created_at),
            f"{waiting.amount:,.2f} not confirmed by PayPal",
        )
        if due <= now:
            return f"Refund late, was due {due:%m-%d}", "bad", text
        return f"Refund due {due:%m-%d}", "warn", text
    if failed is not None:
        return "Refund failed", "bad", payment.alarm or failed.failure
    return payment.get_state_display(), "bad", payment.alarm


def _next(moment: datetime | None, now: datetime) -> str:
    return f", next in {humanize(moment - now)}" if moment and moment > now else ""


def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask PayPal now what became of a payment or its refund, outside any transaction."""
    payment = _paypal(pk)
    if request.method == "POST":
        waiting = payment.refunds.filter(state__in=OPEN_REFUNDS).first()
        try:
            if waiting is not None:
                send_refund(refund_id=waiting.pk, now=timezone.now())
            else:
                check_attempt(payment_id=pk, now=timezone.now())
        except PortalError as error:
            messages.error(request, f"{payment}: {refusal_text(error)}")
        else:
            payment.refresh_from_db()
            log_action(request, payment, f"Asked PayPal: {payment.get_state_display()}")
            messages.success(
                request,
                f"{payment}: PayPal was asked. It is {payment.get_state_display().lower()}.",
            )
    return HttpResponseRedirect(_page(pk))


def book_held_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Give held money to the order that can take it; what that does is shown before."""
    payment = _paypal(pk)
    actor = staff_of(request)
    form = BookHeldForm(
        request.POST or None,
        initial={"asked": held_figures(payment_id=pk, now=timezone.now()).asked},
    )
    if request.method == "POST" and form.is_valid():

        def service() -> object:
            return book_held(payment_id=pk, actor=actor, now=timezone.now(), **form.cleaned_data)

        if run_action(
            request,
            payment,
            f"Held money booked, {payment.share:,.2f}",
            service,
            form=form,
            outward=True,
        ):
            return HttpResponseRedirect(_page(pk))
    figures = held_figures(payment_id=pk, now=timezone.now())
    if figures.obstacle:
        if request.method != "POST":
            messages.warning(request, f"{payment}: {figures.obstacle}")
        return HttpResponseRedirect(_page(pk))
    if form.is_bound:
        show_now(form, asked=figures.asked)
    _ask_what_matters(form, payment, figures)
    lead = _effect(payment, figures)
    return _small(
        request, payment, form, here="Book held money", verb="Book it on the order", lead=lead
    )


def refund_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Send money of a payment back to the buyer's PayPal account: all of it, or a part."""
    payment = _paypal(pk)
    limit = refundable(payment)
    form = RefundForm(request.POST or None, initial={"amount": limit or None, "seen": limit})
    actor = staff_of(request)
    if request.method == "POST" and form.is_valid():
        amount = form.cleaned_data["amount"]

        def service() -> object:
            return refund_payment(
                payment_id=pk, actor=actor, now=timezone.now(), **form.cleaned_data
            )

        if run_action(
            request,
            payment,
            f"Refund of {amount:,.2f} asked of PayPal",
            service,
            form=form,
            outward=True,
        ):
            return HttpResponseRedirect(_page(pk))
        limit = refundable(_paypal(pk))
        show_now(form, seen=limit)
    lead = (
        f"At most {limit:,.2f} USD, PayPal's fee of {payment.fee:,.2f} "
        "included. It goes to the buyer's PayPal."
    )
    figure = {"tone": "danger", "figure": "id_amount"}
    return _small(
        request, payment, form, here="Refund", verb="Send the refund", lead=lead, **figure
    )


def attend(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an alarm with what was done about it."""
    payment = _paypal(pk)
    form = AttendForm(request.POST or None)
    actor = staff_of(request)
    if request.method == "POST" and form.is_valid():

        def service() -> object:
            return close_alarm(payment_id=pk, actor=actor, now=timezone.now(), **form.cleaned_data)

        if run_action(request, payment, "Attended to", service, form=form):
            return HttpResponseRedirect(reverse("admin:payments_payment_desk"))
    lead = f"{payment.alarm}." if payment.alarm else "Nothing is asked of you here any more."
    return _small(request, payment, form, here="Attend to it", verb="It is settled", lead=lead)


def _small(
    request: HttpRequest,
    payment: Payment,
    form: object,
    *,
    here: str,
    verb: str,
    lead: str,
    **context: Any,
) -> HttpResponse:
    return staff_page(
        request,
        "staff/form.html",
        title=f"{here}: {payment.invoice_code}",
        subtitle=f"{payment.get_state_display()} · {payment.company.name}",
        trail=[
            ("Payment desk", reverse("admin:payments_payment_desk")),
            (payment.invoice_code, _page(payment.pk)),
        ],
        here=here,
        form=form,
        verb=verb,
        lead=lead,
        **context,
        back=_page(payment.pk),
    )


def _ask_what_matters(form: BookHeldForm, payment: Payment, figures: HeldFigures) -> None:
    """Drop the fields that this booking does not need."""
    if not figures.pieces_gone and "back_order" not in form.errors:
        del form.fields["back_order"]
    if payment.kind == Payment.Kind.DEPOSIT:
        del form.fields["write_off_reason"]


def _effect(payment: Payment, figures: HeldFigures) -> str:
    """Return in words what booking held money does."""
    missing = figures.asked - figures.share
    asks = (
        "The order is made with it; its deposit is" if figures.makes_order else "The order asks for"
    )
    sentences = [
        (
            f"PayPal took {payment.charged:,.2f} USD: {figures.share:,.2f} for the order, "
            f"{payment.fee:,.2f} surcharge."
        ),
        f"{asks} {figures.asked:,.2f} USD.",
    ]
    if missing > ZERO:
        of_what = "of the deposit " if payment.kind == Payment.Kind.DEPOSIT else ""
        sentences.append(f"{missing:,.2f} USD {of_what}stay due.")
    elif missing < ZERO:
        sentences.append(
            f"{-missing:,.2f} USD are more than that: they go to the company's wallet once the "
            "order is confirmed."
        )
    if figures.pieces_gone:
        sentences.append("Some of its pieces are gone: it can only be a back-order.")
    return " ".join(sentences)


def _paypal(pk: int) -> Payment:
    payments = Payment.objects.select_related("company", "order")
    return get_object_or_404(payments, pk=pk, method=Payment.Method.PAYPAL)


def _page(pk: int) -> str:
    return reverse("admin:payments_payment_change", args=[pk])
