"""What staff do with promotions: days, products and prices in one step."""

from collections.abc import Mapping
from decimal import Decimal

from apps.accounts.models import User
from apps.catalog.models import Promotion, PromotionItem
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs

Prices = Mapping[int, Decimal | None]


@needs("catalog.change_promotion")
@one_transaction
def save_promotion(*, promotion: Promotion, prices: Prices, actor: User) -> None:
    """Save a promotion with just these products, by id, at their promotional wholesale prices (US
    dollars; None: only promoted). At most four statements.
    """
    promotion.save()
    items = {item.product_id: item for item in promotion.items.all()}
    PromotionItem.objects.filter(
        promotion=promotion, product_id__in=items.keys() - prices.keys()
    ).delete()
    PromotionItem.objects.bulk_create(
        [
            PromotionItem(promotion=promotion, product_id=product_id, price=price)
            for product_id, price in prices.items()
            if product_id not in items or items[product_id].price != price
        ],
        update_conflicts=True,
        unique_fields=["promotion", "product"],
        update_fields=["price"],
    )
