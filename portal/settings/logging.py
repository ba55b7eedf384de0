"""What is logged, and who is mailed (docs/watching.md)."""

from typing import Any

from portal.settings.server import env

env.section("Logs")
SLOW_QUERY_MS = 500
OPERATORS_EMAIL = env.text(
    "OPERATORS_EMAIL", help="who is mailed, once, when something is over its limit"
)

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
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["repetition", "masking"],
        },
    },
    "root": {
        "handlers": ["console"],
        "level": env.choice(
            "LOG_LEVEL",
            LOG_LEVELS,
            "INFO",
            help="what is logged; `make run` takes WARNING, production never DEBUG",
        ),
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
