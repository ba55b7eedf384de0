"""The portal as a WSGI application."""

import gc
import os

import django
from django.urls import get_resolver

from portal.env import settings_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
django.setup(set_prefix=False)

from portal.hot import HotHandler  # noqa: E402 - after the apps are there

application = HotHandler()


def share_with_workers() -> None:
    """Load every call now and keep the collector off what is loaded: workers forked later share that memory."""
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
