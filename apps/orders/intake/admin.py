"""Staff pages of what companies' own lists are read by: their codes of products, and
their layouts.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.staff import StaffAdmin
from apps.common.staff_lists import PhoneRow
from apps.orders.intake.columns import MAX_CARTON, TabMapping
from apps.orders.intake.words import KINDS
from apps.orders.models.lists import ListLayout, OwnCode

format_html_lazy: Any = lazy(format_html, str)


@admin.register(OwnCode)
class OwnCodeAdmin(StaffAdmin):
    """What companies call our products, and what cartons hold; a wrong one is given another
    product, or dropped.
    """

    list_title = gettext_lazy("Buyers' item codes")
    words = (gettext_lazy("item code"), gettext_lazy("item codes"))
    list_display = ("code", "company", "product", "pieces", "learned_at")
    list_select_related = ("company", "product")
    phone_row = PhoneRow(under="product", right="company", next="learned_at")
    search_fields = ("code", "company__name", "product__sku", "product__eng_name")
    search_help_text = gettext_lazy("Code, company, SKU or product")
    fields = ("company", "code", "product", "pieces", "learned_by", "learned_at")
    readonly_fields = ("company", "code", "learned_by", "learned_at")
    autocomplete_fields = ("product",)
    delete_allowed = True

    def get_readonly_fields(
        self, request: HttpRequest, obj: OwnCode | None = None
    ) -> tuple[str, ...]:
        """Return what is not changed: a code has no pieces, a carton stays the product's that its
        code names.
        """
        kept = "product" if obj and obj.pieces else "pieces"
        return (*self.readonly_fields, kept)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: codes are learned from lists."""
        return False


class LayoutForm(forms.ModelForm):
    kinds = forms.CharField(
        label=gettext_lazy("Columns"),
        max_length=400,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=format_html_lazy(
            gettext_lazy("From the left, each one of: {kinds}."),
            kinds=format_html('<span lang="en">{}</span>', ", ".join(KINDS)),
        ),
    )
    carton = forms.IntegerField(
        label=gettext_lazy("Pieces per carton"),
        min_value=0,
        max_value=MAX_CARTON,
        help_text=gettext_lazy("0: it is asked at each row."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Show the columns as words."""
        super().__init__(*args, **kwargs)
        self.initial["kinds"] = ", ".join(self.instance.kinds or ())

    def clean_kinds(self) -> list[str]:
        """Return what each column holds.

        Raises:
            ValidationError: a word that is none of ours, or columns that no row can be read by.
        """
        kinds = [word.strip() for word in self.cleaned_data["kinds"].split(",")]
        if unknown := [kind for kind in kinds if kind not in KINDS]:
            text = _("“%(word)s” is none of %(kinds)s.")
            raise forms.ValidationError(text % {"word": unknown[0], "kinds": ", ".join(KINDS)})
        if fault := TabMapping(0, tuple(kinds)).fault:
            raise forms.ValidationError(fault)
        return kinds


@admin.register(ListLayout)
class ListLayoutAdmin(StaffAdmin):
    """How companies' sheets are read; the next sheet with these headings needs no questions."""

    form = LayoutForm
    list_title = gettext_lazy("Saved list layouts")
    words = (gettext_lazy("list layout"), gettext_lazy("list layouts"))
    list_display = ("company", "headings", "settled_by", "settled_at")
    list_select_related = ("company", "settled_by")
    phone_row = PhoneRow(under="headings", right="settled_at")
    search_fields = ("company__name", "headings")
    search_help_text = gettext_lazy("Company or headings")
    fields = (
        "company", "headings", "kinds", "carton", "decimal", "settled_by", "settled_at"
    )  # fmt: skip
    readonly_fields = ("company", "headings", "settled_by", "settled_at")
    delete_allowed = True

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: layouts are settled by who sends a sheet."""
        return False
