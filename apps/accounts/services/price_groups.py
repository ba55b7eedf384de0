"""Which price group a customer is in. What groups were before is kept: prices of earlier days are
explained by it.
"""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import Company, FormerPercent, FormerPriceGroup, PriceGroup, User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.permissions import needs


@needs("accounts.change_pricegroup")
@one_transaction
def set_price_group(
    *, company_id: int, group: PriceGroup | None, actor: User, now: datetime
) -> FormerPriceGroup:
    """Put a customer into a price group, None: into none; it sees the group's prices from now on.
    Return the group that it was in.

    Raises:
        NotFound: there is no such company.
    """
    company = Company.objects.select_for_update().filter(pk=company_id).first()
    if company is None:
        raise NotFound
    former = FormerPriceGroup.objects.create(company=company, group=company.price_group, until=now)
    company.price_group = group
    company.save(update_fields=["price_group"])
    return former


def keep_former_percent(*, group: PriceGroup, former: Decimal, now: datetime) -> None:
    """Keep what a group's percent was until now, in the transaction that changes it."""
    FormerPercent.objects.create(group=group, percent=former, until=now)
