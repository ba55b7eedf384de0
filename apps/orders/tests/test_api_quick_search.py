"""GET /dashboard/quick/{uuid}/{invoice_number}."""

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db


def test_quick_search_finds_the_whole_code_case_ignored(api: ContractClient, buyer: Buyer) -> None:
    order, foreign = make_order(buyer), make_order(make_buyer())
    base = f"/api/dashboard/quick/{buyer.uuid}"
    found = {"success": 1, "invoice_code": order.invoice_code}
    for text in (order.invoice_code, order.invoice_code.lower(), f"%20{order.invoice_code}%20"):
        assert api.get(f"{base}/{text}").json() == found
    for text in (order.invoice_code[:-1], foreign.invoice_code, "a%2Fb", "%00", "x" * 500, "%"):
        assert api.get(f"{base}/{text}").json() == {"success": -1}
