"""A Redis cache that may be down: a failure is a miss, and the next 30 seconds are not spent asking
again.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

T = TypeVar("T")

logger = logging.getLogger("portal.cache")

PAUSE_SECONDS = 30
_silent_until: dict[
    str, float
] = {}  # by address, for all threads: each has a cache object of its own


def _surviving(name: str) -> Any:
    """Return a method of Redis' cache that does the same in this process's memory meanwhile."""

    def call(self: "SurvivingRedisCache", *args: Any, **kwargs: Any) -> Any:
        redis, local = getattr(RedisCache, name), getattr(self._local, name)
        return self._ask(partial(redis, self, *args, **kwargs), partial(local, *args, **kwargs))

    return call


class SurvivingRedisCache(RedisCache):
    """Redis while it answers; this process's own memory while it does not."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._server = server
        self._local = LocMemCache("while-redis-is-down", {})

    def count(self, name: str, seconds: int) -> int | None:
        """Count one more use of a name that is kept so long; None while Redis does not answer."""

        def counted() -> int | None:
            key = self.make_and_validate_key(name)
            client = self._cache.get_client(key, write=True)
            used = int(client.incr(key))
            if used == 1:
                client.expire(key, seconds)
            return used

        return self._ask(counted, lambda: None)

    def _ask(self, ask: Callable[[], T], instead: Callable[[], T]) -> T:
        if time.monotonic() >= _silent_until.get(self._server, 0):
            try:
                return ask()
            except (RedisError, OSError) as error:
                _silent_until[self._server] = time.monotonic() + PAUSE_SECONDS
                logger.warning(
                    "Redis does not answer, limits count in this instance: %s",
                    type(error).__name__,
                    extra={"event": "redis_failed"},
                )
        return instead()

    add = _surviving("add")
    get = _surviving("get")
    set = _surviving("set")
    delete = _surviving("delete")
    delete_many = _surviving("delete_many")
