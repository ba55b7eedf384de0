"""Many at once, through HTTP and through the staff's services: one winner each, nothing twice,
nobody locked out.
"""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Stock
from apps.catalog.tests.factories import make_product, make_products
from apps.common.errors import PortalError, WrongStatus
from apps.common.testing import ContractClient
from apps.common.tests.races import THREADS, race
from apps.common.types import Json
from apps.orders.models import Order, OrderEvent, OrderLine, OrderTally, SavedBasket, TemporaryOrder
from apps.orders.services import request
from apps.orders.services.conversation import (
    edit_address,
    leave_message,
    mail_late_shipment,
    remind_buyer,
)
from apps.orders.services.moves import move_order
from apps.orders.services.request import claim_temporary_order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import (
    make_draft,
    make_order,
    make_order_at,
    make_sales,
    make_shipping,
    pack,
    ship_body,
    stock_of,
)
from apps.orders.tests.test_life import STEPS

pytestmark = pytest.mark.django_db(transaction=True)

S = OrderStatus
SignIn = Callable[[Buyer], ContractClient]
URL = "/api/order/checkout-deposit/tt"


def body_of(buyer: Buyer, draft: TemporaryOrder) -> Json:
    head = {"uuid": str(buyer.uuid), "email": buyer.email, "invoice_code": draft.invoice_code}
    money = {"payment_type": "T/T", "payer_id": "Glow", "amount": float(draft.total)}
    return {**head, "type": "ORDER", "export_report": 1, **money, **ship_body()}


# One checkout sent many times


@pytest.mark.parametrize("with_key", [True, False])
def test_one_checkout_sent_fifty_times_makes_one_order(
    buyer: Buyer, sign_in: SignIn, with_key: bool
) -> None:
    # The one order takes all: a second look at the shelf would find nothing.
    product = make_product(on_hand=20)
    draft = make_draft(buyer, [(product, 20)])
    client, body = sign_in(buyer), body_of(buyer, draft)
    headers = {"Idempotency-Key": str(uuid4())} if with_key else {}

    def send(_: int) -> tuple[int, str]:
        answer = client.send("POST", URL, body, headers=headers)
        return answer.status_code, answer.json().get("code", answer.json().get("invoice_code"))

    answers = Counter(race(send, times=50))
    success, exists = (200, draft.invoice_code), (409, "order_exists")
    assert answers == ({success: 50} if with_key else {success: 1, exists: 49})
    assert Order.objects.count() == OrderLine.objects.count() == OrderEvent.objects.count() == 1
    assert stock_of(product) == (20, 20, 0)
    assert set(OrderTally.objects.values_list("count", flat=True)) == {1}


def claims(buyer: Buyer, draft: TemporaryOrder) -> int:
    """Return how many of many checkouts claimed one temporary order."""
    code = draft.invoice_code

    def claim(_: int) -> bool:
        with suppress(PortalError), transaction.atomic():
            claim_temporary_order(buyer=buyer, invoice_code=code, now=datetime.now(UTC))
            return True
        return False

    return sum(race(claim, times=THREADS))


def without_condition() -> str:
    return request.CLAIM.replace("ordered_at IS NULL AND", "")


def test_a_temporary_order_is_claimed_once(buyer: Buyer) -> None:
    assert claims(buyer, make_draft(buyer)) == 1


def test_control_without_the_condition_everybody_claims_it(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "CLAIM", without_condition())
    assert claims(buyer, make_draft(buyer)) == THREADS


def test_control_without_the_condition_the_constraint_still_holds(
    buyer: Buyer, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "CLAIM", without_condition())
    product = make_product(on_hand=1000)
    draft = make_draft(buyer, [(product, 20)])
    token, body = sign_in(buyer).token or "", body_of(buyer, draft)

    def send(_: int) -> int:
        # A client of its own: what the database refuses here is an unforeseen failure, outside the
        # contract.
        client = Client(headers={"x-access-token": token}, raise_request_exception=False)
        return int(client.post(URL, body, "application/json").status_code)

    assert Counter(race(send, times=THREADS)) == {200: 1, 500: THREADS - 1}
    assert (Order.objects.count(), stock_of(product)) == (1, (1000, 20, 0))


def test_a_repeated_request_makes_one_temporary_order(buyer: Buyer, sign_in: SignIn) -> None:
    client, key = sign_in(buyer), {"Idempotency-Key": str(uuid4())}
    product = [{"sku": make_product().sku, "count": 10}]
    body = {"uuid": str(buyer.uuid), "export_report": 0, "product": product, **ship_body()}
    codes = race(
        lambda _: client.send("POST", "/api/temp-order", body, headers=key).json()["invoice_code"],
        times=20,
    )
    assert len(set(codes)) == TemporaryOrder.objects.count() == 1


@pytest.mark.parametrize(("same_basket", "statuses"), [(True, {200: 8}), (False, {200: 1, 400: 7})])
def test_a_name_saved_many_times_at_once_names_one_basket(
    buyer: Buyer, sign_in: SignIn, *, same_basket: bool, statuses: dict[int, int]
) -> None:
    client, one, lines = sign_in(buyer), uuid4(), [{"sku": make_product().sku, "count": 10}]
    body = {"kind": "named", "name": "Christmas", "lines": lines}

    def save(_: int) -> int:
        path = f"/api/baskets/{one if same_basket else uuid4()}"
        return int(client.send("PUT", path, body).status_code)

    assert Counter(race(save, times=8)) == statuses
    assert SavedBasket.objects.count() == 1


# Many buyers for the same shelf


def checkouts(sign_in: SignIn, baskets: list[list[tuple[Any, int]]]) -> list[int]:
    """Return the statuses of checkouts sent at once, each by a buyer of its own."""
    calls = []
    for basket in baskets:
        buyer = make_buyer()
        draft = make_draft(buyer, basket)
        calls.append((sign_in(buyer), body_of(buyer, draft)))
    return race(
        lambda number: calls[number][0].send("POST", URL, calls[number][1]).status_code,
        times=len(calls),
    )


def test_the_last_hundred_go_to_ten_of_64_buyers(sign_in: SignIn) -> None:
    product = make_product(on_hand=100)
    answers = Counter(checkouts(sign_in, [[(product, 10)]] * 64))
    assert answers == {200: 10, 409: 54}
    assert stock_of(product) == (100, 100, 0)
    assert Order.objects.count() == 10


def test_overlapping_baskets_in_any_order_neither_deadlock_nor_oversell(sign_in: SignIn) -> None:
    products = make_products(15, on_hand=200)
    baskets = [
        [(product, 10) for product in random.Random(number).sample(products, 10)]
        for number in range(40)
    ]
    answers = Counter(checkouts(sign_in, baskets))
    assert set(answers) <= {200, 409}
    allocated = sum(Stock.objects.values_list("allocated", flat=True))
    assert allocated == answers[200] * 100
    assert all(
        on_hand >= taken for on_hand, taken in Stock.objects.values_list("on_hand", "allocated")
    )


# Two of the staff at once


def both(step: Callable[[], object]) -> int:
    """Return how many of two members of staff who take the same step succeed; the other
    is refused.
    """

    def attempt(_: int) -> bool:
        with suppress(PortalError):
            step()
            return True
        return False

    return sum(race(attempt, times=2))


@pytest.mark.parametrize("status", [S.RECEIVED, S.PREPARING, S.PAID])
def test_a_step_is_taken_once(buyer: Buyer, status: OrderStatus) -> None:
    product = make_product(on_hand=100)
    order = make_order_at(status, buyer, [(product, 20)])
    if status == S.PAID:
        pack(order)
    assert both(lambda: STEPS[status](order)) == 1
    after = S(status + 1)
    assert Order.objects.get().status == after
    assert OrderEvent.objects.filter(order=order, to_status=after).count() == 1
    assert stock_of(product) == ((80, 0, 0) if after is S.SHIPPED else (100, 20, 0))
    assert OrderTally.objects.get(bucket=f"status:{int(after)}").count == 1


@pytest.mark.parametrize("status", [S.PAID, S.CONFIRMED])
def test_a_buyer_is_mailed_once(buyer: Buyer, status: OrderStatus) -> None:
    order, sales, now = make_order_at(status, buyer), make_sales(), datetime.now(UTC)
    Email.objects.all().delete()
    if status == S.PAID:
        results = both(lambda: mail_late_shipment(order_id=order.pk, seen=0, actor=sales, now=now))
    else:
        results = both(lambda: remind_buyer(order_id=order.pk, actor=sales, now=now))
    assert (results, Email.objects.count()) == (1, 1)


def test_control_without_the_lock_the_event_still_stands_once(buyer: Buyer) -> None:
    order, sales = make_order(buyer), make_sales()
    everybody_looked = Barrier(2)

    def careless() -> None:
        order_now = Order.objects.get(pk=order.pk)
        everybody_looked.wait(timeout=30)
        try:
            with transaction.atomic():
                move_order(order=order_now, target=S.PREPARING, actor=sales, now=datetime.now(UTC))
        except IntegrityError as error:
            raise PortalError from error

    assert both(careless) == 1
    assert OrderTally.objects.get(bucket="status:2").count == 1


@pytest.mark.postgresql
@pytest.mark.parametrize("call", [leave_message, edit_address])
def test_a_buyer_waits_for_a_step_that_staff_are_taking(
    buyer: Buyer, call: Callable[..., Order]
) -> None:
    order, now = make_order(buyer), datetime.now(UTC)
    fields: Json = {"buyer": buyer, "invoice_code": order.invoice_code, "now": now}
    words = {"kind": OrderEvent.Kind.MESSAGE, "text": "Hi"}
    fields |= {"shipping": make_shipping()} if call is edit_address else words

    def send() -> Order:
        try:
            return call(**fields)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            cancelled = Order.objects.select_for_update().get(pk=order.pk)
            future = pool.submit(send)
            with pytest.raises(TimeoutError):
                future.result(timeout=0.5)
            move_order(order=cancelled, target=S.CANCELLED, actor=None, now=now)
        with pytest.raises(WrongStatus):
            future.result(timeout=30)
    assert not OrderEvent.objects.filter(order=order, actor_id=buyer.id).exists()
