"""Wishes as their buyers read them."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.rules import search_words
from apps.catalog.selectors import shown_to_buyer, with_word
from apps.common.types import Json
from apps.orders.models import Wish
from apps.orders.selectors.orders import seller_date

WISHES_A_PAGE = 50


def open_wishes(*, buyer: Buyer, search: str = "", after: int = 0) -> Json:
    """Return a page of what the buyer's company wants and has not got, the oldest first. One
    statement.

    A search finds a product's name, SKU, brand or EAN, a code of a list, an invoice code. What the
    buyer does not see is not named.
    """
    found, today = _seen_by(buyer).filter(pk__gt=after), timezone.localdate()
    for word in search_words(search)[:10]:
        here = with_word(word, "product__") | Q(code__icontains=word)
        found = found.filter(here | Q(line__order__invoice_code__icontains=word))
    found = found.select_related("product__arrival", "line__order", "user")
    found = found.annotate(promised=_promised(today, product="product"))
    page = list(found.order_by("pk")[: WISHES_A_PAGE + 1])
    listed = page[:WISHES_A_PAGE]
    rows = []
    for wish in listed:
        product, expected_on = wish.product, wish.promised_on
        if expected_on is None:
            arrival = getattr(product, "arrival", None)
            expected_on = _next_day((arrival and arrival.expected_on, wish.promised), today=today)
        until = timezone.localtime(wish.held_until) if wish.held_until else None
        rows.append(
            {
                "wish_id": wish.pk,
                "sku": product.sku if product else wish.code,
                "eng_name": product.eng_name if product else "",
                "image": product.image if product else "",
                "count": wish.open,
                "held": wish.held,
                "held_text": f"until {until:%a %-d %b}" if until else "",
                "why": wish.why,
                "why_text": wish.get_why_display(),
                "since": seller_date(wish.since),
                "expected_text": f"{expected_on:%a %-d %b}" if expected_on else "",
                "invoice_code": wish.line.order.invoice_code if wish.line else "",
                "manager": wish.user.manager,
            }
        )
    return {"wishes": rows, "next": listed[-1].pk if len(page) > WISHES_A_PAGE else None}


def wish_offers(*, buyer: Buyer) -> Json:
    """Return what is held for the company's wishes, by product, and in words until when. One
    statement.
    """
    held = _seen_by(buyer).filter(held__gt=0)
    lines: dict[str, int] = {}
    ends: list[Any] = []
    for sku, pieces, until in held.order_by("product__sku").values_list(
        "product__sku", "held", "held_until"
    ):
        lines[sku] = lines.get(sku, 0) + pieces
        ends.append(until)
    return {
        "lines": [{"sku": sku, "count": pieces} for sku, pieces in lines.items()],
        "pieces": sum(lines.values()),
        "until": f"{timezone.localtime(min(ends)):%a %-d %b}" if ends else "",
    }


def _seen_by(buyer: Buyer) -> QuerySet[Wish]:
    visible = Q(product__isnull=True) | shown_to_buyer(buyer, "product__")
    return Wish.objects.filter(visible, company_id=buyer.company_id, closed_at__isnull=True)


def expected_days(skus: Collection[str], *, today: date) -> dict[str, date]:
    """Return when products are expected next, by SKU, of those of which that is known. One
    statement.
    """
    products = Product.objects.filter(sku__in=skus).annotate(
        promised=_promised(today, product="pk")
    )
    days = products.values_list("sku", "arrival__expected_on", "promised")
    return {sku: day for sku, *known in days if (day := _next_day(known, today=today))}


def _promised(today: date, *, product: str) -> Subquery:
    """Return the next day on which somebody gets later pieces of a product."""
    later = Wish.objects.filter(
        product=OuterRef(product), closed_at__isnull=True, promised_on__gte=today
    )
    return Subquery(later.order_by("promised_on").values("promised_on")[:1])


def _next_day(known: Iterable[date | None], *, today: date) -> date | None:
    return min((day for day in known if day and day >= today), default=None)
