"""POST /dashboard: notices, counters, months and pop-ups together."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.notices.models import Notice
from apps.orders.models import OrderTally
from portal.web.dashboard import dashboard

URL = "/api/dashboard"
DAY = timedelta(days=1)
SEOUL = ZoneInfo("Asia/Seoul")


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


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [
        (datetime(2026, 12, 6, 23, 59, 59, 999999, SEOUL), False),
        (datetime(2026, 12, 7, 0, 0, 0, 0, SEOUL), True),
        (datetime(2026, 12, 6, 15, 0, 0, tzinfo=UTC), True),  # the same moment
        (datetime(2026, 12, 23, 23, 59, 59, 0, SEOUL), True),
        (datetime(2026, 12, 23, 23, 59, 59, 999999, SEOUL), True),  # the last second counts whole
        (datetime(2026, 12, 24, 0, 0, 0, 0, SEOUL), False),
        (datetime(2026, 12, 23, 23, 59, 59, tzinfo=UTC), False),
    ],
)
def test_a_popup_window_holds_both_its_ends_in_the_sellers_time(
    buyer: Buyer, moment: datetime, is_open: bool
) -> None:
    window = {
        "popup_from": datetime(2026, 12, 7, tzinfo=SEOUL),
        "popup_until": datetime(2026, 12, 23, 23, 59, 59, tzinfo=SEOUL),
    }
    notice_ids = [make_notice(title, moment, **window).pk for title in ("one", "two")]
    make_notice("plain", moment)
    make_notice("not published", moment, **window, published_at=None)
    assert dashboard(buyer=buyer, now=moment)["popup"] == (notice_ids if is_open else [])
