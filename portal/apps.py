"""The project as an app, and the staff's admin site."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from apps.common.logs import watch_statements

# Migrations take the time they need: an index on a million rows takes longer than any statement of
# a request may.
LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout")


def lift_limit(using: str, **_: Any) -> None:
    """Let statements, and what is worked out between them, run on; a lock is still waited for as
    briefly as ever.
    """
    _run(using, *(f"SET {limit} = 0" for limit in LIMITS))


def restore_limit(using: str, **_: Any) -> None:
    """Limit both again, once the tables have changed."""
    _run(using, *(f"RESET {limit}" for limit in LIMITS))


def _run(using: str, *statements: str) -> None:
    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        """Watch statements and the staff's actions."""
        from portal.staff.visible import watch_actions  # needs the models

        connection_created.connect(watch_statements)
        pre_migrate.connect(lift_limit, sender=self)
        post_migrate.connect(restore_limit, sender=self)
        watch_actions()


class PortalAdminConfig(AdminConfig):
    """Admin with the portal's own site."""

    default_site = "portal.staff.site.StaffSite"
