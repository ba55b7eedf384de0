"""The confirmation sheet: every line decided on one page, saved in one transaction by
`confirm_order`.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import BaseFormSet, Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils import timezone

from apps.catalog.admin.pictures import picture_url
from apps.catalog.models import Product
from apps.catalog.selectors import products_with, shown_to
from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.staff import log_action, refusal_text, run_action, staff_of
from apps.orders.admin.base import order_or_404, page_below, page_of
from apps.orders.admin.confirmed import confirmed_sheet
from apps.orders.admin.forms import AddedFormSet, LineFormSet, MoreTimeForm, SheetForm
from apps.orders.admin.proposing import Proposing, answers_card, proposals_with_lines
from apps.orders.models import LineProposal, Order, OrderLine
from apps.orders.proposal_rules import proposed_text
from apps.orders.rules import kilograms
from apps.orders.selectors.proposals import new_figures, waiting_text
from apps.orders.services import give_more_time, propose, withdraw
from apps.orders.services.confirm import (
    AddedLine,
    ConfirmationTotals,
    LineDecision,
    available_pieces,
    confirm_order,
    confirmation_preview,
    confirmed_text,
    stale,
)
from apps.orders.status import OrderStatus

HITS = 12


def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sheet, count it through, or confirm the order with it."""
    order = order_or_404(pk)
    if order.status != OrderStatus.PREPARING:
        return _decided(request, order)
    for name, act in (("withdraw", _withdraw), ("more_time", _give_more_time)):
        if name in request.POST:
            return act(request, order)
    sheet = Sheet(order, request)
    if request.method == "POST" and sheet.is_valid() and "count" not in request.POST:
        deed = _propose if "propose" in request.POST else _confirm
        try:
            return deed(request, order, sheet)
        except PortalError as error:
            sheet.refuse(error)
            messages.error(request, f"{order}: {refusal_text(error)}")
    return page_below(
        request,
        "staff/confirm.html",
        order,
        title=f"Confirm {order.invoice_code}",
        here="Confirmation sheet",
        bar=True,
        status=409 if sheet.is_stale else 200,
        **sheet.context(),
    )


def _confirm(request: HttpRequest, order: Order, sheet: "Sheet") -> HttpResponse:
    @one_transaction
    def confirm() -> Order:
        confirmed = sheet.save()
        log_action(request, order, confirmed_text(confirmed, was=order.real_total))
        return confirmed

    confirmed = confirm()
    is_paid = confirmed.status == OrderStatus.PAID
    outcome = (
        "nothing is due, so it is paid"
        if is_paid
        else "the buyer has a mail with the amount to pay"
    )
    messages.success(request, f"{order}: Confirmed, {outcome}.")
    return HttpResponseRedirect(page_of(order))


def _propose(request: HttpRequest, order: Order, sheet: "Sheet") -> HttpResponse:
    @one_transaction
    def send() -> list[LineProposal]:
        made = sheet.propose()
        words = "; ".join(f"{one.line.sku}: {proposed_text(one)}" for one in made)
        log_action(request, order, f"Proposals sent: {words}")
        return made

    made = send()
    number = "One proposal" if len(made) == 1 else f"{len(made)} proposals"
    messages.success(request, f"{order}: {number} sent to {order.user.manager}.")
    return HttpResponseRedirect(request.path)


def _withdraw(request: HttpRequest, order: Order) -> HttpResponse:
    """Take one open proposal back; what is typed on the sheet stays in the browser."""
    proposal = request.POST["withdraw"]
    actor, now = staff_of(request), timezone.now()
    ids = (
        [int(proposal)]
        if proposal.isascii() and proposal.isdecimal() and len(proposal) < 19
        else []
    )
    run_action(
        request,
        order,
        "Proposal taken back",
        lambda: withdraw(order_id=order.pk, proposal_ids=ids, actor=actor, now=now),
    )
    return HttpResponseRedirect(request.path)


def _give_more_time(request: HttpRequest, order: Order) -> HttpResponse:
    """Move the answer's date of what is open; what is typed on the sheet stays in
    the browser.
    """
    form, now = MoreTimeForm(request.POST), timezone.now()
    until = form.cleaned_data["until"] if form.is_valid() else date.min
    act = partial(give_more_time, order_id=order.pk, until=until, actor=staff_of(request), now=now)
    run_action(request, order, "More time to answer", act)
    return HttpResponseRedirect(request.path)


def _decided(request: HttpRequest, order: Order) -> HttpResponse:
    """Show the sheet of a confirmed order read-only; what was sent too late stands beside what
    was confirmed.
    """
    if not OrderStatus(order.status).is_priced:
        messages.warning(request, f"{order}: only an order at Preparing is confirmed.")
        return HttpResponseRedirect(page_of(order))
    sent = request.POST.dict() if request.method == "POST" else None
    return page_below(
        request,
        "staff/confirmed.html",
        order,
        title=f"Confirmation of {order.invoice_code}",
        here="Confirmation sheet",
        message=refusal_text(stale(order)) if sent else "",
        status=409 if sent else 200,
        **confirmed_sheet(order, sent),
    )


def products(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the products that are called like what was typed, of those that the order's buyer
    may see.
    """
    order = order_or_404(pk)
    term = request.GET.get("q", "").strip().lower().replace("\0", "")[:80]
    if not term:
        raise Http404
    shown = Product.objects.filter(shown_to(order.company), products_with(term))
    found = list(shown.order_by("-is_running", "sku")[:HITS])
    pieces = available_pieces(order=order, product_ids=[product.pk for product in found])
    rows = [
        {
            "sku": product.sku,
            "name": product.eng_name,
            "price": str(product.usd_supply),
            "available": pieces[product.pk],
            "weight_g": product.weight_g,
            "picture": picture_url(product, 100) if product.image else "",
        }
        for product in found
    ]
    return JsonResponse({"products": rows})


class Sheet:
    """One order's sheet: its lines with their forms, the added lines, the fee."""

    def __init__(self, order: Order, request: HttpRequest) -> None:
        self.order, self.request = order, request
        self.lines = list(order.lines.filter(is_confirmed=True).select_related("product"))
        self.proposals = proposals_with_lines(order)
        self.open = {
            one.line_id: one for one in self.proposals if one.state == LineProposal.State.OPEN
        }
        self.available = available_pieces(
            order=order, product_ids=[line.product_id for line in self.lines]
        )
        self.faults: list[tuple[str, str]] = []
        self.products: dict[str, Product] = {}
        self.readable = self.is_stale = False
        self._fill(request.POST if request.method == "POST" else None)

    def _fill(self, data: Mapping[str, Any] | None) -> None:
        fee = self.order.shipping_fee or None
        self.form = SheetForm(data, initial={"version": self.order.version, "shipping_fee": fee})
        initial = [
            {"line_id": line.pk, "confirmed": line.quantity, "comment": line.comment}
            for line in self.lines
        ]
        self.decisions: BaseFormSet = LineFormSet(data, initial=initial, prefix="line")
        self.added: BaseFormSet = AddedFormSet(data, prefix="added")
        self.proposing = Proposing(data)

    def is_valid(self) -> bool:
        """Return whether every cell can be read; if not, say which cannot."""
        if [str(form["line_id"].value()) for form in self.decisions] != [
            str(line.pk) for line in self.lines
        ]:
            self._fill(None)
            messages.error(
                self.request,
                f"{self.order}: the lines have changed. This is the sheet as it is now.",
            )
            return False
        is_proposing = "propose" in self.request.POST
        if is_proposing and not self.form["shipping_fee"].value():
            self.form.fields["shipping_fee"].required = False
        readable = all(
            [
                self.form.is_valid(),
                self.decisions.is_valid(),
                self.added.is_valid(),
                self.proposing.is_valid(),
            ]
        )
        if readable:
            self._find_products()
            self._check_kinds(is_proposing=is_proposing)
        self._collect_faults()
        self.readable = readable and not self.faults
        return self.readable

    def _find_products(self) -> None:
        skus = {form.cleaned_data["sku"].upper() for form in self._extra()}
        self.products = {product.sku: product for product in Product.objects.filter(sku__in=skus)}
        for form in self._extra():
            product = self.products.get(form.cleaned_data["sku"].upper())
            if product is None:
                form.add_error("sku", "There is no product with this SKU.")
            elif form.cleaned_data["price"] is None:
                form.cleaned_data["price"] = product.usd_supply

    def _check_kinds(self, *, is_proposing: bool) -> None:
        """Refuse to confirm what shall be proposed first."""
        if is_proposing or "count" in self.request.POST:
            return
        for form in self.proposing.chosen(self.decisions):
            form.add_error("reason", "Send this proposal first, or take it off.")

    def _extra(self) -> list[Any]:
        return [form for form in self.added if form.is_given]

    def _collect_faults(self) -> None:
        forms: list[tuple[str, Form]] = [("Shipping fee", self.form)]
        forms += [(line.sku, form) for line, form in zip(self.lines, self.decisions, strict=True)]
        forms += [(f"Added line {place}", form) for place, form in enumerate(self.added, 1)]
        self.faults += self.proposing.faults()
        self.faults += [
            ("", str(text))
            for rows in (self.decisions, self.added)
            for text in rows.non_form_errors()
        ]
        for name, form in forms:
            for field, texts in form.errors.items():
                target = form[field].id_for_label if field in form.fields else ""
                self.faults += [(target, f"{name}: {text}") for text in texts]

    def chosen(self) -> list[LineDecision]:
        """Return what was decided of each ordered line."""
        return [LineDecision(**form.cleaned_data) for form in self.decisions]

    def propose(self) -> list[LineProposal]:
        """Send the proposals of this sheet.

        Raises:
            PortalError: whatever `propose` refuses.
        """
        return propose(
            order_id=self.order.pk,
            version=self.form.cleaned_data["version"],
            proposals=self.proposing.given(self.decisions),
            days=self.proposing.days,
            actor=staff_of(self.request),
            now=timezone.now(),
        )

    def extra(self) -> list[AddedLine]:
        """Return the lines that staff add."""
        return [
            AddedLine(
                product_id=self.products[form.cleaned_data["sku"].upper()].pk,
                **{
                    name: form.cleaned_data[name]
                    for name in ("quantity", "price", "reason", "comment")
                },
            )
            for form in self._extra()
        ]

    def save(self) -> Order:
        """Confirm the order with this sheet.

        Raises:
            PortalError: whatever `confirm_order` refuses.
        """
        return confirm_order(
            order_id=self.order.pk,
            version=self.form.cleaned_data["version"],
            decisions=self.chosen(),
            added=self.extra(),
            shipping_fee=self.form.cleaned_data["shipping_fee"],
            actor=staff_of(self.request),
            now=timezone.now(),
        )

    def refuse(self, error: PortalError) -> None:
        """Set each fault of a refusal at its cell."""
        self.readable = False
        if "version" in (error.errors or {}):
            # Once staff know who was quicker, what is sent next is meant for the order as it is
            # now.
            self._fill({**self.request.POST.dict(), "version": self.order.version})
            self.faults = []
            self.is_stale = True
            return
        forms = self._forms_by_cell()
        for name, texts in (error.errors or {}).items():
            for text in texts:
                self.faults.append((self._mark(forms.get(name), text), text))

    def _forms_by_cell(self) -> dict[str, Form]:
        """Return the forms of the lines by the names that a refusal has for them."""
        forms = {
            f"line-{line.pk}": form for line, form in zip(self.lines, self.decisions, strict=True)
        }
        for place, form in enumerate(self._extra(), 1):
            forms[f"added-{place}"] = forms[form.cleaned_data["sku"].upper()] = form
        return forms

    def _mark(self, form: Form | None, text: str) -> str:
        """Set a fault at the line's first field and return its id; nothing where no
        line is meant.
        """
        if form is None:
            return ""
        field = "confirmed" if "confirmed" in form.fields else "sku"
        form.add_error(field, text)
        return form[field].id_for_label

    def totals(self) -> ConfirmationTotals:
        """Return the figures: of what was sent where it can be read, else of the order as it
        stands.
        """
        weights = {product.pk: product.weight_g for product in self.products.values()}
        return confirmation_preview(
            order=self.order,
            lines=self.lines,
            decisions=self.chosen() if self.readable else [],
            added=self.extra() if self.readable else [],
            shipping_fee=self.form.cleaned_data["shipping_fee"] or ZERO if self.readable else ZERO,
            weights_g=weights,
        )

    def context(self) -> dict[str, Any]:
        """Return what the page shows."""
        totals = self.totals()
        return {
            "form": self.form,
            "decisions": self.decisions,
            "added": self.added,
            "rows": [
                _row(line, form, self.available[line.product_id]) | self._proposed(line)
                for line, form in zip(self.lines, self.decisions, strict=True)
            ],
            "faults": self.faults,
            "totals": totals,
            "final": totals.real_total + totals.shipping_fee,
            "balance": totals.balance_due - totals.overpayment,
            "weight": kilograms(totals.weight_g),
            "stock_free": self.order.user.stock_free,
            "proposing": self.proposing,
            "blocked": waiting_text(list(self.open.values())) if self.open else "",
            "if_accepted": self._goods(LineProposal.Answer.ACCEPT),
            "if_declined": self._goods(LineProposal.Answer.DECLINE),
            **answers_card(self.proposals, now=timezone.now()),
        }

    def _goods(self, answer: str) -> Decimal:
        """Return what the products cost if every open proposal is answered so, in US dollars."""
        total: Decimal = new_figures(self.order, [(one, answer) for one in self.open.values()])[
            "new_total"
        ]
        return total

    def _proposed(self, line: OrderLine) -> dict[str, Any]:
        return {"open": self.open.get(line.pk), "proposal": self.proposing.row_of(line)}


def _row(line: OrderLine, form: Any, available: int) -> dict[str, Any]:
    return {"line": line, "form": form, "available": available, "lacks": available < line.quantity}
