"""What the portal asks: its database, Redis, and Celery where tasks go through it."""

from portal.settings.database import database_from_url
from portal.settings.server import DATA_DIR, env

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
