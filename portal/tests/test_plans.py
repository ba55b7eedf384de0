"""On PostgreSQL no order list and no home page of the staff reads the history of the orders,
however long it is, and the notices' calls read indexes, in a portal that has grown.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models.base import ModelState
from django.test import Client
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.notices.models import Notice
from apps.notices.selectors import notice_files, notice_list
from apps.notices.services.writing import open_notice
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at
from apps.payments.models import Payment
from apps.payments.states import PaymentState
from portal.web.dashboard import dashboard

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

SHIPPED, COUNTED = 3_000, 200
LIST = "/admin/orders/order/"
PAGES = (
    "/admin/",
    LIST,
    *(
        f"{LIST}?{query}"
        for query in ("promise=late", "promise=today", "waits=us", "waits=buyer", "sign=back_order")
    ),
    *(f"{LIST}?payment={payment}" for payment in ("waiting", "announced", "part", "paid")),
    *(f"{LIST}?status={status}" for status in (0, 1, 5, "all")),
    *(f"{LIST}?status=all&{query}" for query in ("p=3", "o=6", "promise=late", "waits=buyer")),
    *(f"{LIST}?status=all&sign={sign}" for sign in ("message", "ship_memo", "unread", "address")),
    "/admin/orders/orderevent/",
    "/admin/orders/orderevent/?kind=note",
    "/admin/payments/payment/",
    *(
        f"/admin/{path}/?o={column}"
        for path in ("orders/orderevent", "payments/payment")
        for column in (1, 2)
    ),
)
READ_BY_INDEX = {
    *("notices_notice", "notices_noticeaudience", "notices_noticefile", "orders_ordertally"),
}
HISTORY = ("orders_order", "orders_orderevent", "payments_payment")


@pytest.fixture
def sales(db: None, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a member of staff of a seller with few open orders and a long history."""
    monkeypatch.setattr("apps.common.lists.MOST_COUNTED", COUNTED)
    buyer, now = make_buyer(), timezone.now()
    for _ in range(5):
        make_order(buyer)
    like = make_order_at(OrderStatus.SHIPPED, buyer)
    like.temporary_order = like.idempotency_key = None
    shipped = Order.objects.bulk_create(
        copies(like, lambda number: {"invoice_code": f"OLD-{number}"})
    )
    event = OrderEvent(kind=OrderEvent.Kind.MESSAGE, note="Thank you", at=now)
    OrderEvent.objects.bulk_create(copies(event, lambda number: {"order_id": shipped[number].pk}))
    payment = Payment(
        company_id=like.company_id, user_id=like.user_id, base=1, amount=1, created_at=now
    )
    payment.method, payment.kind, payment.state = (
        Payment.Method.WIRE,
        Payment.Kind.DEPOSIT,
        PaymentState.CAPTURED,
    )
    Payment.objects.bulk_create(
        copies(payment, lambda number: {"order_id": shipped[number].pk, "uuid": uuid4()})
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return staff_client()


def copies(row: Any, changes: Callable[[int], dict[str, Any]]) -> Iterator[Any]:
    """Yield many new rows like one."""
    for number in range(SHIPPED):
        twin = copy(row)
        twin._state, twin.pk = ModelState(), None
        for name, value in changes(number).items():
            setattr(twin, name, value)
        yield twin


def plans_of(call: Callable[[], Any], how: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the reads of a call with their plans, made with these options of EXPLAIN."""
    plans: list[tuple[str, Any]] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        plans.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        call()
    for sql, params in plans:
        if sql.lstrip(" (").startswith(("WITH", "SELECT")):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN ({how}FORMAT JSON) {sql}", params)
                (answer,) = cursor.fetchone()
            yield sql, (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]


def rows_read(plan: dict[str, Any]) -> Counter[str]:
    """Return how many rows of each table a statement read, those that it did not want included."""
    rows_of_plan = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    counts = Counter({plan.get("Relation Name", ""): int(rows_of_plan * plan["Actual Loops"])})
    for part in plan.get("Plans", ()):
        counts += rows_read(part)
    return counts


def opened(sales: Client, page: str) -> None:
    assert sales.get(page).status_code == 200, page


def test_no_page_reads_more_than_it_counts(sales: Client) -> None:
    for page in PAGES:  # one after another: the long history takes seconds to make
        for sql, plan in plans_of(partial(opened, sales, page), "ANALYZE, "):
            count = rows_read(plan)
            assert max(count[table] for table in HISTORY) <= COUNTED + 1, (page, sql)
        assert sales.get(page).status_code == 200, page


def scans(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield how a plan reads its tables: kind of scan, table, index."""
    yield plan["Node Type"], plan.get("Relation Name", ""), plan.get("Index Name", "")
    for part in plan.get("Plans", ()):
        yield from scans(part)


def test_every_call_about_notices_has_an_index(buyer: Buyer) -> None:
    """Reading a table whole is forbidden: what is read whole then has none that fits."""
    now = timezone.now()
    notice = Notice.objects.create(title="News", content="<p>New</p>", published_at=now).pk
    calls: dict[str, tuple[Callable[[], object], set[str]]] = {
        "list": (lambda: notice_list(company_id=buyer.company_id, now=now), {"notice_newest"}),
        "detail": (lambda: open_notice(notice_id=notice, reader=buyer, now=now), set()),
        "files": (lambda: notice_files(notice_id=notice, reader=buyer, now=now), set()),
        "dashboard": (lambda: dashboard(buyer=buyer, now=now), {"notice_newest", "notice_popup"}),
    }
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        for name, (call, indexes) in calls.items():
            found = [scan for _, plan in plans_of(call) for scan in scans(plan)]
            whole = {table for kind, table, _ in found if kind == "Seq Scan"}
            assert not whole & READ_BY_INDEX, (name, found)
            assert indexes <= {index for *_, index in found}, (name, found)
        cursor.execute("RESET enable_seqscan")
