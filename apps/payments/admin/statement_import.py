"""Import of a bank's file: sent, its columns named where it is a table, and only then stored
(design/admin-2.md, 5).
"""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.common.errors import PortalError
from apps.common.staff import log_action, refusal_text, staff_of, staff_page
from apps.common.staff_lists import moment_text
from apps.common.texts import Text, phrase
from apps.payments.admin.access import DESK, STATEMENTS
from apps.payments.admin.forms import CURRENCIES, StatementForm
from apps.payments.bank.lines import MAX_BYTES
from apps.payments.bank.naming import (
    DAY_ORDERS,
    DECIMAL_SIGNS,
    WORDS,
    Naming,
    keep_layout,
    packed,
    unpacked,
)
from apps.payments.bank.reader import files_in, has_columns, read_files
from apps.payments.bank.statements import import_statement
from apps.payments.models import BankStatement

SHOWN = 30
CHOICES = {"currency": CURRENCIES, "decimal": DECIMAL_SIGNS, "day_order": DAY_ORDERS}


def statements(request: HttpRequest) -> HttpResponse:
    """List the imported statements; take in a file, or ask for the names of its columns."""
    form = StatementForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
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
            return _stored(request, statement, is_new=statement.imported_at == now)
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
        trail=[(_("Payment desk"), DESK)],
        form=form,
        statements=listed.order_by("-id")[:SHOWN],
    )


def columns(request: HttpRequest) -> HttpResponse:
    """Read a table as its columns are named now, or store it so if that is how the page showed
    it.
    """
    if request.method != "POST":
        return redirect(str(STATEMENTS))
    post, now, actor = request.POST, timezone.now(), staff_of(request)
    file, name = post.get("file", ""), post.get("name", "")
    options = {
        field: post.get(field, "") if post.get(field, "") in dict(choices) else ""
        for field, choices in CHOICES.items()
    }
    try:
        (content,) = files_in(unpacked(file))
        naming = Naming(content, chosen=post, **options)
        if "store" in post and naming.file is not None:
            if naming.token == post.get("seen"):
                keep_layout(headings=naming.table.headings, columns=naming.columns, actor=actor)
                statement = import_statement(
                    content=content, file=naming.file, name=name, actor=actor, now=now
                )
                return _stored(request, statement, is_new=statement.imported_at == now)
            messages.warning(
                request, _("The columns have changed: check how they read now, then store.")
            )
    except PortalError as error:
        messages.error(request, refusal_text(error))
        return redirect(str(STATEMENTS))
    return _columns_page(request, naming, name=name, file=file)


def _columns_page(request: HttpRequest, naming: Naming, *, name: str, file: str) -> HttpResponse:
    return staff_page(
        request,
        "staff/statement_columns.html",
        title=_("Import a statement"),
        subtitle=_("step 2 of 2: columns"),
        trail=[(_("Payment desk"), DESK), (_("Statements"), STATEMENTS)],
        naming=naming,
        name=name,
        file=file,
        choices=[(column.name, words) for column, words in WORDS.items()],
        selects=[
            ("currency", _("Currency, if the file names none"), CURRENCIES, naming.currency),
            ("decimal", _("Decimal sign"), DECIMAL_SIGNS, naming.decimal),
            ("day_order", _("Dates"), DAY_ORDERS, naming.day_order),
        ],
    )


def _stored(request: HttpRequest, statement: BankStatement, *, is_new: bool) -> HttpResponse:
    """Say that a statement is stored, and lead to it."""
    if is_new:
        log_action(request, statement, Text("Imported"))
        text = phrase("%(statement)s: imported. Nothing is booked yet.", statement=statement)
        messages.success(request, text)
    else:
        at = moment_text(statement.imported_at)
        text = phrase("%(statement)s: already imported, %(at)s.", statement=statement, at=at)
        messages.warning(request, text)
    return redirect("admin:payments_payment_statement", statement.pk)
