"""Who sees an order as its buyer does can do nothing in the buyer's name: every writing call is
tried.
"""

from typing import Any

import pytest

from apps.accounts.tests.staff import staff_client
from apps.common.testing import ContractClient
from apps.orders.models import Order, OrderEvent
from portal.tests.reliability.entries import ENTRIES, EXPIRED, answer_for_good, holds
from portal.tests.reliability.world import make_side
from portal.tests.test_paths import CALLS, PUBLIC


@pytest.mark.django_db
def test_no_writing_call_of_a_buyer_takes_the_session_that_sees_his_order(settings: Any) -> None:
    side, staff = make_side("Own"), staff_client("Sales")
    assert staff.get(f"/admin/orders/order/{side.order.pk}/as-buyer/").status_code == 200
    client = ContractClient()
    client.cookies = staff.cookies
    before = list(Order.objects.order_by("pk").values()), OrderEvent.objects.count()
    tried = 0
    for entry in ENTRIES:
        if entry[0] == "get" or CALLS[entry] == PUBLIC:
            continue
        assert holds(
            answer_for_good(client, entry, {**side.ids, "email": side.buyer.email}), EXPIRED
        ), entry
        tried += 1
    assert tried > 15
    assert (list(Order.objects.order_by("pk").values()), OrderEvent.objects.count()) == before
