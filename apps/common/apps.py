"""The common app."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        """Let the history be read in the language of the page."""
        from django.contrib.admin.models import LogEntry

        from apps.common.texts import read

        django_reads = LogEntry.get_change_message

        def in_language_of_page(self: LogEntry) -> str:
            return read(django_reads(self))

        LogEntry.get_change_message = in_language_of_page  # type: ignore[method-assign]
