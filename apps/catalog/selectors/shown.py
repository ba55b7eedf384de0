"""Which products a company's buyers may see, as a condition of queries (readings, Catalogue)."""

from typing import Any

from django.db.models import Q, QuerySet

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, BrandAccess, Running


def shown_to(company: Company) -> Q:
    """Return the condition that a product is not hidden, and its brand one that the company may
    see.
    """
    return _shown(company.pk, is_restricted=company.brands_restricted)


def shown_to_buyer(buyer: Buyer) -> Q:
    """Return the same for a buyer's company."""
    return _shown(buyer.company_id, is_restricted=buyer.brands_restricted)


def own_brands(company: Any) -> QuerySet[Any, Any]:
    """Return the ids of the brands that a restricted company was given."""
    return BrandAccess.objects.filter(company=company).values("brand")


def brands_of(buyer: Buyer) -> QuerySet[Brand]:
    """Return the brands that a buyer's company may see."""
    brands = Brand.objects.all()
    return brands.filter(pk__in=own_brands(buyer.company_id)) if buyer.brands_restricted else brands


def _shown(company_id: int, *, is_restricted: bool) -> Q:
    shown = ~Q(is_running=Running.HIDDEN)
    return shown & Q(brand__in=own_brands(company_id)) if is_restricted else shown
