"""Moments, days and numbers in tables, as in English; days of the week in prose by one syllable."""

from django.utils.translation import gettext_noop

from portal.formats.en.formats import (
    DATE_FORMAT,
    DATETIME_FORMAT,
    SHORT_DATE_FORMAT,
    SHORT_DATETIME_FORMAT,
    TIME_FORMAT,
)

# Django's own Korean writes "Sat" as long as "Saturday".
DAYS = (
    gettext_noop("Mon"),
    gettext_noop("Tue"),
    gettext_noop("Wed"),
    gettext_noop("Thu"),
    gettext_noop("Fri"),
    gettext_noop("Sat"),
    gettext_noop("Sun"),
)

__all__ = [
    "DATETIME_FORMAT",
    "DATE_FORMAT",
    "SHORT_DATETIME_FORMAT",
    "SHORT_DATE_FORMAT",
    "TIME_FORMAT",
]
