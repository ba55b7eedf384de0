"""The project as an app, and the staff's admin site."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        """Load the token scheme's description; importing it earlier would be a cycle with REST framework."""
        from portal import openapi  # noqa: F401


class PortalAdminConfig(AdminConfig):
    """Admin with the portal's own site."""

    default_site = "portal.admin_site.StaffSite"
