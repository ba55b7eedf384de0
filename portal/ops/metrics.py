"""The figures at /metrics for Prometheus (docs/watching.md, decision 0071).

Requests, statements and events are counted by every process in files of one folder of the data
folder. What the database knows is read when somebody asks. Loaded only where METRICS_TOKEN is set.
"""

import fcntl
import logging
import os
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Sum
from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from apps.orders.models import OrderTally, status_bucket
from apps.orders.status import OrderStatus
from portal.ops.sweeps import sweep_states
from portal.ops.watch import Backlog, read_backlog

__all__ = ["CONTENT_TYPE", "EventHandler", "count_request", "figures"]

FOLDER: Path = settings.DATA_DIR / "metrics"
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FOLDER)  # what the client library reads
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
BUCKETS = (
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.2,
    0.3,
    0.5,
    0.8,
    1.5,
    3,
    10,
)  # seconds; 0.3 and 0.8 are our limits


@cache
def _place(pid: int) -> str:
    """Return the first place in the folder that no living process holds, and hold it until this one
    ends.

    A process that follows another counts on in its files: they stay as few as the processes, and no
    count goes back.
    """
    for number in range(1_000):
        lock = (FOLDER / f"place-{number}").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        _held.append(lock)
        return str(number)
    raise RuntimeError("no place left to count in")


_held: list[object] = []
FOLDER.mkdir(parents=True, exist_ok=True)
values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
    lambda: _place(os.getpid())
)
disable_created_metrics()  # type: ignore[no-untyped-call]
_counted = CollectorRegistry()
REQUESTS = Counter(
    "portal_requests", "Requests answered", ("route", "method", "status"), registry=_counted
)
SECONDS = Histogram(
    "portal_request_seconds",
    "Time to answer",
    ("route", "method"),
    buckets=BUCKETS,
    registry=_counted,
)
STATEMENTS = Counter(
    "portal_statements", "SQL statements of requests", ("route",), registry=_counted
)
EVENTS = Counter("portal_events", "Named events of the logs", ("event",), registry=_counted)
PROBLEMS = Counter(
    "portal_log_lines", "Log lines of a warning or worse", ("logger", "level"), registry=_counted
)


def count_request(*, route: str, method: str, status: int, seconds: float, statements: int) -> None:
    """Count a request that was answered; a method that nobody knows is `other`, so that no caller
    can add figures.
    """
    method = method if method in METHODS else "other"
    REQUESTS.labels(route, method, status).inc()
    SECONDS.labels(route, method).observe(seconds)
    if statements:
        STATEMENTS.labels(route).inc(statements)


class EventHandler(logging.Handler):
    """Counts what the logs name (`login_failed`, `slow_query`, …), and every warning and error by
    its logger.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        if event := getattr(record, "event", ""):
            EVENTS.labels(event).inc()
        if record.levelno >= logging.WARNING:
            PROBLEMS.labels(record.name, record.levelname).inc()


def figures(*, now: datetime) -> bytes:
    """Return all figures in Prometheus' text format."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(_Database(now))
    text: bytes = generate_latest(registry)
    return text


class _Database(Collector):
    """What the database knows, read once for each scrape; while it does not answer, the scrape says
    only that.
    """

    def __init__(self, now: datetime) -> None:
        self.now = now

    def collect(self) -> Iterator[Metric]:
        """Return the gauges."""
        try:
            backlog = read_backlog(sweeps=sweep_states(self.now), now=self.now)
            orders = dict(
                OrderTally.objects.filter(bucket__startswith="status:")
                .values_list("bucket")
                .order_by("bucket")
                .annotate(Sum("count"))
            )
        except DatabaseError:
            yield GaugeMetricFamily("portal_database_up", "Whether the database answers", 0)
            return
        yield GaugeMetricFamily("portal_database_up", "Whether the database answers", 1)
        by_status = GaugeMetricFamily("portal_orders", "Orders by status", labels=["status"])
        for status in OrderStatus:
            if status != OrderStatus.CANCELLED:  # not counted anywhere
                by_status.add_metric([status.name.lower()], orders.get(status_bucket(status), 0))
        yield by_status
        yield from self._backlog(backlog)

    def _backlog(self, backlog: Backlog) -> Iterator[Metric]:
        oldest = (self.now - backlog.oldest_mail).total_seconds() if backlog.oldest_mail else 0
        for name, text, value in (
            ("mails_waiting", "Mails in the queue", backlog.mails),
            ("mails_oldest_seconds", "Age of the oldest waiting mail", oldest),
            ("mails_failed", "Mails given up", backlog.mails_failed),
            (
                "payments_unknown",
                "Online payments without an outcome for 10 minutes",
                backlog.unknown,
            ),
            ("payments_held", "Online payments whose money is held apart", backlog.held),
            ("products_short", "Products promised beyond the shelf", backlog.short),
        ):
            yield GaugeMetricFamily(f"portal_{name}", text, value)
        ages = GaugeMetricFamily(
            "portal_sweep_age_seconds", "Time since the sweep succeeded", labels=["sweep"]
        )
        failed = GaugeMetricFamily(
            "portal_sweep_failed", "1 where the last run failed", labels=["sweep"]
        )
        late = GaugeMetricFamily("portal_sweep_late", "1 where it is overdue", labels=["sweep"])
        for sweep in backlog.sweeps:
            if sweep.succeeded_at is not None:
                ages.add_metric([sweep.name], (self.now - sweep.succeeded_at).total_seconds())
            failed.add_metric([sweep.name], bool(sweep.failure))
            late.add_metric([sweep.name], sweep.is_late)
        yield from (ages, failed, late)
