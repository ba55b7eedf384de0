"""Staff pages of promotions."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from apps.catalog.admin.guarded import GuardedRows, Sentence
from apps.catalog.guards import promotion_guards
from apps.catalog.models import Promotion, PromotionItem
from apps.common.staff import StaffAdmin, StaffInline, staff_of
from apps.common.staff_lists import PhoneRow, figure, shown
from apps.common.staff_moments import CITY


class PromotionRows(GuardedRows):
    def named(self) -> Iterator[Sentence]:
        """Yield what is unlikely about the prices that are set, of all where it runs longer than
        before.
        """
        is_longer = self._is_longer()
        for form in self.forms:
            fields = getattr(form, "cleaned_data", {})
            product, price = fields.get("product"), fields.get("price")
            is_new = (is_longer or form.has_changed()) and not fields.get("DELETE")
            if is_new and product and price is not None:
                for one in promotion_guards(price, wholesale=product.usd_supply):
                    yield Sentence(form, "price", one.text, about=product.sku)

    def _is_longer(self) -> bool:
        kept = Promotion.objects.filter(pk=self.instance.pk).values_list("ends_at", flat=True)
        ends_at = self.instance.ends_at
        return bool(ends_at) and any(ends_at > before for before in kept)


class PromotionItemInline(StaffInline):
    model = PromotionItem
    formset = PromotionRows
    autocomplete_fields = ("product",)
    extra = 1
    verbose_name = "product"
    verbose_name_plural = "Products of the promotion"


class PromotionForm(forms.ModelForm):
    def clean(self) -> dict[str, Any]:
        """Refuse a promotion that ends before it begins."""
        fields: dict[str, Any] = super().clean() or {}
        start, end = fields.get("starts_at"), fields.get("ends_at")
        if start and end and end <= start:
            self.add_error("ends_at", "This is before the beginning.")
        return fields


def state_of(promotion: Promotion) -> tuple[str, str]:
    """Return whether a promotion runs, in words, and the tone of its tag."""
    now = timezone.now()
    if promotion.starts_at > now:
        return "Coming", "info"
    return ("Running", "ok") if promotion.ends_at > now else ("Over", "")


class RunningFilter(admin.SimpleListFilter):
    title = "time"
    parameter_name = "time"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("now", "Running now"), ("coming", "Coming"), ("over", "Over")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now = timezone.now()
        match self.value():
            case "now":
                return queryset.filter(starts_at__lte=now, ends_at__gt=now)
            case "coming":
                return queryset.filter(starts_at__gt=now)
            case "over":
                return queryset.filter(ends_at__lte=now)
        return queryset


@admin.register(Promotion)
class PromotionAdmin(StaffAdmin):
    """Promotions with their products and, where there is one, the promotional wholesale price."""

    form = PromotionForm
    fieldsets = (
        ("Promotion", {"fields": ("name", "starts_at", "ends_at"), "description": f"{CITY} time"}),
    )
    list_display = ("name", "state", "starts_at", "ends_at", "products")
    phone_row = PhoneRow(right="state", next="ends_at", labelled=("ends_at",))
    list_filter = (RunningFilter,)
    search_fields = ("name", "items__product__sku", "items__product__eng_name")
    search_help_text = "Promotion, product or SKU"
    inlines = (PromotionItemInline,)
    delete_allowed = True

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        promotions: QuerySet = super().get_queryset(request)
        annotated: QuerySet = promotions.annotate(item_count=Count("items", distinct=True))
        return annotated

    products = figure("item_count", "Products", ordering=None)

    @admin.display(description="State")
    def state(self, promotion: Promotion) -> str:
        word, tone = state_of(promotion)
        return format_html('<span class="tag {}">{}</span>', tone, word)

    def about(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """Return whether a promotion runs, and how many products it holds."""
        last = f"{shown(obj.item_count)} product{'' if obj.item_count == 1 else 's'}"
        return {"tag": state_of(obj), "subtitle": last}

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep what a promotion asked in the history that outlives it."""
        for promotion in queryset:
            items = promotion.items.select_related("product")
            asked = "; ".join(
                str(item.product)
                if item.price is None
                else f"{item.product} at {shown(item.price)}"
                for item in items.order_by("pk")
            )
            LogEntry.objects.log_actions(
                staff_of(request).pk,
                [promotion],
                DELETION,
                f"Deleted: {asked}" if asked else "Deleted",
                single_object=True,
            )
