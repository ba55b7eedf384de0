"""Settings that every environment shares; what differs is read from the environment (README, Configuration)."""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from portal.env import WEB, Environment, is_address
from portal.settings.database import database_from_url
from portal.settings.files import storages_of

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = Environment()

DATA_DIR = env.folder("PORTAL_DATA_DIR", BASE_DIR / "var")


def data_key(name: str) -> str:
    """Return the random key kept in the data folder, made with mode 0600 at the first start."""
    path = DATA_DIR / "keys" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


DEBUG = False
SECRET_KEY = env.text("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")  # keys that were replaced a short while ago
JWT_SIGNING_KEY = env.text("JWT_SIGNING_KEY")
JWT_SIGNING_KEY_FALLBACKS = env.words("JWT_SIGNING_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ("127.0.0.1", "localhost", "[::1]"))
HOST = env.text("PORTAL_HOST", "127.0.0.1")
PORT = env.integer("PORT", 8000, least=1, most=65535)
WEB_WORKERS = env.integer("WEB_WORKERS", 0)  # 0: as many as the machine has cores
WEB_THREADS = env.integer("WEB_THREADS", 2, least=1)
SITE_URL = env.address("SITE_URL", f"http://127.0.0.1:{PORT}")
ADMIN_PATH = env.text("ADMIN_PATH", "admin").strip("/") + "/"
TIME_ZONE = env.zone("TIME_ZONE", "Asia/Seoul")
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = "portal.formats"

# What buyers read (spec/readings.md, Configuration).
PORTAL_TITLE = env.text("PORTAL_TITLE", "Maren & Holt")
PORTAL_SUBTITLE = env.text("PORTAL_SUBTITLE", "Wholesale platform")
PORTAL_ACCENT = env.colour("PORTAL_ACCENT", "#337ab7")
SALES_EMAIL = env.text("SALES_EMAIL", "sales@portal.test")
APPROVERS_EMAIL = env.text("APPROVERS_EMAIL", "approvers@portal.test")
IMAGE_HOST = env.place("IMAGE_HOST", "/media/products")
FILE_HOST = env.place("FILE_HOST", "/files")
INVOICE_PREFIX = env.text("INVOICE_PREFIX", "MHW")
BANK = {
    "bank": env.text("BANK_NAME"),
    "holder": env.text("BANK_HOLDER"),
    "account_number": env.text("BANK_ACCOUNT_NUMBER"),
    "routing_number": env.text("BANK_ROUTING_NUMBER"),
    "address": env.text("BANK_ADDRESS"),
}
SHIPPER = {
    "name": env.text("SHIPPER_NAME"),
    "address": env.text("SHIPPER_ADDRESS"),
    "phone": env.text("SHIPPER_PHONE"),
}
DEPOSIT_RATE = env.rate("DEPOSIT_RATE", "1.0")
PAYPAL_FEE_RATE = env.rate("PAYPAL_FEE_RATE", "0.035")
TEMPORARY_ORDER_LIFETIME = timedelta(days=7)

# What the seller promises itself, in business days (apps.common.promises; the specification's own are not set here).
PROMISED_DAYS = {
    name: env.integer(f"{name.upper()}_DAYS", days, least=1)
    for name, days in (("prepare", 1), ("confirm", 3), ("balance", 5), ("wire", 1), ("message", 1))
}
CLOSED_DAYS = env.dates("CLOSED_DAYS")

# PayPal (design/paypal.md). Which address answers is all that tells PayPal from the simulator.
PAYPAL_API = env.choice("PAYPAL_API", ("v1", "v2"), "v1")
PAYPAL_MODE = env.choice("PAYPAL_MODE", ("sandbox", "live"), "sandbox")
PAYPAL_ENDPOINT = env.address("PAYPAL_ENDPOINT", f"http://127.0.0.1:{PORT + 1}")
PAYPAL_CLIENT_ID = env.text("PAYPAL_CLIENT_ID")
PAYPAL_CLIENT_SECRET = env.text("PAYPAL_CLIENT_SECRET")
PAYPAL_WEBHOOK_ID = env.text("PAYPAL_WEBHOOK_ID")
PAYPAL_CONNECT_TIMEOUT = env.number("PAYPAL_CONNECT_TIMEOUT", 3.05)  # seconds
PAYPAL_READ_TIMEOUT = env.number("PAYPAL_READ_TIMEOUT", 15)  # seconds
PAYPAL_FINISH_APPROVED = env.flag("PAYPAL_FINISH_APPROVED", default=True)
# Where an approval link may lead: PayPal's own pages, or those of the endpoint that stands in for it.
_paypal = urlsplit(PAYPAL_ENDPOINT)
_is_paypal = f".{_paypal.hostname}".endswith(".paypal.com")
PAYPAL_APPROVAL_ORIGINS = env.words(
    "PAYPAL_APPROVAL_ORIGINS",
    ("https://www.paypal.com", "https://www.sandbox.paypal.com")
    if _is_paypal
    else (f"{_paypal.scheme}://{_paypal.netloc}",),
)
env.require(
    PAYPAL_MODE == "sandbox" or (_paypal.scheme == "https" and _is_paypal),
    "PAYPAL_MODE=live needs an https PAYPAL_ENDPOINT on paypal.com",
)

INSTALLED_APPS = [
    "portal.apps.PortalConfig",
    "portal.apps.PortalAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "corsheaders",
    "axes",
    "csp",
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
]

CORS_ALLOWED_ORIGINS = env.words("CORS_ALLOWED_ORIGINS")
env.require(
    all(is_address(origin, schemes=WEB) and not urlsplit(origin).path for origin in CORS_ALLOWED_ORIGINS),
    "CORS_ALLOWED_ORIGINS must be addresses without a path, and never *",
)
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ("accept", "content-type", "x-access-token", "idempotency-key", "x-request-id")

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
    "portal.hot.Failures",
    "portal.web.middleware.PageSecurity",
    "portal.web.middleware.PageCsp",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # behind the headers, which static files carry too
    "portal.web.middleware.PageSession",
    "portal.web.middleware.PageCsrf",
    "portal.web.middleware.PageAuthentication",
    "portal.web.middleware.PageMessages",
    "portal.web.middleware.StaffSessionMiddleware",
    "portal.web.middleware.PageAxes",
]
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/(app/assets/|.+\.[0-9a-f]{12}\.)"
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

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
        },
    },
]

_embedded = f"sqlite:///{DATA_DIR / 'portal.sqlite3'}"
DATABASE_URL = env.text("DATABASE_URL", _embedded)
DATABASES = {
    "default": env.parsed(
        "DATABASE_URL", _embedded, database_from_url, "sqlite:///path or postgresql://user:password@host:port/name"
    )
}

REDIS_URL = env.address("REDIS_URL", schemes=("redis", "rediss"))
CACHES = {
    "default": (
        {
            "BACKEND": "apps.common.cache.SurvivingRedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}}
    )
}

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "django.contrib.auth.hashers.ScryptPasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HANDLER = "axes.handlers.database.AxesDatabaseHandler"
AXES_ENABLE_ADMIN = False
AXES_USERNAME_FORM_FIELD = "username"
AXES_LOCKOUT_TEMPLATE = "staff/locked.html"
NUM_PROXIES = env.integer("NUM_PROXIES", 0)
AXES_IPWARE_PROXY_COUNT = NUM_PROXIES or None
AXES_CLIENT_IP_CALLABLE = "apps.common.http.throttles.client_address"

TOKEN_LIFETIME = timedelta(seconds=env.integer("TOKEN_LIFETIME_SECONDS", 24 * 3600, least=60))
SIGN_IN_LIFETIME = timedelta(days=14)

SESSION_COOKIE_AGE = 12 * 3600
SESSION_IDLE_SECONDS = 60 * 60
SESSION_COOKIE_NAME = "staff_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
LOGIN_URL = "admin:login"

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
THROTTLE_FACTOR = env.number("THROTTLE_FACTOR", 1)
MAX_BODY_BYTES = 1024 * 1024
MAX_UPLOAD_BODY_BYTES = 6 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

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

# Files: `media` is public (product pictures), `private` is not.
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
PRIVATE_ROOT = DATA_DIR / "private"
STATIC_URL = "/static/"
STATIC_ROOT = env.folder("STATIC_ROOT", DATA_DIR / "static")
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [BASE_DIR / "static", *([("app", FRONTEND_DIST)] if FRONTEND_DIST.exists() else [])]
STORAGES = storages_of(env, media=MEDIA_ROOT, private=PRIVATE_ROOT, image_host=IMAGE_HOST)
S3_BUCKET = env.text("S3_BUCKET")
FILE_LINK_LIFETIME = timedelta(minutes=60)
CLAMD_SOCKET = env.text("CLAMD_SOCKET")  # a path or host:port; configured and not answering, it stops uploads

# Mail: rows in the database, delivered by the `mails` sweep.
EMAIL_TIMEOUT = 15
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.integer("EMAIL_PORT", 587, least=1, most=65535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", SALES_EMAIL)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_FOLDER = DATA_DIR / "mail"
EMAIL_BACKEND = "post_office.EmailBackend"
POST_OFFICE = {
    "BACKENDS": {
        "default": "django.core.mail.backends.smtp.EmailBackend" if EMAIL_HOST else "apps.common.mail.EmlFileBackend"
    },
    "BATCH_SIZE": 10,
    "THREADS_PER_PROCESS": 1,
    "MAX_RETRIES": 10,
    "RETRY_INTERVAL": timedelta(minutes=5),
    "MESSAGE_ID_ENABLED": True,
    "MESSAGE_ID_FQDN": urlsplit(SITE_URL).hostname,
    "CELERY_ENABLED": False,
    "DEFAULT_PRIORITY": "medium",
}

# Tasks: Celery only makes things sooner; every sweep finds its own work.
TASKS = env.choice("TASKS", ("process", "celery"), "process")
env.require(TASKS == "process" or REDIS_URL, "TASKS=celery needs REDIS_URL")
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "max_retries": 1,
    "visibility_timeout": 3600,
}

# Headers (design/reliability-and-security.md, section 14)
_images = [SELF, *([f"{IMAGE_HOST}/"] if not IMAGE_HOST.startswith("/") else [])]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [*_images, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
        "manifest-src": [SELF],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

# What is watched (docs/watching.md)
SLOW_QUERY_MS = env.number("SLOW_QUERY_MS", 500)
METRICS_TOKEN = env.text("METRICS_TOKEN")  # opens /metrics; without it there is none
OPERATORS_EMAIL = env.text("OPERATORS_EMAIL")
env.require(not METRICS_TOKEN or len(METRICS_TOKEN) >= 32, "METRICS_TOKEN must hold at least 32 characters")

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "repetition": {"()": "apps.common.logs.RepetitionFilter"},
        "masking": {"()": "apps.common.logs.MaskingFilter"},
        "failures": {"()": "apps.common.logs.FailureFilter"},
    },
    "formatters": {
        "json": {"()": "apps.common.logs.JsonFormatter"},
        "plain": {
            "()": "apps.common.logs.PlainFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(trace)s%(message)s",
        },
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["repetition", "masking"]},
    },
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", LOG_LEVELS, "INFO"),
    },
    "loggers": {
        "django.request": {"level": "ERROR", "filters": ["failures"]},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "axes": {"level": "WARNING"},
        "paypalrestsdk": {"level": "WARNING"},  # below it prints credentials
        "post_office": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "PIL": {"level": "INFO"},
        "urllib3": {"level": "INFO"},  # below it prints the addresses of payments
    },
}
