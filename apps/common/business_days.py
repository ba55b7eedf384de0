"""The seller's business days: Monday to Friday without South Korea's public holidays and their
substitutes.
"""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from functools import cache

from holidays import country_holidays

COUNTRY = "KR"
WEEKEND = (5, 6)
DAY = timedelta(days=1)


@cache
def public_holidays(year: int) -> frozenset[date]:
    """Return a year's public holidays, substitute days and election days among them."""
    # Taken out of the package's object, which fills itself while it is asked: two threads could
    # find it half full.
    return frozenset(country_holidays(COUNTRY, years=year))


def is_business_day(day: date, *, closed: Collection[date] = ()) -> bool:
    """Return whether the seller works on a day; `closed` are days off that no calendar knows."""
    return (
        day.weekday() not in WEEKEND and day not in public_holidays(day.year) and day not in closed
    )


def business_days_later(start: datetime, days: int, *, closed: Collection[date] = ()) -> datetime:
    """Return the moment by which so many business days have passed since `start`, which is seller's
    time.

    It is the same time of day on a later business day; after a start on a day off it is that day's
    end.
    """
    day = _step(start.date(), days, DAY, closed)
    return datetime.combine(day, _time_of(start, closed))


def business_days_earlier(end: datetime, days: int, *, closed: Collection[date] = ()) -> datetime:
    """Return the latest start of which so many business days have passed by `end`, which is
    seller's time.

    `start <= business_days_earlier(end, days)` says the same as `business_days_later(start, days)
    <= end`.
    """
    if is_business_day(end.date(), closed=closed) and end.time() != time.max:
        return datetime.combine(_step(end.date(), days, -DAY, closed), end.timetz())
    # By the end of a day, those that began on the days off before the first of the days have had
    # them too.
    day = end.date() + DAY if is_business_day(end.date(), closed=closed) else end.date()
    return datetime.combine(
        _step(day, days, -DAY, closed) - DAY, time.max.replace(tzinfo=end.tzinfo)
    )


def business_days_between(start: datetime, end: datetime, *, closed: Collection[date] = ()) -> int:
    """Return how many whole business days have passed from one moment to a later one, both seller's
    time.
    """
    days, day, at = 0, start.date(), _time_of(start, closed)
    while day < end.date():
        day += DAY
        days += is_business_day(day, closed=closed) and datetime.combine(day, at) <= end
    return days


def _time_of(start: datetime, closed: Collection[date]) -> time:
    """Return the time of day at which the business days of a start pass."""
    return (
        start.timetz()
        if is_business_day(start.date(), closed=closed)
        else time.max.replace(tzinfo=start.tzinfo)
    )


def _step(day: date, days: int, step: timedelta, closed: Collection[date]) -> date:
    """Return the business day that comes as the `days`-th after a day, or before it."""
    while days:
        day += step
        days -= is_business_day(day, closed=closed)
    return day
