"""Days and moments in the sentences of staff pages, in the language of the page."""

from datetime import date, datetime

from django.utils import dateformat, timezone
from django.utils.translation import pgettext


def day_text(day: date) -> str:
    """Return a day of these weeks: `Fri 11 Dec`."""
    return dateformat.format(day, pgettext("date format", "D j M"))


def soon_text(moment: datetime) -> str:
    """Return a moment of these weeks, in the seller's time: `Tue 24 Nov, 18:00`."""
    return dateformat.format(timezone.localtime(moment), pgettext("date format", "D j M, H:i"))


def moment_text(moment: datetime) -> str:
    """Return a moment, in the seller's time: `14:05 on 27 Nov 2026`."""
    form = pgettext("date format", "H:i \\o\\n j M Y")
    return dateformat.format(timezone.localtime(moment), form)
