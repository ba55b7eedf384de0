"""The project as an app, and the staff's admin site."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from apps.common.logs import watch_statements
from portal.postgresql.limits import lift_limit, restore_limit


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        """Watch statements and the staff's actions, describe the token scheme.

        What is imported here needs the models, or would be a cycle with REST framework.
        """
        from portal.staff.visible import watch_actions
        from portal.web import openapi  # noqa: F401

        connection_created.connect(watch_statements)
        pre_migrate.connect(lift_limit, sender=self)
        post_migrate.connect(restore_limit, sender=self)
        watch_actions()


class PortalAdminConfig(AdminConfig):
    """Admin with the portal's own site."""

    default_site = "portal.staff.site.StaffSite"
