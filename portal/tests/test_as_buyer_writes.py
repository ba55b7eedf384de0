"""Who sees an order as its buyer does can do nothing in the buyer's name: every writing call is
tried.
"""

from typing import Any

import pytest

from apps.accounts.tests.staff import staff_client
from apps.common.testing import ContractClient
from apps.orders.models import Order, OrderEvent
from portal.tests.calls import EXPIRED, OF_BUYERS, answer_for_good, holds, method_of
from portal.tests.reliability.world import make_side


@pytest.mark.django_db
def test_no_writing_call_of_a_buyer_takes_the_session_that_sees_his_order(settings: Any) -> None:
    side, staff = make_side("Own"), staff_client("Sales")
    assert staff.get(f"/admin/orders/order/{side.order.pk}/as-buyer/").status_code == 200
    client = ContractClient()
    client.cookies = staff.cookies
    before = list(Order.objects.order_by("pk").values()), OrderEvent.objects.count()
    writing = [call for call in OF_BUYERS if method_of(call) != "get"]
    assert len(writing) > 15
    for call in writing:
        assert holds(answer_for_good(client, call, side.ids), EXPIRED), call
    assert (list(Order.objects.order_by("pk").values()), OrderEvent.objects.count()) == before
