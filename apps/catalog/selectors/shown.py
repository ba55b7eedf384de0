"""Which products a company's buyers may see, as a condition of queries (readings, Catalogue)."""

from typing import Any

from django.db.models import Q, QuerySet

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, BrandAccess, BrandClosure, Running


def shown_to(company: Company) -> Q:
    """Return the condition that a product is not hidden, and its brand one that the company may
    see.
    """
    restricted = company.pk if company.brands_restricted else None
    return _shown("", restricted, company.country_id)


def shown_to_buyer(buyer: Buyer, product: str = "") -> Q:
    """Return the same for a buyer's company; `product` leads to the product, as `product__`."""
    restricted = buyer.company_id if buyer.brands_restricted else None
    return _shown(product, restricted, buyer.closed_in)


def own_brands(company: Any) -> QuerySet[Any, Any]:
    """Return the ids of the brands that a restricted company was given."""
    return BrandAccess.objects.filter(company=company).values("brand")


def closed_brands(country: Any) -> QuerySet[Any, Any]:
    """Return the ids of the brands that are closed to a country's companies."""
    return BrandClosure.objects.filter(country=country).values("brand")


def brands_of(buyer: Buyer) -> QuerySet[Brand]:
    """Return the brands that a buyer's company may see."""
    brands = Brand.objects.all()
    if buyer.brands_restricted:
        brands = brands.filter(pk__in=own_brands(buyer.company_id))
    return brands.exclude(pk__in=closed_brands(buyer.closed_in)) if buyer.closed_in else brands


def _shown(product: str, restricted: int | None, country: int | None) -> Q:
    shown = ~Q((f"{product}is_running", Running.HIDDEN))
    if restricted is not None:
        shown &= Q((f"{product}brand__in", own_brands(restricted)))
    if country is not None:
        shown &= ~Q((f"{product}brand__in", closed_brands(country)))
    return shown
