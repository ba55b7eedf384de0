"""The stock's movements, read-only, and a product's shelf: recounted, received, expected."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from apps.catalog.admin.guarded import GuardedForm, sentence
from apps.catalog.guards import stock_guards
from apps.catalog.models import Product, StockChange
from apps.catalog.services import stock
from apps.catalog.sheet import MAX_PIECES
from apps.common.staff import StaffAdmin, decide, page_of, trail_to
from apps.common.staff_fields import day_field
from apps.common.staff_lists import PhoneRow, by, figure, figure_text, two_lines
from apps.common.texts import Text, phrase, read
from apps.common.types import Label


@admin.register(StockChange)
class StockChangeAdmin(StaffAdmin):
    """Every change of what lies on the shelf: who, when, why."""

    is_record = True
    list_display_links = None
    list_title = _("Stock movements")
    words = (_("movement"), _("movements"))
    list_display = ("item", "at", "pieces", "shelf", "why", "who")
    fields = readonly_fields = list_display
    phone_row = PhoneRow(right="pieces", next="at", third="why")
    list_filter = ("at",)
    list_select_related = ("product", "actor")
    search_fields = ("=product__sku", "=invoice_code", "reason")
    search_help_text = _("SKU, invoice code or reason")

    pieces = figure("change", _("Pieces"), ordering=None, is_signed=True)
    shelf = figure("on_hand", _("On hand after"), ordering=None)
    who = by("actor", _("Who"))

    @admin.display(description=_("Product"), ordering="product__sku")
    def item(self, change: StockChange) -> str:
        page = page_of(change.product)
        link = format_html('<a class="strong" href="{}">{}</a>', page, change.product.sku)
        return two_lines(link, change.product.eng_name)

    @admin.display(description=_("Why"))
    def why(self, change: StockChange) -> str:
        if not change.invoice_code:
            return read(change.reason)
        link = f"{reverse('admin:jump')}?q={change.invoice_code}"
        return format_html('{} <a href="{}">{}</a>', read(change.reason), link, change.invoice_code)


class RecountForm(GuardedForm, forms.Form):
    """What was counted on the shelf; `shelf` is what the portal has there, `shown` what the page
    said that it has.
    """

    on_hand = forms.IntegerField(label=_("Pieces on the shelf"), min_value=0, max_value=MAX_PIECES)
    reason = forms.CharField(label=_("Reason"), max_length=200)
    shown = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, shelf: stock.Shelf, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["shown"] = shelf.on_hand
        self.shelf = shelf

    def clean(self) -> None:
        """Name what has to be looked at."""
        super().clean()
        self.cleaned_data.pop("shown", None)

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about the count, and what somebody has changed meanwhile."""
        if "on_hand" in self.cleaned_data:
            old, promised = self.shelf
            if (shown := self.cleaned_data.get("shown")) not in (None, old):
                moved = Text(
                    "On hand is %(now)s now; this page showed %(shown)s.", now=old, shown=shown
                )
                yield "on_hand", moved
            new = self.cleaned_data["on_hand"]
            for one in stock_guards(old=old, new=new, promised=promised):
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


def recount(request: HttpRequest, pk: int) -> HttpResponse:
    """Set what was counted on the shelf."""
    product = _with_shelf(pk)
    shelf = stock.Shelf(product.stock.on_hand, product.stock.allocated)
    form = RecountForm(request.POST or None, shelf=shelf)

    def history(change: StockChange) -> Text:
        return Text("Stock recounted: %(before)s → %(after)s on hand", **_on_hand(change))

    title = phrase("Recount %(sku)s", sku=product.sku)
    return _page(request, product, (_("Recount"), title), form, stock.recount, history, seen=shelf)


def receive(request: HttpRequest, pk: int) -> HttpResponse:
    """Put what came in on the shelf."""

    def history(change: StockChange) -> Text:
        return Text(
            "%(pieces)s pieces received: %(before)s → %(after)s on hand",
            pieces=figure_text(change.change),
            **_on_hand(change),
        )

    product, form = _with_shelf(pk), ReceiveForm(request.POST or None)
    title = phrase("Receive %(sku)s", sku=product.sku)
    return _page(request, product, (_("Receive"), title), form, stock.receive, history)


def expect(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what comes in next, and when."""
    product, form = _with_shelf(pk), ExpectForm(request.POST or None)

    def history(before: tuple[int, date | None]) -> Text:
        after = form.cleaned_data["pieces"], form.cleaned_data["expected_on"]
        return Text(
            "Expected: %(before)s → %(after)s", before=_expected(*before), after=_expected(*after)
        )

    title = phrase("Expect %(sku)s", sku=product.sku)
    return _page(request, product, (_("Expect"), title), form, stock.expect, history)


def _with_shelf(pk: int) -> Product:
    product: Product = get_object_or_404(Product.objects.select_related("stock"), pk=pk)
    return product


def _page(
    request: HttpRequest,
    product: Product,
    names: tuple[Label, str],
    form: forms.Form,
    service: Callable[..., object],
    history: Callable[[Any], Text],
    **seen: Any,
) -> HttpResponse:
    verb, title = names
    page = {
        "title": title,
        "subtitle": phrase(
            "%(product)s · %(on_hand)s on hand, %(promised)s promised",
            product=product.eng_name,
            on_hand=figure_text(product.stock.on_hand),
            promised=figure_text(product.stock.allocated),
        ),
        "trail": trail_to(product, product.sku),
        "here": verb,
        "verb": verb,
    }
    return decide(
        request,
        product,
        form,
        history,
        service,
        then=page_of(product),
        page=lambda: page,
        template="staff/form.html",
        product_id=product.pk,
        **seen,
    )


def _on_hand(change: StockChange) -> dict[str, str]:
    return {
        "before": figure_text(change.on_hand - change.change),
        "after": figure_text(change.on_hand),
    }


def _expected(pieces: int, day: date | None) -> Text:
    if not pieces:
        return Text("nothing")
    return Text("%(pieces)s on %(day)s", pieces=figure_text(pieces), day=f"{day:%Y-%m-%d}")
