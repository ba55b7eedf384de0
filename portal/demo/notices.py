"""The demo's notices: shipping calendars, price changes, new brands and two August promotions
(readings, Demo data).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypedDict

from portal.demo.data import read


class DemoFile(TypedDict):
    """A PDF attached to a notice."""

    name: str
    title: str
    lines: list[str]


@dataclass(frozen=True)
class DemoNotice:
    """One notice, published so many days before loading or on a day of its own. The window of its
    popup is the seller's local time, without a zone.
    """

    notice_id: int
    title: str
    html: str
    days_ago: int = 0
    day: str = ""
    files: Sequence[DemoFile] = ()
    popup_from: str = ""
    popup_until: str = ""

    def published_on(self, *, today: date) -> date:
        """Return the day on which it was published, where the demo is loaded `today`."""
        if self.day:
            return date.fromisoformat(self.day)
        return today - timedelta(days=self.days_ago)


NOTICES = tuple(DemoNotice(**row) for row in read("notices"))
