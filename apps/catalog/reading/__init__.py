"""Reads what somebody asks for in a message of plain words, without a network; the same text gives
the same lines.
"""

from apps.catalog.reading.candidates import Catalogue, Row, words_meant
from apps.catalog.reading.lines import Reader
from apps.catalog.reading.outcome import NO_LAST_TIME, Company, Reading, ReadLine, Suggested

__all__ = [
    "NO_LAST_TIME",
    "Catalogue",
    "Company",
    "ReadLine",
    "Reader",
    "Reading",
    "Row",
    "Suggested",
    "words_meant",
]
