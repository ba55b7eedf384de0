"""Price groups and promotions: their terms, and what they ask for single products."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import PriceGroup, User
from apps.catalog.admin.guarded import GuardedForm
from apps.catalog.admin.products_form import (
    MAX_NAMED,
    ItemsAdmin,
    SetProductsForm,
    priced,
    unlikely,
)
from apps.catalog.models import PriceGroupItem, Promotion, PromotionItem
from apps.catalog.services.set_prices import (
    CHANGE_GROUP,
    CHANGE_PROMOTION,
    Prices,
    set_group_prices,
    set_promotion_prices,
)
from apps.common.days import end_of, midnight
from apps.common.filters import Choices, ConditionFilter
from apps.common.staff import (
    Context,
    StaffAdmin,
    actions_on,
    has_any_perm,
    run_action,
    staff_of,
    staff_page,
    trail_to,
)
from apps.common.staff_fields import CITY, PercentField, day_field, opened_at
from apps.common.staff_lists import Figure, PhoneRow, figure, figure_text, tag
from apps.common.texts import Text, joined, phrase
from apps.common.types import Label

FAR = 50  # per cent


def changed_meanwhile(form: forms.ModelForm) -> Iterator[tuple[str, Text]]:
    """Yield what would be overwritten, where the history tells of a change after the page was
    opened.
    """
    one, opened = form.instance, opened_at(form.data)
    if one.pk is None or opened is None:
        return
    if actions_on(one).filter(action_time__gt=opened).exists():
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

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what somebody changed meanwhile, and a percent that changes every price by more
        than half.
        """
        yield from changed_meanwhile(self)
        percent = self.cleaned_data.get("percent") or 0
        if abs(percent) > FAR:
            signed = f"{percent:+}"
            text = Text("%(percent)s %%: every price changes by more than half.", percent=signed)
            yield "percent", text


class ItemForm(GuardedForm, DayForm, forms.ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["last_day"] = self.instance.last_day

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what somebody changed meanwhile, and what is unlikely about the price."""
        yield from changed_meanwhile(self)
        for text in unlikely(self.instance.product, self.cleaned_data.get("price")):
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

    def clean(self) -> None:
        """Refuse a last day before the first, and one that is past: the price would never hold."""
        super().clean()
        first, last = (self.cleaned_data.get(name) for name in ("first_day", "last_day"))
        if first and last and last < first:
            self.add_error("last_day", _("This is before the first day."))
        elif last and last < timezone.localdate():
            self.add_error("last_day", _("Choose today or a later day."))


@admin.register(PriceGroup)
class PriceGroupAdmin(StaffAdmin):
    """Groups of customers that buy at prices and on terms of their own."""

    form = GroupForm
    fields = ("name", "percent", "minimum_order", "deposit_rate")
    list_display = ("name", "on_each_price", "products", "customers")
    phone_row = PhoneRow(right="on_each_price", next="customers", labelled=("customers",))
    search_fields = ("name",)
    search_help_text = _("Name of the group")
    delete_allowed = True

    products = figure("item_count", _("Products with a price"), ordering=None)
    customers = figure("company_count", _("Customers"), ordering=None)

    @admin.display(description=_("Per cent on each price"), ordering="percent")
    def on_each_price(self, group: PriceGroup) -> str:
        return phrase("%(share)s %%", share=f"{group.percent:+}")

    on_each_price.is_figure = True  # type: ignore[attr-defined]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        groups: QuerySet = super().get_queryset(request)
        counted: QuerySet = groups.annotate(
            item_count=Count("items__product", distinct=True),
            company_count=Count("companies", distinct=True),
        )
        return counted

    def about(self, request: HttpRequest, obj: PriceGroup) -> Context:
        """Return how many products have a price of the group, and who is in it."""
        companies = reverse("admin:accounts_company_changelist")
        items = reverse("admin:catalog_pricegroupitem_changelist")
        return {
            "figures": [
                Figure(
                    _("Customers"),
                    figure_text(obj.company_count),  # type: ignore[attr-defined]
                    _("List them"),
                    f"{companies}?group={obj.pk}",
                ),
                Figure(
                    _("Products with a price"),
                    figure_text(obj.item_count),  # type: ignore[attr-defined]
                    _("all others by the per cent"),
                    f"{items}?group__id__exact={obj.pk}",
                ),
            ],
            "set_prices": reverse("admin:accounts_pricegroup_prices", args=[obj.pk])
            if has_any_perm(request, CHANGE_GROUP)
            else "",
        }


@admin.register(PriceGroupItem)
class PriceGroupItemAdmin(ItemsAdmin):
    """What groups pay for single products."""

    form = ItemForm
    owner, change, view = "group", CHANGE_GROUP, "accounts.view_pricegroup"
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


def state_of(promotion: Promotion) -> tuple[Label, str]:
    """Return whether a promotion runs, in words, and the tone of its tag."""
    now = timezone.now()
    if promotion.starts_at > now:
        return pgettext_lazy("promotion", "Coming"), "info"
    if promotion.ends_at > now:
        return pgettext_lazy("promotion", "Running"), "ok"
    return pgettext_lazy("promotion", "Over"), ""


class RunningFilter(ConditionFilter):
    title = _("time")
    parameter_name = "time"

    def conditions(self) -> Choices:
        now = timezone.now()
        return {
            "now": (_("Running now"), Q(starts_at__lte=now, ends_at__gt=now)),
            "coming": (pgettext_lazy("promotion", "Coming"), Q(starts_at__gt=now)),
            "over": (pgettext_lazy("promotion", "Over"), Q(ends_at__lte=now)),
        }


class PromotionForm(GuardedForm, forms.ModelForm):
    """The name of a promotion and its days."""

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about its prices where it runs longer than before."""
        ends_at = self.cleaned_data.get("ends_at")
        if self.instance.pk and ends_at and ends_at > self.initial["ends_at"]:
            for item in self.instance.items.select_related("product"):
                for text in unlikely(item.product, item.price):
                    yield "ends_at", Text("%(row)s: %(what)s", row=item.product, what=text)

    def clean(self) -> None:
        """Refuse a promotion that ends before it begins."""
        super().clean()
        start, end = (self.cleaned_data.get(name) for name in ("starts_at", "ends_at"))
        if start and end and end <= start:
            self.add_error("ends_at", _("This is before the start."))


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

    def about(self, request: HttpRequest, obj: Promotion) -> Context:
        """Return whether a promotion runs, and how many products it has."""
        items = reverse("admin:catalog_promotionitem_changelist")
        count = figure_text(obj.item_count)  # type: ignore[attr-defined]
        listed = f"{items}?promotion__id__exact={obj.pk}"
        products = Figure(_("Products"), count, _("List them"), listed)
        page = reverse("admin:catalog_promotion_prices", args=[obj.pk])
        set_prices = page if has_any_perm(request, CHANGE_PROMOTION) else ""
        return {"tag": state_of(obj), "figures": [products], "set_prices": set_prices}

    def response_post_save_add(self, request: HttpRequest, obj: Promotion) -> HttpResponseRedirect:
        """Lead to the page that sets its products."""
        return redirect("admin:catalog_promotion_prices", obj.pk)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep the prices of a promotion in the history that outlives it."""
        for promotion in queryset:
            items = promotion.items.select_related("product")
            prices = [priced(item.product, item.price) for item in items.order_by("pk")]
            text = Text("Deleted: %(products)s", products=joined("; ", prices))
            LogEntry.objects.log_actions(
                staff_of(request).pk,
                [promotion],
                DELETION,
                text.stored() if prices else Text("Deleted").stored(),
                single_object=True,
            )


class PromotionItemForm(GuardedForm, forms.ModelForm):
    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield what is unlikely about a price that is changed."""
        if "price" in self.changed_data:
            for text in unlikely(self.instance.product, self.cleaned_data.get("price")):
                yield "price", text


@admin.register(PromotionItem)
class PromotionItemAdmin(ItemsAdmin):
    """The products of promotions, and at what price."""

    form = PromotionItemForm
    owner, change, view = "promotion", CHANGE_PROMOTION, "catalog.view_promotion"
    list_title = _("Products in promotions")
    words = (_("product"), _("products"))
    fields = ("price",)
    list_display = ("product", "promotion", "wholesale", "asked")
    list_select_related = ("product", "promotion")
    phone_row = PhoneRow(under="promotion", right="asked")
    list_filter = ("promotion",)
    ordering = ("-promotion__starts_at", "product__sort_key")

    wholesale = figure("product__usd_supply", _("Wholesale $"))
    asked = figure("price", _("Promotion $"))


def group_prices(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a group's prices of many products at once."""
    form = PricesForm(request.POST if request.method == "POST" else None)

    def save(actor: User) -> int:
        first = form.cleaned_data["first_day"]
        return set_group_prices(
            group_id=pk,
            prices={product.pk: price for product, price in form.prices.items()},
            starts_at=midnight(first) if first else None,
            ends_at=end_of(form.cleaned_data["last_day"]),
            actor=actor,
        )

    def history(changed: int) -> Text:
        rows = [priced(product, price) for product, price in list(form.prices.items())[:MAX_NAMED]]
        first, last = form.cleaned_data["first_day"], form.cleaned_data["last_day"]
        values = {"count": changed, "first": first, "last": last, "rows": joined("; ", rows)}
        if first and last:
            return Text("%(count)s prices set, %(first)s – %(last)s: %(rows)s", **values)
        if first:
            return Text("%(count)s prices set from %(first)s: %(rows)s", **values)
        if last:
            return Text("%(count)s prices set until %(last)s: %(rows)s", **values)
        return Text("%(count)s prices set: %(rows)s", **values)

    group = get_object_or_404(PriceGroup, pk=pk)
    return _set_prices(request, group, form, save, history)


def promotion_prices(request: HttpRequest, pk: int) -> HttpResponse:
    """Put many products into a promotion at once, or set their prices."""
    form = SetProductsForm(request.POST if request.method == "POST" else None)

    def save(actor: User) -> Prices:
        prices = {product.pk: price for product, price in form.prices.items()}
        return set_promotion_prices(promotion_id=pk, prices=prices, actor=actor)

    def history(former: Prices) -> Text:
        rows = [
            Text(
                "%(product)s: %(old)s → %(new)s",
                product=product,
                old=figure_text(former.get(product.pk)),
                new=figure_text(former.get(product.pk) if price is None else price),
            )
            for product, price in list(form.prices.items())[:MAX_NAMED]
        ]
        count = len(form.prices)
        return Text("%(count)s products set: %(rows)s", count=count, rows=joined("; ", rows))

    promotion = get_object_or_404(Promotion, pk=pk)
    return _set_prices(request, promotion, form, save, history)


def _set_prices(
    request: HttpRequest,
    owner: PriceGroup | Promotion,
    form: SetProductsForm,
    save: Callable[..., object],
    history: Callable[[Any], Text],
) -> HttpResponse:
    name = str(owner._meta.model_name)
    if form.is_valid() and run_action(request, owner, history, save, is_dated=False):
        items = reverse(f"admin:catalog_{name}item_changelist")
        return redirect(f"{items}?{name.removeprefix('price')}__id__exact={owner.pk}")
    return staff_page(
        request,
        "staff/group_prices.html",
        title=_("Set prices"),
        trail=trail_to(owner),
        owner=owner,
        form=form,
    )
