"""DATABASE_URL to Django's settings, with the locks and limits that each database needs."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

# IMMEDIATE is the lock on SQLite: `select_for_update` does nothing there.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 8,  # seconds for a lock: within what a call that writes may take
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
POSTGRES_LIMITS = (
    "-c lock_timeout=3000 -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000"
)
# How long opening a connection may take: a host that is silent must not hold a thread for minutes.
CONNECT_SECONDS = 5
# A server that vanished without a word is noticed within half a minute, not after the system's two
# hours.
LIVENESS = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
# Pages are read from memory or flash, and calls are too short to be worth compiling (decision
# 0076).
POSTGRES_PLANNER = "-c random_page_cost=1.1 -c jit=off"
# How like a word must be to what was typed (apps/common/db/alike.py): “craem” is to “cream”.
POSTGRES_SEARCH = "-c pg_trgm.word_similarity_threshold=0.3"
# A statement that a connection runs again and again is planned once: psycopg prepares it from this
# use on.
PREPARE_AFTER = 5


def database_from_url(url: str) -> dict[str, Any]:
    """Return Django's settings for `sqlite:///path` or `postgresql://user:password@host:port/name`.

    Parameters after a `?` are the server's own (`connect_timeout` in seconds, `sslmode`) and
    replace what is set here.

    Raises:
        ValueError: another scheme, no name, or a port that is no number.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(url.removeprefix("sqlite:///")),
            "CONN_MAX_AGE": 60,
            "OPTIONS": SQLITE_OPTIONS,
        }
    if parts.scheme in ("postgres", "postgresql") and parts.path.strip("/"):
        return {
            "ENGINE": "portal.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {
                "connect_timeout": CONNECT_SECONDS,
                **LIVENESS,
                "options": f"{POSTGRES_LIMITS} {POSTGRES_PLANNER} {POSTGRES_SEARCH}",
                "server_side_binding": True,
                "prepare_threshold": PREPARE_AFTER,
                **dict(parse_qsl(parts.query)),
            },
        }
    raise ValueError("DATABASE_URL must begin with sqlite:/// or postgresql://")
