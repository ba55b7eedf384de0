"""Promotions: their list, and the page of one with its days and its products, old and new price.
Many products are put into the table at once, by their codes or by brand; nothing is saved before
staff have seen it.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.catalog.admin.guarded import Sentence, Tick
from apps.catalog.admin.product_forms import sentence
from apps.catalog.admin.products_form import ProductsForm
from apps.catalog.guards import promotion_guards
from apps.catalog.models import Product, Promotion
from apps.catalog.services.promotions import Prices, save_promotion
from apps.common.ids import id_in
from apps.common.staff import StaffAdmin, has_any_perm, log_action, staff_of, staff_page
from apps.common.staff_history import changes_text
from apps.common.staff_lists import PhoneRow, figure, shown, tag
from apps.common.staff_moments import CITY, moment
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


VIEW, ADD, CHANGE = ("catalog.view_promotion", "catalog.add_promotion", "catalog.change_promotion")
LIST = "admin:catalog_promotion_changelist"
MAX_ROWS = 4_000


class PromotionForm(forms.ModelForm):
    """The name of a promotion and its days."""

    starts_at = moment(_("Starts at"), required=True)
    ends_at = moment(_("Ends at"), required=True)

    class Meta:
        model = Promotion
        fields = ("name", "starts_at", "ends_at")

    def clean(self) -> dict[str, Any]:
        """Refuse a promotion that ends before it begins."""
        fields: dict[str, Any] = super().clean() or {}
        start, end = fields.get("starts_at"), fields.get("ends_at")
        if start and end and end <= start:
            self.add_error("ends_at", _("This is before the start."))
        return fields


class PriceForm(forms.Form):
    """A product of a promotion, and its promotional wholesale price."""

    product = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    price = forms.DecimalField(
        required=False, label=_("Promotion $"), min_value=0, max_digits=12, decimal_places=2
    )


class PriceRows(forms.BaseFormSet):
    """The products of a promotion, by guards and with one tick for all of them; `saved` is what
    stands in the database.
    """

    tick: Tick | None = None
    is_longer = False

    def __init__(self, *args: Any, saved: Prices, **kwargs: Any) -> None:
        kwargs["prefix"] = "items"
        super().__init__(*args, **kwargs)
        self.saved = saved

    def clean(self) -> None:
        """Name what is unlikely about the prices that are set, of all where it runs longer than
        before.
        """
        named: list[Sentence] = []
        for form in self.forms:
            fields = form.cleaned_data
            product, price = self.products.get(fields.get("product", 0)), fields.get("price")
            if product is None and form.is_valid():
                form.add_error("price", _("This product no longer exists."))
            if product is None or price is None or fields.get("DELETE"):
                continue
            if self.is_longer or self.saved.get(product.pk) != price:
                named += [
                    Sentence(form, "price", sentence(one), about=product.sku)
                    for one in promotion_guards(price, wholesale=product.usd_supply)
                ]
        self.tick = Tick.of(named, self.data)

    @cached_property
    def products(self) -> dict[int, Product]:
        """Return the products of the rows, by id. One statement."""
        ids = [id_in(str(form["product"].value())) for form in self.forms]
        return Product.objects.in_bulk([id_ for id_ in ids if id_])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield what the table shows of each product."""
        for form in self.forms:
            product = self.products.get(id_in(str(form["product"].value())) or 0)
            if product is None:
                continue
            price = form["price"].value()
            try:
                off = 100 - 100 * Decimal(price) / product.usd_supply if price else -1
            except ArithmeticError:
                off = -1
            yield {"form": form, "product": product, "off": off if off >= 0 else None}

    def prices(self) -> dict[int, Decimal | None]:
        """Return what is to be saved; what somebody else added meanwhile stays."""
        fields = [form.cleaned_data for form in self.forms]
        prices = {**self.saved, **{one["product"]: one["price"] for one in fields}}
        removed = {one["product"] for one in fields if one.get("DELETE")}
        return {one: price for one, price in prices.items() if one not in removed}


Rows: Any = forms.formset_factory(
    PriceForm, formset=PriceRows, extra=0, can_delete=True, absolute_max=MAX_ROWS
)


def promotion_page(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Show a promotion, put products into its table, or save it; without `pk` a new one."""
    promotion = get_object_or_404(Promotion, pk=pk) if pk else Promotion()
    saved = dict(promotion.items.values_list("product_id", "price")) if pk else {}
    if request.method != "POST":
        initial = [{"product": one, "price": price} for one, price in saved.items()]
        rows = Rows(initial=initial, saved=saved)
        return _page(request, PromotionForm(instance=promotion), rows, ProductsForm())
    if not has_any_perm(request, CHANGE if pk else ADD):
        raise PermissionDenied
    data, more = request.POST.copy(), ProductsForm(request.POST)
    is_adding = "_add" in data or bool(data.get("codes", "").strip() or data.get("brand"))
    if is_adding and more.is_valid():
        more = _add(data, more)
    ends_before = promotion.ends_at
    form, rows = PromotionForm(data, instance=promotion), Rows(data, saved=saved)
    is_right, ends_at = form.is_valid(), form.cleaned_data.get("ends_at")
    rows.is_longer = bool(ends_before and ends_at and ends_at > ends_before)
    if is_adding:
        form.errors.clear()  # what is missing is said when it is saved
    if is_adding or not rows.is_valid() or not is_right:
        return _page(request, form, rows, more, is_adding=is_adding)
    save_promotion(promotion=promotion, prices=rows.prices(), actor=staff_of(request))
    log_action(request, promotion, _history(form, saved, rows.prices(), is_new=not pk))
    said = gettext("%(name)s is saved.") if pk else gettext("%(name)s is added.")
    messages.success(request, said % {"name": promotion})
    if "_continue" in data:
        return redirect("admin:catalog_promotion_change", promotion.pk)
    return redirect(LIST)


def _add(data: QueryDict, more: ProductsForm) -> ProductsForm:
    """Put what was chosen into the rows that were sent, and return the form with what is left."""
    prices, left = more.products()
    total = int(data.get("items-TOTAL_FORMS") or 0)
    places = {data.get(f"items-{place}-product"): place for place in range(min(total, MAX_ROWS))}
    for product, price in prices.items():
        place = places.get(str(product.pk))
        if place is None:
            place, total = total, total + 1
            data[f"items-{place}-product"] = str(product.pk)
        if price is not None:  # else one that is there keeps its price
            data[f"items-{place}-price"] = str(price)
        data.setdefault(f"items-{place}-price", "")
        data.pop(f"items-{place}-DELETE", None)
    data["items-TOTAL_FORMS"] = str(total)
    more = ProductsForm({**data.dict(), "codes": "\n".join(line for line, _ in left), "brand": ""})
    for line, fault in left:
        more.add_error("codes", f"“{line.strip()[:60]}”: {fault}")
    return more


def _history(form: PromotionForm, saved: Prices, prices: Prices, *, is_new: bool) -> Text:
    """Return what the form and its rows changed, for the promotion's history."""
    rows: list[Text] = []
    names = Product.objects.in_bulk([*saved, *prices])
    for product_id in dict.fromkeys([*prices, *saved]):
        old, new = saved.get(product_id), prices.get(product_id)
        name = Text("%(row)s", row=names[product_id])
        if product_id not in saved:
            name = name if is_new else Text("added %(row)s", row=names[product_id])
            figure = "" if new is None else shown(new)
        elif product_id not in prices:
            name = Text("taken out %(row)s", row=names[product_id])
            figure = "" if old is None else shown(old)
        elif old != new:
            figure = f"{shown(old)} → {shown(new)}"
        else:
            continue
        change = Text("%(label)s %(figure)s", label=Text("Promotional wholesale $"), figure=figure)
        rows.append(Text("%(row)s: %(changes)s", row=name, changes=change) if figure else name)
    own = changes_text(form, (), is_new=is_new)
    if not rows:
        return own
    if is_new:
        return Text("Added: %(changes)s", changes=joined("; ", rows))
    return joined("; ", [own, *rows] if form.has_changed() else rows)


def _page(
    request: HttpRequest,
    form: PromotionForm,
    rows: PriceRows,
    more: ProductsForm,
    *,
    is_adding: bool = False,
) -> HttpResponse:
    promotion = form.instance
    is_known = promotion.pk is not None
    return staff_page(
        request,
        "staff/promotion.html",
        opts=Promotion._meta,
        title=promotion.name if is_known else _("Add promotion"),
        trail=[(_("Promotions"), reverse(LIST))],
        promotion=promotion if is_known else None,
        tag=state_of(promotion) if is_known else None,
        form=form,
        rows=rows,
        more=more,
        is_adding=is_adding,
        city=CITY,
        bar=has_any_perm(request, CHANGE if is_known else ADD),
        may_delete=is_known and has_any_perm(request, "catalog.delete_promotion"),
    )
