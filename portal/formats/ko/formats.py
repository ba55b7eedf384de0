"""Moments, days and numbers in tables, as in English."""

from portal.formats.en.formats import *  # noqa: F403
