"""The list of promotions; the page of one is in `promotion_page`."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.catalog.models import Promotion
from apps.common.staff import StaffAdmin, staff_of
from apps.common.staff_lists import PhoneRow, figure, shown, tag
from apps.common.texts import Text, joined
from apps.common.types import Label


def state_of(promotion: Promotion) -> tuple[Label, str]:
    """Return whether a promotion runs, in words, and the tone of its tag."""
    now = timezone.now()
    if promotion.starts_at > now:
        return pgettext_lazy("promotion", "Coming"), "info"
    if promotion.ends_at > now:
        return pgettext_lazy("promotion", "Running"), "ok"
    return pgettext_lazy("promotion", "Over"), ""


class RunningFilter(admin.SimpleListFilter):
    title = _("time")
    parameter_name = "time"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        return [
            ("now", _("Running now")),
            ("coming", pgettext_lazy("promotion", "Coming")),
            ("over", pgettext_lazy("promotion", "Over")),
        ]

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

    list_display = ("name", "state", "starts_at", "ends_at", "products")
    phone_row = PhoneRow(right="state", next="ends_at", labelled=("ends_at",))
    list_filter = (RunningFilter,)
    search_fields = ("name", "items__product__sku", "items__product__eng_name")
    search_help_text = _("Promotion, product or SKU")
    delete_allowed = True

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        promotions: QuerySet = super().get_queryset(request)
        annotated: QuerySet = promotions.annotate(item_count=Count("items", distinct=True))
        return annotated

    products = figure("item_count", _("Products"), ordering=None)

    @admin.display(description=_("State"))
    def state(self, promotion: Promotion) -> str:
        return tag(*state_of(promotion))

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep what a promotion asked in the history that outlives it."""
        for promotion in queryset:
            items = promotion.items.select_related("product")
            asked = [
                Text("%(product)s", product=item.product)
                if item.price is None
                else Text("%(product)s at %(price)s", product=item.product, price=shown(item.price))
                for item in items.order_by("pk")
            ]
            text = Text("Deleted: %(products)s", products=joined("; ", asked))
            LogEntry.objects.log_actions(
                staff_of(request).pk,
                [promotion],
                DELETION,
                text.stored() if asked else Text("Deleted").stored(),
                single_object=True,
            )
