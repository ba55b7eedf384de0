"""What staff do with the prices of a group or a promotion: many products at once."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import PriceGroup, User
from apps.catalog.models import PriceGroupItem, PromotionItem
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs

CHANGE_GROUP, CHANGE_PROMOTION = "accounts.change_pricegroup", "catalog.change_promotion"
Prices = Mapping[int, Decimal | None]


@needs(CHANGE_GROUP)
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


@needs(CHANGE_PROMOTION)
@one_transaction
def set_promotion_prices(*, promotion_id: int, prices: Prices, actor: User) -> Prices:
    """Put products, by id, into a promotion at promotional wholesale prices (US dollars; None: only
    promoted, or as before where it is there). Return the prices of those that were there.
    """
    there = PromotionItem.objects.filter(promotion=promotion_id, product__in=prices)
    former = dict(there.values_list("product", "price"))
    PromotionItem.objects.bulk_create(
        [
            PromotionItem(promotion_id=promotion_id, product_id=product_id, price=price)
            for product_id, price in prices.items()
            if price is not None or product_id not in former
        ],
        update_conflicts=True,
        unique_fields=["promotion", "product"],
        update_fields=["price"],
    )
    return former
