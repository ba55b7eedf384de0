"""The counting of sign-ins that failed, which locks an address for a while (reliability-and-security, section 9)."""

from typing import Any

from axes.handlers.database import AxesDatabaseHandler

from apps.common.db.failures import unless_read_only


class SignInAttempts(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts in the database; where that only reads, what it counted before holds, and the limits of requests do."""

    def user_login_failed(self, *args: Any, **options: Any) -> None:
        """Count a failure, if it can be kept."""
        with unless_read_only():
            super().user_login_failed(*args, **options)
