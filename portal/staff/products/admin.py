"""Products with what was sold of them and what is wanted: sales are known here, not in the
catalogue.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from apps.catalog.admin.products import BrandFilter, ProductAdmin
from apps.catalog.models import Product, Stock
from apps.common.staff import has_any_perm
from apps.common.staff_lists import PhoneRow, shown, titled
from apps.orders.selectors.sales import Days, sold_of_product
from apps.orders.selectors.wishes import WAITING, open_wish_rows
from portal.staff.products import filters
from portal.staff.reports.sales import last_months
from portal.staff.reports.stock import PACE, days_left, pieces_sold, urgency


@admin.register(Product)
class ProductPages(ProductAdmin):
    """Products: what is on the shelf, and what is missing of each."""

    list_display = (
        "item",
        "brand",
        "state",
        "wholesale",
        "usrp",
        "on_hand",
        "allocated",
        "available",
    )
    phone_row = PhoneRow(
        right="wholesale", next="available", third="state", labelled=("wholesale", "available")
    )
    list_filter: ClassVar[Any] = (
        filters.StateFilter,
        filters.StockFilter,
        filters.MissingFilter,
        ("is_special", titled(gettext_lazy("special MOQ"))),
        ("brand", BrandFilter),
    )

    def about(self, request: HttpRequest, obj: Product) -> dict[str, Any]:
        """Return the product's page with how long it lasts, what is wanted, and what was sold in
        twelve months.

        At most eight statements more; what was sold and is wanted for those who see orders.
        """
        about = super().about(request, obj)
        about["next_product"] = self._next(obj)
        if has_any_perm(request, "orders.view_order"):
            today = timezone.localdate()
            pieces, usd = sold_of_product(obj.pk, days=Days(last_months(today), today))
            about["figures"] = [
                *about["figures"],
                _days_left(obj),
                _wanted(obj),
                {
                    "label": _("12 months"),
                    "value": shown(pieces),
                    "hint": _("pieces, %(usd)s USD") % {"usd": f"{usd:,.2f}"},
                },
            ]
        return about

    def _next(self, product: Product) -> int | None:
        """Return the product that follows in the list. One statement."""
        later = Product.objects.filter(sort_key__gt=product.sort_key).order_by("sort_key")
        return later.values_list("pk", flat=True).first()

    def response_change(self, request: HttpRequest, obj: Product) -> HttpResponse:
        """Go on at the next product of the list where that was asked for."""
        answer = super().response_change(request, obj)
        following = self._next(obj) if "_next" in request.POST else None
        if following is None:
            return answer
        return HttpResponseRedirect(reverse("admin:catalog_product_change", args=[following]))


def _days_left(product: Product) -> dict[str, Any]:
    today = timezone.localdate()
    sold = pieces_sold(today, [product.pk])
    left = days_left(Stock.objects.filter(product=product), sold, today=today).get(product.pk)
    pace = sold.get(product.pk, 0) / PACE
    value, tone = ("–", "") if left is None else (shown(left), urgency(left))
    return {
        "label": _("Days left"),
        "value": value,
        "tone": tone,
        "hint": _("%(pace)s a day, %(days)s days") % {"pace": f"{pace:,.1f}", "days": PACE},
    }


def _wanted(product: Product) -> dict[str, Any]:
    found = (
        open_wish_rows()
        .filter(product=product)
        .aggregate(pieces=Sum(WAITING), customers=Count("company", distinct=True))
    )
    customers = found["customers"]
    hint = _("nobody waits")
    if customers:
        counted = ngettext("%(count)s customer", "%(count)s customers", customers)
        hint = counted % {"count": customers}
    url = f"{reverse('admin:orders_wish_changelist')}?q={product.sku}" if customers else ""
    return {"label": _("Wanted"), "value": shown(found["pieces"] or 0), "hint": hint, "url": url}
