"""The wallet: seen by the company, used for a balance as far as it goes, never twice (api.md, Added
calls).
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_user
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.orders.models import Order
from apps.orders.tests.factories import make_sales
from apps.payments.errors import PaymentPending
from apps.payments.models import Payment, WalletEntry
from apps.payments.services.cancel import cancel_order
from apps.payments.tests.factories import (
    arrive,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

SignIn = Callable[[Buyer], ContractClient]
URL = "/api/order/wallet"


def make_credit(buyer: Buyer, amount: str) -> None:
    """Credit a company by an order that the seller cancels."""
    order = make_wire_order(buyer, [(make_product(), 10)])
    arrive(order, Decimal(amount))
    cancel_order(
        order_id=order.pk,
        by_terms=False,
        reason="Sold out",
        actor=make_sales(),
        now=datetime.now(UTC),
    )


def use(api: ContractClient, order: Order) -> Any:
    return api.send("POST", URL, {"invoice_code": order.invoice_code})


def test_an_empty_wallet(api: ContractClient) -> None:
    assert api.get("/api/wallet").json() == {"success": 1, "balance": 0.0, "entries": []}


def test_the_credit_pays_the_balance(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    assert use(api, order).json() == {"success": 1, "amount": 50.0, "status_id": 4}
    order.refresh_from_db()
    assert (order.status, order.received, order.credited) == (4, 140, 0)
    payment = Payment.objects.get(method="WALLET")
    assert (payment.state, payment.amount, payment.received, payment.user_id) == (
        "captured",
        50,
        50,
        buyer.id,
    )
    wallet = api.get("/api/wallet").json()
    assert wallet["balance"] == 30.0
    entries = [(row["kind"], row["amount"], row["after"]) for row in wallet["entries"]]
    assert entries == [("use", -50.0, 30.0), ("cancellation", 80.0, 80.0)]
    assert wallet["entries"][0]["invoice_code"] == order.invoice_code
    assert wallet["entries"][0]["at"].endswith("+09:00")  # its day is the seller's


def test_as_far_as_it_goes(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "20.00")
    order = make_confirmed_order(buyer)
    assert use(api, order).json() == {"success": 1, "amount": 20.0, "status_id": 3}
    info = api.send("POST", "/api/order/checkout", {"invoice_code": order.invoice_code}).json()[
        "info"
    ]
    assert info["amount"] == 30.0
    answer = use(api, order)
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (
        409,
        "wrong_status",
        ["wallet"],
    )
    make_credit(buyer, "100.00")
    assert use(api, order).json() == {"success": 1, "amount": 30.0, "status_id": 4}


def test_a_cancelled_order_gives_the_credit_back(api: ContractClient, buyer: Buyer) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    use(api, order)
    cancel_order(
        order_id=order.pk,
        by_terms=False,
        reason="Sold out",
        actor=make_sales(),
        now=datetime.now(UTC),
    )
    assert api.get("/api/wallet").json()["balance"] == 170.0


@pytest.mark.parametrize("make", [make_wire_order, make_announced_balance])
def test_only_a_balance_that_nobody_pays(
    api: ContractClient, buyer: Buyer, make: Callable[[Buyer], Order]
) -> None:
    make_credit(buyer, "80.00")
    answer = use(api, make(buyer))
    code = "wrong_status" if make is make_wire_order else PaymentPending.code
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert not WalletEntry.objects.filter(kind="use").exists()


def test_it_is_the_companys_alone(buyer: Buyer, sign_in: SignIn) -> None:
    make_credit(buyer, "80.00")
    order = make_confirmed_order(buyer)
    assert use(sign_in(make_buyer()), order).status_code == 404
    colleague = sign_in(buyer_of(make_user(company_id=buyer.company_id)))
    assert colleague.get("/api/wallet").json()["balance"] == 80.0
    assert use(colleague, order).json()["status_id"] == 4
    assert sign_in(make_buyer()).get("/api/wallet").json()["balance"] == 0.0
