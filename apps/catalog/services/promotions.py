"""What staff do with the products of a promotion: many at once."""

from collections.abc import Mapping
from decimal import Decimal

from apps.accounts.models import User
from apps.catalog.models import PromotionItem
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs

CHANGE = "catalog.change_promotion"
Prices = Mapping[int, Decimal | None]


@needs(CHANGE)
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
