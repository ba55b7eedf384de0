"""A Redis cache that may be down: a failure is a miss, and the next 30 seconds are not spent asking again."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger("portal.cache")

PAUSE_SECONDS = 30
_silent_until: dict[str, float] = {}  # by address, for all threads: each has a cache object of its own


class SurvivingRedisCache(RedisCache):
    """Redis while it answers; this process's own memory while it does not (limits then count per process)."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._server = server
        self._local = LocMemCache("while-redis-is-down", {})

    def _ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= _silent_until.get(self._server, 0):
            try:
                redis_method: Callable[..., Any] = getattr(super(), name)
                return redis_method(*args, **kwargs)
            except (RedisError, OSError) as error:
                _silent_until[self._server] = time.monotonic() + PAUSE_SECONDS
                logger.warning(
                    "Redis does not answer, counting in this process: %s",
                    type(error).__name__,
                    extra={"event": "redis_failed"},
                )
        return getattr(self._local, name)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Set a value unless the key has one."""
        return bool(self._ask("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Return a value, or the default."""
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Set a value."""
        self._ask("set", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> int:
        """Add to a counter."""
        return int(self._ask("incr", *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Forget a value."""
        return bool(self._ask("delete", *args, **kwargs))
