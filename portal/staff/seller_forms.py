"""The forms of the page "Settings": the seller, its accounts, its days off, kinds of business."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy
from PIL import Image

from apps.accounts.models import AddressEntry, BusinessType, Company
from apps.common.email_addresses import check_email
from apps.common.errors import PortalError
from apps.common.models import STEPS, BankAccount, ClosedDay, Seller
from apps.common.printed import PrintedForm
from apps.common.seller import BANK_LINES, Current
from apps.common.staff_fields import PercentField
from apps.common.storage.files import JPEG, PNG, WEBP
from apps.common.storage.uploads import check_file
from apps.common.texts import Text, phrase
from apps.common.types import Label
from apps.orders.models import Order

MAX_BYTES = 2 * 1024 * 1024
MOST = (640, 160)  # pixels, twice as sharp as headers and papers show it


class LogoField(forms.FileField):
    """A picture that becomes the logo; cleaned, its PNG."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Logo"),
            required=False,
            help_text=gettext_lazy("PNG, JPEG or WebP of at most 2 MB, in place of the name."),
            widget=forms.FileInput({"accept": ".png,.jpg,.jpeg,.webp"}),
        )

    def clean(self, data: Any, initial: Any = None) -> bytes | None:
        """Return the logo, no larger than it is shown; None where none was chosen.

        Raises:
            ValidationError: too large, or no picture.
        """
        file = super().clean(data, initial)
        if not file:
            return None
        if file.size > MAX_BYTES:
            raise ValidationError(phrase("This file is larger than %(size)s MB.", size=2))
        try:
            checked = check_file(file.read(), given_name=file.name, kinds=(PNG, JPEG, WEBP))
        except PortalError as error:
            raise ValidationError(_("This file is no picture that can be shown.")) from error
        return small(checked.content)


def small(content: bytes) -> bytes:
    """Return a picture as a PNG of at most MOST pixels."""
    picture = Image.open(BytesIO(content)).convert("RGBA")
    picture.thumbnail(MOST, Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


class CountriesField(forms.CharField):
    """Countries by ISO code, typed and shown by name, one a line."""

    widget = forms.Textarea({"rows": 4, "spellcheck": "false"})

    def to_python(self, value: Any) -> Any:
        """Return the codes, in the order of their names.

        Raises:
            ValidationError: it names the lines that are no country.
        """
        names = [
            line.strip() for line in str(super().to_python(value)).splitlines() if line.strip()
        ]
        codes = {}
        for code, name in _countries():
            codes[code.casefold()] = codes[name.casefold()] = code
        if unknown := [name for name in names if name.casefold() not in codes]:
            raise ValidationError(
                _("No country is called %(names)s."), params={"names": ", ".join(unknown)}
            )
        selected = {codes[name.casefold()] for name in names}
        return [code for code, _ in _countries() if code in selected]

    def prepare_value(self, value: Any) -> Any:
        """Return the names of stored codes."""
        if isinstance(value, str):
            return value
        return "\n".join(name for code, name in _countries() if code in (value or ()))


def _countries() -> Sequence[tuple[str, str]]:
    countries = AddressEntry.objects.filter(parent__isnull=True).order_by("content")
    return list(countries.values_list("code", "content"))


class SharedForm(forms.ModelForm):
    """A form that writes what was changed on it, and nothing else: what somebody else saved since
    it was opened stays. Each field carries along what it showed.

    Whoever reads it has locked what it writes.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            for name in self._meta.fields or ():
                self.fields[name].show_hidden_initial = True

    def clean(self) -> None:
        """Take what is stored where nothing was changed; a change of what is another by now is
        refused once, at its field.
        """
        super().clean()
        cleaned = self.cleaned_data
        for name in [name for name in cleaned if self.fields[name].show_hidden_initial]:
            field, bound = self.fields[name], self[name]
            stored = self.get_initial_for_field(field, name)
            if name not in self.changed_data:
                cleaned[name] = getattr(self.instance, name)
            elif field.has_changed(stored, self.data.get(bound.html_initial_name, stored)):
                current = field.prepare_value(stored)
                data: Any = self.data.copy()  # type: ignore[attr-defined]
                data[bound.html_initial_name] = "" if current is None else current
                self.data = data
                is_now = _("Somebody else saved “%(now)s” meanwhile. Save again to replace it.")
                self.add_error(name, is_now % {"now": "–" if current in (None, "") else current})


EMPTY_TYPES = 2
PAYPAL = ("paypal_on", "paypal_fee_rate", "paypal_warning")
LOGO = ("new_logo", "no_logo")
EACH_BANK_LINE = gettext_lazy("Fill in each line, or do not show the account.")


# The cards of the page, by their names for links: heading and fields of the seller.
SECTIONS: dict[str, tuple[Label, tuple[str, ...]]] = {
    "seller": (
        gettext_lazy("Seller"),
        (
            *("title", "subtitle", "accent", *LOGO),
            *("sales_email", "approvers_email", "staff_language"),
        ),
    ),
    "banks": (gettext_lazy("Bank accounts"), ()),
    "papers": (
        gettext_lazy("Papers and shipper"),
        (
            *("shipper_name", "shipper_address", "second_address", "shipper_phone"),
            *("tax_number", "invoice_prefix"),
        ),
    ),
    "money": (
        pgettext_lazy("settings", "Money"),
        ("deposit_rate", "minimum_order", *PAYPAL),
    ),
    "orders": (
        gettext_lazy("Orders"),
        ("least_moq", "special_moq", "temporary_order_days", "wire_days"),
    ),
    "days": (
        gettext_lazy("Late after so many business days"),
        tuple(f"promised_{step}" for step in STEPS),
    ),
    "days-off": (gettext_lazy("Days off beside the public holidays"), ()),
    "sign-up": (pgettext_lazy("settings", "Sign-up"), ("closed_countries",)),
    "home": (gettext_lazy("Home"), ("first_day",)),
}


class SellerForm(PrintedForm, SharedForm):
    """Everything of the one row, by the sections of the page."""

    new_logo = LogoField()
    no_logo = forms.BooleanField(label=gettext_lazy("Take the logo off"), required=False)
    deposit_rate = PercentField(label=gettext_lazy("Deposit, % of the subtotal"), required=False)
    paypal_fee_rate = PercentField(label=gettext_lazy("PayPal surcharge, %"), required=False)
    paypal_on = forms.BooleanField(label=gettext_lazy("Buyers may pay by PayPal"), required=False)
    staff_language = forms.ChoiceField(
        label=gettext_lazy("Language of new colleagues and of mails to these mailboxes"),
        choices=settings.LANGUAGES,
    )
    minimum_order = forms.DecimalField(
        label=gettext_lazy("Minimum order $"),
        min_value=0,
        max_digits=12,
        decimal_places=2,
        help_text=gettext_lazy("0: none."),
    )
    closed_countries = CountriesField(
        label=gettext_lazy("Countries not served"),
        required=False,
        help_text=gettext_lazy("One a line. Who signs up from there is told so."),
    )

    class Meta:
        model = Seller
        fields = tuple(name for _, names in SECTIONS.values() for name in names if name not in LOGO)
        labels = {
            "sales_email": gettext_lazy("Mailbox of sales"),
            "approvers_email": gettext_lazy("Mailbox of the approvers"),
        }
        help_texts = {
            "second_address": gettext_lazy(
                "Below the first on papers, as “Warehouse: 3 Harbour Road, Incheon”."
            ),
            "invoice_prefix": gettext_lazy("It stays once there are orders."),
            "wire_days": gettext_lazy("Business days. Empty: never."),
            "paypal_warning": gettext_lazy("Asked before a payment. Empty: the usual text."),
        }

    printed = (
        *("title", "shipper_name", "shipper_address", "second_address"),
        *("shipper_phone", "tax_number"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        current = Current(self.instance)
        for name in ("paypal_on", "staff_language", "subtitle"):
            self.initial[name] = getattr(current, name)
        self.fields["subtitle"].empty_value = ""  # type: ignore[attr-defined]
        if Order.objects.exists():
            self.fields["invoice_prefix"].disabled = True
            self.fields["invoice_prefix"].help_text = _("Orders have it: it stays.")
        if not self.instance.logo:
            self.fields["no_logo"].disabled = True
        for name, default in _defaults().items():
            self.fields[name].widget.attrs |= {"placeholder": default, "translate": "no"}
        if not settings.PAYPAL_CLIENT_ID:  # there is nothing to switch on
            for name in PAYPAL:
                del self.fields[name]
        for name in ("sales_email", "approvers_email"):
            self.fields[name].validators.append(check_email)

    def save(self, commit: bool = True) -> Any:
        """Save the seller, with the logo that was chosen, or without one."""
        if self.cleaned_data["no_logo"]:
            self.instance.logo = b""
        if self.cleaned_data["new_logo"]:
            self.instance.logo = self.cleaned_data["new_logo"]
        return super().save(commit)

    def logo_change(self) -> Text | None:
        """Return what happened to the logo, for the history."""
        if self.cleaned_data["new_logo"]:
            return Text("new logo")
        return Text("logo taken off") if self.cleaned_data["no_logo"] else None


def _defaults() -> dict[str, Any]:
    """Return what holds while a field is empty, as it would be typed."""
    default = Current(Seller())
    percent = PercentField().prepare_value
    return {
        **{
            name: getattr(default, name)
            for name in ("title", "accent", "sales_email", "approvers_email")
        },
        **{f"shipper_{line}": text for line, text in default.shipper.items()},
        **{f"promised_{step}": default.promised_days(step) for step in STEPS},
        "invoice_prefix": default.invoice_prefix,
        "deposit_rate": percent(default.deposit_rate),
        "paypal_fee_rate": percent(default.paypal_fee_rate),
        "temporary_order_days": default.temporary_order_lifetime.days,
    }


class BankForm(PrintedForm, SharedForm):
    """An account that buyers wire to."""

    printed = ("label", *BANK_LINES)

    class Meta:
        model = BankAccount
        fields = ("label", "currency", *BANK_LINES, "position", "is_shown")
        help_texts = {"label": gettext_lazy("What buyers read above it where there are several.")}

    def clean(self) -> None:
        """Refuse to show an account with a line missing: a buyer could not wire to it."""
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("is_shown"):
            for name in BANK_LINES:
                if name in cleaned and not cleaned[name]:
                    self.add_error(name, EACH_BANK_LINE)


class DayForm(SharedForm):
    """A day off."""

    class Meta:
        model = ClosedDay
        fields = ("day", "name")
        widgets = {"day": forms.DateInput({"type": "date", "class": "day"}, format="%Y-%m-%d")}


class BusinessTypeForm(SharedForm):
    """A kind of business that a company may choose when it registers."""

    class Meta:
        model = BusinessType
        fields = ("type", "position")
        labels = {
            "type": gettext_lazy("Kind of business"),
            "position": gettext_lazy("Place in the list"),
        }


class BusinessTypeRows(forms.BaseModelFormSet):
    """Kinds of business; one that a customer has stays."""

    def clean(self) -> None:
        """Refuse to take out a kind that is in use."""
        super().clean()
        for form in self.deleted_forms:
            if Company.objects.filter(business_type=form.instance.pk).exists():
                raise ValidationError(
                    _("“%(type)s” is the business of a customer and stays."),
                    params={"type": form.instance},
                )


def rows_of(model: Any, form: Any, *, rows: Any = forms.BaseModelFormSet, empty: int = 1) -> Any:
    """Return the formset of a table."""
    return forms.modelformset_factory(model, form=form, formset=rows, extra=empty, can_delete=True)


BankRows = rows_of(BankAccount, BankForm)
DayRows = rows_of(ClosedDay, DayForm, empty=3)
TypeRows = rows_of(BusinessType, BusinessTypeForm, rows=BusinessTypeRows, empty=EMPTY_TYPES)


class SettingsForms:
    """All forms of the page, which are saved together or not at all."""

    def __init__(self, data: Any = None, files: Any = None) -> None:
        self.seller = SellerForm(data, files, instance=Seller.objects.first() or Seller())
        self.banks = BankRows(data, prefix="banks", initial=[settings.BANK])
        self.days = DayRows(data, prefix="days")
        last = [{"position": BusinessType.objects.count()}] * EMPTY_TYPES
        self.types = TypeRows(data, prefix="types", initial=last)
        self.rows = (self.banks, self.days, self.types)

    def is_valid(self) -> bool:
        """Return whether all of them may be saved."""
        faults = [one for one in (self.seller, *self.rows) if not one.is_valid()]
        return not faults  # each is asked, so that all that is wrong is marked at once

    def has_changed(self) -> bool:
        """Return whether anything but the logo is another by what was sent."""
        rows = any(form.has_changed() for one in self.rows for form in one)
        return rows or bool(set(self.seller.changed_data) - {*LOGO})

    def faults(self) -> bool:
        """Return whether something that was sent is wrong."""
        return self.seller.is_bound and not self.is_valid()

    def faulty_fields(self) -> list[forms.BoundField]:
        """Return the fields that something is wrong with, for the links to them."""
        every = [self.seller, *(form for one in self.rows for form in one)]
        return [field for form in every for field in form if field.errors]

    def sections(self) -> list[tuple[str, Label, list[forms.BoundField], Any, str]]:
        """Return the cards of the page: each by its name for links, its heading, its fields, and
        its rows with what a new one is called.
        """
        rows = {
            "banks": (self.banks, _("New account")),
            "days-off": (self.days, _("New day off")),
            "sign-up": (self.types, _("New kind of business")),
        }
        return [
            (
                key,
                title,
                [self.seller[name] for name in names if name in self.seller.fields],
                *rows.get(key, (None, "")),
            )
            for key, (title, names) in SECTIONS.items()
        ]

    def save(self) -> None:
        """Save all of them."""
        for one in (self.seller, *self.rows):
            one.save()
