"""The common app."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        """Let the history be read in the language of the page."""
        from django.contrib.admin.models import LogEntry

        from apps.common.texts import read

        original = LogEntry.get_change_message
        LogEntry.get_change_message = lambda self: read(original(self))  # type: ignore[method-assign]
