"""The payment desk: announced wires, the statement in work, what is owed by bank, what staff must
look at, and what was booked today.
"""

from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import humanize, overdue, run_action, staff_of, staff_page
from apps.payments.admin.exceptions import exception_rows
from apps.payments.admin.forms import TransferSentForm
from apps.payments.bank.compare import compare
from apps.payments.bank.credits import StatementCredits
from apps.payments.bank.rows import found_in_statements
from apps.payments.bank.statements import USD
from apps.payments.models import (
    BankCredit,
    BankStatement,
    BankTransfer,
    Payment,
    Refund,
    WireRefund,
)
from apps.payments.selectors import all_announced_wires, owed_by_bank
from apps.payments.services.bank_transfers import record_transfer_sent
from apps.payments.states import PaymentState

SHOWN = 5


def desk(request: HttpRequest) -> HttpResponse:
    """Show what waits for the desk."""
    now = timezone.now()
    statements = list(BankStatement.objects.filter(put_away_at__isnull=True))
    newest = _statement(statements)
    found = found_in_statements(statements)
    announced = list(all_announced_wires())
    wires = [
        {
            "payment": wire,
            "age": humanize(now - wire.created_at),
            "late": overdue(due_at=due_at(Promise.WIRE, since=wire.created_at), now=now),
            "found": found.get(wire.pk, ""),
            "is_next": str(wire.pk) == request.GET.get("next"),
        }
        for wire in announced
    ]
    total = sum((wire.amount for wire in announced), ZERO)
    return staff_page(
        request,
        "staff/desk.html",
        title="Payment desk",
        subtitle=f"{len(wires)} announced wire{'' if len(wires) == 1 else 's'}, {total:,.2f} USD",
        wires=wires,
        transfers=[
            (transfer, overdue(due_at=transfer.due_at, now=now)) for transfer in owed_by_bank()
        ],
        exceptions=exception_rows(now=now),
        today=_today(),
        **newest,
    )


def sent(request: HttpRequest, pk: int) -> HttpResponse:
    """Note when the bank sent what is owed, and under which reference."""
    transfer = get_object_or_404(BankTransfer.objects.select_related("company"), pk=pk)
    form = TransferSentForm(request.POST or None, initial={"sent_on": timezone.localdate()})

    def service() -> object:
        return record_transfer_sent(
            transfer_id=pk, actor=staff_of(request), now=timezone.now(), **form.cleaned_data
        )

    is_asked = request.method == "POST" and form.is_valid()
    if is_asked and run_action(request, transfer, "Sent by bank", service, form=form):
        return HttpResponseRedirect(reverse("admin:payments_payment_desk"))
    return staff_page(
        request,
        "staff/form.html",
        title=f"{transfer.amount:,.2f} {transfer.currency} sent?",
        subtitle=f"{transfer.payee}, {transfer.about}, {transfer.state_words}",
        trail=[("Payment desk", reverse("admin:payments_payment_desk"))],
        here="Sent",
        form=form,
        verb=f"Note {transfer.amount:,.2f} as sent",
        lead="It is owed no more, which is for good."
        + (" The buyer gets a mail with the reference." if transfer.company_id else ""),
        back=reverse("admin:payments_payment_desk"),
    )


def _statement(statements: list[BankStatement]) -> dict[str, Any]:
    """Return the newest statement with something to book and its first rows; only these are
    booked from here.
    """
    to_book = BankCredit.objects.filter(
        booked_at=None, sent_back_at=None, statements__in=statements
    )
    open_ones = set(to_book.order_by().values_list("statements", flat=True).distinct())
    newest = next((one for one in statements if one.pk in open_ones), None)
    others = [one for one in statements if one != newest]
    if newest is None:
        return {"bar": False, "others": others}
    credits = StatementCredits(newest, {})
    for other in others:
        compare(other)
    rows = credits.first_rows(SHOWN)
    ticked = [row.credit.amount for row in rows if row.is_ticked]
    return {
        "statement": newest,
        "others": others,
        "rows": rows,
        "summary": {**credits.summary, "ticked": len(ticked), "sum": sum(ticked, ZERO)},
        "bar": True,
    }


def _today() -> list[tuple[str, int, Any]]:
    """Return what was booked, written off, refunded and sent by bank since midnight: count and sum
    of each. Five statements.
    """
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    settled = Payment.objects.filter(
        method=Payment.Method.WIRE,
        state=PaymentState.CAPTURED,
        settled_at__gte=midnight,
        moved_in__isnull=True,
    )
    # A rest is written off with the wire that pays the order, and a wire's reason is that of its
    # rest.
    with_rest = settled.filter(kind=Payment.Kind.BALANCE, order__written_off__gt=0).exclude(
        reason=""
    )
    paypal = Refund.objects.filter(state=Refund.State.COMPLETED, created_at__gte=midnight)
    wires = WireRefund.objects.filter(at__gte=midnight)
    sent = BankTransfer.objects.filter(sent_on=midnight.date(), currency=USD)
    rows = [
        ("Booked", settled.aggregate(count=Count("pk"), sum=Sum("received"))),
        ("Written off", with_rest.aggregate(count=Count("pk"), sum=Sum("order__written_off"))),
        ("Refunded by PayPal", paypal.aggregate(count=Count("pk"), sum=Sum("amount"))),
        ("Refunded of wires", wires.aggregate(count=Count("pk"), sum=Sum("amount"))),
        ("Sent by bank", sent.aggregate(count=Count("pk"), sum=Sum("amount"))),
    ]
    return [(label, row["count"], row["sum"] or ZERO) for label, row in rows]
