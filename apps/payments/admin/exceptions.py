"""PayPal payments that staff must look at: what is wrong, for how long, and what can be done about
each.
"""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import Context, decide, humanize, log_action, refusal_text
from apps.common.texts import Text, phrase, read
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.admin.forms import AT_DESK, DESK, BookHeldForm, ReasonForm, RefundForm
from apps.payments.gateway import has_account
from apps.payments.models import Payment, Refund
from apps.payments.selectors import exceptions
from apps.payments.services.held import book_held as book, held_figures
from apps.payments.services.moves import close_alarm
from apps.payments.services.reconcile import check_attempt
from apps.payments.services.refunds import (
    OPEN_REFUNDS,
    in_wallet,
    refund_payment,
    refundable,
    send_refund,
)
from apps.payments.states import IN_FLIGHT, PaymentState

SHOWN = 20
NOTHING_LEFT = gettext_noop("Nothing is left to do here")


def exception_rows(*, now: datetime) -> list[Context]:
    """Return what staff must look at, oldest first. Two statements."""
    payments = exceptions(now).select_related("order", "company").prefetch_related("refunds")
    return [exception_row(payment, now=now) for payment in payments[:SHOWN]]


def exception_row(payment: Payment, *, now: datetime) -> Context:
    """Return what is wrong with a payment, the gravest first, and what may be done."""
    is_held, is_in_flight = payment.state == PaymentState.HELD, payment.state in IN_FLIGHT
    refunds = list(payment.refunds.all())
    waiting = next((one for one in refunds if one.state in OPEN_REFUNDS), None)
    failed = [one for one in refunds if one.state == Refund.State.FAILED]
    title, tone, text = _trouble(payment, waiting, failed, now=now)
    since = payment.executing_since if is_in_flight else None
    is_open = is_in_flight or payment.state == PaymentState.PENDING or waiting is not None
    return {
        "payment": payment,
        "title": title,
        "tone": tone,
        "text": phrase(
            "%(amount)s of %(company)s: %(text)s.",
            amount=payment.charged,
            company=payment.company.name,
            text=text,
        ),
        "age": humanize(now - (since or payment.created_at)),
        "may_ask": has_account() and is_open,
        "may_book": is_held and len(failed) == len(refunds),
        "may_refund": waiting is None and bool(refundable(payment)),
        "may_attend": bool(payment.alarm) and not (is_in_flight or is_held),
    }


def _trouble(
    payment: Payment, waiting: Refund | None, failed: list[Refund], *, now: datetime
) -> tuple[str, str, str]:
    """Return title, tone and text of what is wrong."""
    if payment.state == PaymentState.HELD:
        text = read(payment.reason)
        if payment.taken is not None:
            text = phrase("%(reason)s; %(amount)s was due", reason=text, amount=payment.amount)
        return _("Held PayPal money"), "bad", text
    if payment.state in IN_FLIGHT:
        text = ngettext(
            "PayPal asked %(count)s time", "PayPal asked %(count)s times", payment.checks
        ) % {"count": payment.checks}
        if payment.next_check_at and payment.next_check_at > now:
            wait = humanize(payment.next_check_at - now)
            text = phrase("%(asked)s, next in %(wait)s", asked=text, wait=wait)
        return _("Outcome unknown"), "warn", text
    if waiting is not None:
        due_on = due_at(Promise.REFUND, since=waiting.created_at)
        text = phrase("%(amount)s not confirmed by PayPal", amount=waiting.amount)
        day = f"{due_on:%m-%d}"
        if due_on <= now:
            return phrase("Refund late, was due %(day)s", day=day), "bad", text
        return phrase("Refund due %(day)s", day=day), "warn", text
    if failed:
        return _("Refund failed"), "bad", read(payment.alarm or failed[0].failure)
    return payment.get_state_display(), "bad", read(payment.alarm)


@require_POST
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask PayPal now what became of a payment or its refund, outside any transaction."""
    payment = _paypal(pk)
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
        history = Text("Asked PayPal: %(state)s", state=PaymentState(payment.state).label)
        log_action(request, payment, history)
        messages.success(
            request,
            phrase(
                "%(payment)s: PayPal was asked. It is %(state)s.",
                payment=payment,
                state=state.lower(),
            ),
        )
    return redirect(_page(pk))


def book_held(request: HttpRequest, pk: int) -> HttpResponse:
    """Give held money to the order that can take it; what that does is shown before."""
    payment, now = _paypal(pk), timezone.now()
    figures = held_figures(payment_id=pk, now=now)
    if figures.obstacle and request.method != "POST":
        messages.warning(request, f"{payment}: {figures.obstacle}")
        return redirect(_page(pk))
    form = BookHeldForm(request.POST or None, initial={"asked": figures.asked})

    def page() -> Context:
        figures = held_figures(payment_id=pk, now=now)
        is_deposit, missing = payment.kind == Payment.Kind.DEPOSIT, figures.asked - figures.share
        if not figures.pieces_gone and "back_order" not in form.errors:
            del form.fields["back_order"]
        if is_deposit:
            del form.fields["write_off_reason"]
        due = _("Deposit of the order made with it") if figures.makes_order else _("Due")
        effects = [
            (_("Taken by PayPal"), payment.charged),
            (_("Surcharge"), payment.fee),
            (_("For the order"), figures.share),
            (due, figures.asked),
        ]
        if missing > ZERO:
            label = _("Deposit still due") if is_deposit else _("Still due")
            effects.append((label, missing))
        elif missing < ZERO:
            effects.append((_("To the wallet, once confirmed"), -missing))
        if figures.pieces_gone:
            text = _("some pieces are gone: it can only be a back-order")
            effects.append((_("Stock"), text))
        return {
            **_frame(payment, _("Book held money")),
            "verb": _("Book it on the order"),
            "effects": effects,
            "seen": {"asked": figures.asked},
        }

    answer = decide(
        request,
        payment,
        form,
        Text("Held money booked, %(amount)s", amount=payment.share),
        book,
        payment_id=pk,
        then=_page(pk),
        page=page,
        outward=True,
    )
    # Somebody was quicker, or the money is gone: the message says so.
    obstacle = answer.status_code == 200 and held_figures(payment_id=pk, now=now).obstacle
    return redirect(_page(pk)) if obstacle else answer


def refund(request: HttpRequest, pk: int) -> HttpResponse:
    """Send money of a payment back to the buyer's PayPal account: all of it, or a part."""
    payment = _paypal(pk)
    limit = refundable(payment)
    form = RefundForm(request.POST or None, initial={"amount": limit or None, "seen": limit})

    def history(_made: object) -> Text:
        return Text("Refund of %(amount)s asked of PayPal", amount=form.cleaned_data["amount"])

    def page() -> Context:
        now = _paypal(pk)
        limit, label = refundable(now), _("At most, with PayPal's fee")
        if in_wallet(now):
            label = _("At most; the company's wallet has the rest")
        return {
            **_frame(payment, _("Refund")),
            "verb": _("Send the refund"),
            "tone": "danger",
            "figure": "id_amount",
            "effects": [
                (label, limit),
                (_("PayPal's fee"), payment.fee),
                (_("Goes to"), _("the buyer's PayPal account")),
                *(_asked_again(payment.order) if payment.order else ()),
            ],
            "seen": {"seen": limit},
        }

    return decide(
        request,
        payment,
        form,
        history,
        refund_payment,
        payment_id=pk,
        then=_page(pk),
        page=page,
        outward=True,
    )


def _asked_again(order: Order) -> list[tuple[str, str]]:
    """Return whether an order asks again for what goes back."""
    if order.status == OrderStatus.CANCELLED:
        return []
    again = _("what goes back is due again")
    if order.status >= OrderStatus.PAID:
        again = _("stays paid, what goes back is waived")
    return [(str(order), again)]


def attend(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an alarm with what was done about it."""
    payment = _paypal(pk)
    return decide(
        request,
        payment,
        ReasonForm(request.POST or None, _("What was done about it")),
        Text("Resolved"),
        close_alarm,
        payment_id=pk,
        then=DESK,
        page=lambda: {
            **_frame(payment, _("Resolve")),
            "verb": _("Mark as resolved"),
            "lead": f"{read(payment.alarm or NOTHING_LEFT)}.",
            "effects": [
                (_("Payment desk"), _("lists it no more")),
                (_("Money"), _("stays as it is")),
            ],
        },
    )


def _frame(payment: Payment, here: str) -> Context:
    return {
        "title": f"{here}: {payment.invoice_code}",
        "subtitle": f"{payment.get_state_display()} · {payment.company.name}",
        "trail": [AT_DESK, (payment.invoice_code, _page(payment.pk))],
        "here": here,
    }


def _paypal(pk: int) -> Payment:
    payments = Payment.objects.select_related("company", "order")
    return get_object_or_404(payments, pk=pk, method=Payment.Method.PAYPAL)


def _page(pk: int) -> str:
    return reverse("admin:payments_payment_change", args=[pk])
