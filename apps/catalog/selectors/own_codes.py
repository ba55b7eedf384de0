"""What a company calls products in its own lists."""

from collections.abc import Collection

from django.db.models import Q

from apps.accounts.selectors import Buyer
from apps.catalog.models import OwnCode, Running
from apps.common.types import Json

CODES_A_PAGE = 50


def skus_behind(*, buyer: Buyer, codes: Collection[str]) -> dict[str, str]:
    """Return the SKUs that the buyer's company calls so, by its own codes. One statement, however many codes."""
    found = OwnCode.objects.filter(company_id=buyer.company_id, code__in=codes)
    return dict(found.values_list("code", "product__sku"))


def own_codes(*, buyer: Buyer, search: str = "", after: str = "") -> Json:
    """Return a page of the company's own codes by their letters, each with its product. One statement.

    A search finds a code, a SKU or a product's name. Codes of what the buyer does not see are not named.
    """
    found = OwnCode.objects.filter(company_id=buyer.company_id, code__gt=after)
    found = found.exclude(product__is_running=Running.HIDDEN)
    if buyer.brands_restricted:
        found = found.filter(product__brand__company_access__company_id=buyer.company_id)
    for word in search.split()[:10]:
        here = Q(code__icontains=word) | Q(product__sku__icontains=word) | Q(product__eng_name__icontains=word)
        found = found.filter(here)
    columns = ("pk", "code", "product__sku", "product__eng_name")
    page = list(found.order_by("code").values_list(*columns)[: CODES_A_PAGE + 1])
    shown = page[:CODES_A_PAGE]
    return {
        "codes": [{"own_code_id": pk, "code": code, "sku": sku, "eng_name": name} for pk, code, sku, name in shown],
        "next": shown[-1][1] if len(page) > CODES_A_PAGE else None,
    }
