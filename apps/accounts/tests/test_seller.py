"""Who learns of the seller's changes: a signed-in call, with its caller."""

from datetime import date
from typing import Any

from apps.accounts.selectors import Buyer, identify
from apps.common.models import ClosedDay, Seller
from apps.common.seller import Current, remember, seller, touch_seller


def test_a_change_comes_with_the_caller(buyer: Buyer, django_assert_num_queries: Any) -> None:
    remember(Current(Seller()))
    touch_seller()
    Seller.objects.update(title="New")
    ClosedDay.objects.create(day=date(2026, 12, 24))
    with django_assert_num_queries(1):
        identify(buyer.uuid)
    assert seller().title == "New"
    assert seller().closed_days == {date(2026, 12, 24)}
    with django_assert_num_queries(1):
        identify(buyer.uuid)
        _ = seller().title
