"""Structured logs that hold no secret, each line with the request it belongs to
(reliability-and-security, 17).
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from traceback import walk_tb
from typing import Any
from uuid import uuid4

import orjson
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest

slow = logging.getLogger("portal.slow")
security = logging.getLogger("portal.security")

SECRETS = re.compile(
    r"(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+"  # a JWT
    r"|\b[0-9a-fA-F]{32,}\b"  # a long hexadecimal key, and the signature in a file's name
    r"|(?i:(?P<name>password|token|secret|authorization|account_number)"
    r"[\"']?\s*[:=]\s*[\"']?)[^\s\"',}]+"
)
EXTRA = ("route", "status", "ms", "queries", "event")
MAX_STATEMENT = 2000
MAX_FAILURE = 300
DATABASE_AWAY = (OperationalError, InterfaceError)
TRACEBACK_SECONDS = 60
OWN, SHARED = ("apps.", "portal."), ("apps.common.", "portal.postgresql.")


def mask(text: str) -> str:
    """Return the text with tokens, keys and passwords blotted out and line breaks escaped."""
    return _blot(text).replace("\r", "\\r").replace("\n", "\\n")


def _blot(text: str) -> str:
    if not text.isascii():
        text = text.encode(
            "utf-8", "backslashreplace"
        ).decode()  # half a character pair would stop the writer
    return SECRETS.sub(lambda match: f"{match['name'] or ''}***", text)


@dataclass(slots=True)
class Trace:
    """One request, sweep or task while it is at work: what all its log lines carry, and its
    statements.
    """

    id: str
    route: str = ""
    request: HttpRequest | None = None
    statements: int = 0
    failure: str = ""
    began: float = field(default_factory=time.perf_counter)

    def who(self) -> dict[str, str]:
        """Return the user's uuid and the company's id, as far as they are known by now."""
        buyer = getattr(self.request, "buyer", None)
        if buyer is not None:
            return {"user": str(buyer.uuid), "company": str(buyer.company_id)}
        staff = getattr(self.request, "staff", None)
        return {"user": str(staff.uuid)} if staff is not None else {}


_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


def acting_staff() -> Any:
    """Return the member of staff whose request is at work; None in a buyer's, a sweep or a task."""
    trace = _trace.get()
    return getattr(trace.request, "staff", None) if trace is not None else None


@contextmanager
def traced(trace: Trace) -> Iterator[Trace]:
    """Let every line that is logged in the block, and every statement, belong to this trace."""
    token = _trace.set(trace)
    try:
        yield trace
    finally:
        _trace.reset(token)


def new_trace(route: str) -> Trace:
    """Return the trace of work that no request asked for."""
    return Trace(str(uuid4()), route)


def watch_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Count a statement for its trace, and log it, without its parameters, if it took SLOW_QUERY_MS
    or longer.
    """
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        milliseconds = (time.perf_counter() - started) * 1000
        trace = _trace.get()
        if trace is not None:
            trace.statements += 1
        if milliseconds >= settings.SLOW_QUERY_MS:
            fields: dict[str, object] = {"event": "slow_query", "ms": round(milliseconds, 1)}
            if trace is not None:
                fields["route"] = trace.route or route_of(trace.request)
            slow.warning(
                "%.0f ms: %s",
                milliseconds,
                " ".join(str(sql).split())[:MAX_STATEMENT],
                extra=fields,
            )


def watch_statements(connection: Any, **_: Any) -> None:
    """Watch the statements of a connection that was just opened; the receiver of
    `connection_created`.
    """
    if watch_statement not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, watch_statement)


def route_of(request: HttpRequest | None) -> str:
    """Return the name of the address that was asked for, or its pattern: never what was written in
    it.
    """
    match = getattr(request, "resolver_match", None)
    if match is None:
        return "-"
    return str(match.view_name if match.url_name else match.route)


class MaskingFilter(logging.Filter):
    """Masks a record's message before any handler writes it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask and pass on."""
        record.msg, record.args = mask(record.getMessage()), None
        return True


def failure_text(error: BaseException) -> str:
    """Return an error as one line: its class and the first line of what it says."""
    return f"{type(error).__name__}: {error}".partition("\n")[0][:MAX_FAILURE]


class FailureFilter(logging.Filter):
    """Keeps of Django's own lines about requests those with a traceback; of the rest our line says
    more.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether to write it, and note for our line what the request failed with."""
        error = record.exc_info[1] if record.exc_info else None
        trace = _trace.get()
        if error is not None and trace is not None:
            trace.failure = failure_text(error)
        return error is not None


class RepetitionFilter(logging.Filter):
    """Lets a traceback of a database that fails through once a minute for each class of error and
    place.

    While it is away every request fails alike: a line says so, and a hundred lines each would only
    fill the disk.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._last_logged: dict[tuple[type[BaseException], str, int], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Take a repeated traceback off the line; Django's line about a request goes whole, for
        ours says the same.
        """
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, DATABASE_AWAY) or self._is_new(error):
            return True
        if record.name == "django.request":
            return False
        record.msg, record.args = f"{record.getMessage()} ({failure_text(error)})", None
        record.exc_info = record.exc_text = None
        return True

    def _is_new(self, error: BaseException) -> bool:
        """Return whether this class of error was not written for this place within a minute, and
        count it as written.

        The driver's class tells more than Django's: a lock that was not given is no server that is
        away.
        """
        frames = [
            (str(frame.f_globals.get("__name__")), line)
            for frame, line in walk_tb(error.__traceback__)
        ]
        own = [
            frame
            for frame in frames
            if frame[0].startswith(OWN) and not frame[0].startswith(SHARED)
        ]
        # Module and line of the innermost of our frames that all work does not share.
        key = (type(error.__cause__ or error), *(own or frames or [("", 0)])[-1])
        now = time.monotonic()
        with self._lock:
            if now - self._last_logged.get(key, -TRACEBACK_SECONDS) < TRACEBACK_SECONDS:
                return False
            self._last_logged[key] = now
            return True


class PlainFormatter(logging.Formatter):
    """A line to read, with the id of what it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        trace = _trace.get()
        record.trace = f"[{trace.id}] " if trace is not None else ""
        return super().format(record)

    def formatException(self, ei: Any) -> str:
        """Return the traceback, masked."""
        return _blot(super().formatException(ei))


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        trace = _trace.get()
        if trace is not None:
            line |= {
                "request_id": trace.id,
                **({"route": trace.route} if trace.route else {}),
                **trace.who(),
            }
        values = record.__dict__
        line |= {name: values[name] for name in EXTRA if name in values}
        if record.exc_info:
            line["exception"] = mask(self.formatException(record.exc_info))
        return orjson.dumps(line, default=str).decode()


def log_event(event: str, **fields: object) -> None:
    """Log a security event by its name, for whoever watches the logs. Fields name people and
    objects by id or uuid; never a password, token or body.
    """
    text = " ".join(f"{name}={value}" for name, value in fields.items())
    security.info("%s %s", event, text, extra={"event": event})
