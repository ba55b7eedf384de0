"""Idempotency: a PayPal-Request-Id stands for one call, and repeating it shows what that call made.

Only calls that made something are remembered: a refused one may be tried again with its key.
"""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tools.paypal_simulator.clock import Clock
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.records import Reply
from tools.paypal_simulator.store import Store

DAY = 24 * 3600
LIFETIMES = {"payment": 30 * DAY, "refund": 30 * DAY, "order": 6 * 3600, "capture_refund": 45 * DAY}


class Replies:
    """What each key made."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._running: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def once(self, account: str, request: Request) -> Iterator[Reply | None]:
        """Hold a call's key while it runs; the value is the earlier reply, if there is one.

        Raises:
            Refused: the key belongs to another call, or its first call still runs.
        """
        if not request.request_id:
            yield None
            return
        key = f"{account} {request.request_id}"
        with self._lock:
            if key in self._running:
                raise Refused("key_running")
            reply = self._living(key)
            if reply is not None and reply.fingerprint != fingerprint(request):
                raise Refused("key_reused")
            self._running.add(key)
        try:
            yield reply
        finally:
            with self._lock:
                self._running.discard(key)

    def keep(self, account: str, request: Request, answer: Answer) -> None:
        """Remember what a call made."""
        if request.request_id and answer.subject:
            key = f"{account} {request.request_id}"
            self._store.save(
                Reply(key, fingerprint(request), answer.kind, answer.subject, self._clock.now())
            )

    def _living(self, key: str) -> Reply | None:
        reply = self._store.get(Reply, key)
        if reply is None or self._clock.now() - reply.created > LIFETIMES[reply.kind]:
            return None
        return reply


def fingerprint(request: Request) -> str:
    """Return what tells one call from another."""
    return f"{request.method} {request.path} {hashlib.sha256(request.body).hexdigest()}"
