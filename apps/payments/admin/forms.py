"""The forms of the payment desk."""

from decimal import Decimal
from typing import Any

from django import forms

from apps.common.printed import check_printed
from apps.payments.services.bank_transfers import MAX_REFERENCE
from apps.payments.services.refund_wire import Way

MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 2}
GAVE_UP = "Buyer gave it up"
STATEMENT_FILES = ".csv,.txt,.xls,.xlsx,.xlsm,.xml,.sta,.mt940,.940,.mta,text/csv,application/xml"
CURRENCIES = (
    ("", "As the file says"),
    ("USD", "US dollars (USD)"),
    ("KRW", "Won (KRW)"),
    ("EUR", "Euro (EUR)"),
)
CANCEL_REASONS = (
    (GAVE_UP, GAVE_UP),
    ("Not paid in time", "Not paid in time"),
    ("We cannot supply", "We cannot supply"),
    ("Other", "Other"),
)


def show_now(form: forms.Form, **figures: Decimal) -> None:
    """Give a refused form the figures of now that its page shows, by field; what was
    typed stays.
    """
    form.data = {**form.data, **{name: str(figure) for name, figure in figures.items()}}


class ConfirmWireForm(forms.Form):
    """What arrived."""

    received = forms.DecimalField(label="What arrived, USD", min_value=0, **MONEY)
    write_off_reason = forms.CharField(
        label="Write off what is missing, because",
        max_length=200,
        required=False,
        help_text=(
            "Leave empty to keep the rest due. Only small differences, such "
            "as bank charges, can be written off."
        ),
    )


class BookWireForm(forms.Form):
    """A wire that nobody announced; `seen` is what the page showed as received."""

    amount = forms.DecimalField(label="What arrived, USD", min_value=0, **MONEY)
    depositor = forms.CharField(label="Depositor", max_length=120, validators=[check_printed])
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class MoveToForm(forms.Form):
    """Where a booked wire belongs, and how much of it."""

    to = forms.CharField(label="Order that it belongs to", max_length=40)
    amount = forms.DecimalField(label="Amount, USD", min_value=0, **MONEY)


class MoveForm(MoveToForm):
    """Why it is moved; `seen` is what could be moved and `asked` what the other order asked for, as
    the page said.
    """

    to = forms.CharField(max_length=40, widget=forms.HiddenInput)
    amount = forms.DecimalField(widget=forms.HiddenInput, **MONEY)
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)
    asked = forms.DecimalField(widget=forms.HiddenInput, **MONEY)
    reason = forms.CharField(label="Why, for the history", max_length=200)


class RefundWireForm(forms.Form):
    """How much of a wire goes back, where to, and why; `seen` is the most that the page allowed."""

    amount = forms.DecimalField(label="Amount, USD", min_value=Decimal("0.01"), **MONEY)
    way = forms.ChoiceField(
        label="Where",
        choices=(
            (Way.WALLET.value, "To the company's wallet, at once"),
            (Way.BANK.value, "To the bank it came from, within 15 business days"),
        ),
    )
    reason = forms.CharField(label="Reason, the buyer reads it", max_length=200)
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class PayOutForm(forms.Form):
    """How much of a company's credit goes back by bank, and why; `seen` is the balance that the
    page showed.
    """

    amount = forms.DecimalField(label="Amount, USD", min_value=Decimal("0.01"), **MONEY)
    reason = forms.CharField(label="Reason, the buyer reads it", max_length=200)
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class RefuseForm(forms.Form):
    """Why a wire is refused."""

    reason = forms.CharField(label="Reason, the buyer reads it", max_length=200)


class RefundForm(forms.Form):
    """What goes back to a buyer's PayPal account; `seen` is the most that the page allowed."""

    amount = forms.DecimalField(label="Amount, USD", min_value=0, **MONEY)
    reason = forms.CharField(label="Reason, for the history", max_length=200)
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class BookHeldForm(forms.Form):
    """Why an order gets held money; `asked` is what the page said that the order asks for."""

    reason = forms.CharField(label="Why the order gets it, for the history", max_length=200)
    back_order = forms.BooleanField(
        label="Take the pieces that are gone as a back-order", required=False
    )
    write_off_reason = forms.CharField(
        label="Write off what is missing, because",
        max_length=200,
        required=False,
        help_text=(
            "Leave empty to keep the rest due. Only a small rest of a balance can be written off."
        ),
    )
    asked = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class AttendForm(forms.Form):
    """What was done about an alarm."""

    reason = forms.CharField(label="What was done about it", max_length=200)


class CorrectionForm(forms.Form):
    """A correction of a company's wallet; `seen` is the balance that the page showed."""

    amount = forms.DecimalField(
        label="Amount, USD",
        help_text="Below zero takes credit away, never more than there is.",
        **MONEY,
    )
    reason = forms.CharField(label="Reason", max_length=200, help_text="It stays in the ledger.")
    seen = forms.DecimalField(widget=forms.HiddenInput, **MONEY)


class StatementForm(forms.Form):
    """A bank's file."""

    file = forms.FileField(
        label="Statement",
        help_text=(
            "CSV, Excel (.xls, .xlsx), CAMT.053 (XML) or MT940, at most 10 MB. The columns of a "
            "table are shown before it is stored."
        ),
        widget=forms.FileInput(attrs={"accept": STATEMENT_FILES}),
    )
    currency = forms.ChoiceField(
        label="Currency, where the file names none",
        choices=CURRENCIES,
        required=False,
    )


class TransferSentForm(forms.Form):
    """When the bank sent what was owed, and under which reference."""

    sent_on = forms.DateField(
        label="Sent on", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    reference = forms.CharField(
        label="The bank's reference", max_length=MAX_REFERENCE, help_text="The buyer reads it."
    )


class SendBackForm(forms.Form):
    """Why a credit goes back to its sender."""

    reason = forms.CharField(label="Why, for the list", max_length=200)


class FindForm(forms.Form):
    """What is looked for among the orders that ask for money."""

    q = forms.CharField(label="Find an order, company or amount", max_length=120, required=False)


class CancelForm(forms.Form):
    """How an order is cancelled; `seen` is the credit that the page showed."""

    by_terms = forms.TypedChoiceField(
        choices=(("1", "By the terms"), ("0", "Our fault")),
        coerce=lambda value: value == "1",
        initial="1",
    )
    kind = forms.ChoiceField(label="Reason", choices=CANCEL_REASONS)
    words = forms.CharField(label="In words, the buyer reads it", max_length=500)
    letter = forms.CharField(
        label="Letter",
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Your words from above and these figures follow below it.",
    )
    seen_terms = forms.DecimalField(widget=forms.HiddenInput, **MONEY)
    seen_full = forms.DecimalField(widget=forms.HiddenInput, **MONEY)

    def clean(self) -> dict[str, Any]:
        """Refuse that we are at fault for an order that the buyer gave up: it would be credited in
        full.
        """
        fields = super().clean() or {}
        if fields.get("by_terms") is False and fields.get("kind") == GAVE_UP:
            self.add_error("kind", "“Our fault” is not for an order that the buyer gave up.")
        return fields
