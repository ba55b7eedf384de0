"""When a promise is due: business days of South Korea in the seller's time, with clocks that stand
still.
"""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from apps.common.days import business_days_between, is_business_day
from apps.common.promises import Promise, due_at, late_start, term_of
from apps.common.testing import selling

SEOUL = ZoneInfo("Asia/Seoul")


def seoul(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SEOUL)


@pytest.mark.parametrize(
    ("day", "works"),
    [
        ("2026-02-13", True),  # Friday before Seollal
        ("2026-02-16", False),  # Seollal, 16 to 18 February
        ("2026-02-18", False),
        ("2026-02-19", True),
        ("2026-03-02", False),  # for Independence Movement Day, a Sunday
        ("2026-09-24", False),  # Chuseok, 24 to 26 September
        ("2026-09-28", True),  # no substitute for a Saturday of Chuseok
        ("2026-10-05", False),  # for National Foundation Day, a Saturday
        ("2027-02-09", False),  # for Seollal's Sunday
        ("2026-06-03", False),  # local elections
        ("2026-11-21", False),  # a Saturday
        ("2026-12-31", True),
        ("2027-01-01", False),
    ],
)
def test_days_off_are_weekends_holidays_and_their_substitutes(day: str, works: bool) -> None:
    assert is_business_day(date.fromisoformat(day)) is works


@pytest.mark.parametrize(
    ("paid", "due"),
    [
        ("2026-11-16 10:12", "2026-11-18 10:12"),  # within a week
        ("2026-11-19 10:12", "2026-11-23 10:12"),  # over a weekend
        ("2026-11-20 23:30", "2026-11-24 23:30"),  # Friday in Seoul, 14:30 in UTC
        ("2026-11-21 00:30", "2026-11-24 23:59:59.999999"),  # Saturday in Seoul, Friday in UTC
        ("2026-11-22 23:59", "2026-11-24 23:59:59.999999"),  # Sunday: until the end of Tuesday
        ("2026-11-23 00:00", "2026-11-25 00:00"),
        ("2026-02-13 09:00", "2026-02-20 09:00"),  # over Seollal: 19 and 20 February
        ("2026-02-17 12:00", "2026-02-20 23:59:59.999999"),  # on Seollal: until the end of Friday
        ("2026-09-23 18:00", "2026-09-29 18:00"),  # over Chuseok
        ("2026-10-02 11:00", "2026-10-07 11:00"),  # over the substitute of 3 October
        ("2026-12-31 15:00", "2027-01-05 15:00"),  # over the year's end
        ("2027-02-05 08:00", "2027-02-11 08:00"),  # Seollal on a Sunday, its substitute on Tuesday
    ],
)
def test_a_shipment_is_due_two_business_days_after_the_payment(paid: str, due: str) -> None:
    assert due_at(Promise.SHIP, since=seoul(paid)) == seoul(due)
    assert due_at(Promise.SHIP, since=seoul(paid).astimezone(ZoneInfo("UTC"))) == seoul(due)


@pytest.mark.parametrize(
    ("promise", "due"),
    [
        (Promise.APPROVAL, "2026-11-23 17:00"),  # days as buyers are told them: the weekend counts
        (Promise.REFUND, "2026-12-11 17:00"),
        (Promise.PREPARE, "2026-11-23 17:00"),
        (Promise.CONFIRM, "2026-11-25 17:00"),
        (Promise.BALANCE, "2026-11-27 17:00"),
        (Promise.WIRE, "2026-11-23 17:00"),
        (Promise.MESSAGE, "2026-11-23 17:00"),
    ],
)
def test_each_promise_has_its_days(promise: Promise, due: str) -> None:
    assert due_at(promise, since=seoul("2026-11-20 17:00")) == seoul(due)


def test_a_promise_of_the_sellers_own_is_a_setting() -> None:
    selling(promised_wire=2)
    assert due_at(Promise.WIRE, since=seoul("2026-11-16 09:00")) == seoul("2026-11-18 09:00")
    assert [str(term_of(promise)) for promise in (Promise.PREPARE, Promise.APPROVAL)] == [
        "1 business day",
        "3 days",
    ]


def test_days_that_the_seller_is_closed_do_not_count() -> None:
    selling(closed={date(2026, 11, 17)})
    assert due_at(Promise.SHIP, since=seoul("2026-11-16 10:00")) == seoul("2026-11-19 10:00")


@pytest.mark.parametrize("zone", ["Asia/Seoul", "America/New_York"])
@pytest.mark.parametrize("promise", [Promise.SHIP, Promise.APPROVAL, Promise.WIRE])
def test_what_is_late_now_is_what_was_due_by_now(settings, zone: str, promise: Promise) -> None:
    settings.TIME_ZONE = zone
    starts = [seoul("2026-09-18 00:00") + timedelta(hours=hours) for hours in range(0, 24 * 24, 7)]
    dues = [due_at(promise, since=start) for start in starts]
    assert all(one <= other for one, other in pairwise(dues))
    for hours in range(0, 24 * 24, 11):
        now = seoul("2026-09-18 12:00") + timedelta(hours=hours, seconds=1)
        latest = late_start(promise, now=now)
        assert [start <= latest for start in starts] == [due <= now for due in dues]
    for start, due in zip(starts, dues, strict=True):
        assert start <= late_start(promise, now=due)
        assert start > late_start(promise, now=due - timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("due", "now", "days"),
    [
        ("2026-11-18 10:00", "2026-11-18 23:00", 0),
        ("2026-11-18 10:00", "2026-11-19 10:00", 1),
        ("2026-11-20 10:00", "2026-11-22 20:00", 0),  # the weekend is nobody's delay
        ("2026-11-20 10:00", "2026-11-23 10:00", 1),
        ("2026-02-13 10:00", "2026-02-19 10:00", 1),
        ("2026-11-24 23:59:59.999999", "2026-11-25 23:59", 0),
        ("2026-11-24 23:59:59.999999", "2026-11-26 00:00", 1),
        ("2026-11-21 12:00", "2026-11-24 00:00", 1),
    ],
)
def test_lateness_is_counted_in_business_days(due: str, now: str, days: int) -> None:
    assert business_days_between(seoul(due), seoul(now)) == days
