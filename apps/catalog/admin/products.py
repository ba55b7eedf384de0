"""Staff pages of brands and products; stock is shown here and changed only by its own actions."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.catalog.export import export_rows, write_products
from apps.catalog.models import Brand, Product
from apps.catalog.services import stock
from apps.common.staff import StaffAdmin, has_any_perm, run_action, staff_of
from apps.common.storage.files import HEADERS, XLSX

MAX_PIECES = 10_000_000


@admin.register(Brand)
class BrandAdmin(StaffAdmin):
    """Brands with the number of their products."""

    list_display = ("eng", "product_count")
    search_fields = ("eng",)
    ordering = ("eng",)

    def has_view_permission(self, request: HttpRequest, obj: Brand | None = None) -> bool:
        """Allow also the search of those who give companies their brands."""
        searching = request.resolver_match is not None and request.resolver_match.url_name == "autocomplete"
        gives_access = searching and has_any_perm(request, "catalog.add_brandaccess")
        return gives_access or super().has_view_permission(request, obj)


class RecountForm(forms.Form):
    """What was counted on the shelf."""

    on_hand = forms.IntegerField(label="Pieces on the shelf", min_value=0, max_value=MAX_PIECES)
    reason = forms.CharField(label="Reason", max_length=200)


class ReceiveForm(forms.Form):
    """What came in."""

    pieces = forms.IntegerField(label="Pieces received", min_value=1, max_value=MAX_PIECES)
    reason = forms.CharField(label="Reason", max_length=200, help_text="For instance the delivery note's number.")


class ProductForm(forms.ModelForm):
    def clean_sku(self) -> str:
        """Return the SKU as it is looked up everywhere: in capitals."""
        return str(self.cleaned_data["sku"]).upper()

    def clean_minimum(self) -> int:
        """Refuse a minimum of nothing."""
        minimum = int(self.cleaned_data["minimum"])
        if minimum < 1:
            raise forms.ValidationError("At least one piece.")
        return minimum


@admin.register(Product)
class ProductAdmin(StaffAdmin):
    """Products of the price list. The stock's figures are read here; recounting and receiving are actions."""

    form = ProductForm
    list_display = ("sku", "eng_name", "brand", "is_running", "usd_price", "usd_supply", "on_hand", "allocated")
    list_display_links = ("sku", "eng_name")
    list_filter = ("is_running", "is_special", ("brand", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("brand", "stock")
    search_fields = ("search_text",)
    search_help_text = "Name, SKU or brand"
    ordering = ("sort_key",)
    autocomplete_fields = ("brand",)
    change_form_template = "staff/product.html"
    change_list_template = "staff/products.html"
    readonly_fields = ("on_hand", "allocated", "available", "updated_at")
    fieldsets = (
        (None, {"fields": ("sku", "eng_name", "brand", "image", "is_running")}),
        ("Prices and quantities", {"fields": ("usd_price", "usd_supply", "minimum", "is_special", "weight_g")}),
        ("Customs", {"fields": ("hs_code", "origin")}),
        ("Stock", {"fields": ("on_hand", "allocated", "available", "updated_at")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        """Keep the SKU of a product for good: orders and baskets know it by that."""
        return (*self.readonly_fields, "sku") if obj else self.readonly_fields

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        return super().get_search_results(request, queryset, search_term.lower())

    @admin.display(description="On hand", ordering="stock__on_hand")
    def on_hand(self, product: Product) -> int | str:
        return product.stock.on_hand if hasattr(product, "stock") else "–"

    @admin.display(description="Allocated", ordering="stock__allocated")
    def allocated(self, product: Product) -> int | str:
        return product.stock.allocated if hasattr(product, "stock") else "–"

    @admin.display(description="Available")
    def available(self, product: Product) -> int | str:
        return product.stock.on_hand - product.stock.allocated if hasattr(product, "stock") else "–"

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            stock.add_stock_rows([obj])

    def get_urls(self) -> list[URLPattern]:
        permission = "catalog.change_stock"
        return [
            self.address("export/", self.export, name="export", permission="catalog.view_product"),
            self.address("<int:pk>/recount/", self.recount, name="recount", permission=permission),
            self.address("<int:pk>/receive/", self.receive, name="receive", permission=permission),
            *super().get_urls(),
        ]

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the products that the list's filters leave, as a workbook that can be imported again."""
        try:
            products = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(reverse("admin:catalog_product_changelist"))
        file = NamedTemporaryFile(suffix=".xlsx")  # noqa: SIM115 - the answer closes it
        write_products(export_rows(products), Path(file.name))
        name = f"products-{timezone.localdate():%Y-%m-%d}.xlsx"
        answer = FileResponse(file, as_attachment=True, filename=name, content_type=XLSX)
        for header, value in HEADERS.items():
            answer[header] = value
        return answer

    def recount(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Set what was counted on the shelf."""

        def service(product: Product, fields: dict[str, Any], actor: User) -> None:
            stock.recount(product_id=product.pk, actor=actor, now=timezone.now(), **fields)

        return self._stock_page(request, pk, "Recount", RecountForm, service, "Stock recounted: {on_hand} on hand")

    def receive(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Put what came in on the shelf."""

        def service(product: Product, fields: dict[str, Any], actor: User) -> None:
            stock.receive(product_id=product.pk, actor=actor, now=timezone.now(), **fields)

        return self._stock_page(request, pk, "Receive", ReceiveForm, service, "{pieces} pieces received")

    def _stock_page(
        self, request: HttpRequest, pk: int, verb: str, form_class: type[forms.Form], service: Any, done: str
    ) -> HttpResponse:
        product = get_object_or_404(Product.objects.select_related("stock"), pk=pk)
        back = reverse("admin:catalog_product_change", args=[pk])
        form = form_class(request.POST or None)
        if request.method == "POST" and form.is_valid():
            fields = form.cleaned_data
            if run_action(request, product, done.format(**fields), lambda: service(product, fields, staff_of(request))):
                return HttpResponseRedirect(back)
        return self.page(
            request,
            "staff/form.html",
            title=f"{verb} {product.sku}",
            subtitle=f"{product.eng_name} · {product.stock.on_hand} on hand, {product.stock.allocated} allocated",
            trail=[("Products", reverse("admin:catalog_product_changelist")), (product.sku, back)],
            here=verb,
            form=form,
            back=back,
            verb=verb,
        )
