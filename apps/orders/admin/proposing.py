"""The forms of the confirmation sheet, and its proposals: what staff fill in for a line, and what
came of what was proposed before.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext

from apps.catalog.models import Product
from apps.common.days import business_days_between
from apps.common.printed import check_printed
from apps.common.promises import Promise, term_of
from apps.common.staff import Context
from apps.orders.models import LineProposal, OrderLine
from apps.orders.proposal_rules import MOST_DAYS, deadline_text, pieces_of, proposed, silence

MAX_PIECES = 1_000_000
MAX_ADDED = 50
Reason = OrderLine.Reason
PROPOSE = "propose:"  # before the kind of a proposal, where a line's reason would stand
MAX_PROPOSALS = 500
DECISIONS = [
    (choice.value, choice.label) for choice in (Reason.NONE, Reason.SHORT, Reason.DISCONTINUED)
]
PROPOSALS = [(f"{PROPOSE}{value}", label) for value, label in LineProposal.Kind.choices]
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
NOT_WHOLE = gettext_lazy("Whole pieces only.")
AMOUNT_ERRORS = {
    "invalid": gettext_lazy("Write the amount as 12.50."),
    "min_value": gettext_lazy("Not below 0."),
    "max_decimal_places": gettext_lazy("At most two decimals."),
    "max_digits": gettext_lazy("The amount is too large."),
    "max_whole_digits": gettext_lazy("The amount is too large."),
}


def _pieces_field() -> forms.IntegerField:
    return forms.IntegerField(
        min_value=1,
        max_value=MAX_PIECES,
        required=False,
        error_messages={
            "invalid": NOT_WHOLE,
            "min_value": gettext_lazy("At least one piece."),
            "max_value": gettext_lazy("At most %(limit_value)s pieces."),
        },
    )


def _price_field() -> forms.DecimalField:
    return forms.DecimalField(
        max_digits=12,
        decimal_places=2,
        min_value=0,
        required=False,
        error_messages=AMOUNT_ERRORS,
    )


class LineForm(forms.Form):
    """The decision about one ordered line."""

    line_id = forms.IntegerField(widget=forms.HiddenInput)
    confirmed = forms.IntegerField(
        min_value=0,
        max_value=MAX_PIECES,
        error_messages={"required": gettext_lazy("How many pieces?"), "invalid": NOT_WHOLE},
    )
    proposals = gettext_lazy("Propose to the buyer")
    reason = forms.ChoiceField(required=False, choices=[*DECISIONS, (proposals, PROPOSALS)])
    comment = forms.CharField(required=False, max_length=300, validators=[check_printed])


class AddedForm(forms.Form):
    """A line that staff add: a substitute at a price, or a free offer."""

    sku = forms.CharField(max_length=40, required=False)
    quantity = _pieces_field()
    reason = forms.ChoiceField(
        required=False,
        choices=[(choice.value, choice.label) for choice in (Reason.FREE_OFFER, Reason.SUBSTITUTE)],
    )
    comment = forms.CharField(required=False, max_length=300, validators=[check_printed])
    price = _price_field()
    product: Product | None = None  # that its SKU names, once it was looked up

    def clean(self) -> None:
        """Refuse half a line; a free offer costs nothing."""
        super().clean()
        fields = self.cleaned_data
        sku, quantity = fields.get("sku"), fields.get("quantity")
        if sku and not quantity and "quantity" not in self.errors:
            self.add_error("quantity", _("How many pieces?"))
        if quantity and not sku and "sku" not in self.errors:
            self.add_error("sku", _("Which product?"))
        if fields.get("reason") != Reason.SUBSTITUTE:
            if fields.get("price"):
                self.add_error("price", _("A free offer costs nothing."))
            fields["reason"], fields["price"] = Reason.FREE_OFFER.value, Decimal("0.00")

    def rest(self) -> dict[str, Any]:
        """Return what the row says beside its product."""
        return {name: value for name, value in self.cleaned_data.items() if name != "sku"}


class ProposalForm(forms.Form):
    """What a proposal needs beside its line's pieces and comment; each kind has its own fields."""

    line_id = forms.IntegerField(widget=forms.HiddenInput)
    expected_on = forms.DateField(required=False)
    sku = forms.CharField(max_length=40, required=False)
    pieces = _pieces_field()
    price = _price_field()
    why = forms.ChoiceField(required=False, choices=LineProposal.Reason.choices)
    unanswered = forms.ChoiceField(
        required=False,
        choices=[
            ("decline", gettext_lazy("the line is dropped")),
            ("accept", gettext_lazy("it is accepted")),
        ],
    )


class SheetForm(forms.Form):
    """What the whole sheet holds: the version of the order and the revision of the saved sheet that
    it was opened at, the shipping fee, and in how many business days the buyer shall answer.
    """

    version = forms.IntegerField(widget=forms.HiddenInput)
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    shipping_fee = forms.DecimalField(
        label=gettext_lazy("Shipping fee"),
        max_digits=12,
        decimal_places=2,
        min_value=0,
        error_messages={**AMOUNT_ERRORS, "required": gettext_lazy("Set the shipping fee.")},
    )
    days = forms.IntegerField(
        label=gettext_lazy("Proposal"),
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        error_messages={
            "invalid": gettext_lazy("Whole business days only."),
            "min_value": gettext_lazy("At least one business day."),
            "max_value": gettext_lazy("At most %(limit_value)s business days."),
        },
    )

    @property
    def usual(self) -> int:
        """Return the usual number of days."""
        return term_of(Promise.ANSWER).days


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


def answers_card(proposals: Sequence[LineProposal], *, now: datetime) -> Context:
    """Return what was proposed of an order's lines, what became of it, and until when the rest
    waits.
    """
    waiting = [one.answer_by for one in proposals if one.state == State.OPEN]
    card: Context = {
        "answers": [_answer(one) for one in proposals],
        "waiting": len(waiting),
    }
    if waiting:
        days = business_days_between(now, max(waiting))
        text = ngettext("%(days)s business day", "%(days)s business days", days)
        card |= {"deadline": deadline_text(max(waiting)), "days_left": text % {"days": days}}
    return card


def _answer(one: LineProposal) -> Context:
    pieces = pieces_of(one)
    has_question = one.state == State.OPEN and bool(one.question)
    words = [f"{number} {WENT[name]}" for name, number in vars(pieces).items() if number]
    return {
        "proposal": one,
        "text": str(proposed(one)),
        "silence": str(silence(one)),
        "label": pgettext("proposal", "Asked") if has_question else one.get_state_display(),
        "tone": "warn" if has_question else TONES[State(one.state)],
        "pieces": " + ".join(words) + f" = {pieces.ordered}" if len(words) > 1 else "".join(words),
        "is_open": one.state == State.OPEN,
    }
