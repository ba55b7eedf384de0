"""Which price group a customer is in."""

from apps.accounts.models import Company, PriceGroup, User
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.permissions import needs


@needs("accounts.change_pricegroup")
@one_transaction
def set_price_group(*, company_id: int, group: PriceGroup | None, actor: User) -> PriceGroup | None:
    """Put a customer into a price group, None: into none; it sees the group's prices from now on.
    Return the group that it was in.

    Raises:
        NotFound: there is no such company.
    """
    company = row_or_404(Company.objects.select_for_update().filter(pk=company_id))
    former, company.price_group = company.price_group, group
    company.save(update_fields=["price_group"])
    return former
