"""Lists beside the orders': their history, buyers' item codes, shipping rates; and the page of what
is wanted and was not given, with the purchase list.
"""

from dataclasses import replace
from typing import Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from apps.accounts.models import Company, User
from apps.catalog.admin.pictures import picture_url
from apps.common.ids import id_in
from apps.common.lists import any_of
from apps.common.names import name_condition
from apps.common.seller import seller
from apps.common.staff import Context, StaffAdmin, link_to, page_of
from apps.common.staff_lists import PhoneRow, by, column, figure_text, titled
from apps.common.tables.download import table_file
from apps.orders.models import OrderEvent, ShippingRate, Wish
from apps.orders.models.lists import OwnCode
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import (
    BY,
    OLD_DAYS,
    Group,
    WishQuery,
    brands_of_wishes,
    pieces_on_offer,
    purchase_list,
    wish_totals,
)
from apps.orders.status import OrderStatus

SEE = "orders.view_wish"
A_PAGE = 50


@admin.register(OrderEvent)
class OrderEventAdmin(StaffAdmin):
    """What happened to which order, who did it, when and why."""

    is_record = True
    list_display_links = None
    list_title = gettext_lazy("Order history")
    words = (gettext_lazy("entry"), gettext_lazy("entries"))
    list_display = ("order_code", "written_at", "deed", "step", "text", "who")
    phone_row = PhoneRow(under="deed", right="written_at", next="who", third="text")
    list_filter = (("kind", titled(gettext_lazy("kind"))), ("at", titled(gettext_lazy("day"))))
    list_select_related = ("order__company", "actor")
    search_fields = ("order__invoice_code",)  # that there is a search; below is what it finds
    search_help_text = gettext_lazy("Invoice code, company or e-mail")
    ordering = ("-id",)
    fields = readonly_fields = list_display

    written_at = column("at", gettext_lazy("At"))
    deed = column("get_kind_display", gettext_lazy("Kind"), ordering="kind")
    text = column("text", pgettext_lazy("history", "Note"), ordering=None)
    who = by("actor", gettext_lazy("Who"))

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by invoice code, company, or the e-mail address of who did it."""
        return any_of(
            queryset,
            Q(order__invoice_code=term.upper()),
            Q(order__company__in=Company.objects.filter(name_condition(term, "name"))),
            Q(actor__in=User.objects.filter(email__icontains=term)),
        )

    @admin.display(description=gettext_lazy("Order"))
    def order_code(self, event: OrderEvent) -> str:
        return link_to(event.order)

    @admin.display(description=gettext_lazy("Step"))
    def step(self, event: OrderEvent) -> str:
        return OrderStatus(event.to_status).staff_label if event.to_status is not None else ""


@admin.register(OwnCode)
class OwnCodeAdmin(StaffAdmin):
    """What companies call our products, and what cartons hold; a wrong one is given another
    product, or dropped.
    """

    list_title = gettext_lazy("Buyers' item codes")
    words = (gettext_lazy("item code"), gettext_lazy("item codes"))
    list_display = ("code", "company", "product", "pieces", "learned_at")
    list_select_related = ("company", "product")
    phone_row = PhoneRow(under="product", right="company", next="learned_at")
    search_fields = ("code", "company__name", "product__sku", "product__eng_name")
    search_help_text = gettext_lazy("Code, company, SKU or product")
    fields = ("company", "code", "product", "pieces", "learned_by", "learned_at")
    readonly_fields = ("company", "code", "learned_by", "learned_at")
    autocomplete_fields = ("product",)
    add_allowed = False  # codes are learned from lists
    delete_allowed = True

    def get_readonly_fields(
        self, request: HttpRequest, obj: OwnCode | None = None
    ) -> tuple[str, ...]:
        """Return what is not changed: a code has no pieces, a carton stays the product's that its
        code names.
        """
        fixed = "product" if obj and obj.pieces else "pieces"
        return (*self.readonly_fields, fixed)


@admin.register(ShippingRate)
class ShippingRateAdmin(StaffAdmin):
    """What shipping to a country costs a kilogram."""

    words = (gettext_lazy("shipping rate"), gettext_lazy("shipping rates"))
    list_display = ("to", "per_kg", "at_least")
    phone_row = PhoneRow(right="per_kg", under="at_least", labelled=("per_kg", "at_least"))
    list_select_related = ("country",)
    delete_allowed: ClassVar[bool] = True
    fieldsets = ((None, {"fields": ("country", "per_kg", "at_least")}),)

    def about(self, request: HttpRequest, obj: ShippingRate) -> Context:
        """Return what the rate is for."""
        return {
            "subtitle": _("The confirmation sheet proposes the fee: measured weight at this rate."),
        }

    @admin.display(description=gettext_lazy("Country"), ordering="country__content")
    def to(self, rate: ShippingRate) -> str:
        return str(rate)


@admin.register(Wish)
class WantedAdmin(StaffAdmin):
    """What buyers wanted and did not get, for those who may see wishes."""

    is_record = True
    list_display_links = None

    def get_urls(self) -> list[URLPattern]:
        """Return the address of the one page: a wish has none of its own."""
        return [self.address("", self.wishes_page, name="changelist", permission=SEE)]

    def wishes_page(self, request: HttpRequest) -> HttpResponse:
        """Show what is wanted, or send the purchase list as a file."""
        today = timezone.localdate()
        params = request.GET
        by, why = params.get("by", ""), params.get("why", "")
        query = WishQuery(  # what makes no sense falls back to the usual
            by=by if by in BY else "product",
            words=params.get("q", "").strip()[:100],
            why=why if why in Wish.Why.values else "",
            overdue=params.get("overdue") == "1",
            brand=id_in(params.get("brand", "")),
            company=id_in(params.get("company", "")),
        )
        if request.GET.get("format") == "xlsx":
            of_products = replace(query, by="product")
            picked = set(request.GET.getlist("pick"))
            return table_file(
                purchase_list(of_products, picked=picked, today=today),
                name=_("Purchase list"),
                format_="xlsx",
            )
        report = wish_totals(query, today=today)
        page = Paginator(report.groups, A_PAGE).get_page(request.GET.get("page"))
        counted = ngettext(
            "%(pieces)s of 1 SKU · what buyers wanted and did not get",
            "%(pieces)s of %(skus)s SKUs · what buyers wanted and did not get",
            report.skus,
        )
        pieces = ngettext("%(count)s piece", "%(count)s pieces", report.pieces)
        figures = {
            "pieces": pieces % {"count": figure_text(report.pieces)},
            "skus": figure_text(report.skus),
        }
        return self.page(
            request,
            "staff/wanted.html",
            title=_("Wanted"),
            subtitle=counted % figures,
            trail=[],
            asked=query,
            has_brand=query.by in ("product", "wish"),
            to_buy=query.by in ("product", "brand"),
            report=report,
            rows=[_row(group, query, today=today) for group in page],
            page=page,
            pages=page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
            page_pieces=sum(group.wanted for group in page),
            held=pieces_on_offer(),
            offer_days=seller().promised_days("offer"),
            can_pick=query.by == "product",
            by=BY.items(),
            whys=Wish.Why.choices,
            brands=brands_of_wishes(),
            company=query.company and Company.objects.filter(pk=query.company).first(),
            old_days=OLD_DAYS,
        )


def _row(group: Group, query: WishQuery, *, today: Any) -> Context:
    """Return a row of the page."""
    days = (today - seller_date(group.since)).days if group.since else 0
    is_broken = group.promised_on is not None and group.promised_on < today
    url = wishes = ""
    if group.company_id and query.by == "customer":
        url = reverse("admin:accounts_company_change", args=[group.company_id])
        wishes = f"?by=wish&company={group.company_id}"
    elif group.product is not None:
        url = page_of(group.product)
    is_discontinued = group.product is not None and not group.product.is_running
    return {
        "group": group,
        "url": url,
        "wishes": wishes,
        "picture": picture_url(group.product, 100) if group.product else "",
        "customers": len(group.companies),
        "days": days,
        "is_old": days > OLD_DAYS,
        "is_broken": is_broken,
        "why": _("Discontinued") if is_discontinued else group.why,
    }
