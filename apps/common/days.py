"""Days and months of the seller, whatever time zone a moment is kept in."""

from datetime import date, datetime, time, timedelta

from django.utils import timezone

FIRST_YEAR, LAST_YEAR = 2000, 2999


def midnight(day: date) -> datetime:
    """Return when a day of the seller begins."""
    return datetime.combine(day, time(), timezone.get_default_timezone())


def end_of(day: date | None) -> datetime | None:
    """Return when a day of the seller is over; None for none."""
    return midnight(day + timedelta(days=1)) if day else None


def parse_day(text: str) -> date | None:
    """Return the day that a text names; None for what is none, or one that nobody reckons with."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None
