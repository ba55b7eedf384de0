"""Price groups: their terms, and what they pay for single products."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import PriceGroup
from apps.catalog.admin.guarded import GuardedForm
from apps.catalog.admin.products_form import NAMED, ItemsAdmin, SetProductsForm, priced, unlikely
from apps.catalog.models import PriceGroupItem
from apps.catalog.services.group_prices import CHANGE, set_group_prices
from apps.common.days import end_of, midnight
from apps.common.percent import PercentField
from apps.common.staff import StaffAdmin, has_any_perm, run_action, staff_page
from apps.common.staff_lists import PhoneRow, figure, shown
from apps.common.staff_moments import day_field, opened_at
from apps.common.texts import Text, joined

ITEMS = "admin:catalog_pricegroupitem_changelist"
FAR = 50  # per cent


def changed_meanwhile(form: forms.ModelForm) -> Iterator[tuple[str, Text]]:
    """Yield what would be overwritten, where the history tells of a change after the page was
    opened.
    """
    one, opened = form.instance, opened_at(form.data)
    if one.pk is None or opened is None:
        return
    history = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(one), object_id=str(one.pk)
    )
    if history.filter(action_time__gt=opened).exists():
        for name in form.changed_data:
            yield (
                name,
                Text(
                    "It is %(value)s now: it was changed after this page was opened.",
                    value=f"{form.fields[name].prepare_value(form.initial.get(name)) or '–'}",
                ),
            )


class DayForm(forms.Form):
    """The last day of a price, of the seller's days; without one it holds on."""

    last_day = day_field(_("Last day"), required=False, help_text=_("Empty: it holds on."))


class GroupForm(GuardedForm, forms.ModelForm):
    percent = forms.DecimalField(
        label=_("Per cent on each price"),
        min_value=-100,
        max_value=900,
        max_digits=5,
        decimal_places=2,
        initial=0,
        help_text=_("Added to each wholesale price; -10 takes ten per cent off."),
    )
    deposit_rate = PercentField(
        required=False,
        label=_("Deposit, % of the subtotal"),
        decimals=0,
        help_text=_("Empty: that of the settings."),
    )

    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what somebody changed meanwhile, and a percent that changes every price by more
        than half.
        """
        yield from changed_meanwhile(self)
        if abs(fields.get("percent") or 0) > FAR:
            percent = f"{fields['percent']:+}"
            text = Text("%(percent)s %%: every price changes by more than half.", percent=percent)
            yield "percent", text


class ItemForm(GuardedForm, DayForm, forms.ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["last_day"] = self.instance.last_day

    def named(self, fields: dict[str, Any]) -> Iterator[tuple[str, Text]]:
        """Yield what somebody changed meanwhile, and what is unlikely about the price."""
        yield from changed_meanwhile(self)
        for text in unlikely(self.instance.product, fields.get("price")):
            yield "price", text

    def clean_last_day(self) -> Any:
        """Refuse a last day before the first."""
        day, begins = self.cleaned_data["last_day"], self.instance.starts_at
        if day and begins and day < timezone.localdate(begins):
            raise forms.ValidationError(_("This is before the first day."))
        self.instance.last_day = day
        return day


class PricesForm(SetProductsForm, DayForm):
    """Prices of a group, pasted or reckoned for a brand."""

    needs_price = True
    first_day = day_field(
        _("Begins on"),
        required=False,
        help_text=_("Empty: at once. A later day is announced, and holds from then by itself."),
    )
    field_order = ("codes", "brand", "percent", "first_day", "last_day")

    def clean(self) -> dict[str, Any]:
        """Refuse a last day before the first."""
        fields = super().clean()
        first, last = fields.get("first_day"), fields.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("This is before the first day."))
        return fields


@admin.register(PriceGroup)
class PriceGroupAdmin(StaffAdmin):
    """Groups of customers that buy at prices and on terms of their own."""

    form = GroupForm
    fields = ("name", "percent", "minimum_order", "deposit_rate")
    list_display = ("name", "on_each_price", "products", "customers")
    phone_row = PhoneRow(right="on_each_price", next="customers", labelled=("customers",))
    search_fields = ("name",)
    search_help_text = _("Name of the group")
    change_form_template = "staff/with_prices.html"
    delete_allowed = True

    products = figure("item_count", _("Products with a price"), ordering=None)
    customers = figure("company_count", _("Customers"), ordering=None)

    @admin.display(description=_("Per cent on each price"), ordering="percent")
    def on_each_price(self, group: PriceGroup) -> str:
        return gettext("%(share)s %%") % {"share": f"{group.percent:+}"}

    on_each_price.is_figure = True  # type: ignore[attr-defined]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        groups: QuerySet = super().get_queryset(request)
        counted: QuerySet = groups.annotate(
            item_count=Count("items__product", distinct=True),
            company_count=Count("companies", distinct=True),
        )
        return counted

    def about(self, request: HttpRequest, obj: PriceGroup) -> dict[str, Any]:
        """Return how many products have a price of the group, and who is in it."""
        companies = reverse("admin:accounts_company_changelist")
        return {
            "figures": [
                {
                    "label": _("Customers"),
                    "value": shown(obj.company_count),  # type: ignore[attr-defined]
                    "hint": _("List them"),
                    "url": f"{companies}?group={obj.pk}",
                },
                {
                    "label": _("Products with a price"),
                    "value": shown(obj.item_count),  # type: ignore[attr-defined]
                    "hint": _("all others by the per cent"),
                    "url": f"{reverse(ITEMS)}?group__id__exact={obj.pk}",
                },
            ],
            "set_prices": reverse("admin:accounts_pricegroup_prices", args=[obj.pk])
            if has_any_perm(request, CHANGE)
            else "",
        }


@admin.register(PriceGroupItem)
class PriceGroupItemAdmin(ItemsAdmin):
    """What groups pay for single products."""

    form = ItemForm
    owner, change, view = "group", CHANGE, "accounts.view_pricegroup"
    fields = ("price", "last_day")
    list_display = ("product", "group", "pays", "begins", "last_day")
    list_select_related = ("product", "group")
    phone_row = PhoneRow(under="group", right="pays", next="last_day", labelled=("last_day",))
    list_filter = ("group",)
    ordering = ("group__name", "product__sort_key", "starts_at")

    pays = figure("price", _("group price $"))

    @admin.display(description=_("Begins on"), empty_value="–")
    def begins(self, item: PriceGroupItem) -> str | None:
        return _unbroken(timezone.localdate(item.starts_at)) if item.starts_at else None

    @admin.display(description=_("Last day"))
    def last_day(self, item: PriceGroupItem) -> str:
        return _unbroken(item.last_day) if item.last_day else "–"


def _unbroken(day: date) -> str:
    return format_html('<span class="keep">{}</span>', day.isoformat())


def prices_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a group's prices of many products at once."""
    group = get_object_or_404(PriceGroup, pk=pk)
    form = PricesForm(request.POST if request.method == "POST" else None)
    page = reverse("admin:accounts_pricegroup_change", args=[pk])
    if request.method == "POST" and form.is_valid():
        first = form.cleaned_data["first_day"]
        prices, starts_at = form.prices, midnight(first) if first else None
        last = form.cleaned_data["last_day"]

        def history(changed: int) -> Text:
            rows = [priced(product, price) for product, price in list(prices.items())[:NAMED]]
            return Text(
                "%(count)s prices set, %(first)s – %(last)s: %(rows)s",
                count=changed,
                first=first or "",
                last=last or "",
                rows=joined("; ", rows),
            )

        if run_action(
            request,
            group,
            history,
            lambda actor, now: set_group_prices(
                group_id=pk,
                prices={product.pk: price for product, price in prices.items()},
                starts_at=starts_at,
                ends_at=end_of(last),
                actor=actor,
            ),
        ):
            return redirect(f"{reverse(ITEMS)}?group__id__exact={pk}")
    return staff_page(
        request,
        "staff/group_prices.html",
        title=_("Set prices"),
        trail=[(_("Price groups"), reverse("admin:accounts_pricegroup_changelist")), (group, page)],
        owner=group,
        form=form,
        back=page,
    )
