"""The confirmation sheet's pages: every line decided, kept as long as staff like, confirmed in one
transaction, and corrected until the balance is paid.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from apps.catalog.admin.pictures import picture_url
from apps.catalog.models import Product
from apps.catalog.selectors import prices_for, products_with, shown_to
from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.staff import Context, log_action, refusal_text, run_action
from apps.common.texts import Text, joined, phrase
from apps.common.types import Json
from apps.orders.admin.base import page_below
from apps.orders.admin.page import line_rows, money_of
from apps.orders.admin.proposing import AddedFormSet, CorrectionForm, LineFormSet
from apps.orders.admin.sheet import Sheet
from apps.orders.errors import StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.proposal_rules import proposed
from apps.orders.services.confirm import available_pieces, confirmed_text, save_draft
from apps.orders.services.correct import (
    added_before,
    before_confirmation,
    check_correctable,
    correct_confirmation,
)
from apps.orders.services.moves import stale
from apps.orders.services.proposals import withdraw
from apps.orders.status import OrderStatus

HITS = 12


class CorrectionSheet(Sheet):
    """The sheet of a confirmed order that is corrected: its lines as they were decided."""

    form_class = CorrectionForm

    def _load(self) -> list[OrderLine]:
        self.before = before_confirmation(self.order)
        self.now = {one.line.pk: one.now for one in self.before.lines}
        return [one.line for one in self.before.lines]

    def _fee(self) -> Any:
        return self.order.shipping_fee

    def _cells(self, line: OrderLine) -> Json:
        return dict(vars(self.now[line.pk]))

    def _added(self) -> list[Json]:
        return [
            {"sku": line.sku, **vars(extra)}
            for line, extra in zip(self.before.added, added_before(self.before), strict=True)
        ]

    def confirm(self) -> Order:
        """Correct the confirmation with this sheet.

        Raises:
            PortalError: whatever `correct_confirmation` refuses.
        """
        return correct_confirmation(
            reason=self.form.cleaned_data["why"], **self.service_arguments()
        )


def confirm(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the sheet, count it through, keep it, or confirm the order with it."""
    if order.status != OrderStatus.PREPARING:
        return _decided(request, order)
    if "withdraw" in request.POST:  # what is typed on the sheet is saved
        proposal, history = id_in(request.POST["withdraw"]), Text("Proposal taken back")
        ids = [] if proposal is None else [proposal]
        run_action(request, order, history, withdraw, order_id=order.pk, proposal_ids=ids)
        return redirect(request.path)
    if "discard" in request.POST:  # it begins with the lines as they were ordered
        revision, history = (
            id_in(request.POST.get("revision", "")) or 0,
            Text("Saved sheet discarded"),
        )
        run_action(
            request, order, history, save_draft, order_id=order.pk, revision=revision, sheet=None
        )
        return redirect(request.path)
    sheet = Sheet(order, request)
    if request.POST.get("save") == "meanwhile":
        return _save_meanwhile(sheet)
    names = {"propose": _propose, "save": _save}
    deed = next((act for name, act in names.items() if name in request.POST), _confirm)
    title = phrase("Confirm %(order)s", order=order)
    return _sheet(request, sheet, deed, title=title, here=_("Confirmation sheet"))


def correct(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the sheet of a confirmed order, count it through, or correct the order with it."""
    check_correctable(order)
    return _sheet(
        request,
        CorrectionSheet(order, request),
        _correct,
        title=phrase("Correct %(order)s", order=order),
        here=_("Correct the confirmation"),
        correcting=True,
    )


def _sheet(
    request: HttpRequest, sheet: Sheet, deed: Callable[..., HttpResponse | None], **context: Any
) -> HttpResponse | None:
    """Do something with a sheet that can be read; show it, counted through or with what is wrong
    with it.
    """
    order = sheet.order
    if request.method == "POST" and sheet.is_valid() and "count" not in request.POST:
        try:
            return deed(request, order, sheet)
        except PortalError as error:
            sheet.refuse(error)
            messages.error(request, f"{order}: {refusal_text(error)}")
    status = 409 if sheet.is_stale else 200
    context |= sheet.context()
    return page_below(request, "staff/confirm.html", order, status=status, **context)


def _correct(request: HttpRequest, order: Order, sheet: CorrectionSheet) -> None:
    @one_transaction
    def correct() -> None:
        note = sheet.confirm().events.filter(kind=OrderEvent.Kind.LINES).latest("id").note
        log_action(request, order, note)

    correct()
    text = phrase("%(order)s: Corrected, the buyer has a mail with the difference.", order=order)
    messages.success(request, text)


def _save_meanwhile(sheet: Sheet) -> JsonResponse:
    """Keep what is typed so far, as the page's script asks; answer with the revision, or why
    not.
    """
    if not sheet.is_valid():
        return JsonResponse({"fault": sheet.faults[0][1]})
    try:
        revision = sheet.save()
    except PortalError as error:
        return JsonResponse({"fault": refusal_text(error)})
    return JsonResponse({"revision": revision, "at": f"{timezone.localtime():%H:%M}"})


def _save(request: HttpRequest, order: Order, sheet: Sheet) -> HttpResponse | None:
    sheet.save()
    text = phrase("%(order)s: Sheet saved. Nothing is confirmed yet.", order=order)
    messages.success(request, text)
    if request.POST["save"] == "pack":
        return redirect("admin:orders_order_packing", order.pk)
    return None


def _confirm(request: HttpRequest, order: Order, sheet: Sheet) -> None:
    @one_transaction
    def confirm() -> Order:
        confirmed = sheet.confirm()
        log_action(request, order, confirmed_text(confirmed, was=order.real_total))
        return confirmed

    confirmed = confirm()
    text = phrase("%(order)s: Confirmed, the buyer has a mail with the amount to pay.", order=order)
    if confirmed.status == OrderStatus.PAID:
        text = phrase("%(order)s: Confirmed, nothing is due, so it is paid.", order=order)
    messages.success(request, text)


def _propose(request: HttpRequest, order: Order, sheet: Sheet) -> HttpResponse:
    @one_transaction
    def send() -> list[LineProposal]:
        proposals = sheet.propose()
        texts = [
            Text("%(sku)s: %(proposal)s", sku=one.line.sku, proposal=proposed(one))
            for one in proposals
        ]
        log_action(request, order, Text("Proposals sent: %(lines)s", lines=joined("; ", texts)))
        return proposals

    proposals = send()
    text = ngettext(
        "%(order)s: One proposal sent to %(name)s.",
        "%(order)s: %(count)s proposals sent to %(name)s.",
        len(proposals),
    )
    values = {"order": order, "count": len(proposals), "name": order.user.manager}
    messages.success(request, text % values)
    return redirect(request.path)


def _decided(request: HttpRequest, order: Order) -> HttpResponse:
    """Show the lines of a confirmed order as they were decided, read-only; what somebody sent who
    was too late stands beside them.
    """
    if not order.state.is_priced:
        raise StaffRefusal(_("only an order at Preparing is confirmed."))
    data = request.POST.dict() if request.method == "POST" else None
    lines = list(order.lines.select_related("product"))
    # By SKU and price: the part that is confirmed keeps the line's number.
    names = {str(line.pk): (line.sku, line.price) for line in lines}
    forms = LineFormSet(data, prefix="line") if data else ()
    decided = {names.get(_cell(form, "line_id")): form for form in forms}
    rows = []
    for row in line_rows(lines):
        form = decided.get((row.sku, row.price)) if row.ordered else None
        yours = {name: _cell(form, name) for name in ("confirmed", "comment")} if form else None
        differs = yours is not None and yours["confirmed"] != str(row.confirmed)
        rows.append({"line": row, "yours": yours, "differs": differs})
    late: Context | None = None
    if data:
        added = [
            f"{_cell(form, 'quantity') or '?'} × {_cell(form, 'sku')}"
            for form in AddedFormSet(data, prefix="added")
            if _cell(form, "sku")
        ]
        late = {"fee": data.get("shipping_fee", ""), "added": added}
    return page_below(
        request,
        "staff/confirmed.html",
        order,
        title=phrase("Confirmation of %(order)s", order=order),
        here=_("Confirmation sheet"),
        message=refusal_text(stale(order)) if data else "",
        status=409 if data else 200,
        rows=rows,
        money=money_of(order),
        yours=late,
    )


def products(request: HttpRequest, order: Order) -> HttpResponse:
    """Answer the products that are called like what was typed, of those that the order's buyer
    may see, at what the company pays now.
    """
    term = request.GET.get("q", "").strip().lower().replace("\0", "")[:80]
    if not term:
        raise Http404
    visible = Product.objects.filter(shown_to(order.company), products_with(term))
    products = list(visible.order_by("-is_running", "sku")[:HITS])
    pieces = available_pieces(order=order, product_ids=[product.pk for product in products])
    prices = prices_for(order.company, products, timezone.now())
    rows = [
        {
            "sku": product.sku,
            "ean": product.ean or "",
            "name": product.eng_name,
            "price": f"{prices[product.pk].price:.2f}",
            "available": pieces[product.pk],
            "weight_g": product.weight_g,
            "picture": picture_url(product, 100),
        }
        for product in products
    ]
    return JsonResponse({"products": rows})


def _cell(form: Any, name: str) -> str:
    """Return what was typed into a cell."""
    return (form[name].value() or "").strip()
