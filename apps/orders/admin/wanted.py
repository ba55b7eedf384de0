"""The page of what is wanted and was not given, and the purchase list. GET, nothing is changed."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import URLPattern, reverse
from django.utils import timezone

from apps.common.staff import RecordAdmin
from apps.common.tables.download import table_file
from apps.orders.models import Wish
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wanted import BY, OLD_DAYS, Asked, Group, purchase_list, wanted, wanted_brands

SEE = "orders.view_wish"
MOST_SHOWN = 200


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
            of_products = Asked("product", asked.words, asked.why, asked.overdue, asked.brand)
            return table_file(purchase_list(of_products, today=today), name="Purchase list", format_="xlsx")
        report = wanted(asked, today=today)
        counted = f"{_counted(report.pieces, 'piece')} of {_counted(report.skus, 'SKU')}"
        return self.page(
            request,
            "staff/wanted.html",
            title="Wanted",
            subtitle=f"{counted} · what buyers wanted and did not get",
            trail=[],
            asked=asked,
            has_brand=asked.by in ("product", "wish"),
            to_buy=asked.by in ("product", "brand"),
            report=report,
            rows=[_shown(group, asked, today=today) for group in report.groups[:MOST_SHOWN]],
            by=[(label, _with(request, by="" if by == "product" else by), by == asked.by) for by, label in BY.items()],
            whys=Wish.Why.choices,
            brands=wanted_brands(),
            old_days=OLD_DAYS,
            xlsx=_with(request, format="xlsx"),
        )


def asked_of(query: QueryDict) -> Asked:
    """Return what an address asks for; what makes no sense falls back to the usual."""
    by, why, brand = query.get("by", ""), query.get("why", ""), query.get("brand", "")
    return Asked(
        by=by if by in BY else "product",
        words=query.get("q", "").strip()[:100],
        why=why if why in Wish.Why.values else "",
        overdue=query.get("overdue") == "1",
        brand=int(brand) if brand.isdecimal() and len(brand) < 10 else None,
    )


def _shown(group: Group, asked: Asked, *, today: Any) -> dict[str, Any]:
    """Return a row of the page."""
    days = (today - seller_date(group.since)).days if group.since else 0
    is_broken = group.promised_on is not None and group.promised_on < today
    url = ""
    if group.company_id and asked.by == "customer":
        url = reverse("admin:accounts_company_change", args=[group.company_id])
    elif group.product is not None:
        url = reverse("admin:catalog_product_change", args=[group.product.pk])
    gone = group.product is not None and not group.product.is_running
    return {
        "group": group,
        "url": url,
        "customers": len(group.companies),
        "days": days,
        "is_old": days > OLD_DAYS,
        "is_broken": is_broken,
        "why": "Discontinued" if gone else group.why,
    }


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _with(request: HttpRequest, **changed: str) -> str:
    """Return the address of this page with other parameters; an empty one is left out."""
    query = {**request.GET.dict(), **changed}
    return "?" + urlencode({name: value for name, value in query.items() if value})
