"""Which products a company's buyers may see, as a condition of queries (readings, Catalogue)."""

from django.db.models import Q, QuerySet

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, Running


def shown_to(company: Company) -> Q:
    """Return the condition that a product is not hidden, and its brand one that the company may
    see.
    """
    return _shown(company.pk, is_restricted=company.brands_restricted)


def shown_to_buyer(buyer: Buyer) -> Q:
    """Return the same for a buyer's company."""
    return _shown(buyer.company_id, is_restricted=buyer.brands_restricted)


def brands_of(buyer: Buyer) -> QuerySet[Brand]:
    """Return the brands that a buyer's company may see."""
    if not buyer.brands_restricted:
        return Brand.objects.all()
    return Brand.objects.filter(company_access__company=buyer.company_id)


def _shown(company_id: int, *, is_restricted: bool) -> Q:
    shown = ~Q(is_running=Running.HIDDEN)
    return shown & Q(brand__company_access__company=company_id) if is_restricted else shown
