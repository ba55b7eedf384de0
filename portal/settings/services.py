"""What the portal asks: its database with the locks and limits that each kind needs, Redis, Celery
where tasks go through it, and the mail server.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from portal.settings.seller import SALES_EMAIL
from portal.settings.server import DATA_DIR, SITE_URL, env

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
# How like a word must be to what was typed (apps/common/db/dialect.py): “craem” is to “cream”.
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


env.section("Database, Redis and tasks")
_embedded = f"sqlite:///{DATA_DIR / 'portal.sqlite3'}"
_forms = "sqlite:///path or postgresql://user:password@host:port/name"
DATABASE_URL = env.text("DATABASE_URL", _embedded)
DATABASES = {
    "default": env.parsed(
        "DATABASE_URL",
        _embedded,
        database_from_url,
        _forms,
        shown="SQLite in the data folder",
        help="the database; a client's own parameters follow a `?`",
    )
}
DATABASE_READ_SECONDS = env.number(
    "DATABASE_SECONDS",
    4.5,
    help=(
        "PostgreSQL: how long a request waits for it in all while it only reads; twice as long "
        "once it is inside a transaction"
    ),
)
DATABASE_WRITE_SECONDS = 2 * DATABASE_READ_SECONDS

REDIS_URL = env.address(
    "REDIS_URL",
    schemes=("redis", "rediss"),
    help=(
        "counts the request limits of all instances, and is Celery's "
        "queue; the portal survives without it"
    ),
)
CACHES = {
    "default": (
        {
            "BACKEND": "apps.common.cache.SurvivingRedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
        if REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 10_000},
        }
    )
}

# Celery only makes things sooner; every sweep finds its own work.
TASKS = env.choice(
    "TASKS",
    ("process", "celery"),
    "process",
    help="`celery`: sweeps are nudged through Redis (docs/operations.md)",
)
env.require(TASKS == "process" or REDIS_URL, "TASKS=celery needs REDIS_URL")
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "max_retries": 1,
    "interval_start": 0,  # kombu would sleep for two seconds between its two attempts
    "interval_step": 0,
    "visibility_timeout": 3600,
}

# Mail: rows in the database, delivered by the `mails` sweep
env.section("Mail")
EMAIL_TIMEOUT = 15
EMAIL_HOST = env.text(
    "EMAIL_HOST", help="the mail server; without one, mails are files in the data folder"
)
EMAIL_PORT = env.integer("EMAIL_PORT", 587, least=1, most=65535, help="its port")
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", help="its account")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", help="the account's password")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True, help="whether the connection is encrypted")
DEFAULT_FROM_EMAIL = env.text(
    "DEFAULT_FROM_EMAIL", SALES_EMAIL, shown="SALES_EMAIL", help="sender of mails"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_FOLDER = DATA_DIR / "mail"
EMAIL_BACKEND = "post_office.EmailBackend"
POST_OFFICE = {
    "BACKENDS": {
        "default": "django.core.mail.backends.smtp.EmailBackend"
        if EMAIL_HOST
        else "apps.common.mail.EmlFileBackend"
    },
    "BATCH_SIZE": 10,
    "THREADS_PER_PROCESS": 1,
    "MAX_RETRIES": 10,
    "RETRY_INTERVAL": timedelta(minutes=5),
    "MESSAGE_ID_ENABLED": True,
    "MESSAGE_ID_FQDN": urlsplit(SITE_URL).hostname,
    "CELERY_ENABLED": False,
    "DEFAULT_PRIORITY": "medium",
}
