"""What staff do with the prices of a group: many products at once, for a time or always."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import PriceGroup, User
from apps.catalog.models import PriceGroupItem
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs

CHANGE = "accounts.change_pricegroup"


@needs(CHANGE)
@one_transaction
def set_group_prices(
    *,
    group_id: int,
    prices: Mapping[int, Decimal],
    starts_at: datetime | None,
    ends_at: datetime | None,
    actor: User,
) -> int:
    """Let a group pay these prices (US dollars, by the products' ids) from and until a moment, and
    return how many are new or other than before. One that begins at the same moment is replaced.
    """
    group = PriceGroup.objects.select_for_update(no_key=True).get(pk=group_id)
    there = group.items.filter(product__in=prices, starts_at=starts_at)
    by_product = {item.product_id: item for item in there}
    changed = []
    for product_id, price in prices.items():
        item = by_product.get(product_id) or PriceGroupItem(
            group=group, product_id=product_id, starts_at=starts_at
        )
        if item.pk is None or (item.price, item.ends_at) != (price, ends_at):
            item.price, item.ends_at = price, ends_at
            changed.append(item)
    PriceGroupItem.objects.bulk_create([item for item in changed if item.pk is None])
    PriceGroupItem.objects.bulk_update(
        [item for item in changed if item.pk], ["price", "ends_at"], batch_size=500
    )
    return len(changed)
