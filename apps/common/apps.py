"""The common app."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"
