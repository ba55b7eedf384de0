"""The portal as a WSGI application."""

import gc
import multiprocessing
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from portal.env import settings_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())

application = get_wsgi_application()


def share_with_workers() -> None:
    """Load every call now and keep the collector off what is loaded: workers forked later share
    that memory.

    The counters of the limits are in it (apps.common.http.throttles), and that PayPal is silent
    (apps.common.outward), so that a worker must be forked, and never spawned.
    """
    multiprocessing.set_start_method("fork", force=True)
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
