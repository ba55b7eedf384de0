"""When a notice pops up on the dashboard."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.selectors import Buyer
from apps.notices.tests.test_audience import make_notice
from portal.web.dashboard import dashboard

pytestmark = pytest.mark.django_db
SEOUL = ZoneInfo("Asia/Seoul")


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
    window: dict[str, Any] = {
        "popup_from": datetime(2026, 12, 7, tzinfo=SEOUL),
        "popup_until": datetime(2026, 12, 23, 23, 59, 59, tzinfo=SEOUL),
    }
    notice = make_notice(datetime(2026, 12, 1, tzinfo=UTC), **window)
    assert dashboard(buyer=buyer, now=moment)["popup"] == ([notice.pk] if is_open else [])
