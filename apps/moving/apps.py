"""The moving app."""

from django.apps import AppConfig


class MovingConfig(AppConfig):
    name = "apps.moving"

    def ready(self) -> None:
        """Let customers, their people, balances, open orders and prices by day be imported."""
        from apps.catalog.services.import_kinds import register
        from apps.moving.kinds.balances import BalanceKind
        from apps.moving.kinds.orders import OrderKind
        from apps.moving.kinds.people import PeopleKind
        from apps.moving.kinds.prices import PriceKind

        register(PeopleKind())
        register(BalanceKind())
        register(OrderKind())
        register(PriceKind())
