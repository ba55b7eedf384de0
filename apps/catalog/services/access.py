"""Which brands a company sees."""

from collections.abc import Sequence

from apps.accounts.models import Company, User
from apps.catalog.models import Brand, BrandAccess
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid
from apps.common.permissions import needs


@needs("catalog.change_brandaccess")
@one_transaction
def set_visible_brands(*, actor: User, company_id: int, brand_ids: Sequence[int] | None) -> None:
    """Let a company see every brand (None), or those named and no others (readings, Catalogue).

    Raises:
        Invalid: no brand is named, or one that does not exist.
    """
    if brand_ids is not None:
        brands = list(Brand.objects.filter(pk__in=brand_ids))
        if not brands or len(brands) != len(set(brand_ids)):
            raise Invalid(brands="Name the brands, or choose all.")
    Company.objects.filter(pk=company_id).update(brands_restricted=brand_ids is not None)
    BrandAccess.objects.filter(company_id=company_id).delete()
    if brand_ids is not None:
        BrandAccess.objects.bulk_create(
            [BrandAccess(company_id=company_id, brand=brand) for brand in brands]
        )
