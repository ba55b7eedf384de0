"""The orders app."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"

    def ready(self) -> None:
        """Answer what the catalogue and the mail queue ask."""
        from apps.orders import receivers  # noqa: F401 - connects itself
