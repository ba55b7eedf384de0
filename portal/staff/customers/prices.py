"""What a customer pays for a product on any day, and why."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import Company
from apps.catalog.models import Product
from apps.catalog.selectors import explain_day, shown_to
from apps.common.days import parse_day
from apps.common.staff import staff_page
from apps.orders.selectors.codes import products_by_code
from portal.staff.customers.page import trail_to


class PriceForm(forms.Form):
    """Which price is asked for."""

    sku = forms.CharField(label=gettext_lazy("SKU or EAN"), max_length=40)
    day = forms.CharField(
        label=gettext_lazy("Day"), widget=forms.TextInput(attrs={"type": "date", "class": "day"})
    )


def prices(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a customer pays for a product on a day, and by which rule."""
    company, today = get_object_or_404(Company, pk=pk), timezone.localdate()
    form = PriceForm(request.GET or None, initial={"day": today})
    context: dict[str, Any] = {}
    if form.is_valid():
        code, day = form.cleaned_data["sku"].upper(), parse_day(form.cleaned_data["day"])
        product = products_by_code([code]).get(code)
        if product is None:
            form.add_error("sku", _("There is no product with this SKU or EAN."))
        if day is None:
            form.add_error("day", _("Write the date as 2026-12-01."))
        if product and day:
            seen = Product.objects.filter(shown_to(company), pk=product.pk).exists()
            rows = explain_day(company, product, day)
            context = {"product": product, "day": day, "prices": rows, "is_seen": seen}
    return staff_page(
        request,
        "staff/customer_prices.html",
        title=_("Prices"),
        subtitle=company.name,
        trail=trail_to(company),
        here=_("Prices"),
        company=company,
        form=form,
        **context,
    )
