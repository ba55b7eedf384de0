"""GET /dashboard/quick/{uuid}/{invoice_number}."""

from collections.abc import Callable

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db
SignIn = Callable[[Buyer], ContractClient]


def test_quick_search_finds_the_whole_code_case_ignored(api: ContractClient, buyer: Buyer) -> None:
    order, foreign = make_order(buyer), make_order(make_buyer())
    base = f"/api/dashboard/quick/{buyer.uuid}"
    found = {"success": 1, "invoice_code": order.invoice_code}
    for text in (order.invoice_code, order.invoice_code.lower(), f"%20{order.invoice_code}%20"):
        assert api.get(f"{base}/{text}").json() == found
    for text in (order.invoice_code[:-1], foreign.invoice_code, "a%2Fb", "%00", "x" * 500, "%"):
        assert api.get(f"{base}/{text}").json() == {"success": -1}


def test_quick_search_of_another_finds_nothing(buyer: Buyer, sign_in: SignIn) -> None:
    order, stranger = make_order(buyer), make_buyer()
    client = sign_in(stranger)
    for uuid in (buyer.uuid, stranger.uuid, "nonsense"):
        answer = client.get(f"/api/dashboard/quick/{uuid}/{order.invoice_code}")
        assert (answer.status_code, answer.json()) == (200, {"success": -1}), uuid
