"""The payments app."""

from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "apps.payments"

    def ready(self) -> None:
        """Listen to what orders tell."""
        from apps.payments import receivers  # noqa: F401
