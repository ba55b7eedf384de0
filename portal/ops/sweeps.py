"""The periodic work of all apps: when each sweep is due, and that one process at a time runs it."""

import fcntl
import logging
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from post_office.settings import get_batch_size

from apps.accounts.sweeps import forget_certificates, forget_sign_ins, forget_verifications
from apps.catalog.sweeps import (
    PRICES_AT_ONCE,
    fold_changes,
    forget_imports,
    work_on_imports,
    write_begun_prices,
)
from apps.common.logs import new_trace, traced
from apps.common.nudge import nudge
from apps.common.sweeps import BATCHES_AT_ONCE, deliver_mails, forget_sent_mails
from apps.common.types import Label
from apps.orders.intake.answer import forget_sheets
from apps.orders.intake.lists import forget_lists
from apps.orders.services.tallies import recount_sales
from apps.orders.sweeps import (
    expire_proposals,
    forget_former_baskets,
    forget_idempotency_keys,
    forget_temporary_orders,
    make_document_files,
    pass_offers_on,
    renew_due_times,
)
from apps.payments.sweeps import follow_wires, reconcile, release_holds
from portal.models import SweepRun
from portal.ops.alerts import SWEEP as ALERTS, SweepState, tell_operators
from portal.ops.leftovers import remove_leftovers
from portal.postgresql.budget import SweepBudget

logger = logging.getLogger("portal.ops.sweeps")

MAILS = "mails"
OFTEN, SOON = timedelta(seconds=5), timedelta(seconds=15)
MINUTE, HOUR, DAILY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LATE_FACTOR = 3
GRACE = MINUTE
# Beyond the server's own limit of a statement: it is silent, and so would the sweep be.
STATEMENT_SECONDS = 30.0
# Keeps our advisory locks apart from those of other programs in the same database.
LOCK_SPACE = 0x506F


@dataclass(frozen=True)
class Sweep:
    """A piece of periodic work: idempotent, it finds its own rows and returns how many it handled.

    A run that handled `at_once` has more to do: it is due again as soon as the others had their
    turn. One that `is_apart` keeps none of the others waiting: the audit asks about every row.
    """

    name: str
    every: timedelta
    run: Callable[[datetime], int]
    title: Label = ""  # what staff call it
    at_once: int | None = None
    is_apart: bool = False

    def has_more(self, handled: int | None) -> bool:
        """Return whether a run that handled so many left something over."""
        return self.at_once is not None and handled is not None and handled >= self.at_once

    def next_at(self, row: SweepRun | None, now: datetime) -> datetime:
        """Return when the sweep is due: at once if it never ran or has more, within a minute after
        a failure.

        At once, too, after a run that is still to come: the clock was ahead, and has been set back.
        """
        if row is None or row.started_at is None or row.started_at > now:
            return now
        if row.failure:
            return row.started_at + min(self.every, MINUTE)
        return row.started_at + self.every

    def is_due(self, at: datetime, now: datetime) -> bool:
        """Return whether a time when the sweep is due has come, or is so far away that the clock
        was set back.
        """
        return not now < at <= now + self.every + GRACE


def forget(now: datetime) -> int:
    """Delete what was kept long enough, kind by kind; return how many rows they were.

    Raises:
        Exception: some kind could not be deleted; the others were.
    """
    total, failed = 0, None
    for forget_some in FORGETTING:
        try:
            total += forget_some(now)
        except Exception as error:
            logger.exception("%s failed", forget_some.__name__)
            failed = error
    if failed is not None:
        raise failed
    return total


FORGETTING = (
    forget_temporary_orders,
    forget_idempotency_keys,
    forget_former_baskets,
    forget_lists,
    forget_sheets,
    forget_imports,
    forget_sent_mails,
    forget_sign_ins,
    forget_certificates,
    forget_verifications,
)


def audit(now: datetime) -> int:
    """Check that stock, money and history agree; a broken rule raises CommandError, so that it is
    logged and noted.
    """
    call_command("audit", stdout=StringIO(), stderr=StringIO())
    return 0


def alert(now: datetime) -> int:
    """Mail the operators what is newly over its limit, the state of the sweeps included."""
    return tell_operators(sweeps=sweep_states(now), now=now)


SWEEPS: dict[str, Sweep] = {
    sweep.name: sweep
    for sweep in (
        Sweep(
            MAILS,
            OFTEN,
            deliver_mails,
            _("Delivery of mails"),
            at_once=BATCHES_AT_ONCE * get_batch_size(),
        ),
        Sweep("payments", SOON, reconcile, _("Payments without an outcome")),
        Sweep("holds", MINUTE, release_holds, _("Pieces held for a payment")),
        Sweep("wires", HOUR, follow_wires, _("Announced wires that do not come")),
        Sweep("papers", SOON, make_document_files, _("Files of documents")),
        Sweep("imports", OFTEN, work_on_imports, _("Imports")),
        Sweep("catalog-changes", MINUTE, fold_changes, _("Changes of the catalogue")),
        Sweep("prices", MINUTE, write_begun_prices, _("Prices that begin"), at_once=PRICES_AT_ONCE),
        Sweep("due-times", HOUR, renew_due_times, _("Due times of orders")),
        Sweep("proposals", MINUTE, expire_proposals, _("Proposals without an answer")),
        Sweep("offers", MINUTE, pass_offers_on, _("Offers to the waiting list")),
        Sweep("forget", HOUR, forget, _("Data kept long enough")),
        Sweep("sales", DAILY, recount_sales, _("Sums of sales")),
        Sweep("leftovers", DAILY, remove_leftovers, _("Files that belong to nothing")),
        Sweep("audit", DAILY, audit, _("Audit of stock and money"), is_apart=True),
        Sweep(ALERTS, MINUTE, alert, _("Mails to operators")),
    )
}


def run_sweep(name: str) -> int | None:
    """Run a sweep under its lock, note how it went and return what it handled; None while another
    process runs it.

    A failure is logged and noted, not raised: the sweep comes again.

    Raises:
        KeyError: no sweep has this name.
    """
    sweep = SWEEPS[name]
    lock = _advisory_lock if connection.vendor == "postgresql" else _file_lock
    with (
        traced(new_trace(f"sweep {name}")),
        SweepBudget(STATEMENT_SECONDS),
        lock(name) as is_locked,
    ):
        if not is_locked:
            return None
        if SweepRun.objects.filter(name=name, is_held=True).exists():
            return 0
        now = timezone.now()
        try:
            handled = sweep.run(now)
        except Exception as error:
            logger.exception("sweep %s failed", name)
            SweepRun.objects.update_or_create(
                name=name,
                defaults={"started_at": now, "failure": f"{type(error).__name__}: {error}"[:300]},
            )
            return 0
        more = sweep.has_more(handled)
        SweepRun.objects.update_or_create(
            name=name,
            defaults={
                "started_at": None if more else now,
                "succeeded_at": timezone.now(),
                "failure": "",
            },
        )
        if more:
            nudge(name)
        if handled:
            logger.info("sweep %s: %d", name, handled)
        return handled


def due_times(now: datetime) -> dict[str, datetime]:
    """Return when each sweep is due next. One statement."""
    with SweepBudget(STATEMENT_SECONDS):
        rows = SweepRun.objects.in_bulk()
    return {name: sweep.next_at(rows.get(name), now) for name, sweep in SWEEPS.items()}


def sweep_states(now: datetime) -> tuple[SweepState, ...]:
    """Return how each sweep fares. One statement, two while one has never succeeded.

    Late is what did not succeed for three of its periods and a minute; one that never did is given
    that time from the last change of the tables, because it may be new. What is held on purpose, as
    after a restore, is never late.
    """
    rows = SweepRun.objects.in_bulk()
    never = any((row := rows.get(name)) is None or row.succeeded_at is None for name in SWEEPS)
    new_at = (
        MigrationRecorder.Migration.objects.aggregate(at=Max("applied"))["at"] if never else now
    )
    return tuple(
        sweep_state(rows.get(name) or SweepRun(name=name), new_at=new_at or now, now=now)
        for name in SWEEPS
    )


def sweep_state(row: SweepRun, *, new_at: datetime, now: datetime) -> SweepState:
    """Return how a sweep fares, `new_at` being since when it could have run if it never succeeded.

    Raises:
        KeyError: no sweep has this name (any more).
    """
    sweep = SWEEPS[row.name]
    well_at = row.succeeded_at or new_at
    return SweepState(
        name=sweep.name,
        title=sweep.title,
        succeeded_at=row.succeeded_at,
        failure=row.failure,
        is_failing=bool(
            row.failure and row.started_at and row.started_at - well_at > sweep.every + GRACE
        ),
        is_late=not row.is_held and well_at < now - LATE_FACTOR * sweep.every - GRACE,
    )


@contextmanager
def _advisory_lock(name: str) -> Iterator[bool]:
    """Hold the sweep's lock, or say that another process does."""
    keys = [LOCK_SPACE, zlib.crc32(name.encode()) & 0x7FFFFFFF]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", keys)
        is_locked = bool(cursor.fetchone()[0])
        try:
            yield is_locked
        finally:
            if is_locked and not cursor.connection.closed:  # else the lock went with the connection
                cursor.execute("SELECT pg_advisory_unlock(%s::int, %s::int)", keys)


@contextmanager
def _file_lock(name: str) -> Iterator[bool]:
    """SQLite's lock: a file beside the database, which the system lets go with its process."""
    folder = Path(f"{connection.settings_dict['NAME']}.locks")
    folder.mkdir(exist_ok=True)
    with (folder / f"{name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
