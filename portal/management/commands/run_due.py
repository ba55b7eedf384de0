"""Runs the sweeps that are due, once or for ever."""

import logging
import os
import signal
import threading
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections, connection
from django.utils import timezone

from portal.ops.processes import end_with_parent, note_alive
from portal.ops.sweeps import SWEEPS, due_times, run_sweep

logger = logging.getLogger("portal.ops.sweeps")

LONGEST_SLEEP_SECONDS = 60.0
RETRY = timedelta(seconds=5)
# Niceness: on a busy machine people go first. No more than that, for a sweep that hardly runs keeps
# its locks. Beside four other programs on two cores, an order on SQLite takes 0.11 s (p95), and 0.9
# to 1.1 s at 19.
BESIDE_THE_WEB = 5


class Command(BaseCommand):
    """Runs what is due; `--loop` keeps at it until SIGTERM or Ctrl-C, which let a running sweep
    finish.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take --loop, --with-parent and names."""
        parser.add_argument(
            "--loop", action="store_true", help="keep running, each sweep at its own pace"
        )
        parser.add_argument(
            "--with-parent", action="store_true", help="end when the process that started this dies"
        )
        parser.add_argument(
            "names", nargs="*", metavar="sweep", help=f"run these now: {', '.join(SWEEPS)}"
        )

    def handle(
        self, *args: Any, loop: bool, with_parent: bool, names: list[str], **options: Any
    ) -> None:
        """Run."""
        if with_parent:
            end_with_parent()
            os.nice(BESIDE_THE_WEB)
        if loop:
            self.keep_all_running()
            return
        now = timezone.now()
        due = names or [name for name, at in due_times(now).items() if at <= now]
        for name in due:
            handled = run_sweep(name)
            self.stdout.write(
                f"{name}: {'another process runs it' if handled is None else handled}"
            )

    def keep_all_running(self) -> None:
        """Run each sweep when it is due until a signal arrives; those that are apart on threads of
        their own.
        """
        over = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: over.set())
        apart = [name for name, sweep in SWEEPS.items() if sweep.is_apart]
        beside = [
            threading.Thread(target=self.keep_running_beside, args=([name], over)) for name in apart
        ]
        for thread in beside:
            thread.start()
        try:
            self.keep_running([name for name in SWEEPS if name not in apart], over, noted=True)
        finally:
            over.set()
            for thread in beside:
                thread.join()

    def keep_running_beside(self, names: Collection[str], over: threading.Event) -> None:
        """Run these sweeps, with a connection of their own."""
        try:
            self.keep_running(names, over)
        finally:
            connection.close()

    def keep_running(
        self, names: Collection[str], over: threading.Event, *, noted: bool = False
    ) -> None:
        """Run each of these sweeps when it is due until it is over; `noted`: the health check is
        told that this thread lives.
        """
        next_at: dict[str, datetime] = {}
        while names and not over.is_set():
            if noted:
                note_alive()
            try:
                close_old_connections()
                next_at = next_at or {
                    name: at for name, at in due_times(timezone.now()).items() if name in names
                }
                self.run_those_due(next_at, over)
            except Exception:
                # The database is away: what was due is asked for again when it is back.
                logger.exception("the sweeps wait for the database")
                next_at = dict.fromkeys(names, timezone.now() + RETRY)
            pause = (min(next_at.values()) - timezone.now()).total_seconds()
            over.wait(min(max(pause, 0.05), LONGEST_SLEEP_SECONDS))

    def run_those_due(self, next_at: dict[str, datetime], over: threading.Event) -> None:
        """Run the sweeps that are due, one after another, and note when each is due again."""
        now = timezone.now()
        for name in [name for name, at in next_at.items() if SWEEPS[name].is_due(at, now)]:
            if over.is_set():
                return
            more = SWEEPS[name].has_more(run_sweep(name))
            next_at[name] = timezone.now() + (timedelta() if more else SWEEPS[name].every)
