"""The forms of the confirmation sheet, and its proposals: what staff fill in for a line, and what
came of what was proposed before.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BaseFormSet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from apps.accounts.models import Company
from apps.catalog.models import Product
from apps.catalog.rules import Price
from apps.catalog.selectors import prices_for
from apps.common.business_days import business_days_between
from apps.common.printed import check_printed
from apps.common.promises import Promise, term_of
from apps.common.types import Json
from apps.orders.models import DraftSheet, LineProposal, Order, OrderLine
from apps.orders.proposal_rules import (
    MOST_DAYS,
    deadline_text,
    pieces_of,
    proposed,
    silence,
)
from apps.orders.selectors.packing import products_by_code
from apps.orders.services.proposals import NewProposal

MAX_PIECES = 1_000_000
MAX_ADDED = 50
Reason = OrderLine.Reason
PROPOSE = "propose:"  # before the kind of a proposal, where a line's reason would stand
MAX_PROPOSALS = 500
DECISIONS = [
    (choice.value, choice.label) for choice in (Reason.NONE, Reason.SHORT, Reason.DISCONTINUED)
]
PROPOSALS = [(f"{PROPOSE}{value}", label) for value, label in LineProposal.Kind.choices]


class LineForm(forms.Form):
    """The decision about one ordered line."""

    line_id = forms.IntegerField(widget=forms.HiddenInput)
    confirmed = forms.IntegerField(
        min_value=0,
        max_value=MAX_PIECES,
        error_messages={"required": gettext_lazy("How many pieces?")},
    )
    proposals = gettext_lazy("Propose to the buyer")
    reason = forms.ChoiceField(required=False, choices=[*DECISIONS, (proposals, PROPOSALS)])
    comment = forms.CharField(required=False, max_length=300, validators=[check_printed])


class AddedForm(forms.Form):
    """A line that staff add: a substitute at a price, or a free offer."""

    sku = forms.CharField(max_length=40, required=False)
    quantity = forms.IntegerField(min_value=1, max_value=MAX_PIECES, required=False)
    reason = forms.ChoiceField(
        required=False,
        choices=[(choice.value, choice.label) for choice in (Reason.FREE_OFFER, Reason.SUBSTITUTE)],
    )
    comment = forms.CharField(required=False, max_length=300, validators=[check_printed])
    price = forms.DecimalField(max_digits=12, decimal_places=2, min_value=0, required=False)
    product: Product | None = None  # that its SKU names, once it was looked up

    def clean(self) -> dict[str, Any]:
        """Refuse half a line; a free offer costs nothing."""
        fields = super().clean() or {}
        sku, quantity = fields.get("sku"), fields.get("quantity")
        if sku and not quantity and "quantity" not in self.errors:
            self.add_error("quantity", _("How many pieces?"))
        if quantity and not sku and "sku" not in self.errors:
            self.add_error("sku", _("Which product?"))
        if fields.get("reason") != Reason.SUBSTITUTE:
            if fields.get("price"):
                self.add_error("price", _("A free offer costs nothing."))
            fields["reason"], fields["price"] = Reason.FREE_OFFER.value, Decimal("0.00")
        return fields

    @property
    def is_given(self) -> bool:
        """Return whether the row holds a line."""
        return bool(self.is_bound and not self.errors and self.cleaned_data.get("sku"))

    def rest(self) -> dict[str, Any]:
        """Return what the row says beside its product."""
        return {name: value for name, value in self.cleaned_data.items() if name != "sku"}


class ProposalForm(forms.Form):
    """What a proposal needs beside its line's pieces and comment; each kind has its own fields."""

    line_id = forms.IntegerField(widget=forms.HiddenInput)
    expected_on = forms.DateField(required=False)
    sku = forms.CharField(max_length=40, required=False)
    pieces = forms.IntegerField(min_value=1, max_value=MAX_PIECES, required=False)
    price = forms.DecimalField(max_digits=12, decimal_places=2, min_value=0, required=False)
    why = forms.ChoiceField(required=False, choices=LineProposal.Reason.choices)
    unanswered = forms.ChoiceField(
        required=False,
        choices=[
            ("decline", gettext_lazy("the line is dropped")),
            ("accept", gettext_lazy("it is accepted")),
        ],
    )


class ProposalSheetForm(forms.Form):
    """In how many business days the buyer shall answer."""

    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, required=False)

    @property
    def usual(self) -> int:
        """Return the usual number of days."""
        return term_of(Promise.ANSWER).days


class SheetForm(forms.Form):
    """What the whole sheet holds: the version of the order and the revision of the saved sheet that
    it was opened at, and the shipping fee.
    """

    version = forms.IntegerField(widget=forms.HiddenInput)
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    shipping_fee = forms.DecimalField(
        label=gettext_lazy("Shipping fee"),
        max_digits=12,
        decimal_places=2,
        min_value=0,
        error_messages={"required": gettext_lazy("Set the shipping fee.")},
    )


class CorrectionForm(SheetForm):
    """What a correction of a confirmation says beside its lines and the fee: why."""

    why = forms.CharField(
        label=gettext_lazy("Reason for the buyer and the history"),
        max_length=300,
        error_messages={"required": gettext_lazy("Give a reason; the buyer reads it.")},
    )


LineFormSet = forms.formset_factory(LineForm, extra=0, max_num=5000, absolute_max=5000)
AddedFormSet = forms.formset_factory(AddedForm, extra=1, max_num=MAX_ADDED, absolute_max=MAX_ADDED)
ProposalFormSet = forms.formset_factory(
    ProposalForm, extra=0, max_num=MAX_PROPOSALS, absolute_max=MAX_PROPOSALS
)


State = LineProposal.State
TONES = {
    State.OPEN: "info",
    State.ACCEPTED: "ok",
    State.DECLINED: "bad",
    State.EXPIRED: "warn",
    State.WITHDRAWN: "",
}

# What the pieces of a proposal became.
WENT = {
    "confirmed": gettext_lazy("confirmed"),
    "declined": gettext_lazy("declined"),
    "replaced": gettext_lazy("replaced"),
    "later": gettext_lazy("later"),
    "expired": gettext_lazy("expired"),
    "open": gettext_lazy("open"),
}


class Proposing:
    """The proposals that a sheet holds: rows below their lines, each named by the line's number."""

    def __init__(
        self, company: Company, data: Mapping[str, Any] | None, saved: DraftSheet | None
    ) -> None:
        self.company = company
        given = data if data is not None and "proposal-TOTAL_FORMS" in data else None
        rows = saved["proposals"] if saved and data is None else None
        self.rows: BaseFormSet = ProposalFormSet(given, initial=rows, prefix="proposal")
        self.form = ProposalSheetForm(given, initial={"days": saved["days"] if saved else None})
        self.products: dict[str, Product] = {}
        self.prices: dict[int, Price] = {}

    def chosen(self, decisions: BaseFormSet) -> list[Any]:
        """Return the lines' forms on which staff chose to propose something."""
        return [form for form in decisions if str(form["reason"].value() or "").startswith(PROPOSE)]

    def is_valid(self) -> bool:
        """Return whether every field of the rows can be read; find the products of their SKUs, and
        their prices.
        """
        if not self.rows.is_bound:
            return True
        is_readable = self.rows.is_valid() and self.form.is_valid()
        if is_readable:
            rows = [form.cleaned_data for form in self.rows]
            self.products = products_by_code({row["sku"].upper() for row in rows if row.get("sku")})
            self.prices = prices_for(self.company, self.products.values(), timezone.now())
        return is_readable

    def given(self, decisions: BaseFormSet) -> list[NewProposal]:
        """Return what is proposed, of forms that are valid: pieces and words stand in the line, the
        rest in its row.
        """
        rows = {
            form.cleaned_data["line_id"]: form.cleaned_data
            for form in self.rows
            if form.cleaned_data
        }
        given = []
        for form in self.chosen(decisions):
            line = form.cleaned_data
            row = rows.get(line["line_id"], {})
            kind = line["reason"].removeprefix(PROPOSE)
            product = self.products.get((row.get("sku") or "").upper())
            is_other = kind == LineProposal.Kind.SUBSTITUTE
            price = row.get("price")
            if is_other and product is not None and price is None:
                price = self.prices[product.pk].price
            proposal = NewProposal(
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
            given.append(proposal)
        return given

    def typed(self, without: Collection[int]) -> list[Json]:
        """Return the rows as they were typed, to be saved, `without` those of some lines."""
        return [
            {name: form[name].value() or "" for name in form.fields}
            for form in self.rows
            if self.rows.is_bound
            and form.cleaned_data
            and form.cleaned_data["line_id"] not in without
        ]

    @property
    def days(self) -> int | None:
        """Return in how many business days the buyer shall answer; None for the usual."""
        return (
            self.form.cleaned_data.get("days")
            if self.form.is_bound and self.form.is_valid()
            else None
        )

    def row_of(self, line: OrderLine) -> Any:
        """Return the row that belongs to a line, so that it stands below it again; None where there
        is none.
        """
        return next(
            (form for form in self.rows if str(form["line_id"].value()) == str(line.pk)), None
        )


def answers_card(proposals: Sequence[LineProposal], *, now: datetime) -> dict[str, Any]:
    """Return what was proposed of an order's lines, what became of it, and until when the rest
    waits.
    """
    waiting = [one for one in proposals if one.state == State.OPEN]
    return {
        "answers": [_answer(one) for one in proposals],
        "waiting": len(waiting),
        "deadline": deadline_text(max(one.answer_by for one in waiting)) if waiting else "",
        "days_left": _days(now, max(one.answer_by for one in waiting)) if waiting else "",
    }


def _days(now: datetime, until: datetime) -> str:
    """Return how many whole business days there are until then, in words."""
    days = business_days_between(now, until)
    return ngettext("%(days)s business day", "%(days)s business days", days) % {"days": days}


def proposals_with_lines(order: Order) -> list[LineProposal]:
    """Return every proposal of an order, the open ones first. One statement."""
    rows = order.proposals.select_related("line__product", "product", "proposed_by", "decided_by")
    return sorted(rows, key=lambda one: (one.state != State.OPEN, one.pk))


def _answer(one: LineProposal) -> dict[str, Any]:
    pieces = pieces_of(one)
    is_asked = one.state == State.OPEN and bool(one.question)
    words = [f"{number} {WENT[name]}" for name, number in vars(pieces).items() if number]
    return {
        "proposal": one,
        "text": str(proposed(one)),
        "silence": str(silence(one)),
        "label": pgettext("proposal", "Asked") if is_asked else one.get_state_display(),
        "tone": "warn" if is_asked else TONES[State(one.state)],
        "pieces": " + ".join(words) + f" = {pieces.ordered}" if len(words) > 1 else "".join(words),
        "is_open": one.state == State.OPEN,
    }
