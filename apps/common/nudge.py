"""Makes a sweep run sooner, where Celery works beside the portal; without it the sweep finds its
work all the same.
"""

import logging
import time
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction

logger = logging.getLogger("portal.nudge")

TASK = "portal.sweep"
PAUSE_SECONDS = 30
_silent_until = 0.0


@cache
def _client() -> Any:
    from celery import Celery  # here, so that a portal without Celery never loads it

    client = Celery("portal")
    client.config_from_object("django.conf:settings", namespace="CELERY")
    return client


def nudge(name: str) -> None:
    """Ask for a sweep of this name once the transaction is committed; costs nothing where tasks run
    in process.

    A broker that does not answer is logged and left alone for 30 seconds; nothing is lost by it.
    """
    if settings.TASKS == "celery":
        transaction.on_commit(lambda: _publish(name), robust=True)


def _publish(name: str) -> None:
    global _silent_until
    if time.monotonic() < _silent_until:
        return
    try:
        _client().send_task(TASK, args=[name], expires=PAUSE_SECONDS)
    except Exception as error:  # whatever the driver raises: the caller's work is committed
        _silent_until = time.monotonic() + PAUSE_SECONDS
        logger.warning(
            "The task queue does not answer, %s waits for its sweep: %s",
            name,
            type(error).__name__,
            extra={"event": "redis_failed"},
        )
