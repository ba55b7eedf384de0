"""The products' list with when each runs out: sales are known here, not in the catalogue."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from apps.catalog.admin.products import BrandFilter, ProductAdmin
from apps.catalog.models import Product, Stock
from apps.common.staff_lists import PhoneRow, SortedWhileCounted, titled
from portal.staff.products import filters
from portal.staff.reports.form import usual_pace
from portal.staff.reports.stock import days_left, pieces_sold, urgency

YEAR = 365


class ProductList(SortedWhileCounted):
    """Products, each with `days_left`: for how many days it lasts, None where nothing says so."""

    def get_results(self, request: HttpRequest) -> None:
        """Find the rows of the page, and when they run out. At most four statements more."""
        super().get_results(request)
        self.result_list = list(self.result_list)
        days, ids = usual_pace(timezone.localdate()), [product.pk for product in self.result_list]
        left = days_left(Stock.objects.filter(pk__in=ids), pieces_sold(days, ids), days=days) if ids else {}
        for product in self.result_list:
            product.days_left = left.get(product.pk)


class ProductPages(ProductAdmin):
    """Products: what is on the shelf, for how long, and what is missing of each."""

    list_display = ("item", "brand", "state", "wholesale", "usrp", "on_hand", "allocated", "available", "runs_out")
    phone_row = PhoneRow(right="wholesale", next="available", third="state", labelled=("wholesale", "available"))
    list_filter: ClassVar[Any] = (
        filters.StateFilter,
        filters.StockFilter,
        filters.RunsOutFilter,
        filters.MissingFilter,
        ("is_special", titled("own MOQ")),
        ("brand", BrandFilter),
    )

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ProductList]:
        return ProductList

    @admin.display(description="Runs out")
    def runs_out(self, product: Any) -> str:
        """Return in how many days nothing is left, at the pace of the last 90 days."""
        if product.days_left is None:
            return format_html('<span class="none">{}</span>', "–")
        if product.days_left > YEAR:
            return "over a year"
        text = f"{product.days_left} d" if product.days_left else "now"
        return format_html('<span class="{}">{}</span>', urgency(product.days_left), text)

    runs_out.is_figure = True  # type: ignore[attr-defined]


admin.site.unregister(Product)
admin.site.register(Product, ProductPages)
