"""The packing sheet's pages: boxes and contents on one page, saved in one transaction by its
services; and papers for customs: the packing list opened, the commercial invoice issued.
"""

import io
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.printed import PrintedForm
from apps.common.staff import Context, has_any_perm, page_of, refusal_text, run_action, show_now
from apps.common.storage.files import download
from apps.common.tables.download import table_file
from apps.common.texts import Text, phrase
from apps.orders.admin.base import page_below
from apps.orders.admin.packing_cells import rows_of_file
from apps.orders.admin.packing_sheet import PackingSheet
from apps.orders.admin.page import PACKING
from apps.orders.documents.content import Content, cell_text, money
from apps.orders.documents.customs import Terms, terms_in
from apps.orders.models import IssuedDocument, Order
from apps.orders.rules import INCOTERMS, USUAL_INCOTERM, split_terms
from apps.orders.selectors.papers import PACKING_LIST
from apps.orders.services.commercial import (
    DECLARE,
    KIND,
    check_issuable,
    issue_commercial_invoice,
    preview_commercial_invoice,
)
from apps.orders.services.documents import latest_document
from apps.orders.services.packing import (
    complete_packing,
    packing_list_pdf,
    packing_list_title,
    reopen_packing,
    save_packing,
)
from apps.orders.status import is_packable

MAX_PLACE = 60


def packing(request: HttpRequest, order: Order) -> HttpResponse:
    """Show the sheet, save it, complete it, open it again, or fill it from a file."""
    is_new = order.packing_status == Order.Packing.NONE
    if not is_packable(order.state) and (is_new or request.method == "POST"):
        text = phrase("%(order)s: an order is packed from Preparing until it ships.", order=order)
        messages.warning(request, text)
        return redirect(page_of(order) if is_new else request.path)
    if "reopen" in request.POST:
        version, history = id_in(request.POST.get("version", "")) or 0, Text("Packing opened again")
        opened = run_action(
            request, order, history, reopen_packing, order_id=order.pk, version=version
        )
        return redirect(f"{request.path}?saved={version + 1}" if opened else request.path)
    sheet = PackingSheet(order)
    if request.method != "POST":
        return _sheet(request, sheet)
    if "import" in request.POST:
        return _import(request, sheet)
    if not sheet.fill(request.POST):
        return _sheet(request, sheet)
    return _save(request, sheet)


@require_POST
def packing_check(request: HttpRequest, order: Order) -> HttpResponse:
    """Answer what is wrong with the rows that are typed, and their sums; nothing is kept."""
    sheet = PackingSheet(order)
    sheet.fill(request.POST)
    check = sheet.check()
    rows = render_to_string("staff/compared_rows.html", {"check": check})
    return JsonResponse({**check, "compared_rows": rows})


def packing_file(request: HttpRequest, order: Order) -> HttpResponse:
    """Send the sheet as a workbook: what is packed, or everything that is to be packed, to be
    filled in.
    """
    name = f"{_('Packing')}_{order.invoice_code}"
    rows = PackingSheet(order).file_rows()
    return table_file(rows, name=name, title=_("Packing"), format_="xlsx")


def _save(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    order, values = sheet.order, sheet.form.cleaned_data
    fields: dict[str, Any] = {
        "order_id": order.pk,
        "version": values["version"],
        "boxes": sheet.boxes,
        "details": sheet.details(),
    }
    service: Any = save_packing
    history, page = Text("Packing saved"), f"{request.path}?saved={values['version'] + 1}"
    if "complete" in request.POST:
        fields["weight_is_right"] = values["weight_is_right"]
        service, history, page = complete_packing, Text("Packing complete"), page_of(order)
    is_done = run_action(request, order, history, service, refused=sheet.refuse, **fields)
    return redirect(page) if is_done else _sheet(request, sheet)


def _import(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    """Show a file's rows in the sheet; nothing is kept before somebody has seen and
    saved them.
    """
    file, rows, unused = request.FILES.get("file"), None, list[str]()
    if file is None:
        messages.error(request, _("Choose an XLSX or CSV file."))
    else:
        try:
            rows, unused = rows_of_file(file.read(), name=file.name or "")
        except PortalError as error:
            messages.error(request, f"{file.name}: {refusal_text(error)}")
    sheet.fill(request.POST, rows)
    if file is not None and rows is not None:
        text = phrase(
            "%(rows)s rows of %(file)s. Nothing is saved yet.", rows=len(rows), file=file.name
        )
        if unused:
            columns = phrase("Columns not used: %(columns)s.", columns=", ".join(unused))
            text = f"{text} {columns}"
        messages.warning(request, text)
    return _sheet(request, sheet)


def _sheet(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    order = sheet.order
    label, tone = PACKING[order.packing_status]
    is_complete = order.packing_status == Order.Packing.COMPLETE
    may_change = is_packable(order.state)
    return page_below(
        request,
        "staff/packing.html",
        order,
        status=409 if sheet.is_stale else 200,
        title=phrase("Pack %(order)s", order=order),
        here=_("Packing sheet"),
        state_label=label,
        tone=tone,
        is_complete=is_complete,
        may_reopen=is_complete and may_change,
        editable=may_change and (not is_complete or sheet.is_sent),
        **sheet.context(),
    )


class InvoiceForm(PrintedForm, forms.Form):
    """The terms of a commercial invoice; another value only for those who may declare one."""

    printed = ("place",)

    version = forms.IntegerField(widget=forms.HiddenInput)
    incoterm = forms.ChoiceField(
        label=gettext_lazy("Incoterm"),
        choices=[(code, f"{code}, {name.lower()}") for code, name in INCOTERMS.items()],
    )
    place = forms.CharField(label=gettext_lazy("Named place"), max_length=MAX_PLACE, required=False)
    declared = forms.DecimalField(
        label=gettext_lazy("Another value of the goods, USD"),
        max_digits=12,
        decimal_places=2,
        min_value=Decimal("0.01"),
        required=False,
        help_text=gettext_lazy("Empty: the actual value."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason for another value"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Goes into the history."),
    )

    def __init__(self, *args: Any, may_declare: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_declare:
            del self.fields["declared"], self.fields["reason"]

    def terms(self) -> Terms:
        """Return the terms as given; of a form that was not sent or cannot be read, as it began."""
        values = self.cleaned_data if self.is_valid() else self.initial
        return Terms(values["incoterm"], values.get("place", ""), values.get("declared"))


def invoice(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show what the commercial invoice will say, with other terms if asked, or issue it."""
    last = latest_document(order, KIND)
    form = InvoiceForm(
        request.POST or None,
        initial=_initial(order, last),
        may_declare=has_any_perm(request, DECLARE),
    )
    terms = form.terms()
    is_sent = form.is_valid() and "show" not in request.POST
    if is_sent and run_action(
        request,
        order,
        Text("Commercial invoice issued"),
        issue_commercial_invoice,
        form=form,
        order_id=order.pk,
        version=form.cleaned_data["version"],
        terms=terms,
        reason=form.cleaned_data.get("reason", ""),
    ):
        return None
    if request.method == "POST":
        # Once staff know who was quicker, what is sent next is meant for the order as it is
        # now.
        show_now(form, version=order.version)
    return page_below(
        request,
        "staff/commercial.html",
        order,
        here=_("Commercial invoice"),
        form=form,
        is_new=last is None,
        issued=IssuedDocument.objects.filter(order=order, kind=KIND)
        .prefetch_related("files")
        .order_by("-revision"),
        **_preview(order, terms, timezone.now()),
    )


def packing_list(request: HttpRequest, order: Order) -> HttpResponseBase:
    """Send the packing list as the buyer gets it."""
    content = packing_list_pdf(order_id=order.pk, now=timezone.now())
    title = packing_list_title(order)
    return download(
        io.BytesIO(content),
        title=title,
        storage_name=PACKING_LIST,
        content_type="application/pdf",
    )


def _initial(order: Order, last: IssuedDocument | None) -> dict[str, Any]:
    """Return the terms as issued last, else those of the packing, else delivered to the buyer's
    city.
    """
    terms = terms_in(last.content) if last else order.packing_terms
    incoterm, place = split_terms(terms) or (USUAL_INCOTERM, order.ship_city)
    return {"version": order.version, "incoterm": incoterm, "place": place[:MAX_PLACE]}


def _preview(order: Order, terms: Terms, now: datetime) -> Context:
    """Return what the invoice will say, as the page shows it; or why there can be none."""
    try:
        check_issuable(order, list(order.lines.select_related("product")))
    except PortalError as error:
        return {"fault": refusal_text(error)}
    content: Content = preview_commercial_invoice(order=order, terms=terms, now=now)
    table = content["table"]
    numbers = [column["numbers"] for column in table["columns"]]

    def cells(row: list[Any]) -> list[Context]:
        return [
            {"text": cell_text(cell), "note": cell.get("note", ""), "number": number}
            for cell, number in zip(row, numbers, strict=True)
        ]

    return {
        "boxes": content["boxes"],
        "columns": table["columns"],
        "rows": [cells(row) for row in table["rows"]],
        "total": cells(table["total"]),
        "sums": [{**row, "amount": money(row["usd"])} for row in content["sums"]],
    }
