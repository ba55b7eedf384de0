"""The portal as a WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from portal.env import settings_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
application = get_wsgi_application()
