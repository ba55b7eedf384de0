"""Who may come in: keys, passwords, sign-ins, tokens, sessions, limits and headers
(reliability-and-security).
"""

import os
import secrets
from contextlib import suppress
from datetime import timedelta
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from portal.env import WEB, SettingsError, is_address
from portal.settings.server import DATA_DIR, NUM_PROXIES, env
from portal.settings.storage import IMAGE_HOST

env.section("Keys, sign-in and limits")
_random = "random, kept in the data folder"

# The first key signs; those behind it were just replaced, and what they signed still opens.
SECRET_KEY, *SECRET_KEY_FALLBACKS = env.words(
    "SECRET_KEY",
    shown=_random,
    help=(
        "signs links and sessions: 50 characters or more; of several, with commas, the first signs "
        "and all open (docs/operations.md)"
    ),
) or [""]
JWT_SIGNING_KEY, *JWT_SIGNING_KEY_FALLBACKS = env.words(
    "JWT_SIGNING_KEY",
    shown=_random,
    help="signs the buyers' tokens: 32 characters or more, others than those; several as there",
) or [""]


def data_key(name: str) -> str:
    """Return the random key kept in the data folder, made with mode 0600 at the first start.

    It comes into its place whole: of two first starts at once both take the same, and one that is
    cut off leaves none.
    """
    path = DATA_DIR / "keys" / name
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", dir=path.parent) as draft:  # mode 0600
                draft.write(secrets.token_urlsafe(48))
                draft.flush()
                with suppress(FileExistsError):
                    path.hardlink_to(draft.name)
        return path.read_text()
    except PermissionError as error:
        raise SettingsError(
            f"{error.filename or path} cannot be used: this user has no permission."
        ) from None


AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "apps.accounts.attempts.SignInDoor",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "apps.accounts.hashers.FewArgon2Hashes",
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
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # what is refused counts nothing
AXES_ENABLE_ACCESS_FAILURE_LOG = True  # shown on the person's page; goes after 90 days, by a sweep
AXES_HANDLER = "apps.accounts.attempts.SignInAttempts"
AXES_ENABLE_ADMIN = False
AXES_USERNAME_FORM_FIELD = "username"
AXES_LOCKOUT_TEMPLATE = "staff/locked.html"
AXES_IPWARE_PROXY_COUNT = NUM_PROXIES or None
AXES_CLIENT_IP_CALLABLE = "apps.common.http.throttles.client_address"

STAFF_SECOND_FACTOR = env.flag(
    "STAFF_SECOND_FACTOR",
    default=os.environ.get("PORTAL_ENV") in ("production", "staging"),
    shown="1 in production and staging, else 0",
    help=(
        "staff sign in with a code of an authenticator app, or a recovery code, beside the password"
    ),
)

TOKEN_LIFETIME = timedelta(days=1)  # of a buyer's token, before it is renewed
SIGN_IN_LIFETIME = timedelta(days=14)

SESSION_ENGINE = "portal.staff.sessions"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_IDLE_SECONDS = 60 * 60
SESSION_COOKIE_NAME = "staff_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "portal.staff.refusals.form_is_older"
LOGIN_URL = "admin:login"

THROTTLE_FACTOR = env.number(
    "THROTTLE_FACTOR",
    1,
    help=(
        "multiplies every request limit, for load tests, never in production; not the lock-out "
        "after wrong passwords"
    ),
)
MAX_BODY_BYTES = 1024 * 1024
MAX_UPLOAD_BODY_BYTES = 6 * 1024 * 1024
MAX_FORM_BYTES = 64 * 1024  # under the staff's path, of whoever is not signed in
MAX_STAFF_BODY_BYTES = 110 * 1024 * 1024  # spreadsheets, documents and archives of pictures
# What bodies of all callers hold at once in a process, each beyond its first 64 KiB
MAX_HELD_BYTES = 2 * MAX_STAFF_BODY_BYTES
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

CORS_ALLOWED_ORIGINS = env.words(
    "CORS_ALLOWED_ORIGINS", help="other origins whose pages may call the API"
)
env.require(
    all(
        is_address(origin, schemes=WEB) and not urlsplit(origin).path
        for origin in CORS_ALLOWED_ORIGINS
    ),
    "CORS_ALLOWED_ORIGINS must be addresses without a path, and never *",
)
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ("accept", "content-type", "x-access-token", "idempotency-key", "x-request-id")

REDIRECT_TO_HTTPS = env.flag(
    "SECURE_SSL_REDIRECT",
    default=True,
    help="production: plain HTTP is redirected; `0` only behind a proxy that redirects",
)

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
        "worker-src": [SELF],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
