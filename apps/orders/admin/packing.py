"""The packing sheet's pages: boxes and contents on one page, saved in one transaction by the
packing services.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.staff import log_action, refusal_text, run_action, staff_of
from apps.common.storage.files import XLSX
from apps.common.texts import Text
from apps.orders.admin.base import order_or_404, page_below, page_of
from apps.orders.admin.packing_cells import Sheet, sheet_of_file
from apps.orders.admin.packing_file import packing_spreadsheet
from apps.orders.admin.packing_sheet import PackingSheet
from apps.orders.admin.page import PACKING
from apps.orders.errors import StaleOrder
from apps.orders.models import Order
from apps.orders.services.packing import complete_packing, reopen_packing, save_packing
from apps.orders.status import OrderStatus, is_packable


def packing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sheet, save it, complete it, open it again, or fill it from a file."""
    order = order_or_404(pk)
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
def packing_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer what is wrong with the rows that are typed, and their sums; nothing is kept."""
    sheet = PackingSheet(order_or_404(pk))
    sheet.fill(request.POST)
    return JsonResponse(sheet.check().answer())


def packing_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the sheet as a workbook: what is packed, or everything that is to be packed, to be
    filled in.
    """
    order = order_or_404(pk)
    response = HttpResponse(packing_spreadsheet(PackingSheet(order)), content_type=XLSX)
    name = f"{_('Packing')}_{order.invoice_code}.xlsx"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def _save(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    order, given = sheet.order, sheet.form.cleaned_data
    actor, completes = staff_of(request), "complete" in request.POST
    sent: dict[str, Any] = {
        "order_id": order.pk,
        "version": given["version"],
        "boxes": sheet.boxes,
        "details": sheet.details(),
        "actor": actor,
        "now": timezone.now(),
    }
    done = Text("Packing complete") if completes else Text("Packing saved")

    @one_transaction
    def save() -> Order:
        log_action(request, order, done)
        if completes:
            return complete_packing(**sent, weight_is_right=given["weight_is_right"])
        return save_packing(**sent)

    try:
        saved = save()
    except StaleOrder as error:
        messages.error(request, f"{order}: {refusal_text(error)}")
        sheet.refuse(error)
        return _sheet(request, sheet, status=409, conflicts=sheet.conflicts())
    except PortalError as error:
        messages.error(request, f"{order}: {refusal_text(error)}")
        sheet.refuse(error)
        return _sheet(request, sheet)
    messages.success(request, f"{order}: {done}.")
    return redirect(page_of(order) if completes else f"{request.path}?saved={saved.version}")


def _reopen(request: HttpRequest, order: Order) -> HttpResponse:
    seen, done = id_in(request.POST.get("version", "")) or 0, Text("Packing opened again")
    opened = run_action(request, order, done, reopen_packing, order_id=order.pk, version=seen)
    return redirect(f"{request.path}?saved={seen + 1}" if opened else request.path)


def _import(request: HttpRequest, sheet: PackingSheet) -> HttpResponse:
    """Show a file's rows in the sheet; nothing is kept before somebody has seen and
    saved them.
    """
    file = request.FILES.get("file")
    rows: Sheet | None = None
    try:
        if file is None:
            messages.error(request, _("Choose an XLSX or CSV file."))
        else:
            rows = sheet_of_file(file.read(), name=file.name or "")
    except PortalError as error:
        messages.error(request, f"{file.name if file else ''}: {refusal_text(error)}")
    sheet.fill(request.POST, rows)
    if rows is not None and file is not None:
        text = _("%(rows)s rows of %(file)s. Nothing is saved yet.")
        if rows.unused:
            text = _(
                "%(rows)s rows of %(file)s. Nothing is saved yet. Columns not used: %(columns)s."
            )
        values = {"rows": len(rows.rows), "file": file.name, "columns": ", ".join(rows.unused)}
        messages.warning(request, text % values)
    return _sheet(request, sheet)


def _sheet(
    request: HttpRequest, sheet: PackingSheet, *, status: int = 200, conflicts: Any = None
) -> HttpResponse:
    order = sheet.order
    label, tone = PACKING[Order.Packing(order.packing_status)]
    is_complete = order.packing_status == Order.Packing.COMPLETE
    return page_below(
        request,
        "staff/packing.html",
        order,
        status=status,
        title=_("Pack %(order)s") % {"order": order},
        here=_("Packing sheet"),
        state_label=label,
        tone=tone,
        bar=True,
        file_url=reverse("admin:orders_order_packing_file", args=[order.pk]),
        conflicts=conflicts,
        is_complete=is_complete,
        may_reopen=is_complete and is_packable(OrderStatus(order.status)),
        editable=is_packable(OrderStatus(order.status)) and (not is_complete or sheet.is_sent),
        **sheet.context(),
    )
