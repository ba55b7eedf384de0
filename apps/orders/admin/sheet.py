"""One order's confirmation sheet: its lines with their forms, the added lines, the fee, as they
were saved, or as they were sent.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.forms import BaseFormSet, Form
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from apps.catalog.admin.guarded import Sentence, Tick
from apps.catalog.selectors import prices_for
from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.staff import Context, staff_of
from apps.common.texts import phrase
from apps.common.types import Json
from apps.orders.admin.proposing import (
    PROPOSE,
    AddedFormSet,
    LineFormSet,
    ProposalFormSet,
    SheetForm,
    answers_card,
)
from apps.orders.models import ConfirmationDraft, LineProposal, Order, OrderLine
from apps.orders.rules import fee_guard, kilograms
from apps.orders.selectors.conversation import new_figures, waiting_text
from apps.orders.selectors.packing import packing_differences, products_by_code, proposed_fee
from apps.orders.services.confirm import (
    AddedLine,
    ConfirmationTotals,
    LineDecision,
    available_pieces,
    confirm_order,
    confirmation_preview,
    save_draft,
)
from apps.orders.services.lines import LineKey, line_key, unconfirmed_parts
from apps.orders.services.proposals import NewProposal, propose

CELLS = {
    "confirmed": gettext_lazy("confirmed"),
    "reason": gettext_lazy("reason"),
    "comment": gettext_lazy("comment"),
}
SUBSTITUTE = f"{PROPOSE}{LineProposal.Kind.SUBSTITUTE}"
# The cells of the row below a line, by the fields of its proposal that they hold.
IN_ROW = {
    "expected_on": "expected_on",
    "product_id": "sku",
    "price": "price",
    "reason": "why",
    "unanswered": "unanswered",
}


class Sheet:
    """What the page shows and what a service is given."""

    form_class = SheetForm

    def __init__(self, order: Order, request: HttpRequest) -> None:
        self.order, self.request = order, request
        self.proposals: list[LineProposal] = []
        self.draft: ConfirmationDraft | None = None
        self.aside: dict[LineKey, OrderLine] = {}
        self.lines = self._load()
        self.open = {
            one.line_id: one for one in self.proposals if one.state == LineProposal.State.OPEN
        }
        self.available = available_pieces(
            order=order, product_ids=[line.product_id for line in self.lines]
        )
        self.fee = proposed_fee(order)
        self.tick: Tick | None = None
        self.faults: list[tuple[str, str]] = []
        self.readable = self.is_stale = False
        self._fill(request.POST if request.method == "POST" else None)

    def _load(self) -> list[OrderLine]:
        """Return the lines to decide; read what is known of them."""
        every = list(self.order.lines.select_related("product"))
        self.aside = unconfirmed_parts(every)
        proposals = self.order.proposals.select_related(
            "line__product", "product", "proposed_by", "decided_by"
        )
        self.proposals = sorted(  # the open ones first
            proposals, key=lambda one: (one.state != LineProposal.State.OPEN, one.pk)
        )
        drafts = ConfirmationDraft.objects.select_related("saved_by")
        self.draft = drafts.filter(order=self.order).first()
        return [line for line in every if line.is_confirmed]

    def _fill(self, data: Mapping[str, Any] | None) -> None:
        """Fill the forms: from the request, else from the saved draft."""
        saved = self.draft.sheet if self.draft else None
        initial = {
            "version": self.order.version,
            "revision": self.draft.revision if self.draft else 0,
            "shipping_fee": self._fee(),
            "days": saved["days"] if saved else None,
        }
        self.form = self.form_class(data, initial=initial)
        lines = [self._cells(line) for line in self.lines]
        self.decisions: BaseFormSet = LineFormSet(data, initial=lines, prefix="line")
        for line, form in zip(self.lines, self.decisions, strict=False):
            outside = phrase("From 0 to %(most)s.", most=line.quantity)
            errors = form.fields["confirmed"].error_messages
            errors |= {"min_value": outside, "max_value": outside}
        added = self._added() if data is None else None
        self.added: BaseFormSet = AddedFormSet(data, initial=added, prefix="added")
        for form in (*self.decisions, *self.added):
            form.empty_permitted = False  # what is as it was saved is meant as much
        data_of_proposals = data if data is not None and "proposal-TOTAL_FORMS" in data else None
        saved_rows = saved["proposals"] if saved and data is None else None
        self.proposed: BaseFormSet = ProposalFormSet(
            data_of_proposals, initial=saved_rows, prefix="proposal"
        )

    def _refill(self) -> None:
        """Fill the forms with what was sent, on the order and its lines as they are now."""
        sent = {str(form["line_id"].value()): form for form in self.decisions}
        data = {
            **self.request.POST.dict(),
            "version": self.order.version,
            "revision": self.draft.revision if self.draft else 0,
            "line-TOTAL_FORMS": len(self.lines),
        }
        for place, line in enumerate(self.lines):
            cells = self._cells(line)
            if line.pk not in self.open and (form := sent.get(str(line.pk))):
                cells |= {name: form[name].value() for name in CELLS}
            data |= {f"line-{place}-{name}": value for name, value in cells.items()}
        self._fill(data)

    def _fee(self) -> Any:
        """Return the fee that was saved, else the proposed one."""
        saved = self.draft.sheet["shipping_fee"] if self.draft else None
        return saved or (self.fee.amount if self.fee else None)

    def _added(self) -> list[Json]:
        return list(self.draft.sheet["added"]) if self.draft else []

    def _cells(self, line: OrderLine) -> Json:
        """Return what stands in a line: what was saved of it, as long as the line is the same."""
        draft_line = self.draft.sheet["lines"].get(str(line.pk)) if self.draft else None
        if not draft_line or draft_line["ordered"] != line.quantity or line.pk in self.open:
            return {"line_id": line.pk, "confirmed": line.quantity, "comment": line.comment}
        reason = (
            f"{PROPOSE}{draft_line['proposal']}" if draft_line["proposal"] else draft_line["reason"]
        )
        names = ("confirmed", "comment")
        return {"line_id": line.pk, "reason": reason, **{name: draft_line[name] for name in names}}

    def is_valid(self) -> bool:
        """Return whether every cell can be read; if not, say which cannot. To confirm, an unusual
        fee is asked about once.
        """
        if [str(form["line_id"].value()) for form in self.decisions] != [
            str(line.pk) for line in self.lines
        ]:
            self._refill()
            text = _("The lines have changed. This is the sheet as it is now, with what you typed.")
            self.faults = [("", text)]
            return False
        deeds = {"propose", "save", "count"}.intersection(self.request.POST)
        if deeds and not self.form["shipping_fee"].value():
            self.form.fields["shipping_fee"].required = False
        readable = all(
            [
                self.form.is_valid(),
                self.decisions.is_valid(),
                self.added.is_valid(),
                not self.proposed.is_bound or self.proposed.is_valid(),
            ]
        )
        if readable:
            self._find_products()
            if not deeds:
                self._check_deed()
        self._collect_faults()
        self.readable = readable and not self.faults
        return self.readable

    def _find_products(self) -> None:
        rows = [*self._proposal_rows().values(), *(form.cleaned_data for form in self._extra())]
        self.products = products_by_code({row["sku"].upper() for row in rows if row.get("sku")})
        self.prices = prices_for(self.order.company, self.products.values(), timezone.now())
        for form in self._extra():
            form.product = self.products.get(form.cleaned_data["sku"].upper())
            if form.product is None:
                form.add_error("sku", _("There is no product with this SKU or EAN."))
            elif form.cleaned_data["price"] is None:
                form.cleaned_data["price"] = self.prices[form.product.pk].price

    def _check_deed(self) -> None:
        """Refuse to confirm what shall be proposed first; ask about an unusual fee."""
        for form in self._to_propose():
            form.add_error("reason", _("Send this proposal first, or take it off."))
        if not any(form.errors for form in (*self.decisions, *self.added)):
            self.readable = True
            totals = self.totals()
            text = fee_guard(shipping_fee=totals.shipping_fee, goods=totals.real_total)
            sentences = [Sentence(self.form, "shipping_fee", text)] if text else []
            self.tick = Tick.of(sentences, self.request.POST)

    def _to_propose(self) -> list[Any]:
        """Return the lines' forms on which staff chose to propose something."""
        forms: Any = self.decisions
        return [form for form in forms if str(form["reason"].value() or "").startswith(PROPOSE)]

    def _proposal_rows(self) -> dict[int, Json]:
        """Return what stands in the rows of proposals that were sent, by their lines."""
        rows = [form.cleaned_data for form in self.proposed if self.proposed.is_bound]
        return {row["line_id"]: row for row in rows if row}

    def _extra(self) -> list[Any]:
        forms: Any = self.added if self.added.is_bound else ()
        return [form for form in forms if not form.errors and form.cleaned_data.get("sku")]

    def _collect_faults(self) -> None:
        self.faults += [
            ("", str(text))
            for rows in (self.decisions, self.added)
            for text in rows.non_form_errors()
        ]
        skus = {str(line.pk): line.sku for line in self.lines}
        forms: list[tuple[str, Form]] = [
            (phrase("Proposal, %(sku)s", sku=skus.get(str(form["line_id"].value()), "")), form)
            for form in self.proposed
        ]
        forms.append(("", self.form))  # each of its fields has its own name
        forms += [(line.sku, form) for line, form in zip(self.lines, self.decisions, strict=True)]
        forms += [
            (phrase("Added line %(number)s", number=place), form)
            for place, form in enumerate(self.added, 1)
        ]
        for name, form in forms:
            for field, texts in form.errors.items():
                target = form[field].id_for_label if field in form.fields else ""
                label = name or form[field].label
                self.faults += [(target, f"{label}: {text}") for text in texts]

    def line_decisions(self) -> list[LineDecision]:
        """Return what was decided of each ordered line."""
        return [LineDecision(**form.cleaned_data) for form in self.decisions]

    def extra(self) -> list[AddedLine]:
        """Return the lines that staff add."""
        return [AddedLine(product_id=form.product.pk, **form.rest()) for form in self._extra()]

    def propose(self) -> list[LineProposal]:
        """Send the proposals of this sheet, and save the rest of it: pieces and words stand in the
        line, the rest in its row.

        Raises:
            PortalError: whatever `propose` and `save_draft` refuse.
        """
        rows = self._proposal_rows()
        terms = []
        for form in self._to_propose():
            line = form.cleaned_data
            row = rows.get(line["line_id"], {})
            kind = line["reason"].removeprefix(PROPOSE)
            product = self.products.get((row.get("sku") or "").upper())
            is_other = kind == LineProposal.Kind.SUBSTITUTE
            price = row.get("price")
            if is_other and product is not None and price is None:
                price = self.prices[product.pk].price
            terms.append(
                NewProposal(
                    line_id=line["line_id"],
                    kind=kind,
                    pieces=(row.get("pieces") or 0) if is_other else line["confirmed"],
                    unanswered=row.get("unanswered") or LineProposal.Answer.DECLINE,
                    price=price,
                    product_id=product.pk if product else None,
                    expected_on=row.get("expected_on"),
                    reason=row.get("why") or "",
                    comment=line["comment"],
                )
            )
        proposals = propose(
            order_id=self.order.pk,
            version=self.form.cleaned_data["version"],
            proposals=terms,
            days=self.form.cleaned_data["days"],
            actor=staff_of(self.request),
            now=timezone.now(),
        )
        self.save(without={one.line_id for one in terms})
        return proposals

    def save(self, *, without: set[int] | None = None) -> int:
        """Keep this sheet for all staff, `without` some lines; return its revision.

        Raises:
            PortalError: whatever `save_draft` refuses.
        """
        lines: dict[str, Any] = {}
        for line, decision in zip(self.lines, self.line_decisions(), strict=True):
            if line.pk in (without or ()):
                continue
            is_proposal = decision.reason.startswith(PROPOSE)
            lines[str(line.pk)] = {
                "ordered": line.quantity,
                "confirmed": decision.confirmed,
                "reason": "" if is_proposal else decision.reason,
                "proposal": decision.reason.removeprefix(PROPOSE) if is_proposal else "",
                "comment": decision.comment,
            }
        fee = self.form.cleaned_data["shipping_fee"]
        sheet = {
            "lines": lines,
            "added": [
                {**form.rest(), "sku": form.product.sku, "price": str(form.cleaned_data["price"])}
                for form in self._extra()
            ],
            "proposals": [
                {name: form[name].value() or "" for name in form.fields}
                for form in self.proposed
                if self.proposed.is_bound and str(form.cleaned_data.get("line_id")) in lines
            ],
            "days": self.form.cleaned_data["days"],
            "shipping_fee": "" if fee is None else f"{fee:.2f}",
        }
        return save_draft(
            order_id=self.order.pk,
            revision=self.form.cleaned_data["revision"],
            sheet=sheet,
            actor=staff_of(self.request),
            now=timezone.now(),
        )

    def confirm(self) -> Order:
        """Confirm the order with this sheet.

        Raises:
            PortalError: whatever `confirm_order` refuses.
        """
        return confirm_order(
            draft_revision=self.form.cleaned_data["revision"], **self.service_arguments()
        )

    def service_arguments(self) -> dict[str, Any]:
        """Return what the services that confirm an order and correct it take."""
        return {
            "order_id": self.order.pk,
            "version": self.form.cleaned_data["version"],
            "decisions": self.line_decisions(),
            "added": self.extra(),
            "shipping_fee": self.form.cleaned_data["shipping_fee"],
            "actor": staff_of(self.request),
            "now": timezone.now(),
        }

    def refuse(self, error: PortalError) -> None:
        """Set each fault of a refusal at its cell."""
        self.readable = False
        if "version" in (error.errors or {}):
            # Once staff know who was quicker, what is sent next is meant for the order as it is
            # now.
            self._refill()
            self.faults = []
            self.is_stale = True
            return
        cells = self._cells_at_fault()
        for name, texts in (error.errors or {}).items():
            for text in texts:
                target = ""
                if name in cells:
                    form, field = cells[name]
                    form.add_error(field, text)
                    target = form[field].id_for_label
                self.faults.append((target, text))

    def _cells_at_fault(self) -> dict[str, tuple[Form, str]]:
        """Return the form and field of each cell that a refusal may name."""
        cells: dict[str, tuple[Form, str]] = {}
        rows = {str(row["line_id"].value()): row for row in self.proposed}
        for line, form in zip(self.lines, self.decisions, strict=True):
            name, row = f"line-{line.pk}", rows.get(str(line.pk))
            cells[name] = cells[f"{name}-pieces"] = form, "confirmed"
            cells[f"{name}-kind"] = form, "reason"
            for field, cell in IN_ROW.items():
                cells[f"{name}-{field}"] = (row, cell) if row else (form, "reason")
            if row and form["reason"].value() == SUBSTITUTE:
                cells[f"{name}-pieces"] = row, "pieces"
                if product := self.products.get((row["sku"].value() or "").upper()):
                    cells[product.sku] = row, "pieces"
        for place, form in enumerate(self._extra(), 1):
            cells[f"added-{place}"] = cells[form.product.sku] = form, "sku"
        return cells

    def conflicts(self) -> list[dict[str, str]]:
        """Return where a sheet that came too late differs from the saved one: what, saved, sent."""
        if self.draft is None:
            return []
        rows = [
            {
                "what": f"{line.product.eng_name}, {CELLS[name]}",
                "saved": form.initial.get(name, ""),
                "sent": form[name].value(),
            }
            for line, form in zip(self.lines, self.decisions, strict=True)
            for name in form.changed_data
        ]
        if "shipping_fee" in self.form.changed_data:
            saved, typed = self.form.initial["shipping_fee"], self.form["shipping_fee"].value()
            rows.append({"what": _("Shipping fee"), "saved": saved, "sent": typed})
        added = [(line["quantity"], line["sku"]) for line in self.draft.sheet["added"]]
        cells = [(form["quantity"].value(), form["sku"].value()) for form in self.added]
        before, after = (
            ", ".join(f"{pieces} × {sku}" for pieces, sku in lines if sku)
            for lines in (added, cells)
        )
        if before != after.upper():
            rows.append({"what": _("Added lines"), "saved": before, "sent": after})
        return rows

    def totals(self) -> ConfirmationTotals:
        """Return the figures: of what was sent where it can be read, else of what was saved."""
        weights = {form.product.pk: form.product.weight_g for form in self._extra() if form.product}
        if self.readable:
            decisions, added = self.line_decisions(), self.extra()
            fee = self.form.cleaned_data["shipping_fee"]
        else:
            cells = [self._cells(line) for line in self.lines]
            decisions = [LineDecision(row["line_id"], row["confirmed"]) for row in cells]
            added, fee = [], self.form["shipping_fee"].initial
        return confirmation_preview(
            order=self.order,
            lines=self.lines,
            decisions=decisions,
            added=added,
            shipping_fee=Decimal(fee or ZERO),
            weights_g=weights,
        )

    def context(self) -> Context:
        """Return what the page shows."""
        totals = self.totals()
        is_packed = self.order.packing_status == Order.Packing.COMPLETE
        measured = self.order.measured_weight_g
        rows = [self._row(*pair) for pair in zip(self.lines, self.decisions, strict=True)]
        return {
            "form": self.form,
            "decisions": self.decisions,
            "added": self.added,
            "rows": rows,
            "lacks": any(row["lacks"] for row in rows),
            "faults": self.faults,
            "tick": self.tick,
            "draft": self.draft,
            "conflicts": self.conflicts() if self.is_stale and self.draft else None,
            "totals": totals,
            "final": totals.real_total + totals.shipping_fee,
            "balance": totals.balance_due - totals.overpayment,
            "weight": kilograms(totals.weight_g),
            "measured": kilograms(measured) if measured else None,
            "fee": self.fee,
            "differences": packing_differences(self.order) if is_packed else [],
            "stock_free": self.order.user.stock_free,
            "proposed": self.proposed,
            "blocked": waiting_text(list(self.open.values())) if self.open else "",
            "if_accepted": self._goods(LineProposal.Answer.ACCEPT),
            "if_declined": self._goods(LineProposal.Answer.DECLINE),
            **answers_card(self.proposals, now=timezone.now()),
        }

    def _goods(self, answer: str) -> Decimal:
        """Return what the products cost if every open proposal is answered so, in US dollars."""
        answered = [(one, answer) for one in self.open.values()]
        return Decimal(new_figures(self.order, answered)["new_total"])

    def _row(self, line: OrderLine, form: Any) -> Context:
        """Return a line as it is shown: what was ordered counts what an answer has taken off."""
        available, part = self.available[line.product_id], self.aside.get(line_key(line))
        split_pieces = part.quantity if part and part.is_ordered == line.is_ordered else 0
        return {
            "line": line,
            "form": form,
            "ordered": line.quantity + split_pieces,
            "taken": split_pieces,
            "available": available,
            "lacks": available < line.quantity,
            "open": self.open.get(line.pk),
            "proposal": next(
                (row for row in self.proposed if str(row["line_id"].value()) == str(line.pk)), None
            ),
        }
