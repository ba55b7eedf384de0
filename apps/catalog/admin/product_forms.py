"""What staff type of a product: its prices and words, and what comes onto its shelf."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.catalog.admin.guarded import GuardedForm
from apps.catalog.guards import Named, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import Brand, Running
from apps.catalog.rules import ean_of
from apps.catalog.selectors import open_promotions
from apps.catalog.services import stock
from apps.catalog.sheet import MAX_PIECES, NAME, SKU, USRP, WHOLESALE
from apps.common.printed import PrintedForm
from apps.common.seller import seller
from apps.common.staff_lists import two_lines
from apps.common.staff_moments import day_field, opened_at
from apps.common.texts import Text


def sentence(named: Named) -> Text:
    """Return what a guard says, in the language of the page."""
    return Text(named.key, **named.values)


class RecountForm(GuardedForm, forms.Form):
    """What was counted on the shelf; `shelf` is what the portal has there."""

    on_hand = forms.IntegerField(label=_("Pieces on the shelf"), min_value=0, max_value=MAX_PIECES)
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, shelf: stock.Shelf, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shelf = shelf

    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about the count."""
        if "on_hand" in fields:
            old, promised = self.shelf
            for one in stock_guards(old=old, new=fields["on_hand"], promised=promised):
                yield "on_hand", sentence(one)


class ReceiveForm(forms.Form):
    """What came in."""

    pieces = forms.IntegerField(label=_("Pieces received"), min_value=1, max_value=MAX_PIECES)
    reason = forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("For example the delivery note number.")
    )


class ExpectForm(forms.Form):
    """What is to come in."""

    pieces = forms.IntegerField(
        label=_("Pieces on their way"),
        min_value=0,
        max_value=MAX_PIECES,
        help_text=_("0: nothing more is expected."),
    )
    expected_on = day_field(_("Expected on"))

    def clean_expected_on(self) -> date:
        """Refuse a day that is past."""
        day: date = self.cleaned_data["expected_on"]
        if day < timezone.localdate():
            raise forms.ValidationError(_("Choose today or a later day."))
        return day


# What each state of a product means to buyers (admin-2.md, section 8).
WHO_SEES_IT = {
    Running.ON_SALE: _("Buyers see and order it."),
    Running.CONTACT_US: _("Buyers see it and contact us to order."),
    Running.DISCONTINUED: _("Buyers see it and can order it while stock lasts."),
    Running.HIDDEN: _("Not shown to buyers, nor in the price list. Existing orders keep it."),
}


class ProductForm(PrintedForm, GuardedForm, forms.ModelForm):
    printed = (NAME, SKU)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "minimum" in self.fields:
            self.fields["minimum"].help_text = _("pieces; the MOQ is at least %(least)s") % {
                "least": seller().least_moq
            }
        if "brand" in self.fields and not self.instance.pk and not Brand.objects.exists():
            self.fields["brand"].help_text = format_html(
                gettext('No brands yet: <a href="{}">add one</a>, or import a price list.'),
                reverse("admin:catalog_brand_add"),
            )
        if "is_running" in self.fields:
            choices = [
                (state.value, two_lines(state.label, seen)) for state, seen in WHO_SEES_IT.items()
            ]
            self.fields["is_running"].choices = choices  # type: ignore[attr-defined]
            self.fields["is_running"].label = _("Who sees it")

    def clean_sku(self) -> str:
        """Return the SKU as it is looked up everywhere: in capitals."""
        return str(self.cleaned_data["sku"]).upper()

    def clean_ean(self) -> str | None:
        """Return the EAN as it is kept, or none.

        Raises:
            ValidationError: its check digit is not the right one, or it is none at all.
        """
        typed = self.cleaned_data["ean"]
        if typed and ean_of(typed) is None:
            raise forms.ValidationError(
                _("Not an EAN: 8 or 13 digits, the last of which checks the others.")
            )
        return ean_of(typed) if typed else None

    def clean_minimum(self) -> int:
        """Refuse a minimum of nothing."""
        minimum = int(self.cleaned_data["minimum"])
        if minimum < 1:
            raise forms.ValidationError(_("At least one piece."))
        return minimum

    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about prices that are changed."""
        changed = [
            name for name in (WHOLESALE, USRP) if name in self.changed_data and name in fields
        ]
        old = self.instance if self.instance.pk else None
        opened = opened_at(self.data)
        # Somebody changed the product meanwhile: the page shows what is not there any more.
        is_late = old is not None and opened is not None and opened < old.updated_at
        for name in changed:
            if is_late:
                yield (
                    name,
                    Text(
                        "It is %(price)s now: the product was changed after this page was opened.",
                        price=f"{getattr(old, name):,.2f}",
                    ),
                )
            for one in price_guards(old=getattr(old, name, None), new=fields[name]):
                yield name, sentence(one)
        if changed and {WHOLESALE, USRP} <= fields.keys():
            promotions: Sequence[tuple[str, Decimal]] = ()
            if old and WHOLESALE in changed:
                asked = open_promotions(product_ids=[old.pk], now=timezone.now())
                promotions = asked.get(old.pk, ())
            for one in wholesale_guards(
                fields[WHOLESALE], usrp=fields[USRP], promotions=promotions
            ):
                yield changed[0], sentence(one)
