"""The payment desk: announced wires, the statement in work, what is owed by bank, what staff must
look at, and what was booked today.
"""

from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import humanize, overdue, staff_page
from apps.common.texts import Text, phrase
from apps.payments.admin.access import DESK, decide
from apps.payments.admin.exceptions import exception_rows
from apps.payments.admin.forms import TransferSentForm
from apps.payments.bank.claims import compare
from apps.payments.bank.credits import StatementCredits
from apps.payments.bank.lines import USD
from apps.payments.bank.rows import found_in_statements
from apps.payments.models import (
    BankCredit,
    BankStatement,
    BankTransfer,
    Payment,
    Refund,
    WireRefund,
)
from apps.payments.selectors import all_announced_wires, names_paypal, owed_by_bank
from apps.payments.services.wire_returns import record_transfer_sent
from apps.payments.states import PaymentState

SHOWN = 5


def desk(request: HttpRequest) -> HttpResponse:
    """Show what waits for the desk; of the newest statement with something to book the first rows,
    and only these are booked from here.
    """
    now = timezone.now()
    statements = list(BankStatement.objects.filter(put_away_at__isnull=True))
    to_book = BankCredit.objects.filter(
        booked_at=None, sent_back_at=None, statements__in=statements
    )
    open_ones = set(to_book.order_by().values_list("statements", flat=True).distinct())
    newest = next((one for one in statements if one.pk in open_ones), None)
    others = [one for one in statements if one != newest]
    context: dict[str, Any] = {}
    if newest is not None:
        credits = StatementCredits(newest, {})
        for other in others:
            compare(other)
        rows, summary = credits.rows(SHOWN), credits.summary
        context = {"statement": newest, "rows": rows, "summary": summary}
    found = found_in_statements(statements)
    wires: list[dict[str, Any]] = [
        {
            "payment": wire,
            "age": humanize(now - wire.created_at),
            "late": overdue(due_at=due_at(Promise.WIRE, since=wire.created_at), now=now),
            "found": found.get(wire.pk, ""),
            "is_next": str(wire.pk) == request.GET.get("next"),
        }
        for wire in all_announced_wires()
    ]
    total = sum((wire["payment"].amount for wire in wires), ZERO)
    late = sum(bool(wire["late"]) for wire in wires)
    subtitle = ngettext(
        "%(count)s announced wire, %(sum)s USD",
        "%(count)s announced wires, %(sum)s USD",
        len(wires),
    ) % {"count": len(wires), "sum": f"{total:,.2f}"}
    if late:
        subtitle = phrase("%(wires)s, %(late)s late", wires=subtitle, late=late)
    return staff_page(
        request,
        "staff/desk.html",
        title=_("Payment desk"),
        subtitle=subtitle,
        wires=wires,
        transfers=[
            (transfer, overdue(due_at=transfer.due_at, now=now)) for transfer in owed_by_bank()
        ],
        exceptions=exception_rows(now=now),
        today=_today(paypal=(paypal := names_paypal())),
        paypal=paypal,
        others=others,
        bar=newest is not None,
        **context,
    )


def sent(request: HttpRequest, pk: int) -> HttpResponse:
    """Note when the bank sent what is owed, and under which reference."""
    transfer = get_object_or_404(BankTransfer.objects.select_related("company"), pk=pk)
    amount = f"{transfer.amount:,.2f}"
    mail = _("with the bank reference") if transfer.company_id else _("none: nobody's order")
    money = f"{amount} {transfer.currency}"
    return decide(
        request,
        transfer,
        TransferSentForm(request.POST or None, initial={"sent_on": timezone.localdate()}),
        Text("Sent by bank"),
        record_transfer_sent,
        transfer_id=pk,
        then=str(DESK),
        page=lambda: {
            "title": phrase("%(money)s sent?", money=money),
            "subtitle": f"{transfer.payee}, {transfer.about}, {transfer.state_words}",
            "trail": [(_("Payment desk"), DESK)],
            "here": pgettext("transfer", "Sent"),
            "verb": phrase("Mark %(amount)s as sent", amount=amount),
            "effects": [
                (_("Owed"), money, _("0.00, for good")),
                (_("Mail to the buyer"), mail),
            ],
            "back": DESK,
        },
    )


def _today(*, paypal: bool) -> list[tuple[str, int, Any]]:
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
    # A rest is written off with the wire that pays the order; the reason is that of its rest.
    with_rest = settled.filter(kind=Payment.Kind.BALANCE, order__written_off__gt=0)
    refunds = Refund.objects.filter(state=Refund.State.COMPLETED, created_at__gte=midnight)
    rows: list[tuple[str, Any, str]] = [
        (_("Booked"), settled, "received"),
        (_("Written off"), with_rest.exclude(reason=""), "order__written_off"),
        *([(_("Refunded by PayPal"), refunds, "amount")] if paypal else []),
        (_("Wires refunded"), WireRefund.objects.filter(at__gte=midnight), "amount"),
        (
            _("Sent by bank"),
            BankTransfer.objects.filter(sent_on=midnight.date(), currency=USD),
            "amount",
        ),
    ]
    sums = [
        (label, found.aggregate(count=Count("pk"), sum=Sum(column)))
        for label, found, column in rows
    ]
    return [(label, row["count"], row["sum"] or ZERO) for label, row in sums]
