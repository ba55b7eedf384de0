"""What a company calls products in its own lists."""

from collections.abc import Collection
from functools import reduce

from django.db.models import Q
from django.db.models.expressions import RawSQL

from apps.accounts.selectors import Buyer
from apps.catalog.models import OwnCode, Running
from apps.catalog.reading.codes import Codes, code_key, is_code
from apps.catalog.selectors.search import with_word
from apps.common.types import Json

CODES_A_PAGE = 50
SIGNS = " -._/"


def without_signs(column: str) -> str:
    """Return the SQL of a column of codes in capitals without the signs that people leave out."""
    return reduce(lambda sql, sign: f"REPLACE({sql}, '{sign}', '')", SIGNS, f"UPPER({column})")


def skus_behind(*, buyer: Buyer, codes: Collection[str]) -> dict[str, str]:
    """Return the SKUs that the buyer's company calls so, by its own codes. One statement, however
    many codes.

    A code that is spelled otherwise than any is read as in messages (`Codes`), if one product alone
    is meant.
    """
    words = own_words(buyer=buyer, codes=codes)
    known = Codes((), words)
    others = {code: next(iter(meant)) for code in codes if len(meant := known.meant(code)) == 1}
    return others | {code: words[code] for code in codes if code in words}


def own_words(*, buyer: Buyer, codes: Collection[str]) -> dict[str, str]:
    """Return the SKUs by those own codes of the company that are these, or differ from them in
    signs alone.

    One statement, none without codes.
    """
    if not codes:
        return {}
    keys = {code_key(code).upper() for code in codes if is_code(code)}
    found = OwnCode.objects.filter(company_id=buyer.company_id, pieces=None)
    bare = RawSQL(without_signs("catalog_owncode.code"), ())  # noqa: S611 - no value is in it
    found = found.annotate(bare=bare).filter(Q(code__in=codes) | Q(bare__in=keys))
    return dict(found.values_list("code", "product__sku"))


def pieces_of_cartons(*, buyer: Buyer, cartons: Collection[str]) -> dict[str, int]:
    """Return the pieces that cartons hold, by their codes (`carton_code`), as the company said. One
    statement.
    """
    found = OwnCode.objects.filter(company_id=buyer.company_id, code__in=cartons, pieces__gt=0)
    return {code: pieces for code, pieces in found.values_list("code", "pieces") if pieces}


def own_codes(*, buyer: Buyer, search: str = "", after: str = "") -> Json:
    """Return a page of the company's own codes by their letters, each with its product. One
    statement.

    A search finds a code, or a product as everywhere. Codes of what the buyer does not see are not
    named.
    """
    found = OwnCode.objects.filter(company_id=buyer.company_id, code__gt=after)
    found = found.exclude(product__is_running=Running.HIDDEN)
    if buyer.brands_restricted:
        found = found.filter(product__brand__company_access__company_id=buyer.company_id)
    for word in search.split()[:10]:
        found = found.filter(Q(code__icontains=word) | with_word(word, "product__"))
    columns = ("pk", "code", "product__sku", "product__eng_name", "pieces")
    page = list(found.order_by("code").values_list(*columns)[: CODES_A_PAGE + 1])
    shown = page[:CODES_A_PAGE]
    return {
        "codes": [
            {"own_code_id": pk, "code": code, "sku": sku, "eng_name": name, "pieces": pieces}
            for pk, code, sku, name, pieces in shown
        ],
        "next": shown[-1][1] if len(page) > CODES_A_PAGE else None,
    }
