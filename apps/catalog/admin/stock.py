"""Staff pages of the stock and its movements: read-only; a product's page has the actions."""

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from apps.catalog.admin.products import BrandFilter
from apps.catalog.models import Stock, StockChange
from apps.catalog.selectors import products_with
from apps.common.lists import any_of
from apps.common.staff import RecordAdmin
from apps.common.staff_lists import PhoneRow, figure, shown


class PromisedFilter(admin.SimpleListFilter):
    title = "what can be promised"
    parameter_name = "promised"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("short", "Short of promises"),
            ("none", "Nothing left"),
            ("some", "Something left"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "short":
                return queryset.filter(short__gt=0)
            case "none":
                return queryset.filter(allocated__gte=F("on_hand"))
            case "some":
                return queryset.filter(allocated__lt=F("on_hand"))
        return queryset


@admin.register(Stock)
class StockAdmin(RecordAdmin):
    """What lies on the shelf, what of it is promised, and what was promised beyond it."""

    list_title = "Stock"
    words = ("product", "products")
    list_display = ("item", "brand", "shelf", "promised", "available", "lacking")
    phone_row = PhoneRow(right="available", next="shelf", labelled=("available", "shelf"))
    list_filter = (PromisedFilter, ("product__brand", BrandFilter))
    list_select_related = ("product__brand",)
    search_fields = (
        "product__search_text",
    )  # that there is a search; `products_with` says what it finds
    search_help_text = "Name, SKU, brand or EAN"
    ordering = ("product__sort_key",)

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find what has every word in its product's name, SKU or brand, or as its EAN's end."""
        condition = products_with(term, "product__")
        return any_of(queryset, condition) if condition else queryset

    @admin.display(description="Product", ordering="product__eng_name")
    def item(self, stock: Stock) -> str:
        url = reverse("admin:catalog_product_change", args=[stock.pk])
        product = stock.product
        return format_html(
            '<a class="strong" href="{}">{}</a><span class="second">{}</span>',
            url,
            product.eng_name,
            product.sku,
        )

    @admin.display(description="Brand", ordering="product__brand__eng")
    def brand(self, stock: Stock) -> str:
        return str(stock.product.brand)

    shelf = figure("on_hand", "On hand")
    promised = figure("allocated", "Promised")
    lacking = figure("short", "Short")

    @admin.display(description="Available")
    def available(self, stock: Stock) -> str:
        left = stock.on_hand - stock.allocated
        return format_html('<b class="late">{}</b>', shown(left)) if left < 0 else shown(left)

    available.is_figure = True  # type: ignore[attr-defined]


@admin.register(StockChange)
class StockChangeAdmin(RecordAdmin):
    """Every change of what lies on the shelf: who, when, why."""

    list_title = "Stock movements"
    words = ("movement", "movements")
    list_display = ("item", "at", "pieces", "shelf", "why", "who")
    phone_row = PhoneRow(right="pieces", next="at", third="why")
    list_filter = ("at",)
    list_select_related = ("product", "actor")
    search_fields = ("=product__sku", "=invoice_code", "reason")
    search_help_text = "SKU, invoice code or reason"

    pieces = figure("change", "Pieces", ordering=None, is_signed=True)
    shelf = figure("on_hand", "On hand after", ordering=None)

    @admin.display(description="Product", ordering="product__sku")
    def item(self, change: StockChange) -> str:
        url = reverse("admin:catalog_product_change", args=[change.product_id])
        return format_html(
            '<a class="strong" href="{}">{}</a><span class="second">{}</span>',
            url,
            change.product.sku,
            change.product.eng_name,
        )

    @admin.display(description="Why")
    def why(self, change: StockChange) -> str:
        if not change.invoice_code:
            return change.reason
        found = f"{reverse('admin:jump')}?q={change.invoice_code}"
        return format_html('{} <a href="{}">{}</a>', change.reason, found, change.invoice_code)

    @admin.display(description="Who")
    def who(self, change: StockChange) -> str:
        return change.actor.manager if change.actor else "the portal"
