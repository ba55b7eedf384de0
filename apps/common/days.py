"""Days of the seller, whatever time zone a moment is kept in. Business days are Monday to Friday
without South Korea's public holidays and their substitutes.
"""

from datetime import date, datetime, time, timedelta
from functools import cache

from django.utils import timezone
from holidays import country_holidays

from apps.common.seller import seller

FIRST_YEAR, LAST_YEAR = 2000, 2999
COUNTRY = "KR"
WEEKEND = (5, 6)
DAY = timedelta(days=1)


def midnight(day: date) -> datetime:
    """Return when a day of the seller begins."""
    return datetime.combine(day, time(), timezone.get_default_timezone())


def end_of(day: date | None) -> datetime | None:
    """Return when a day of the seller is over; None for none."""
    return midnight(day + timedelta(days=1)) if day else None


def last_day_before(end: datetime) -> date:
    """Return the last day of the seller that is not over before a moment: what ends at midnight
    holds until the day before.
    """
    return timezone.localdate(end - timedelta(microseconds=1))


def parse_day(text: str) -> date | None:
    """Return the day that a text names; None for what is none, or one that nobody reckons with."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


@cache
def public_holidays(year: int) -> frozenset[date]:
    """Return a year's public holidays, substitute days and election days among them."""
    # Taken out of the package's object, which fills itself while it is asked: two threads could
    # find it half full.
    return frozenset(country_holidays(COUNTRY, years=year))


def is_business_day(day: date) -> bool:
    """Return whether the seller works on a day; his closed days are days off that no calendar
    knows.
    """
    return not (
        day.weekday() in WEEKEND or day in public_holidays(day.year) or day in seller().closed_days
    )


def business_days_later(since: datetime, days: int) -> datetime:
    """Return the moment by which so many business days have passed, in the seller's time.

    It is the same time of day on a later business day; after a start on a day off it is that day's
    end.
    """
    start = timezone.localtime(since)
    return datetime.combine(_step(start.date(), days, DAY), _time_of(start))


def business_days_earlier(until: datetime, days: int) -> datetime:
    """Return the latest start of which so many business days have passed by then, in the seller's
    time.

    `start <= business_days_earlier(end, days)` says the same as `business_days_later(start, days)
    <= end`.
    """
    end = timezone.localtime(until)
    day, is_open = end.date(), is_business_day(end.date())
    if is_open and end.time() != time.max:
        return datetime.combine(_step(day, days, -DAY), end.timetz())
    # By the end of a day, those that began on the days off before the first of the days have had
    # them too.
    first = _step(day + DAY if is_open else day, days, -DAY)
    return datetime.combine(first - DAY, time.max.replace(tzinfo=end.tzinfo))


def business_days_between(since: datetime, until: datetime) -> int:
    """Return how many whole business days have passed from one moment to a later one."""
    start, end = timezone.localtime(since), timezone.localtime(until)
    days, day, at = 0, start.date(), _time_of(start)
    while day < end.date():
        day += DAY
        days += is_business_day(day) and datetime.combine(day, at) <= end
    return days


def _time_of(start: datetime) -> time:
    """Return the time of day at which the business days of a start pass."""
    is_open = is_business_day(start.date())
    return start.timetz() if is_open else time.max.replace(tzinfo=start.tzinfo)


def _step(day: date, days: int, step: timedelta) -> date:
    """Return the business day that comes as the `days`-th after a day, or before it."""
    while days:
        day += step
        days -= is_business_day(day)
    return day
