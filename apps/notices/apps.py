"""The notices app."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "apps.notices"

    def ready(self) -> None:
        """Connect what happens when rows are deleted."""
        from apps.notices import receivers  # noqa: F401
