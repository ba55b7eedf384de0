"""PayPal payments that staff must look at: what is wrong, for how long, and what can be done about
each.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import humanize, log_action, refusal_text
from apps.payments.admin.access import DESK, decide
from apps.payments.admin.forms import AttendForm, BookHeldForm, RefundForm
from apps.payments.models import Payment, Refund
from apps.payments.selectors import exceptions
from apps.payments.services.attempts import close_alarm
from apps.payments.services.held import book_held, held_figures
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
    is_held, is_in_flight = payment.state == PaymentState.HELD, payment.state in IN_FLIGHT
    refunds = list(payment.refunds.all())
    waiting = next((one for one in refunds if one.state in OPEN_REFUNDS), None)
    failed = [one for one in refunds if one.state == Refund.State.FAILED]
    title, tone, text = _trouble(payment, waiting, failed, now=now)
    since = payment.executing_since if is_in_flight else None
    return ExceptionRow(
        payment,
        title,
        tone,
        f"{payment.charged:,.2f} of {payment.company.name}: {text}.",
        humanize(now - (since or payment.created_at)),
        may_ask=is_in_flight or payment.state == PaymentState.PENDING or waiting is not None,
        may_book=is_held and len(failed) == len(refunds),
        may_refund=waiting is None and bool(refundable(payment)),
        may_attend=bool(payment.alarm) and not (is_in_flight or is_held),
    )


def _trouble(
    payment: Payment, waiting: Refund | None, failed: list[Refund], *, now: datetime
) -> tuple[str, str, str]:
    """Return title, tone and text of what is wrong."""
    if payment.state == PaymentState.HELD:
        due = f"; {payment.amount:,.2f} was due" if payment.taken is not None else ""
        return "Held PayPal money", "bad", f"{payment.reason}{due}"
    if payment.state in IN_FLIGHT:
        text = f"PayPal asked {payment.checks} time{'' if payment.checks == 1 else 's'}"
        if payment.next_check_at and payment.next_check_at > now:
            text += f", next in {humanize(payment.next_check_at - now)}"
        return "Outcome unknown", "warn", text
    if waiting is not None:
        due_on = due_at(Promise.REFUND, since=waiting.created_at)
        text = f"{waiting.amount:,.2f} not confirmed by PayPal"
        if due_on <= now:
            return f"Refund late, was due {due_on:%m-%d}", "bad", text
        return f"Refund due {due_on:%m-%d}", "warn", text
    if failed:
        return "Refund failed", "bad", payment.alarm or failed[0].failure
    return payment.get_state_display(), "bad", payment.alarm


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
            state = payment.get_state_display()
            log_action(request, payment, f"Asked PayPal: {state}")
            messages.success(request, f"{payment}: PayPal was asked. It is {state.lower()}.")
    return HttpResponseRedirect(_page(pk))


def book_held_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Give held money to the order that can take it; what that does is shown before."""
    payment, now = _paypal(pk), timezone.now()
    figures = held_figures(payment_id=pk, now=now)
    if figures.obstacle and request.method != "POST":
        messages.warning(request, f"{payment}: {figures.obstacle}")
        return HttpResponseRedirect(_page(pk))
    form = BookHeldForm(request.POST or None, initial={"asked": figures.asked})

    def page() -> dict[str, Any]:
        figures = held_figures(payment_id=pk, now=now)
        is_deposit, missing = payment.kind == Payment.Kind.DEPOSIT, figures.asked - figures.share
        if not figures.pieces_gone and "back_order" not in form.errors:
            del form.fields["back_order"]
        if is_deposit:
            del form.fields["write_off_reason"]
        due = "Deposit of the order made with it" if figures.makes_order else "Due"
        effects = [
            ("Taken by PayPal", "", f"{payment.charged:,.2f}"),
            ("Surcharge", "", f"{payment.fee:,.2f}"),
            ("For the order", "", f"{figures.share:,.2f}"),
            (due, "", f"{figures.asked:,.2f}"),
        ]
        if missing > ZERO:
            effects.append((f"{'Deposit s' if is_deposit else 'S'}till due", "", f"{missing:,.2f}"))
        elif missing < ZERO:
            effects.append(("To the wallet, once confirmed", "", f"{-missing:,.2f}"))
        if figures.pieces_gone:
            effects.append(("Stock", "", "some pieces are gone: it can only be a back-order"))
        return {
            **_frame(payment, "Book held money"),
            "verb": "Book it on the order",
            "effects": effects,
        }

    answer = decide(
        request,
        payment,
        form,
        f"Held money booked, {payment.share:,.2f}",
        partial(book_held, payment_id=pk),
        then=_page(pk),
        page=page,
        seen=lambda: {"asked": held_figures(payment_id=pk, now=now).asked},
        outward=True,
    )
    # Somebody was quicker, or the money is gone: the message says so.
    gone = answer.status_code == 200 and held_figures(payment_id=pk, now=now).obstacle
    return HttpResponseRedirect(_page(pk)) if gone else answer


def refund_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Send money of a payment back to the buyer's PayPal account: all of it, or a part."""
    payment = _paypal(pk)
    limit = refundable(payment)

    def page() -> dict[str, Any]:
        return {
            **_frame(payment, "Refund"),
            "verb": "Send the refund",
            "tone": "danger",
            "figure": "id_amount",
            "effects": [
                ("At most, with PayPal's fee", "", f"{refundable(_paypal(pk)):,.2f}"),
                ("PayPal's fee", "", f"{payment.fee:,.2f}"),
                ("Goes to", "", "the buyer's PayPal account"),
            ],
        }

    return decide(
        request,
        payment,
        RefundForm(request.POST or None, initial={"amount": limit or None, "seen": limit}),
        lambda fields: f"Refund of {fields['amount']:,.2f} asked of PayPal",
        partial(refund_payment, payment_id=pk),
        then=_page(pk),
        page=page,
        seen=lambda: {"seen": refundable(_paypal(pk))},
        outward=True,
    )


def attend(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an alarm with what was done about it."""
    payment = _paypal(pk)
    return decide(
        request,
        payment,
        AttendForm(request.POST or None),
        "Resolved",
        partial(close_alarm, payment_id=pk),
        then=str(DESK),
        page=lambda: {
            **_frame(payment, "Resolve"),
            "verb": "Mark as resolved",
            "lead": f"{payment.alarm or 'Nothing is left to do here'}.",
            "effects": [("Payment desk", "", "lists it no more"), ("Money", "", "stays as it is")],
        },
    )


def _frame(payment: Payment, here: str) -> dict[str, Any]:
    return {
        "title": f"{here}: {payment.invoice_code}",
        "subtitle": f"{payment.get_state_display()} · {payment.company.name}",
        "trail": [("Payment desk", DESK), (payment.invoice_code, _page(payment.pk))],
        "here": here,
        "back": _page(payment.pk),
    }


def _paypal(pk: int) -> Payment:
    payments = Payment.objects.select_related("company", "order")
    return get_object_or_404(payments, pk=pk, method=Payment.Method.PAYPAL)


def _page(pk: int) -> str:
    return reverse("admin:payments_payment_change", args=[pk])
