"""Celery, where somebody runs it: the same sweeps, made sooner by nudges and kept regular by its
beat.

Started as `celery -A portal.celery worker` with TASKS=celery beside `run_due --loop`, or with -B
instead of that loop (decision 0063); `portal/ops/sweeps.py` decides what a sweep does.
"""

import os

from celery import Celery
from celery.signals import heartbeat_sent

from portal.env import settings_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")


@app.task(name="portal.sweep")  # type: ignore[untyped-decorator]
def sweep(name: str) -> int | None:
    """Run a sweep by its name and return what it handled; None while another process runs it."""
    from portal.ops.sweeps import run_sweep

    return run_sweep(name)


@app.on_after_finalize.connect  # type: ignore[untyped-decorator]
def schedule(sender: Celery, **_: object) -> None:
    """Let beat call every sweep at its own pace."""
    from portal.ops.sweeps import SWEEPS

    for name, entry in SWEEPS.items():
        sender.add_periodic_task(entry.every.total_seconds(), sweep.s(name), name=name)


@heartbeat_sent.connect  # type: ignore[untyped-decorator]
def note_that_it_lives(**_: object) -> None:
    """Tell the container's health check, every two seconds while the broker is heard."""
    from portal.ops.processes import note_alive

    note_alive()
