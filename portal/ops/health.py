"""Whether the portal lives and whether it can take orders (design/reliability-and-security.md,
section 17).
"""

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from post_office.models import STATUS, Email

from apps.common.http.renderers import json_response
from portal.ops.alerts import MAIL_WAITS
from portal.ops.storage import storage_state
from portal.ops.sweeps import sweep_states
from portal.ops.threads import portal_threads
from portal.postgresql.budget import DatabaseBudget

OK, DEGRADED, FAILED = "ok", "degraded", "failed"
DATABASE_SECONDS = 0.8  # so that the answer itself is there within one

_migrated = False


def _migrations() -> str:
    """Return whether every migration ran; once they have, this process need not look again."""
    global _migrated
    if not _migrated:
        try:
            executor = MigrationExecutor(connection)
            _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        except DatabaseError:
            return FAILED
    return OK if _migrated else FAILED


def _redis_answers() -> bool:
    if not settings.REDIS_URL:
        return True
    # Here, so that a portal without Redis never loads the client.
    from redis import Redis, RedisError

    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as redis:
            redis.ping()
    except (RedisError, OSError, ValueError):
        return False
    return True


def _mail_goes_out() -> bool:
    waiting = Email.objects.filter(status__in=(STATUS.queued, STATUS.requeued))
    return not waiting.filter(created__lt=timezone.now() - MAIL_WAITS).exists()


def _sweeps_run() -> bool:
    return not any(sweep.is_failing or sweep.is_late for sweep in sweep_states(timezone.now()))


# Orders do not need these, so they never turn the answer red.
HELPERS: dict[str, Callable[[], bool]] = {
    "redis": _redis_answers,
    "storage": storage_state,
    "mail": _mail_goes_out,
    "sweeps": _sweeps_run,
}


def _helper(is_well: Callable[[], bool]) -> str:
    try:
        return OK if is_well() else DEGRADED
    except DatabaseError:
        return DEGRADED


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process answers: 200 until every thread that answers requests hangs."""
    hang = portal_threads.hang()
    return json_response({"status": FAILED if hang else OK}, 503 if hang else 200)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the database answers and no migration is missing; name what else is
    degraded.
    """
    needed = {"database": OK, "migrations": FAILED}
    try:
        with DatabaseBudget(DATABASE_SECONDS, DATABASE_SECONDS), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        needed["database"] = FAILED
    else:
        needed["migrations"] = _migrations()
    ready = set(needed.values()) == {OK}
    helpers = {name: _helper(is_well) for name, is_well in HELPERS.items()} if ready else {}
    return json_response(
        {"status": OK if ready else FAILED, **needed, **helpers}, 200 if ready else 503
    )
