"""The project as an app, and the staff's admin site."""

import logging

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from django.db.backends.signals import connection_created

from apps.common.logs import watch_statements


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        """Watch statements and the staff's actions, count what is logged, describe the token scheme.

        What is imported here needs the models, or would be a cycle with REST framework.
        """
        from portal.staff.actions import watch_actions
        from portal.web import openapi  # noqa: F401

        connection_created.connect(watch_statements)
        leave_out_of_requests()
        watch_actions()
        if settings.METRICS_TOKEN:
            from portal.ops.metrics import EventHandler

            logging.getLogger().addHandler(EventHandler())


def leave_out_of_requests() -> None:
    """Disconnect what Django does around every request and what comes to nothing here: a tenth of a hot call's Python.

    Kept connections are looked at when a request begins; their statements are kept for debugging alone; our caches have
    nothing to close.
    """
    request_finished.disconnect(close_old_connections)
    request_finished.disconnect(close_caches)
    if not settings.DEBUG:
        request_started.disconnect(reset_queries)


class PortalAdminConfig(AdminConfig):
    """Admin with the portal's own site."""

    default_site = "portal.staff.site.StaffSite"
