"""Settings that every environment shares: Django's frame here, each topic in a module of its own.

What differs is read from the environment; docs/settings.md is written from these modules (`make
contract`).
"""

from typing import Any

from portal.settings.logging import *
from portal.settings.paypal import *
from portal.settings.security import *
from portal.settings.seller import *
from portal.settings.server import *
from portal.settings.services import *
from portal.settings.storage import *

DEBUG = False
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = True
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_PATH = f"/{ADMIN_PATH}"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGES = [("en", "English"), ("ko", "한국어")]
# Ours come before Django's where both know a text.
LOCALE_PATHS = [BASE_DIR / "portal" / "locale", *sorted(BASE_DIR.glob("apps/*/locale"))]
FORMAT_MODULE_PATH = "portal.formats"
ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "portal.apps.PortalConfig",
    "portal.apps.PortalAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "rest_framework",
    "corsheaders",
    "axes",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "post_office",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_prose_editor",
    "apps.common",
    "apps.accounts",
    "apps.notices",
    "apps.catalog",
    "apps.orders",
    "apps.payments",
    "apps.moving",
]

SILENCED_SYSTEM_CHECKS = [
    "axes.W002",  # both names are made at run time
    "axes.W005",
    "security.W001",  # these two are there under our own names (portal.web.middleware.pages_only)
    "security.W003",
    "security.W002",  # frame-ancestors of the content policy says it
]
MIDDLEWARE = [
    "portal.web.middleware.RequestMiddleware",
    *(["corsheaders.middleware.CorsMiddleware"] if CORS_ALLOWED_ORIGINS else []),
    "portal.web.middleware.ApiMiddleware",
    "portal.web.middleware.HostMiddleware",
    "portal.web.middleware.PageCsp",
    "portal.web.bodies.BodyMiddleware",
    # Behind the headers, which static files carry too
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "portal.web.middleware.PageSession",
    "portal.web.middleware.PageCsrf",
    "portal.web.middleware.PageAuthentication",
    "portal.web.middleware.StaffSessionMiddleware",
    "portal.web.middleware.PageMessages",
    "portal.web.middleware.PageAxes",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # What most templates use needs no {% load %}.
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django.contrib.admin.templatetags.admin_urls",
                "portal.templatetags.staff_pages",
            ],
        },
    },
]
FORM_RENDERER = (
    "django.forms.renderers.TemplatesSetting"  # templates/django/forms/ come before Django's own
)

# Calls
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.authentication.AccessTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["apps.common.http.renderers.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["apps.common.http.renderers.JsonRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.common.http.renderers.OneRenderer",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {},
    "EXCEPTION_HANDLER": "apps.common.http.api.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": None,
    "COERCE_DECIMAL_TO_STRING": False,
    "NUM_PROXIES": NUM_PROXIES,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Wholesale portal",
    "DESCRIPTION": "The calls of the buyers' screens.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "SERVERS": [{"url": "/api"}],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [],  # enums stay where they are used
    "APPEND_COMPONENTS": {},
}
