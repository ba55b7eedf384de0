"""The page of what is wanted and was not given, and the purchase list. GET, nothing is changed."""

from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.catalog.admin.pictures import picture_url
from apps.common.ids import id_in
from apps.common.seller import seller
from apps.common.staff import RecordAdmin
from apps.common.tables.download import table_file
from apps.orders.models import Wish
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import (
    BY,
    OLD_DAYS,
    Group,
    WishQuery,
    held_for_customers,
    purchase_list,
    wanted,
    wanted_brands,
    wanting_company,
)

SEE = "orders.view_wish"
A_PAGE = 50


@admin.register(Wish)
class WantedAdmin(RecordAdmin):
    """What buyers wanted and did not get, for those who may see wishes."""

    def get_urls(self) -> list[URLPattern]:
        """Return the address of the one page: a wish has none of its own."""
        return [self.address("", self.wanted, name="changelist", permission=SEE)]

    def wanted(self, request: HttpRequest) -> HttpResponse:
        """Show what is wanted, or send the purchase list as a file."""
        today = timezone.localdate()
        asked = asked_of(request.GET)
        if request.GET.get("format") == "xlsx":
            of_products = replace(asked, by="product")
            picked = set(request.GET.getlist("pick"))
            return table_file(
                purchase_list(of_products, picked=picked, today=today),
                name=_("Purchase list"),
                format_="xlsx",
            )
        report = wanted(asked, today=today)
        page = Paginator(report.groups, A_PAGE).get_page(request.GET.get("page"))
        counted = ngettext(
            "%(pieces)s of 1 SKU · what buyers wanted and did not get",
            "%(pieces)s of %(skus)s SKUs · what buyers wanted and did not get",
            report.skus,
        )
        pieces = ngettext("%(count)s piece", "%(count)s pieces", report.pieces)
        figures = {
            "pieces": pieces % {"count": f"{report.pieces:,}"},
            "skus": f"{report.skus:,}",
        }
        return self.page(
            request,
            "staff/wanted.html",
            title=_("Wanted"),
            subtitle=counted % figures,
            trail=[],
            asked=asked,
            has_brand=asked.by in ("product", "wish"),
            to_buy=asked.by in ("product", "brand"),
            report=report,
            rows=[_shown(group, asked, today=today) for group in page],
            page=page,
            pages=page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
            page_pieces=sum(group.wanted for group in page),
            held=held_for_customers(),
            offer_days=seller().promised_days["offer"],
            can_pick=asked.by == "product",
            by=BY.items(),
            whys=Wish.Why.choices,
            brands=wanted_brands(),
            company=wanting_company(asked.company),
            old_days=OLD_DAYS,
        )


def asked_of(query: QueryDict) -> WishQuery:
    """Return what an address asks for; what makes no sense falls back to the usual."""
    by, why = query.get("by", ""), query.get("why", "")
    return WishQuery(
        by=by if by in BY else "product",
        words=query.get("q", "").strip()[:100],
        why=why if why in Wish.Why.values else "",
        overdue=query.get("overdue") == "1",
        brand=id_in(query.get("brand", "")),
        company=id_in(query.get("company", "")),
    )


def _shown(group: Group, asked: WishQuery, *, today: Any) -> dict[str, Any]:
    """Return a row of the page."""
    days = (today - seller_date(group.since)).days if group.since else 0
    is_broken = group.promised_on is not None and group.promised_on < today
    url = wishes = ""
    if group.company_id and asked.by == "customer":
        url = reverse("admin:accounts_company_change", args=[group.company_id])
        wishes = f"?by=wish&company={group.company_id}"
    elif group.product is not None:
        url = reverse("admin:catalog_product_change", args=[group.product.pk])
    gone = group.product is not None and not group.product.is_running
    return {
        "group": group,
        "url": url,
        "wishes": wishes,
        "picture": picture_url(group.product, 100) if group.product and group.product.image else "",
        "customers": len(group.companies),
        "days": days,
        "is_old": days > OLD_DAYS,
        "is_broken": is_broken,
        "why": _("Discontinued") if gone else group.why,
    }
