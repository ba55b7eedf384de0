"""The forms of the payment desk, and what its pages share. A field `seen` is the figure that the
page showed.
"""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _, gettext_noop

from apps.common.money import read_usd
from apps.common.printed import check_printed
from apps.common.promises import Promise, term_of
from apps.common.staff import page_of
from apps.common.staff_fields import day_field
from apps.common.texts import phrase
from apps.common.types import Label
from apps.payments.models import Payment
from apps.payments.services.refunds import MAX_REFERENCE, Way, movable

CENT = Decimal("0.01")
AMOUNT, READ_BY_BUYER = _("Amount, USD"), _("Reason, the buyer reads it")
GAVE_UP = gettext_noop("Cancelled by the buyer")
NOT_AN_AMOUNT = _("Write the amount as 402.00 or 1,402.00.")
STATEMENT_FILES = ".csv,.txt,.xls,.xlsx,.xlsm,.xml,.sta,.mt940,.940,.mta,text/csv,application/xml"
CURRENCIES = (
    ("", _("As the file says")),
    ("USD", _("US dollars (USD)")),
    ("KRW", _("Won (KRW)")),
    ("EUR", _("Euro (EUR)")),
)
CANCEL_REASONS = (
    GAVE_UP,
    gettext_noop("Not paid in time"),
    gettext_noop("We cannot supply"),
    gettext_noop("Other"),
)


class UsdField(forms.DecimalField):
    """US dollars as `read_usd` reads them. The page says at the field what cannot be read, before
    it is sent.
    """

    def to_python(self, value: Any) -> Any:
        """Return the amount; “402,00” is refused, not guessed."""
        if value in self.empty_values or isinstance(value, Decimal):
            return value or None
        try:
            return read_usd(str(value))
        except ValueError:
            raise ValidationError(NOT_AN_AMOUNT, code="invalid") from None

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Let the keyboard of a phone have figures."""
        return {} if widget.is_hidden else {"inputmode": "decimal"}


def usd_field(label: Label = AMOUNT, **options: Any) -> forms.DecimalField:
    """Return a field of US dollars."""
    options = {"widget": forms.TextInput, **options}
    return UsdField(label=label, max_digits=12, decimal_places=2, **options)


def hidden_usd_field() -> forms.DecimalField:
    """Return a hidden field of US dollars."""
    return usd_field(widget=forms.HiddenInput)


def reason_field(label: Label = READ_BY_BUYER, **options: Any) -> forms.CharField:
    """Return a field of a reason."""
    return forms.CharField(label=label, max_length=200, **options)


def write_off_field() -> forms.CharField:
    """Return a field of why the rest of a balance is written off."""
    help_text = _(
        "Leave empty to keep the rest due. Only for a small shortfall, such as bank charges."
    )
    return reason_field(_("Write off the shortfall, because"), required=False, help_text=help_text)


class AdviceForm(forms.Form):
    """What the bank's advice says of a wire that is booked by hand."""

    value_date = day_field(_("Value date"))
    reference = forms.CharField(
        label=_("Bank reference"),
        max_length=MAX_REFERENCE,
        required=False,
        help_text=_("A statement imported later then shows this wire as booked."),
    )


class ConfirmWireForm(AdviceForm):
    """What arrived."""

    received = usd_field(_("Amount received, USD"), min_value=0)
    write_off_reason = write_off_field()
    field_order = ("received", "write_off_reason", "value_date", "reference")


class BookWireForm(AdviceForm):
    """A wire that nobody announced; `seen` is what the order had received."""

    amount = usd_field(_("Amount received, USD"), min_value=0)
    depositor = forms.CharField(label=_("Depositor"), max_length=120, validators=[check_printed])
    seen = hidden_usd_field()
    field_order = ("amount", "depositor", "value_date", "reference")


class MoveToForm(forms.Form):
    """Where a booked wire belongs, and how much of it."""

    to = forms.CharField(label=_("Order it belongs to"), max_length=40)
    amount = usd_field(min_value=0)


class MoveForm(forms.Form):
    """Why it is moved; `asked` is what was due of the other order."""

    to = forms.CharField(max_length=40, widget=forms.HiddenInput)
    amount = hidden_usd_field()
    seen = hidden_usd_field()
    asked = hidden_usd_field()
    reason = reason_field(_("Reason, for the history"))


class PayOutForm(forms.Form):
    """How much of a company's credit goes back by bank, and why."""

    amount = usd_field(min_value=CENT)
    reason = reason_field()
    seen = hidden_usd_field()


class RefundWireForm(PayOutForm):
    """How much of a wire goes back, where to, and why."""

    way = forms.TypedChoiceField(
        label=_("Where"),
        coerce=Way,
        choices=(
            (Way.WALLET.value, _("To the company's wallet, at once")),
            (Way.BANK.value, _("To the bank it came from, within 15 business days")),
        ),
    )
    field_order = ("amount", "way", "reason")


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = reason_field()

    def __init__(self, data: Any, label: Label = READ_BY_BUYER) -> None:
        super().__init__(data)
        self.fields["reason"].label = label


class RefundForm(forms.Form):
    """What goes back to a buyer's PayPal account."""

    amount = usd_field(min_value=0)
    reason = reason_field(_("Reason, for the history"))
    seen = hidden_usd_field()


class BookHeldForm(forms.Form):
    """Why an order gets held money; `asked` is what was due of it."""

    reason = reason_field(_("Why it goes to this order, for the history"))
    back_order = forms.BooleanField(
        label=_("Take the missing pieces as a back-order"), required=False
    )
    write_off_reason = write_off_field()
    asked = hidden_usd_field()


class CorrectionForm(forms.Form):
    """A correction of a company's wallet."""

    amount = usd_field(help_text=_("A negative amount takes money out, never more than there is."))
    reason = reason_field(_("Reason"), help_text=_("It stays in the ledger."))
    seen = hidden_usd_field()


class StatementForm(forms.Form):
    """A bank's file."""

    file = forms.FileField(
        label=_("Statement"),
        help_text=_(
            "CSV, Excel (.xls, .xlsx), CAMT.053 (XML) or MT940, at most 10 MB. The columns of a "
            "table are shown before it is stored."
        ),
        widget=forms.FileInput({"accept": STATEMENT_FILES}),
    )
    currency = forms.ChoiceField(
        label=_("Currency, if the file names none"), choices=CURRENCIES, required=False
    )


class TransferSentForm(forms.Form):
    """When the bank sent what was owed, and under which reference."""

    sent_on = day_field(_("Sent on"))
    reference = forms.CharField(
        label=_("Bank reference"), max_length=MAX_REFERENCE, help_text=_("The buyer reads it.")
    )


class CancelForm(forms.Form):
    """How an order is cancelled; both figures `seen` are credits that the page showed."""

    by_terms = forms.TypedChoiceField(
        choices=(("1", _("By the terms")), ("0", _("Our fault"))),
        coerce=lambda value: value == "1",
        initial="1",
    )
    kind = forms.ChoiceField(
        label=_("Reason"), choices=[(text, _(text)) for text in CANCEL_REASONS]
    )
    words = forms.CharField(label=_("Explanation, the buyer reads it"), max_length=500)
    letter = forms.CharField(
        label=_("Letter"),
        max_length=4000,
        required=False,
        widget=forms.Textarea({"rows": 5}),
        help_text=_("Your explanation and these figures follow below it."),
    )
    seen_terms = hidden_usd_field()
    seen_full = hidden_usd_field()

    def clean(self) -> None:
        """Refuse that we are at fault for an order that the buyer gave up: it would be credited in
        full.
        """
        super().clean()
        fields = self.cleaned_data
        if fields.get("by_terms") is False and fields.get("kind") == GAVE_UP:
            text = _("“Our fault” is not for an order that the buyer cancels.")
            self.add_error("kind", text)


CHANGE = "payments.change_payment"
VIEW, CORRECT = "payments.view_walletentry", "payments.add_walletentry"
DESK = reverse_lazy("admin:payments_payment_desk")
STATEMENTS = reverse_lazy("admin:payments_payment_statements")
WALLETS = reverse_lazy("admin:payments_walletentry_changelist")
# Where the trails of pages begin
AT_DESK, AT_WALLETS = (_("Payment desk"), DESK), (_("Wallets"), WALLETS)


def to_send() -> str:
    """Return what staff do about money that is owed by bank."""
    return phrase(
        "you send it within %(term)s and mark it as sent on the desk", term=term_of(Promise.REFUND)
    )


def wire_with_rest(pk: int) -> tuple[Payment, Decimal]:
    """Return a wire of an order, and how many US dollars of it can be moved or refunded; Http404
    if there is none.
    """
    wires = Payment.objects.select_related("order__company", "order__user")
    wires = wires.prefetch_related("moves_away", "wire_refunds")
    wire = get_object_or_404(wires, pk=pk, method=Payment.Method.WIRE, order__isnull=False)
    return wire, movable(wire)


def nothing_of(
    request: HttpRequest, wire: Payment, limit: Decimal, text: str
) -> HttpResponse | None:
    """Lead back to the order of a wire of which nothing is left, and say so; a form that was sent
    is answered by its service.
    """
    if limit or request.method == "POST":
        return None
    messages.warning(request, text % {"wire": wire})
    return redirect(page_of(wire.order))


def data_of(request: HttpRequest, name: str) -> dict[str, str] | None:
    """Return the data of a form that first shows what it will do: None before the field `name`
    came.
    """
    data = request.POST if request.method == "POST" else request.GET
    return data.dict() if name in data else None
