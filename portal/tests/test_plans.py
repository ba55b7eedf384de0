"""On PostgreSQL no order list and no home page of the staff reads the history of the orders,
however long it is, and the notices' calls read indexes, in a portal that has grown.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models.base import ModelState
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Brand
from apps.notices.models import Notice, NoticeAudience, NoticeFile
from apps.notices.selectors import notice_files, notice_list
from apps.notices.services.writing import open_notice
from apps.orders.models import Order, OrderEvent, OrderTally
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


NOTICES, COMPANIES, BRANDS = 3_000, 300, 30
TEXT = "<p>" + "A paragraph of usual length. " * 40 + "</p>"
KINDS = ("company", "country", "brand")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def buyer(db: None) -> Buyer:
    """Return a buyer in a portal with many notices, companies and figures."""
    buyer = make_buyer()
    companies = Company.objects.bulk_create(
        Company(name=f"Company {number}") for number in range(COMPANIES)
    )
    Brand.objects.bulk_create(Brand(eng=f"Brand {number}") for number in range(BRANDS))
    notices = Notice.objects.bulk_create(
        Notice(
            title=f"Notice number {number}",
            content=TEXT,
            published_at=NOW - timedelta(hours=number),
            for_everybody=bool(number % 4),
            popup_from=None if number % 10 else NOW - timedelta(hours=number),
            popup_until=None if number % 10 else NOW - timedelta(hours=number) + timedelta(days=1),
        )
        for number in range(NOTICES)
    )
    NoticeAudience.objects.bulk_create(
        NoticeAudience(
            notice=notice, kind=KINDS[number % 3], object_id=1 + (number + step) % COMPANIES
        )
        for number, notice in enumerate(notices)
        for step in range(4)
        if not notice.for_everybody
    )
    NoticeFile.objects.bulk_create(
        NoticeFile(notice=notice, title="a", storage_name=f"{notice.pk}", content_type="a", size=1)
        for notice in notices
    )
    OrderTally.objects.bulk_create(
        OrderTally(company_id=company, bucket=f"status:{status}", count=1, total=1)
        for company in (buyer.company_id, *(company.pk for company in companies))
        for status in range(1, 20)
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return buyer


def scans(plan: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return how a plan reads its tables: kind of scan, table, index."""
    nodes = [(plan["Node Type"], plan.get("Relation Name", ""), plan.get("Index Name", ""))]
    for part in plan.get("Plans", ()):
        nodes += scans(part)
    return [row for row in nodes if row[1] or row[2]]


def scans_of(call: Callable[[], Any]) -> list[tuple[str, str, str]]:
    """Return how the reads of a call are planned."""
    return [scan for _, plan in plans_of(call) for scan in scans(plan)]


def test_every_call_reads_indexes(buyer: Buyer) -> None:
    notice = Notice.objects.filter(for_everybody=True).order_by("published_at")[0].pk
    calls: dict[str, tuple[Callable[[], object], set[str]]] = {
        "list": (lambda: notice_list(company_id=buyer.company_id, now=NOW), {"notice_newest"}),
        "detail": (
            lambda: open_notice(notice_id=notice, reader=buyer, now=NOW),
            {"notices_notice_pkey"},
        ),
        "files": (lambda: notice_files(notice_id=notice, reader=buyer, now=NOW), set()),
        "dashboard": (lambda: dashboard(buyer=buyer, now=NOW), {"notice_newest", "notice_popup"}),
    }
    for name, (call, indexes) in calls.items():
        scans = scans_of(call)
        read_whole = {table for kind, table, _ in scans if kind == "Seq Scan"}
        assert not read_whole & {
            "notices_notice",
            "notices_noticeaudience",
            "notices_noticefile",
            "orders_ordertally",
        }, (name, scans)
        assert indexes <= {index for _, _, index in scans}, (name, scans)


def test_the_list_is_read_from_its_index_alone(buyer: Buyer) -> None:
    scans = scans_of(lambda: notice_list(company_id=buyer.company_id, now=NOW))
    assert ("Index Only Scan", "notices_notice", "notice_newest") in scans
