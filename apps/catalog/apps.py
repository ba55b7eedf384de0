"""The catalog app."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    name = "apps.catalog"

    def ready(self) -> None:
        """Let products and pictures be imported."""
        from apps.catalog.kinds.products import PictureKind, ProductKind
        from apps.catalog.services.import_kinds import register

        register(ProductKind())
        register(PictureKind())
