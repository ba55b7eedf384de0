"""The sign-ins of a person, of the 90 days that the sweep `forget` leaves."""

from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from operator import attrgetter

from axes.models import AccessFailureLog, AccessLog

SHOWN = 10
# The first that a browser names is taken: Edge and Opera call themselves Chrome too, and Chrome
# Safari.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class SignIn:
    """One try to sign in: when, by which browser, and whether the password was right."""

    at: datetime
    browser: str
    is_good: bool


def browser_of(user_agent: str) -> str:
    """Return a browser and its system in words, `Firefox on Windows`; what it does not say is left
    out.
    """
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    return " on ".join(filter(None, (browser, system))) or "unknown"


def sign_ins_of(email: str) -> list[SignIn]:
    """Return the last ten tries to sign in with an address, the newest first. Two statements."""
    newest = (
        [SignIn(row.attempt_time, browser_of(row.user_agent), good) for row in rows]
        for rows, good in (
            (AccessLog.objects.filter(username=email).order_by("-attempt_time")[:SHOWN], True),
            (
                AccessFailureLog.objects.filter(username=email).order_by("-attempt_time")[:SHOWN],
                False,
            ),
        )
    )
    return list(merge(*newest, key=attrgetter("at"), reverse=True))[:SHOWN]
