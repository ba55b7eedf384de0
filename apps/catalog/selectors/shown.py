"""Which products a company's buyers may see, as a condition of staff's queries (readings,
Catalogue).
"""

from django.db.models import Q

from apps.accounts.models import Company
from apps.catalog.models import Running


def shown_to(company: Company) -> Q:
    """Return the condition that a product is not hidden, and its brand one that the company may
    see.
    """
    shown = ~Q(is_running=Running.HIDDEN)
    return shown & Q(brand__company_access__company=company) if company.brands_restricted else shown
