"""The table of shipping rates that fees are proposed from."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.common.staff import StaffAdmin
from apps.common.staff_lists import PhoneRow
from apps.orders.models import ShippingRate


@admin.register(ShippingRate)
class ShippingRateAdmin(StaffAdmin):
    """What shipping to a country costs a kilogram."""

    words = (_("shipping rate"), _("shipping rates"))
    list_display = ("to", "per_kg", "at_least")
    phone_row = PhoneRow(right="per_kg", under="at_least", labelled=("per_kg", "at_least"))
    list_select_related = ("country",)
    ordering = ("country__content",)
    delete_allowed: ClassVar[bool] = True
    fieldsets = ((None, {"fields": ("country", "per_kg", "at_least")}),)

    def about(self, request: HttpRequest, obj: ShippingRate) -> dict[str, Any]:
        """Return what the rate is for."""
        return {
            "subtitle": _("The confirmation sheet proposes the fee: measured weight at this rate."),
        }

    @admin.display(description=_("Country"), ordering="country__content")
    def to(self, rate: ShippingRate) -> str:
        return str(rate)
