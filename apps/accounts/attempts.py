"""The tries to sign in, of buyers and staff alike: their limits, and what they leave behind
(section 9).
"""

from typing import Any

from axes.backends import AxesStandaloneBackend
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessLog
from django.contrib.auth.models import update_last_login
from django.http import HttpRequest
from rest_framework.exceptions import Throttled

from apps.common.db.failures import unless_read_only
from apps.common.http.throttles import MINUTE, QUARTER, Limit, client_address


class LoginAddressLimit(Limit):
    """Sign-ins: 30 a minute from one address."""

    name, uses, seconds = "login-address", 30, MINUTE


class LoginAccountLimit(Limit):
    """Sign-ins: 25 in a quarter of an hour to one account, from where it never signed in."""

    name, uses, seconds = "login-account", 25, QUARTER


def check_account(request: HttpRequest, email: str) -> None:
    """Count a try to open an account. Whoever signed in from there before is not kept waiting by
    strangers.

    Raises:
        Throttled: strangers have tried too often.
    """
    try:
        LoginAccountLimit().check(email)
    except Throttled:
        successes = AccessLog.objects.filter(username=email, ip_address=client_address(request))
        if not successes.exists():
            raise


class SignInDoor(AxesStandaloneBackend):  # type: ignore[misc]
    """Stands before every check of a password. What is refused here costs no hash and counts
    nothing further on: neither does one address use up an account's limit.
    """

    def authenticate(self, request: HttpRequest, username: str = "", **options: Any) -> None:
        """Let a try through to the next backend.

        Raises:
            Throttled: over a limit.
            AxesBackendPermissionDenied: this address had five wrong passwords of this account.
        """
        LoginAddressLimit().check(client_address(request))
        super().authenticate(request, username=username, **options)
        check_account(request, username)


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
