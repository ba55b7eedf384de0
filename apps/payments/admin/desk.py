"""The payment desk: announced wires, the statement in work, what is owed by bank, what staff must
look at, and what was booked today; and the import of a bank's file: sent, its columns named where
it is a table, and only then stored (design/admin-2.md, 5).
"""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext, pgettext

from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import (
    Context,
    decide,
    humanize,
    log_action,
    overdue,
    refusal_text,
    staff_of,
    staff_page,
)
from apps.common.staff_lists import moment_text
from apps.common.texts import Text, phrase
from apps.payments.admin.exceptions import exception_rows
from apps.payments.admin.forms import (
    AT_DESK,
    CURRENCIES,
    DESK,
    STATEMENTS,
    StatementForm,
    TransferSentForm,
)
from apps.payments.bank.lines import MAX_BYTES, USD
from apps.payments.bank.matching import Book, Kind, open_claims
from apps.payments.bank.naming import (
    DAY_ORDERS,
    DECIMAL_SIGNS,
    Naming,
    keep_layout,
    packed,
    unpacked,
)
from apps.payments.bank.reader import files_in, has_columns, read_files
from apps.payments.bank.rows import StatementCredits, wires_in
from apps.payments.bank.statements import import_statement
from apps.payments.bank.table import Column
from apps.payments.models import BankStatement, BankTransfer, Payment, Refund, WireRefund
from apps.payments.selectors import all_announced_wires, names_paypal, transfers_to_send
from apps.payments.services.refunds import record_transfer_sent
from apps.payments.states import PaymentState

SHOWN, STATEMENTS_SHOWN = 5, 30


def desk(request: HttpRequest) -> HttpResponse:
    """Show what waits for the desk; of the newest statement with something to book the first rows,
    and only these are booked from here.
    """
    now = timezone.now()
    in_work = list(BankStatement.objects.filter(put_away_at__isnull=True))
    book = Book(open_claims() if in_work else ())
    statements = [StatementCredits(one, book, {}) for one in in_work]
    newest = next(
        (one for one in statements if one.all and one.all[0].match.kind < Kind.BOOKED), None
    )
    context: Context = {}
    if newest is not None:
        context = {
            "statement": newest.statement,
            "rows": newest.rows(SHOWN),
            "summary": newest.summary,
        }
    mentions = wires_in(statements)
    wires: list[Context] = [
        {
            "payment": wire,
            "age": humanize(now - wire.created_at),
            "late": overdue(due_at=due_at(Promise.WIRE, since=wire.created_at), now=now),
            "found": mentions.get(wire.pk, ""),
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
            (transfer, overdue(due_at=transfer.due_at, now=now)) for transfer in transfers_to_send()
        ],
        exceptions=exception_rows(now=now),
        today=_today(paypal=(paypal := names_paypal())),
        paypal=paypal,
        others=[one.statement for one in statements if one is not newest],
        bar=newest is not None,
        **context,
    )


def transfer_sent(request: HttpRequest, pk: int) -> HttpResponse:
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
        then=DESK,
        page=lambda: {
            "title": phrase("%(money)s sent?", money=money),
            "subtitle": f"{transfer.payee}, {transfer.about}, {transfer.state_words}",
            "trail": [AT_DESK],
            "here": pgettext("transfer", "Sent"),
            "verb": phrase("Mark %(amount)s as sent", amount=amount),
            "effects": [
                (_("Owed"), money, _("0.00, for good")),
                (_("Mail to the buyer"), mail),
            ],
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
        (label, payments.aggregate(count=Count("pk"), sum=Sum(column, default=ZERO)))
        for label, payments, column in rows
    ]
    return [(label, row["count"], row["sum"]) for label, row in sums]


CHOICES = {"currency": CURRENCIES, "decimal": DECIMAL_SIGNS, "day_order": DAY_ORDERS}


def statements(request: HttpRequest) -> HttpResponse:
    """List the imported statements; take in a file, or ask for the names of its columns."""
    form = StatementForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file, currency = form.cleaned_data["file"], form.cleaned_data["currency"]
        content, now = file.read(MAX_BYTES + 1), timezone.now()
        try:
            files = files_in(content)
            if len(files) == 1 and has_columns(files[0]):
                naming = Naming(files[0], currency=currency)
                return _columns_page(request, naming, name=file.name, file=packed(files[0]))
            statement = import_statement(
                content=content,
                file=read_files(files, currency=currency),
                name=file.name,
                actor=staff_of(request),
                now=now,
            )
            return _stored(request, statement, now)
        except PortalError as error:
            form.add_error("file", refusal_text(error))
    listed = BankStatement.objects.select_related("imported_by").annotate(
        count=Count("credits"),
        booked=Count("credits", filter=Q(credits__booked_at__isnull=False)),
    )
    return staff_page(
        request,
        "staff/statements.html",
        title=_("Statements"),
        trail=[AT_DESK],
        form=form,
        statements=listed.order_by("-id")[:STATEMENTS_SHOWN],
    )


def statement_columns(request: HttpRequest) -> HttpResponse:
    """Read a table as its columns are named now, or store it so if that is how the page showed
    it.
    """
    if request.method != "POST":
        return redirect(STATEMENTS)
    post, now, actor = request.POST, timezone.now(), staff_of(request)
    file, name = post.get("file", ""), post.get("name", "")
    options = {
        field: post.get(field, "") if post.get(field, "") in dict(choices) else ""
        for field, choices in CHOICES.items()
    }
    try:
        (content,) = files_in(unpacked(file))
        naming = Naming(content, data=post, **options)
        if "store" in post and naming.file is not None:
            if naming.token == post.get("seen"):
                keep_layout(headings=naming.table.headings, columns=naming.columns, actor=actor)
                statement = import_statement(
                    content=content, file=naming.file, name=name, actor=actor, now=now
                )
                return _stored(request, statement, now)
            messages.warning(
                request, _("The columns have changed: check how they read now, then store.")
            )
    except PortalError as error:
        messages.error(request, refusal_text(error))
        return redirect(STATEMENTS)
    return _columns_page(request, naming, name=name, file=file)


def _columns_page(request: HttpRequest, naming: Naming, *, name: str, file: str) -> HttpResponse:
    return staff_page(
        request,
        "staff/statement_columns.html",
        title=_("Import a statement"),
        subtitle=_("step 2 of 2: columns"),
        trail=[AT_DESK, (_("Statements"), STATEMENTS)],
        naming=naming,
        name=name,
        file=file,
        choices=Column.choices,
        selects=[
            ("currency", _("Currency, if the file names none"), CURRENCIES, naming.currency),
            ("decimal", _("Decimal sign"), DECIMAL_SIGNS, naming.decimal),
            ("day_order", _("Dates"), DAY_ORDERS, naming.day_order),
        ],
    )


def _stored(request: HttpRequest, statement: BankStatement, now: datetime) -> HttpResponse:
    """Say that a statement is stored, and lead to it."""
    if statement.imported_at == now:
        log_action(request, statement, Text("Imported"))
        text = phrase("%(statement)s: imported. Nothing is booked yet.", statement=statement)
        messages.success(request, text)
    else:
        at = moment_text(statement.imported_at)
        text = phrase("%(statement)s: already imported, %(at)s.", statement=statement, at=at)
        messages.warning(request, text)
    return redirect("admin:payments_payment_statement", statement.pk)
