"""POST /dashboard: notices, counters, months and pop-ups together."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_country
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.notices.models import Notice, NoticeAudience
from apps.orders.models import OrderTally
from portal.web.dashboard import dashboard

URL = "/api/dashboard"
DAY = timedelta(days=1)


def ask(client: ContractClient, buyer: Buyer) -> Json:
    response = client.send("post", URL, {"uuid": str(buyer.uuid)})
    assert response.status_code == 200
    answer: Json = response.json()
    return answer


def make_notice(title: str, now: datetime, **fields: Any) -> Notice:
    return Notice.objects.create(
        **{"title": title, "content": "<p>x</p>", "published_at": now - DAY, **fields}
    )


def test_nothing_yet(api: ContractClient, buyer: Buyer) -> None:
    answer = ask(api, buyer)
    assert answer["notice"] == answer["popup"] == []
    assert answer["order"] == {"ready": 0, "receipt": 0, "confirm": 0, "paid": 0, "shipped": 0}
    assert [month["total"] for month in answer["purchase"]] == [0, 0, 0]


def test_counters_and_months_are_the_companys(buyer: Buyer) -> None:
    now = datetime(2026, 1, 15, tzinfo=UTC)
    figures = {"status:1": 2, "status:3": 5, "status:5": 7, "status:0": 9}
    for bucket, count in figures.items():
        OrderTally.objects.create(company_id=buyer.company_id, bucket=bucket, count=count, total=1)
    for month, total in (("2026-01", "10.10"), ("2025-11", "12345678.99"), ("2025-10", "5")):
        OrderTally.objects.create(
            company_id=buyer.company_id, bucket=f"month:{month}", count=1, total=Decimal(total)
        )
    OrderTally.objects.create(company_id=make_buyer().company_id, bucket="status:2", count=4)
    answer = dashboard(buyer=buyer, now=now)
    assert answer["order"] == {"ready": 2, "receipt": 0, "confirm": 5, "paid": 0, "shipped": 7}
    assert answer["purchase"] == [
        {"build_date": "2025-11", "total": Decimal("12345678.99")},
        {"build_date": "2025-12", "total": Decimal("0.00")},
        {"build_date": "2026-01", "total": Decimal("10.10")},
    ]


def test_a_month_begins_at_the_sellers_midnight(buyer: Buyer) -> None:
    in_utc_still_october = datetime(2025, 10, 31, 15, 0, tzinfo=UTC)  # Seoul: 1 November, 00:00
    months = [
        month["build_date"]
        for month in dashboard(buyer=buyer, now=in_utc_still_october)["purchase"]
    ]
    assert months == ["2025-09", "2025-10", "2025-11"]


def test_the_newest_five_published_notices(
    api: ContractClient, buyer: Buyer, now: datetime
) -> None:
    for age in range(1, 8):
        make_notice(f"{age} days old", now, published_at=now - age * DAY)
    make_notice("to come", now, published_at=now + DAY)
    make_notice("draft", now, published_at=None)
    notices = ask(api, buyer)["notice"]
    assert [notice["title"] for notice in notices] == [f"{age} days old" for age in range(1, 6)]


def test_a_notice_shows_the_sellers_day(buyer: Buyer) -> None:
    Notice.objects.create(
        title="x", content="x", published_at=datetime(2026, 3, 1, 20, 30, tzinfo=UTC)
    )
    answer = dashboard(buyer=buyer, now=datetime(2026, 4, 1, tzinfo=UTC))
    assert answer["notice"][0]["build_date"] == "2026-03-02"


def test_notices_meant_for_others_are_left_out(
    api: ContractClient, buyer: Buyer, now: datetime
) -> None:
    country = make_country("XX", "Examplia")
    Company.objects.filter(pk=buyer.company_id).update(country=country)
    meant = {"company": buyer.company_id, "country": country.pk}
    for kind, object_id in meant.items():
        for offset, whose in ((0, "mine"), (10_000, "others")):
            notice = make_notice(f"{kind} {whose}", now, for_everybody=False)
            NoticeAudience.objects.create(notice=notice, kind=kind, object_id=object_id + offset)
    assert {notice["title"] for notice in ask(api, buyer)["notice"]} == {
        "company mine",
        "country mine",
    }


@pytest.mark.parametrize(
    ("moment", "open_"),
    [
        (datetime(2025, 7, 31, 23, 59, 59, tzinfo=UTC), False),
        (datetime(2025, 8, 1, tzinfo=UTC), True),
        (datetime(2025, 8, 31, 23, 59, 59, tzinfo=UTC), True),
        (datetime(2025, 9, 1, tzinfo=UTC), False),
    ],
)
def test_a_popup_is_open_in_its_window(buyer: Buyer, moment: datetime, open_: bool) -> None:
    window = {
        "popup_from": datetime(2025, 8, 1, tzinfo=UTC),
        "popup_until": datetime(2025, 8, 31, 23, 59, 59, tzinfo=UTC),
    }
    shown = [make_notice(title, moment, **window).pk for title in ("one", "two")]
    make_notice("plain", moment)
    make_notice("not published", moment, **window, published_at=None)
    assert dashboard(buyer=buyer, now=moment)["popup"] == (shown if open_ else [])


@pytest.mark.parametrize("rows", [1, 50])
def test_the_screen_costs_two_statements(
    api: ContractClient, buyer: Buyer, now: datetime, django_assert_num_queries: Callable, rows: int
) -> None:
    for number in range(rows):
        make_notice(f"{number}", now)
    with django_assert_num_queries(2):
        ask(api, buyer)
