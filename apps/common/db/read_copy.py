"""A copy of the database answers a buyer's GET once it has what this buyer wrote
(docs/operations.md, Scale out).

Each answer to a write says in a cookie how far the primary's log went; without it nobody is sent to
the copy. Who is calling is asked at the primary before: a buyer who is out is out on the next call.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db import Error as DatabaseFailure
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from apps.common.db.failures import is_read_only
from apps.common.db.rows import fetch_all
from apps.common.errors import PortalError
from apps.common.logs import failure_text

logger = logging.getLogger("portal.copy")

COPY = "copy"
COOKIE, COOKIE_PATH = "place", "/api"
PLACE = re.compile(r"[0-9A-F]{1,8}/[0-9A-F]{1,8}")
SAFE = ("GET", "HEAD", "OPTIONS")
COPY_SECONDS = 1.0  # in which the copy answers a whole call; the primary then has its own time
REST_SECONDS = 5.0  # in which a copy that did not answer is not asked again
HAS_REPLAYED = """SELECT COALESCE(pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::pg_lsn
 AND pg_last_xact_replay_timestamp() > now() - make_interval(secs => %s), false)"""
NOW = "SELECT pg_current_wal_insert_lsn()::text"

_rests_until = 0.0


class Has(NamedTuple):
    """Whether the copy has what is asked for."""

    it: bool


class Place(NamedTuple):
    """How far the log goes."""

    text: str


def answer(request: HttpRequest, handler: Callable[[], Any]) -> Any:
    """Return what the handler answers, from the copy where it may; what the copy refuses, the
    primary decides.
    """
    place = _place_of(request)
    if not place:
        return handler()
    try:
        with _copy_for_primary():
            if _has(place):
                return handler()
    except (DatabaseFailure, PortalError, Http404) as error:
        if isinstance(error, DatabaseFailure) and is_read_only(error):  # a GET that writes
            return _noted(handler())
    return handler()


def noted(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response; to a write, with the place up to which the copy must have come for this
    browser.
    """
    return response if COPY not in connections or request.method in SAFE else _noted(response)


def _noted(response: HttpResponseBase) -> HttpResponseBase:
    options: dict[str, Any] = {"path": COOKIE_PATH, "samesite": "Strict"}
    try:
        (place,) = fetch_all(Place, NOW)
    except DatabaseFailure:  # nobody knows: the primary answers from now on
        response.delete_cookie(COOKIE, **options)
    else:
        response.set_cookie(
            COOKIE, place.text, httponly=True, secure=settings.SESSION_COOKIE_SECURE, **options
        )
    return response


def _place_of(request: HttpRequest) -> str:
    """Return up to where a buyer's GET must be answered; nothing for what the primary answers
    anyway.
    """
    if (
        COPY not in connections
        or request.method not in SAFE
        or getattr(request, "buyer", None) is None
    ):
        return ""
    found = PLACE.fullmatch(request.COOKIES.get(COOKIE, ""))
    return found[0] if found else ""


@contextmanager
def _copy_for_primary() -> Iterator[None]:
    """Let this thread's statements go to the copy: the ORM's, and those by hand, which go by
    `connection`.
    """
    primary, copy = connections[DEFAULT_DB_ALIAS], connections[COPY]
    connections[DEFAULT_DB_ALIAS] = copy
    try:
        with copy.within(COPY_SECONDS):  # type: ignore[attr-defined]  # portal.postgresql's
            yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def _has(place: str) -> bool:
    global _rests_until
    if monotonic() < _rests_until:
        return False
    try:
        (has,) = fetch_all(Has, HAS_REPLAYED, (place, settings.DATABASE_COPY_AGE))
    except DatabaseFailure as error:
        _rests_until = monotonic() + REST_SECONDS
        logger.warning(
            "the database's copy is not asked for %.0f s: %s", REST_SECONDS, failure_text(error)
        )
        return False
    return has.it
