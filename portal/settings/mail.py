"""Mail: rows in the database, delivered by the `mails` sweep."""

from datetime import timedelta
from urllib.parse import urlsplit

from portal.settings.seller import SALES_EMAIL
from portal.settings.server import DATA_DIR, SITE_URL, env

env.section("Mail")
EMAIL_TIMEOUT = 15
EMAIL_HOST = env.text(
    "EMAIL_HOST", help="the mail server; without one, mails are files in the data folder"
)
EMAIL_PORT = env.integer("EMAIL_PORT", 587, least=1, most=65535, help="its port")
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", help="its account")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", help="the account's password")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True, help="whether the connection is encrypted")
DEFAULT_FROM_EMAIL = env.text(
    "DEFAULT_FROM_EMAIL", SALES_EMAIL, shown="SALES_EMAIL", help="sender of mails"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_FOLDER = DATA_DIR / "mail"
EMAIL_BACKEND = "post_office.EmailBackend"
POST_OFFICE = {
    "BACKENDS": {
        "default": "django.core.mail.backends.smtp.EmailBackend"
        if EMAIL_HOST
        else "apps.common.mail.EmlFileBackend"
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
