"""Products with what was sold of them and what is wanted, and the filters of their list: sales are
known here, not in the catalogue.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Case, Count, F, IntegerField, Max, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from apps.catalog.admin.products import BrandFilter, ProductAdmin
from apps.catalog.models import Product, Running, Stock, StockHold
from apps.common.filters import ChoiceFilter, Choices, count_choices, once
from apps.common.lists import MOST_COUNTED, any_of
from apps.common.seller import seller
from apps.common.staff import Context, has_any_perm
from apps.common.staff_lists import Figure, PhoneRow, figure_text, titled
from apps.common.texts import phrase
from apps.orders.models import Wish
from apps.orders.selectors.sales import Days, sold_of_product
from apps.orders.selectors.wishes import WAITING, open_wish_rows
from portal.staff.reports.sales import last_months
from portal.staff.reports.stock import PACE, days_left, pieces_sold, urgency


class Moq(Case):
    """What `effective_moq` says, in SQL, at the seller's settings of the moment."""

    def resolve_expression(self, *args: Any, **kwargs: Any) -> Any:
        """Return the expression as it is now."""
        now = seller()
        return Case(
            When(is_special=True, then=Value(now.special_moq)),
            default=Greatest(F("minimum"), Value(now.least_moq)),
            output_field=IntegerField(),
        ).resolve_expression(*args, **kwargs)


HELD = Q(pk__in=StockHold.objects.values("product")) | Q(
    pk__in=Wish.objects.filter(held__gt=0).values("product")
)
FILTERS: Mapping[str, Choices] = {
    "is_running__exact": {
        str(state.value): (state.label, Q(is_running=state)) for state in Running
    },
    "stock": {
        "short": (gettext_lazy("Short of promises"), Q(stock__short__gt=0)),
        "none": (gettext_lazy("Nothing left"), Q(stock__allocated__gte=F("stock__on_hand"))),
        "moq": (
            gettext_lazy("Below the MOQ"),
            Q(
                stock__allocated__lt=F("stock__on_hand"),
                stock__on_hand__lt=F("stock__allocated") + Moq(output_field=IntegerField()),
            ),
        ),
        "held": (gettext_lazy("Held for somebody"), HELD),
    },
    "missing": {
        "image": (gettext_lazy("No picture"), Q(image="")),
        "ean": (gettext_lazy("No EAN"), Q(ean__isnull=True)),
        "hs_code": (gettext_lazy("No HS code"), Q(hs_code="")),
    },
}


def count_products(request: HttpRequest) -> dict[str, int]:
    """Return how many products each choice finds; none where the products are many."""
    is_long = Product.objects.order_by().values("pk")[MOST_COUNTED : MOST_COUNTED + 1].exists()
    return {} if is_long else count_choices(Product.objects.order_by(), FILTERS)


class ProductFilter(ChoiceFilter):
    """A filter of `FILTERS`, with the request's counts."""

    def conditions(self) -> Choices:
        """Return the choices."""
        return FILTERS[str(self.parameter_name)]

    def counted(self) -> Mapping[str, int]:
        """Return how many products each choice finds."""
        return once(self.request, count_products)


class StateFilter(ProductFilter):
    """On sale or not."""

    title = gettext_lazy("state")
    parameter_name = "is_running__exact"


class StockFilter(ProductFilter):
    """What is on the shelf."""

    title = gettext_lazy("stock")
    parameter_name = "stock"
    late = "short"

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the products that the choice leaves: they are looked for once, not for their
        number and their page.

        Nothing left: by the shelves alone. Beside a million products they are read in 0.05 s, both
        in 1.6.
        """
        if self.value() == "none":
            return queryset.filter(
                stock__in=any_of(Stock.objects.all(), Q(allocated__gte=F("on_hand")))
            )
        choice = self.conditions().get(self.value() or "")
        if choice and self.value() == "moq":
            return any_of(queryset, choice[1] & Q(stock__in=low_shelves()))
        return any_of(queryset, choice[1]) if choice else queryset


def low_shelves() -> QuerySet[Stock]:
    """Return the shelves on which less is left than the largest MOQ of all: each product's own is
    looked for there.

    Where they are few, a million products are not looked up one by one. Two statements.
    """
    largest = Product.objects.aggregate(largest=Max("minimum"))["largest"] or 0
    most = F("allocated") + max(largest, seller().least_moq, seller().special_moq)
    return any_of(Stock.objects.all(), Q(allocated__lt=F("on_hand"), on_hand__lt=most))


class MissingFilter(ProductFilter):
    """What nobody has filled in."""

    title = gettext_lazy("what is missing")
    parameter_name = "missing"


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
        StateFilter,
        StockFilter,
        MissingFilter,
        ("is_special", titled(gettext_lazy("special MOQ"))),
        ("brand", BrandFilter),
    )

    def about(self, request: HttpRequest, obj: Product) -> Context:
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
                _wishes(obj),
                Figure(_("12 months"), figure_text(pieces), phrase("pieces, %(usd)s USD", usd=usd)),
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
        return redirect("admin:catalog_product_change", following)


def _days_left(product: Product) -> Figure:
    today = timezone.localdate()
    sold = pieces_sold(today, [product.pk])
    days = days_left(Stock.objects.filter(product=product), sold, today=today).get(product.pk)
    pace = sold.get(product.pk, 0) / PACE
    value, tone = ("–", "") if days is None else (figure_text(days), urgency(days))
    hint = phrase("%(pace)s a day, %(days)s days", pace=f"{pace:,.1f}", days=PACE)
    return Figure(_("Days left"), value, hint, tone=tone)


def _wishes(product: Product) -> Figure:
    wishes = (
        open_wish_rows()
        .filter(product=product)
        .aggregate(pieces=Sum(WAITING), customers=Count("company", distinct=True))
    )
    customers = wishes["customers"]
    hint = _("nobody waits")
    if customers:
        counted = ngettext("%(count)s customer", "%(count)s customers", customers)
        hint = counted % {"count": customers}
    url = f"{reverse('admin:orders_wish_changelist')}?q={product.sku}" if customers else ""
    return Figure(_("Wanted"), figure_text(wishes["pieces"] or 0), hint, url)
