"""Passwords: the one way to change them."""

from datetime import datetime

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db.models import F
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from apps.accounts.errors import LinkExpired, TokenRejected
from apps.accounts.mail import password_changed
from apps.accounts.models import User
from apps.accounts.rules import check_new_password
from apps.accounts.selectors import Buyer, find_resettable, identify
from apps.accounts.services.sessions import issue_token
from apps.accounts.tokens import decode
from apps.common.db.transactions import one_transaction
from apps.common.logs import log_event
from apps.common.mail import queue


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens of the reset link. They end with the password, a sign-in, a new e-mail address or
    session version.
    """

    key_salt = "accounts.reset"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.session_version}"


reset_tokens = ResetTokens()


def set_password(*, user: User, password: str) -> None:
    """Give a user a new password and end every older token."""
    store_password(user_id=user.pk, password_hash=make_password(password))
    user.refresh_from_db(fields=["password", "session_version"])


def store_password(*, user_id: int, password_hash: str) -> None:
    """Keep a new password and end every older token: the one way to change a password."""
    User.objects.filter(pk=user_id).update(
        password=password_hash, session_version=F("session_version") + 1
    )


def change_password(
    *, buyer: Buyer, token: str, password: str, confirmation: str, now: datetime
) -> str:
    """Change the caller's own password, say so by mail, and return a token in place of the one that
    has ended.

    The sign-in stays the same: the new token lives no longer than 14 days after it (readings,
    People and access).

    Raises:
        PasswordMissing, PasswordTooShort, PasswordsDiffer: the new password is refused (section 5).
        TokenRejected: the buyer was shut out in the meantime.
    """
    check_new_password(password=password, confirmation=confirmation)
    signed_in_at = decode(token).signed_in_at
    password_hash = make_password(password)  # outside, because it takes long on purpose

    @one_transaction
    def change() -> Buyer:
        store_password(user_id=buyer.id, password_hash=password_hash)
        if (buyer_now := identify(buyer.uuid)) is None:
            raise TokenRejected
        who = {"email": buyer_now.email, "manager": buyer_now.manager}
        queue([password_changed(**who, company=buyer_now.company)])
        return buyer_now

    changed = change()
    log_event("password_changed", user=buyer.uuid)
    return issue_token(buyer=changed, signed_in_at=signed_in_at, now=now)


def reset_link(*, user: User) -> str:
    """Return the address at which somebody sets a new password, good for 24 hours and one change.

    A buyer's token stands behind the #: browsers keep that to themselves, no server or Referer ever
    sees it. A colleague's page puts it into the session at once.
    """
    token = reset_tokens.make_token(user)
    if user.is_staff:
        return colleague_link(user, token)
    return f"{settings.SITE_URL}/login#reset={user.uuid.hex}.{token}"


def colleague_link(user: User, token: str) -> str:
    """Return the address at which a colleague sets a password by a token."""
    names = [urlsafe_base64_encode(force_bytes(user.pk)), token]
    return f"{settings.SITE_URL}{reverse('admin:set_password', args=names)}"


def reset_password(*, token: str, password: str, confirmation: str, now: datetime) -> None:
    """Set a buyer's password by the mailed link, end every sign-in and say so by mail.

    Raises:
        LinkExpired: the link is forged, used, older than 24 hours, or its user may not set a
        password any more. PasswordMissing, PasswordTooShort, PasswordsDiffer: the new password is
        refused (section 5).
    """
    uuid, _, secret = token.partition(".")
    user = find_resettable(uuid)
    if user is None or not reset_tokens.check_token(user, secret):
        log_event("link_rejected")
        raise LinkExpired
    check_new_password(password=password, confirmation=confirmation)
    password_hash = make_password(password)  # outside, because it takes long on purpose
    locked = User.objects.select_for_update(of=("self",)).select_related("company")

    @one_transaction
    def reset() -> None:
        row = locked.get(pk=user.pk)
        if not reset_tokens.check_token(row, secret):  # used meanwhile
            raise LinkExpired
        store_password(user_id=row.pk, password_hash=password_hash)
        company = row.company.name if row.company else ""
        queue([password_changed(email=row.email, manager=row.manager, company=company)])

    reset()
    log_event("password_reset", user=user.uuid)
