"""Staff pages of promotions."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from apps.catalog.models import Promotion, PromotionItem
from apps.common.staff import StaffAdmin, StaffInline


class PromotionItemInline(StaffInline):
    model = PromotionItem
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
    list_display = ("name", "starts_at", "ends_at", "products")
    list_filter = (RunningFilter,)
    search_fields = ("name", "items__product__sku", "items__product__eng_name")
    inlines = (PromotionItemInline,)
    delete_allowed = True

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        promotions: QuerySet = super().get_queryset(request)
        annotated: QuerySet = promotions.annotate(item_count=Count("items", distinct=True))
        return annotated

    @admin.display(description="Products")
    def products(self, promotion: Any) -> int:
        return int(promotion.item_count)
