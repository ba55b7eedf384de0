"""Import of a bank's file: sent, its columns named where it is a table, and only then stored
(design/admin-2.md, 5).
"""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from apps.common.errors import PortalError
from apps.common.staff import log_action, refusal_text, run_action, staff_of, staff_page
from apps.payments.admin.forms import CURRENCIES, StatementForm
from apps.payments.bank.layouts import drop_layout, keep_layout
from apps.payments.bank.lines import MAX_BYTES
from apps.payments.bank.naming import (
    DAY_ORDERS,
    DECIMAL_SIGNS,
    WORDS,
    Naming,
    packed,
    unpacked,
)
from apps.payments.bank.reader import files_in, has_columns
from apps.payments.bank.statements import import_statement
from apps.payments.models import BankStatement, StatementLayout

SHOWN = 30
CHOICES = {"currency": CURRENCIES, "decimal": DECIMAL_SIGNS, "day_order": DAY_ORDERS}
DESK, STATEMENTS = "admin:payments_payment_desk", "admin:payments_payment_statements"


def statements(request: HttpRequest) -> HttpResponse:
    """List the imported statements and the layouts that were kept, and take in a file."""
    form = StatementForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and (answer := _take(request, form)):
        return answer
    return _list(request, form)


def _list(request: HttpRequest, form: StatementForm) -> HttpResponse:
    listed = BankStatement.objects.select_related("imported_by").annotate(
        count=Count("credits"),
        booked=Count("credits", filter=Q(credits__booked_at__isnull=False)),
    )
    return staff_page(
        request,
        "staff/statements.html",
        title="Statements",
        trail=[("Payment desk", reverse(DESK))],
        form=form,
        statements=listed[:SHOWN],
        layouts=StatementLayout.objects.select_related("kept_by"),
    )


def _take(request: HttpRequest, form: StatementForm) -> HttpResponse | None:
    """Store a file whose columns need no names, or ask for them; None where it is refused at
    its field.
    """
    file, currency = form.cleaned_data["file"], form.cleaned_data["currency"]
    content, now = file.read(MAX_BYTES + 1), timezone.now()
    try:
        table, *others = files_in(content)
        if not others and has_columns(table):
            naming = Naming(table, today=timezone.localdate(now), currency=currency)
            return _columns_page(request, naming, name=file.name, file=packed(table))
        statement = import_statement(
            content=content, name=file.name, currency=currency, actor=staff_of(request), now=now
        )
    except PortalError as error:
        form.add_error("file", refusal_text(error))
        return None
    return _stored(request, statement, now)


def columns(request: HttpRequest) -> HttpResponse:
    """Read a table as its columns are named now, or store it so if that is how the page showed
    it.
    """
    if request.method != "POST":
        return HttpResponseRedirect(reverse(STATEMENTS))
    asked, now = request.POST, timezone.now()
    file, name = asked.get("file", ""), asked.get("name", "")
    currency, decimal, day_order = (
        asked.get(field, "") if asked.get(field, "") in dict(choices) else ""
        for field, choices in CHOICES.items()
    )
    try:
        (content,) = files_in(unpacked(file))
        naming = Naming(
            content,
            today=timezone.localdate(now),
            currency=currency,
            decimal=decimal,
            day_order=day_order,
            chosen=asked,
        )
        if "store" in asked and not naming.fault:
            if naming.token == asked.get("seen"):
                return _stored(request, _store(request, naming, content, name=name, now=now), now)
            messages.warning(
                request, "The columns have changed: look at how they read now, then store."
            )
    except PortalError as error:
        messages.error(request, refusal_text(error))
        return HttpResponseRedirect(reverse(STATEMENTS))
    return _columns_page(request, naming, name=name, file=file)


def _store(
    request: HttpRequest, naming: Naming, content: bytes, *, name: str, now: datetime
) -> BankStatement:
    columns, actor = naming.columns, staff_of(request)
    if request.POST.get("keep"):
        keep_layout(
            name=request.POST.get("layout", ""),
            headings=naming.table.headings,
            columns=columns,
            actor=actor,
            now=now,
        )
    return import_statement(
        content=content,
        name=name,
        currency=naming.currency,
        decimal=naming.decimal,
        day_first=naming.day_first,
        columns=columns,
        actor=actor,
        now=now,
    )


def _columns_page(request: HttpRequest, naming: Naming, *, name: str, file: str) -> HttpResponse:
    typed = request.POST if "seen" in request.POST else {}
    kept = naming.layout
    return staff_page(
        request,
        "staff/statement_columns.html",
        title="Import a statement",
        subtitle="step 2 of 2: columns",
        trail=[("Payment desk", reverse(DESK)), ("Statements", reverse(STATEMENTS))],
        naming=naming,
        name=name,
        file=file,
        choices=[(column.name, words) for column, words in WORDS.items()],
        currencies=CURRENCIES,
        decimals=DECIMAL_SIGNS,
        day_orders=DAY_ORDERS,
        keep=bool(typed.get("keep")) if typed else True,
        layout=typed.get("layout", kept.name if kept else name.rpartition(".")[0] or name),
        bar=True,
    )


def drop(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a layout."""
    layout = StatementLayout.objects.filter(pk=pk).first()
    if request.method == "POST" and layout is not None:
        now = timezone.now()
        run_action(
            request,
            layout,
            "Layout dropped",
            lambda: drop_layout(layout_id=pk, actor=staff_of(request), now=now),
        )
    return HttpResponseRedirect(reverse(STATEMENTS))


def _stored(request: HttpRequest, statement: BankStatement, now: datetime) -> HttpResponse:
    """Say that a statement is stored, and lead to it."""
    if statement.imported_at == now:
        log_action(request, statement, "Imported")
        messages.success(request, f"{statement}: imported. Nothing is booked yet.")
    else:
        messages.warning(
            request, f"{statement}: imported before, at {moment(statement.imported_at)}."
        )
    return HttpResponseRedirect(reverse("admin:payments_payment_statement", args=[statement.pk]))


def moment(at: Any) -> str:
    """Return a moment in the seller's time zone."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}"
