"""Structured logs that hold no secret, each line with the request it belongs to (reliability-and-security, 17)."""

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import orjson
from django.conf import settings
from django.http import HttpRequest

slow = logging.getLogger("portal.slow")

SECRETS = re.compile(
    r"eyJ[\w-]+\.[\w-]+\.[\w-]+"  # a JWT
    r"|\b[0-9a-fA-F]{32,}\b"  # a long hexadecimal key, and the signature in a file's name
    r"|(?i:(?P<name>password|token|secret|authorization|account_number)[\"']?\s*[:=]\s*[\"']?)[^\s\"',}]+"
)
EXTRA = ("route", "status", "ms", "queries", "event")
MAX_STATEMENT = 2000


def mask(text: str) -> str:
    """Return the text with tokens, keys and passwords blotted out and line breaks escaped."""
    return _blot(text).replace("\r", "\\r").replace("\n", "\\n")


def _blot(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()  # half a character pair would stop the writer
    return SECRETS.sub(lambda found: f"{found['name'] or ''}***", text)


@dataclass(slots=True)
class Trace:
    """One request, sweep or task while it is at work: what all its log lines carry, and its statements."""

    id: str
    route: str = ""
    request: HttpRequest | None = None
    statements: int = 0

    def who(self) -> dict[str, str]:
        """Return the user's uuid and the company's id, as far as they are known by now."""
        buyer = getattr(self.request, "buyer", None)
        if buyer is not None:
            return {"user": str(buyer.uuid), "company": str(buyer.company_id)}
        staff = getattr(self.request, "staff", None)
        return {"user": str(staff.uuid)} if staff is not None else {}


_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


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


def watch_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Count a statement for its trace, and log it, without its parameters, if it took SLOW_QUERY_MS or longer."""
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        milliseconds = (time.perf_counter() - started) * 1000
        trace = _trace.get()
        if trace is not None:
            trace.statements += 1
        if milliseconds >= settings.SLOW_QUERY_MS:
            _note_slow(sql, milliseconds, trace)


def _note_slow(sql: str, milliseconds: float, trace: Trace | None) -> None:
    fields: dict[str, object] = {"event": "slow_query", "ms": round(milliseconds, 1)}
    if trace is not None:
        fields["route"] = trace.route or route_of(trace.request)
    slow.warning("%.0f ms: %s", milliseconds, " ".join(str(sql).split())[:MAX_STATEMENT], extra=fields)


def watch_statements(connection: Any, **_: Any) -> None:
    """Watch the statements of a connection that was just opened; the receiver of `connection_created`."""
    if watch_statement not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, watch_statement)


def route_of(request: HttpRequest | None) -> str:
    """Return the name of the address that was asked for, or its pattern: never what was written in it."""
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


class FailureFilter(logging.Filter):
    """Keeps of Django's own lines about requests those with a traceback; of the rest our line says more."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether to write it."""
        return bool(record.exc_info)


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
            line |= {"request_id": trace.id, **({"route": trace.route} if trace.route else {}), **trace.who()}
        values = record.__dict__
        line |= {name: values[name] for name in EXTRA if name in values}
        if record.exc_info:
            line["exception"] = mask(self.formatException(record.exc_info))
        return orjson.dumps(line, default=str).decode()
