"""What a company has said of its lists before: its own codes, what its cartons hold, and the
layouts of its sheets.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.selectors import cart_stock, shown_to_buyer, with_word
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.common.types import Json
from apps.orders.errors import TooManyOwnCodes
from apps.orders.intake.table import Table, TabMapping
from apps.orders.intake.words import texts_in
from apps.orders.models.lists import (
    MAX_HEADINGS,
    MAX_OWN_CODE,
    ListLayout,
    OwnCode,
    carton_code,
)

MAX_OWN_CODES, MAX_LAYOUTS = 20_000, 500
CODES_A_PAGE, MOST_SEARCHED = 50, 10


def cartons_of(buyer: Buyer) -> dict[str, int]:
    """Return the pieces that cartons hold, by their codes (`carton_code`), as the company said."""
    codes = OwnCode.objects.filter(company_id=buyer.company_id, pieces__gt=0)
    return {code: pieces for code, pieces in codes.values_list("code", "pieces") if pieces}


def own_codes(*, buyer: Buyer, search: str = "", after: str = "") -> Json:
    """Return a page of the company's own codes by their letters, each with its product. One
    statement.

    A search finds a code, or a product as everywhere. Codes of what the buyer does not see are not
    named.
    """
    visible = Product.objects.filter(shown_to_buyer(buyer))
    codes = OwnCode.objects.filter(company_id=buyer.company_id, code__gt=after, product__in=visible)
    for word in search.split()[:MOST_SEARCHED]:
        codes = codes.filter(Q(code__icontains=word) | with_word(word, "product__"))
    names = {"own_code_id": F("pk"), "sku": F("product__sku"), "eng_name": F("product__eng_name")}
    rows = list(codes.order_by("code").values("code", "pieces", **names)[: CODES_A_PAGE + 1])
    page = rows[:CODES_A_PAGE]
    return {"codes": page, "next": page[-1]["code"] if len(rows) > CODES_A_PAGE else None}


@one_transaction
def learn(
    *, buyer: Buyer, code: str, sku: str, count: int, packs: int, unit: str, now: datetime
) -> None:
    """Keep what the buyer's company calls a product, and of a row of cartons how many pieces one
    holds: `count` are in `packs` of them. What it called so before is forgotten.

    A SKU of ours always means its own product.

    Raises:
        Invalid: no code or too long a one, no product that the buyer sees, or no whole number of
            pieces.
        TooManyOwnCodes: the company keeps as many as there may be.
    """
    code, sku = code.upper(), sku.upper()
    skus = {one["sku"] for one in cart_stock(buyer=buyer, lines=[(sku, 0), (code, 0)], now=now)}
    if sku not in skus:
        raise Invalid(sku="This SKU is not in your price list.")
    if packs and count % packs:
        text = f"{count:,} pieces cannot be divided evenly into {packs:,} cartons."
        raise Invalid(count=text)
    if packs and count:
        _keep(buyer, {carton_code(sku, unit): sku}, pieces=count // packs, now=now)
    if code not in skus:
        _keep(buyer, {code: sku}, pieces=None, now=now)
    elif not packs:
        raise Invalid(code="This is a SKU of our own.")


@one_transaction
def learn_beside(*, buyer: Buyer, codes: Mapping[str, str], now: datetime) -> None:
    """Keep the codes that stand beside our SKUs in a sheet. What the company has said before stays,
    and so do SKUs of ours; what there is no room for is asked when it comes.
    """
    own = OwnCode.objects.filter(company_id=buyer.company_id, code__in=codes)
    existing = {*own.values_list("code", flat=True)}
    existing |= {*Product.objects.filter(sku__in=codes).values_list("sku", flat=True)}
    new = {code: sku for code, sku in codes.items() if code not in existing}
    room = MAX_OWN_CODES - OwnCode.objects.filter(company_id=buyer.company_id).count()
    if new and len(new) <= room:
        _keep(buyer, new, pieces=None, now=now)


def _keep(buyer: Buyer, codes: Mapping[str, str], *, pieces: int | None, now: datetime) -> None:
    if not all(0 < len(code) <= MAX_OWN_CODE for code in codes):
        raise Invalid(code=f"1 to {MAX_OWN_CODE} characters.")
    # One at a time for a company: the last place is not given twice.
    Company.objects.select_for_update().get(pk=buyer.company_id)
    stored = OwnCode.objects.filter(company_id=buyer.company_id)
    new = len(codes) - stored.filter(code__in=codes).count()
    if new and stored.count() + new > MAX_OWN_CODES:
        raise TooManyOwnCodes
    products = dict(Product.objects.filter(sku__in=codes.values()).values_list("sku", "pk"))
    rows = [
        OwnCode(
            company_id=buyer.company_id,
            code=code,
            product_id=products[sku],
            pieces=pieces,
            learned_by_id=buyer.id,
            learned_at=now,
        )
        for code, sku in codes.items()
    ]
    changed = ["product", "pieces", "learned_by", "learned_at"]
    OwnCode.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["company", "code"], update_fields=changed
    )


def forget_own_code(*, buyer: Buyer, own_code_id: int) -> None:
    """Forget what the company calls a product.

    Raises:
        NotFound: unknown, or another company's.
    """
    if not OwnCode.objects.filter(company_id=buyer.company_id, pk=own_code_id).delete()[0]:
        raise NotFound


def layouts_of(buyer: Buyer) -> dict[str, TabMapping]:
    """Return the layouts of the buyer's company by their fingerprints. One statement."""
    layouts = ListLayout.objects.filter(company_id=buyer.company_id)
    rows: Any = layouts.values("fingerprint", "kinds", "carton", "decimal")
    return {one.pop("fingerprint"): TabMapping(head=0, **one) for one in rows}


@one_transaction
def settle_layout(*, buyer: Buyer, table: Table, now: datetime) -> None:
    """Keep what the columns of a table hold, for the next sheets of the buyer's company that have
    them; beyond 500 the oldest goes.
    """
    Company.objects.select_for_update(no_key=True).only("pk").get(pk=buyer.company_id)
    settled = {
        "kinds": list(table.kinds),
        "carton": table.carton,
        "decimal": table.decimal,
        "headings": " | ".join(texts_in(table.headings))[:MAX_HEADINGS],
        "settled_by_id": buyer.id,
        "settled_at": now,
    }
    ListLayout.objects.update_or_create(
        company_id=buyer.company_id, fingerprint=table.fingerprint, defaults=settled
    )
    stored = ListLayout.objects.filter(company_id=buyer.company_id).order_by("-settled_at", "-pk")
    for layout in stored[MAX_LAYOUTS:]:
        layout.delete()
