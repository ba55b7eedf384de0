"""The packing sheet's pages: boxes and contents on one page, saved in one transaction by the
packing services.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.staff import refusal_text, run_action
from apps.common.tables.download import table_file
from apps.common.texts import Text
from apps.orders.admin.base import page_below, page_of
from apps.orders.admin.packing_cells import sheet_of_file
from apps.orders.admin.packing_sheet import PackingSheet
from apps.orders.admin.page import PACKING
from apps.orders.models import Order
from apps.orders.services.packing import complete_packing, reopen_packing, save_packing
from apps.orders.status import OrderStatus, is_packable


def packing(request: HttpRequest, order: Order) -> HttpResponse:
    """Show the sheet, save it, complete it, open it again, or fill it from a file."""
    is_new = order.packing_status == Order.Packing.NONE
    if not is_packable(OrderStatus(order.status)) and (is_new or request.method == "POST"):
        text = _("%(order)s: an order is packed from Preparing until it ships.")
        messages.warning(request, text % {"order": order})
        return redirect(page_of(order) if is_new else request.path)
    if "reopen" in request.POST:
        return _reopen(request, order)
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
    return JsonResponse(sheet.check())


def packing_file(request: HttpRequest, order: Order) -> HttpResponse:
    """Send the sheet as a workbook: what is packed, or everything that is to be packed, to be
    filled in.
    """
    name = f"{_('Packing')}_{order.invoice_code}"
    rows = PackingSheet(order).file_rows()
    return table_file(rows, name=name, title=_("Packing"), format_="xlsx")


def _save(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    order, given = sheet.order, sheet.form.cleaned_data
    fields: dict[str, Any] = {
        "order_id": order.pk,
        "version": given["version"],
        "boxes": sheet.boxes,
        "details": sheet.details(),
    }
    if "complete" in request.POST:
        fields["weight_is_right"] = given["weight_is_right"]
        done, page = Text("Packing complete"), page_of(order)
        is_done = run_action(request, order, done, complete_packing, refused=sheet.refuse, **fields)
    else:
        done, page = Text("Packing saved"), f"{request.path}?saved={given['version'] + 1}"
        is_done = run_action(request, order, done, save_packing, refused=sheet.refuse, **fields)
    return redirect(page) if is_done else _sheet(request, sheet)


def _reopen(request: HttpRequest, order: Order) -> HttpResponse:
    seen, done = id_in(request.POST.get("version", "")) or 0, Text("Packing opened again")
    opened = run_action(request, order, done, reopen_packing, order_id=order.pk, version=seen)
    return redirect(f"{request.path}?saved={seen + 1}" if opened else request.path)


def _import(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    """Show a file's rows in the sheet; nothing is kept before somebody has seen and
    saved them.
    """
    file, rows = request.FILES.get("file"), None
    if file is None:
        messages.error(request, _("Choose an XLSX or CSV file."))
    else:
        try:
            rows = sheet_of_file(file.read(), name=file.name or "")
        except PortalError as error:
            messages.error(request, f"{file.name}: {refusal_text(error)}")
    sheet.fill(request.POST, rows)
    if file is not None and rows is not None:
        text = _("%(rows)s rows of %(file)s. Nothing is saved yet.")
        if rows.unused:
            text = _(
                "%(rows)s rows of %(file)s. Nothing is saved yet. Columns not used: %(columns)s."
            )
        values = {"rows": len(rows.rows), "file": file.name, "columns": ", ".join(rows.unused)}
        messages.warning(request, text % values)
    return _sheet(request, sheet)


def _sheet(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    order = sheet.order
    label, tone = PACKING[Order.Packing(order.packing_status)]
    is_complete = order.packing_status == Order.Packing.COMPLETE
    may_change = is_packable(OrderStatus(order.status))
    return page_below(
        request,
        "staff/packing.html",
        order,
        status=409 if sheet.is_stale else 200,
        title=_("Pack %(order)s") % {"order": order},
        here=_("Packing sheet"),
        state_label=label,
        tone=tone,
        bar=True,
        is_complete=is_complete,
        may_reopen=is_complete and may_change,
        editable=may_change and (not is_complete or sheet.is_sent),
        **sheet.context(),
    )
