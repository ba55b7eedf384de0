"""A company's own codes of products and cartons: learned from its buyers, and forgotten at their
wish.
"""

from datetime import datetime

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.errors import TooManyOwnCodes
from apps.catalog.lists.rows import carton_code
from apps.catalog.models import MAX_OWN_CODE, OwnCode, Product
from apps.catalog.selectors import cart_stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound

MAX_OWN_CODES = 20_000
NOT_LISTED = "This SKU is not in your price list."


@one_transaction
def learn_own_code(*, buyer: Buyer, code: str, sku: str, now: datetime) -> OwnCode:
    """Keep what the buyer's company calls a product; what it called so before is forgotten.

    A SKU of ours always means its own product.

    Raises:
        Invalid: no code or too long a one, or no product that the buyer sees.
        TooManyOwnCodes: the company keeps as many as there may be.
    """
    code, sku = code.strip().upper(), sku.strip().upper()
    known = {
        product["sku"] for product in cart_stock(buyer=buyer, lines=[(sku, 0), (code, 0)], now=now)
    }
    if sku not in known:
        raise Invalid(errors={"sku": [NOT_LISTED]})
    if code in known:
        raise Invalid(errors={"code": ["This is a SKU of our own."]})
    return _keep(buyer, code, sku=sku, pieces=None, now=now)


@one_transaction
def learn_carton(
    *, buyer: Buyer, sku: str, unit: str, packs: int, count: int, now: datetime
) -> OwnCode:
    """Keep how many pieces a carton of a product holds for the buyer's company: `count` are in
    `packs` of them.

    Raises:
        Invalid: no whole number of pieces, too long a unit, or no product that the buyer sees.
        TooManyOwnCodes: the company keeps as many as there may be.
    """
    sku = sku.strip().upper()
    if count % packs:
        raise Invalid(errors={"count": [f"{count:,} pieces do not fill {packs:,} cartons alike."]})
    if not cart_stock(buyer=buyer, lines=[(sku, 0)], now=now):
        raise Invalid(errors={"sku": [NOT_LISTED]})
    return _keep(buyer, carton_code(sku, unit), sku=sku, pieces=count // packs, now=now)


def _keep(buyer: Buyer, code: str, *, sku: str, pieces: int | None, now: datetime) -> OwnCode:
    if not code or len(code) > MAX_OWN_CODE:
        raise Invalid(errors={"code": [f"1 to {MAX_OWN_CODE} characters."]})
    # One at a time for a company: the last place is not given twice.
    Company.objects.select_for_update().get(pk=buyer.company_id)
    codes = OwnCode.objects.filter(company_id=buyer.company_id)
    if codes.count() >= MAX_OWN_CODES and not codes.filter(code=code).exists():
        raise TooManyOwnCodes
    learned = {
        "product": Product.objects.get(sku=sku),
        "pieces": pieces,
        "learned_by_id": buyer.id,
        "learned_at": now,
    }
    kept, _ = OwnCode.objects.update_or_create(
        company_id=buyer.company_id, code=code, defaults=learned
    )
    return kept


def forget_own_code(*, buyer: Buyer, own_code_id: int) -> None:
    """Forget what the company calls a product.

    Raises:
        NotFound: unknown, or another company's.
    """
    if not OwnCode.objects.filter(company_id=buyer.company_id, pk=own_code_id).delete()[0]:
        raise NotFound
