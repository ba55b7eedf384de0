"""What a sign-in leaves behind: failures, which lock an address for a while, and its moment
(section 9).
"""

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.contrib.auth.models import update_last_login

from apps.common.db.failures import unless_read_only


class SignInAttempts(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts in the database; where that only reads, what it counted before holds, and the limits
    of requests do.
    """

    def user_login_failed(self, *args: Any, **options: Any) -> None:
        """Count a failure, if it can be kept."""
        with unless_read_only():
            super().user_login_failed(*args, **options)

    def user_logged_in(self, *args: Any, **options: Any) -> None:
        """End the counting of failures, if that can be kept."""
        with unless_read_only():
            super().user_logged_in(*args, **options)


def note_sign_in(sender: type, user: Any, **_: Any) -> None:
    """Note when a user signed in last, if it can be kept."""
    with unless_read_only():
        update_last_login(sender, user)
