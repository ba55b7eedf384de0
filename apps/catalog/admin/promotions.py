"""Promotions: their list, and the page of one with its days. Its products and their prices are a
list of their own; many are set at once.
"""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.catalog.admin.guarded import GuardedForm
from apps.catalog.admin.products_form import NAMED, ItemsAdmin, SetProductsForm, priced, unlikely
from apps.catalog.models import Promotion, PromotionItem
from apps.catalog.services.promotions import CHANGE, Prices, set_promotion_prices
from apps.common.staff import StaffAdmin, has_any_perm, run_action, staff_of, staff_page
from apps.common.staff_lists import PhoneRow, figure, shown, tag
from apps.common.staff_moments import CITY
from apps.common.texts import Text, joined
from apps.common.types import Label

ITEMS = "admin:catalog_promotionitem_changelist"


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


class PromotionForm(GuardedForm, forms.ModelForm):
    """The name of a promotion and its days."""

    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about its prices where it runs longer than before."""
        ends_at = fields.get("ends_at")
        if self.instance.pk and ends_at and ends_at > self.initial["ends_at"]:
            for item in self.instance.items.select_related("product"):
                for text in unlikely(item.product, item.price):
                    yield "ends_at", Text("%(row)s: %(what)s", row=item.product, what=text)

    def clean(self) -> dict[str, Any]:
        """Refuse a promotion that ends before it begins."""
        fields = super().clean()
        start, end = fields.get("starts_at"), fields.get("ends_at")
        if start and end and end <= start:
            self.add_error("ends_at", _("This is before the start."))
        return fields


@admin.register(Promotion)
class PromotionAdmin(StaffAdmin):
    """Promotions with their products and, where there is one, the promotional wholesale price."""

    form = PromotionForm
    fieldsets = (
        (
            _("Promotion"),
            {
                "fields": ("name", "starts_at", "ends_at"),
                "description": format_lazy(_("{city} time"), city=CITY),
            },
        ),
    )
    change_form_template = "staff/with_prices.html"
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

    def about(self, request: HttpRequest, obj: Promotion) -> dict[str, Any]:
        """Return whether a promotion runs, and how many products it has."""
        products = {
            "label": _("Products"),
            "value": shown(obj.item_count),  # type: ignore[attr-defined]
            "hint": _("List them"),
            "url": f"{reverse(ITEMS)}?promotion__id__exact={obj.pk}",
        }
        page = reverse("admin:catalog_promotion_prices", args=[obj.pk])
        set_prices = page if has_any_perm(request, CHANGE) else ""
        return {"tag": state_of(obj), "figures": [products], "set_prices": set_prices}

    def response_post_save_add(self, request: HttpRequest, obj: Promotion) -> HttpResponseRedirect:
        """Lead to the page that sets its products."""
        return redirect("admin:catalog_promotion_prices", obj.pk)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep what a promotion asked in the history that outlives it."""
        for promotion in queryset:
            items = promotion.items.select_related("product")
            asked = [priced(item.product, item.price) for item in items.order_by("pk")]
            text = Text("Deleted: %(products)s", products=joined("; ", asked))
            LogEntry.objects.log_actions(
                staff_of(request).pk,
                [promotion],
                DELETION,
                text.stored() if asked else Text("Deleted").stored(),
                single_object=True,
            )


class PromotionItemForm(GuardedForm, forms.ModelForm):
    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about a price that is changed."""
        if "price" in self.changed_data:
            for text in unlikely(self.instance.product, fields.get("price")):
                yield "price", text


@admin.register(PromotionItem)
class PromotionItemAdmin(ItemsAdmin):
    """The products of promotions, and at what price."""

    form = PromotionItemForm
    owner, change, view = "promotion", CHANGE, "catalog.view_promotion"
    fields = ("price",)
    list_display = ("product", "promotion", "wholesale", "asked")
    list_select_related = ("product", "promotion")
    phone_row = PhoneRow(under="promotion", right="asked")
    list_filter = ("promotion",)
    ordering = ("-promotion__starts_at", "product__sort_key")

    wholesale = figure("product__usd_supply", _("Wholesale $"))
    asked = figure("price", _("Promotion $"))


def prices_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Put many products into a promotion at once, or set their prices."""
    promotion = get_object_or_404(Promotion, pk=pk)
    form = SetProductsForm(request.POST if request.method == "POST" else None)
    page = reverse("admin:catalog_promotion_change", args=[pk])

    def done(former: Prices) -> Text:
        rows = [
            Text(
                "%(product)s: %(old)s → %(new)s",
                product=product,
                old=shown(former.get(product.pk)),
                new=shown(former.get(product.pk) if price is None else price),
            )
            for product, price in list(form.prices.items())[:NAMED]
        ]
        count = len(form.prices)
        return Text("%(count)s products set: %(rows)s", count=count, rows=joined("; ", rows))

    if request.method == "POST" and form.is_valid():
        prices = {product.pk: price for product, price in form.prices.items()}
        if run_action(
            request,
            promotion,
            done,
            lambda actor, now: set_promotion_prices(promotion_id=pk, prices=prices, actor=actor),
        ):
            return redirect(f"{reverse(ITEMS)}?promotion__id__exact={pk}")
    return staff_page(
        request,
        "staff/group_prices.html",
        title=_("Set prices"),
        trail=[(_("Promotions"), reverse("admin:catalog_promotion_changelist")), (promotion, page)],
        owner=promotion,
        form=form,
        back=page,
    )
