"""Structured logs that hold no secret (design/reliability-and-security.md, section 17)."""

import json
import logging
import re
from datetime import UTC, datetime

SECRETS = re.compile(
    r"eyJ[\w-]+\.[\w-]+\.[\w-]+"  # a JWT
    r"|\b[0-9a-fA-F]{32,}\b"  # a long hexadecimal key
    r"|(?i:(?P<name>password|token|secret|authorization|account_number)[\"']?\s*[:=]\s*[\"']?)[^\s\"',}]+"
)
EXTRA = ("request_id", "user", "company", "route", "status", "ms", "queries", "event")


def mask(text: str) -> str:
    """Return the text with tokens, keys and passwords blotted out and line breaks escaped."""
    text = SECRETS.sub(lambda found: f"{found['name'] or ''}***", text)
    return text.replace("\r", "\\r").replace("\n", "\\n")


class MaskingFilter(logging.Filter):
    """Masks a record's message before any handler writes it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask and pass on."""
        record.msg, record.args = mask(record.getMessage()), None
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: getattr(record, name) for name in EXTRA if hasattr(record, name)},
        }
        if record.exc_info:
            line["exception"] = mask(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
