"""Security events by name, for whoever watches the logs (design/reliability-and-security.md,
section 17).
"""

import logging

logger = logging.getLogger("portal.security")


def log_event(event: str, **fields: object) -> None:
    """Log a security event. Fields name people and objects by id or uuid; never a password, token
    or body.
    """
    logger.info(
        "%s %s",
        event,
        " ".join(f"{name}={value}" for name, value in fields.items()),
        extra={"event": event},
    )
