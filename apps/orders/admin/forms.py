"""The forms of an order's actions. None of them holds a status, a stock figure or money
received.
"""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.catalog.models import Product
from apps.common.printed import check_printed
from apps.common.promises import Promise, term_of
from apps.common.staff_moments import day_field
from apps.orders.carriers import Carrier
from apps.orders.models import LineProposal, OrderLine
from apps.orders.proposal_rules import MOST_DAYS

MAX_PIECES = 1_000_000
MAX_ADDED = 50
Reason = OrderLine.Reason
PROPOSE = "propose:"  # before the kind of a proposal, where a line's reason would stand
MAX_PROPOSALS = 500
DECISIONS = [
    (choice.value, choice.label) for choice in (Reason.NONE, Reason.SHORT, Reason.DISCONTINUED)
]
PROPOSALS = [(f"{PROPOSE}{value}", label) for value, label in LineProposal.Kind.choices]


class ShipForm(forms.Form):
    """The parcel: its carrier, its number, the carrier's address where the portal does not know it,
    and its day.
    """

    carrier = forms.ChoiceField(
        label=_("Carrier"), required=False, choices=[("", _("Not named")), *Carrier.choices]
    )
    tracking_number = forms.CharField(label=_("Tracking number"), max_length=80)
    shipping_url = forms.URLField(
        label=_("Carrier's tracking address"),
        max_length=500,
        required=False,
        assume_scheme="https",
        help_text=_(
            "Buyers open it by “Track”. The portal makes it for a carrier that is chosen by name."
        ),
    )
    expected_on = day_field(
        pgettext_lazy("parcel", "Expected on"),
        required=False,
        help_text=_("When the parcel is to arrive, if the carrier says so."),
    )


class TrackingForm(ShipForm):
    """Another tracking number, carrier or day for a shipped order; `seen` is the one that the page
    showed.
    """

    reason = forms.CharField(label=_("Reason for the history"), max_length=200)
    send = forms.BooleanField(label=_("Send it"), required=False, initial=True)
    letter = forms.CharField(
        label=_("Letter"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Carrier, number, link, day and the number before follow below it."),
    )
    seen = forms.CharField(max_length=80, widget=forms.HiddenInput)


class BuyerMailForm(forms.Form):
    """A prepared mail to the buyer, as it will be sent; `seen` is how many of its kind the page
    knew of.
    """

    text = forms.CharField(
        label=_("Text of the mail"), max_length=4000, widget=forms.Textarea({"rows": 10})
    )
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class DocumentForm(forms.Form):
    """A file for the buyer."""

    title = forms.CharField(label=_("Title"), max_length=200)
    file = forms.FileField(label=_("File"))


class LineForm(forms.Form):
    """The decision about one ordered line."""

    line_id = forms.IntegerField(widget=forms.HiddenInput)
    confirmed = forms.IntegerField(
        min_value=0,
        max_value=MAX_PIECES,
        error_messages={"required": _("How many pieces?")},
    )
    proposals = _("Propose to the buyer")
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
            self.add_error("quantity", gettext("How many pieces?"))
        if quantity and not sku and "sku" not in self.errors:
            self.add_error("sku", gettext("Which product?"))
        if fields.get("reason") != Reason.SUBSTITUTE:
            if fields.get("price"):
                self.add_error("price", gettext("A free offer costs nothing."))
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
        choices=[("decline", _("the line is dropped")), ("accept", _("it is accepted"))],
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
        label=_("Shipping fee"),
        max_digits=12,
        decimal_places=2,
        min_value=0,
        error_messages={"required": _("Set the shipping fee.")},
    )


class CorrectionForm(SheetForm):
    """What a correction of a confirmation says beside its lines and the fee: why."""

    why = forms.CharField(
        label=_("Reason for the buyer and the history"),
        max_length=300,
        error_messages={"required": _("Give a reason; the buyer reads it.")},
    )


LineFormSet = forms.formset_factory(LineForm, extra=0, max_num=5000, absolute_max=5000)
AddedFormSet = forms.formset_factory(AddedForm, extra=1, max_num=MAX_ADDED, absolute_max=MAX_ADDED)
ProposalFormSet = forms.formset_factory(
    ProposalForm, extra=0, max_num=MAX_PROPOSALS, absolute_max=MAX_PROPOSALS
)
