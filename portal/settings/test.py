"""Settings of the tests: fast hashes, mails in memory, no limits unless a test sets them."""

import tempfile
from pathlib import Path

from portal.settings.base import *

SECRET_KEY = "test-secret-key-of-at-least-fifty-characters-in-all-0001"
JWT_SIGNING_KEY = "test-signing-key-of-at-least-sixty-four-characters-in-all-0000002"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
SITE_URL = "http://testserver"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
THROTTLE_FACTOR = 1000.0
STAFF_SECOND_FACTOR = False
STAFF_LANGUAGE = "en"
PORTAL_TITLE = "Maren & Holt"
INVOICE_PREFIX = "MHW"
SALES_EMAIL = "sales@portal.test"
APPROVERS_EMAIL = "approvers@portal.test"
BANK = {
    "bank": "Test Bank",
    "holder": "Test Holder",
    "account_number": "1-2-3",
    "routing_number": "TESTKRSE",
    "address": "Seoul",
}
PAYPAL_CLIENT_ID = "portal"
PAYPAL_CLIENT_SECRET = "portal-secret"
PAYPAL_WEBHOOK_ID = "WH-PORTAL"
SHIPPER = {"name": "Test Shipper", "address": "Seoul", "phone": "+82 2 0"}

DATA_DIR = Path(tempfile.mkdtemp(prefix="portal-test-"))
if "sqlite" in DATABASES["default"]["ENGINE"]:
    # A file, as in earnest: threads that race for stock would share one connection in memory.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"] |= {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    }
if "postgresql" in DATABASES["default"]["ENGINE"]:
    # As above: a test database need not outlive the machine.
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
MEDIA_ROOT = DATA_DIR / "media"
PRIVATE_ROOT = DATA_DIR / "private"
MAIL_FOLDER = DATA_DIR / "mail"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir()
# As in a fresh clone, whether the screens are built or not.
FRONTEND_DIST = DATA_DIR / "dist"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    **STORAGES,
    "default": {"BACKEND": "portal.ops.storage.Folder", "OPTIONS": {"location": MEDIA_ROOT}},
    "private": {
        "BACKEND": "portal.ops.storage.Folder",
        "OPTIONS": {"location": PRIVATE_ROOT, "base_url": None},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
POST_OFFICE = {
    **POST_OFFICE,
    "BACKENDS": {"default": "django.core.mail.backends.locmem.EmailBackend"},
}
LOGGING = {**LOGGING, "root": {"handlers": [], "level": "WARNING"}}
env.check()
