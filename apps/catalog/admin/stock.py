"""Staff pages of the stock and its movements: read-only; a product's page has the actions."""

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from apps.catalog.models import Stock, StockChange
from apps.common.staff import RecordAdmin


class PromisedFilter(admin.SimpleListFilter):
    title = "what can be promised"
    parameter_name = "promised"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("short", "Short of promises"), ("none", "Nothing left"), ("some", "Something left")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "short":
                return queryset.filter(allocated__gt=F("on_hand"))
            case "none":
                return queryset.filter(allocated__gte=F("on_hand"))
            case "some":
                return queryset.filter(allocated__lt=F("on_hand"))
        return queryset


@admin.register(Stock)
class StockAdmin(RecordAdmin):
    """What lies on the shelf, what of it is promised, and what was promised beyond it."""

    list_display = ("item", "brand", "on_hand", "allocated", "available", "short")
    list_filter = (PromisedFilter, ("product__brand", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("product__brand",)
    search_fields = ("product__search_text",)
    search_help_text = "Name, SKU or brand"
    ordering = ("product__sort_key",)

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        return super().get_search_results(request, queryset, search_term.lower())

    @admin.display(description="Product", ordering="product__eng_name")
    def item(self, stock: Stock) -> str:
        url = reverse("admin:catalog_product_change", args=[stock.pk])
        product = stock.product
        return format_html(
            '<a class="strong" href="{}">{}</a><span class="second">{}</span>', url, product.eng_name, product.sku
        )

    @admin.display(description="Brand", ordering="product__brand__eng")
    def brand(self, stock: Stock) -> str:
        return str(stock.product.brand)

    @admin.display(description="Available")
    def available(self, stock: Stock) -> int:
        return stock.on_hand - stock.allocated


@admin.register(StockChange)
class StockChangeAdmin(RecordAdmin):
    """Every change of what lies on the shelf: who, when, why."""

    list_title = "Stock movements"
    list_display = ("at", "sku", "change", "on_hand", "reason", "invoice_code", "actor")
    list_filter = ("at",)
    list_select_related = ("product", "actor")
    search_fields = ("=product__sku", "=invoice_code", "reason")
    search_help_text = "SKU, invoice code or reason"

    @admin.display(description="SKU", ordering="product__sku")
    def sku(self, change: StockChange) -> str:
        return change.product.sku
