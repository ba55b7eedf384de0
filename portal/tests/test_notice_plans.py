"""On PostgreSQL the notices' calls read indexes, with statistics like those of a portal that has
grown.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Brand
from apps.notices.models import Notice, NoticeAudience, NoticeFile
from apps.notices.selectors import notice_files, notice_list
from apps.notices.services.writing import open_notice
from apps.orders.models import OrderTally
from portal.web.dashboard import dashboard

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

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
    found = [(plan["Node Type"], plan.get("Relation Name", ""), plan.get("Index Name", ""))]
    for part in plan.get("Plans", ()):
        found += scans(part)
    return [row for row in found if row[1] or row[2]]


def plans_of(call: Callable[[], object]) -> list[tuple[str, str, str]]:
    """Return how the reads of a call are planned."""
    seen: list[tuple[str, Any]] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        call()
    found = []
    for sql, params in seen:
        if sql.lstrip(" (").startswith(("WITH", "SELECT")):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
                (answer,) = cursor.fetchone()
                found += scans(
                    (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
                )
    return found


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
        found = plans_of(call)
        read_whole = {table for kind, table, _ in found if kind == "Seq Scan"}
        assert not read_whole & {
            "notices_notice",
            "notices_noticeaudience",
            "notices_noticefile",
            "orders_ordertally",
        }, (name, found)
        assert indexes <= {index for _, _, index in found}, (name, found)


def test_the_list_is_read_from_its_index_alone(buyer: Buyer) -> None:
    found = plans_of(lambda: notice_list(company_id=buyer.company_id, now=NOW))
    assert ("Index Only Scan", "notices_notice", "notice_newest") in found
