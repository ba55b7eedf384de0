"""Sign-in, the renewal of tokens, and what ends them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_logged_in
from django.db.models import F
from django.http import HttpRequest

from apps.accounts.errors import InvalidLogin, NotApproved, TokenRejected
from apps.accounts.models import User, normalize_email
from apps.accounts.selectors import Buyer, identify, profile
from apps.accounts.tokens import decode, encode
from apps.common.db.failures import unless_read_only
from apps.common.logs import log_event


@dataclass(frozen=True)
class SignedIn:
    """A fresh token and what the screens know of its buyer."""

    token: str
    user: dict[str, Any]


def issue_token(*, buyer: Buyer, signed_in_at: datetime, now: datetime) -> str:
    """Return a token; the only place that makes one. A `Buyer` exists only after `identify` checked
    the person.
    """
    return encode(
        uuid=buyer.uuid, session_version=buyer.session_version, signed_in_at=signed_in_at, now=now
    )


def sign_in(*, request: HttpRequest, email: str, password: str, now: datetime) -> SignedIn:
    """Check an e-mail address and a password, and sign the buyer in (section 8; readings, People
    and access).

    Unknown addresses cost a hash too. Failures count towards the lock of address and caller.

    Raises:
        InvalidLogin: wrong, locked, deactivated, of a closed company, or staff.
        NotApproved: the right password of a registration that is not approved.
    """
    user = authenticate(request, username=normalize_email(email), password=password)
    if not isinstance(user, User):
        log_event("locked" if getattr(request, "axes_locked_out", False) else "login_failed")
        raise InvalidLogin
    if not user.is_staff and user.approval != User.Approval.APPROVED:
        raise NotApproved
    buyer = identify(user.uuid)
    if buyer is None:
        log_event("login_failed", user=user.uuid)
        raise InvalidLogin
    with unless_read_only():
        # Ends the counting of failures.
        user_logged_in.send(sender=User, request=request, user=user)
    log_event("login_ok", user=buyer.uuid)
    return SignedIn(issue_token(buyer=buyer, signed_in_at=now, now=now), profile(buyer=buyer))


def renew(*, token: str, now: datetime) -> SignedIn:
    """Return a fresh token for a good one, of the same sign-in (readings, People and access).

    Raises:
        TokenRejected: forged, expired, ended, or the sign-in is 14 days old.
    """
    try:
        claims = decode(token)
        buyer = identify(claims.uuid)
        if buyer is None or buyer.session_version != claims.session_version:
            raise TokenRejected
    except TokenRejected:
        log_event("token_rejected")
        raise
    return SignedIn(
        issue_token(buyer=buyer, signed_in_at=claims.signed_in_at, now=now), profile(buyer=buyer)
    )


def end_sessions(*, user_id: int) -> None:
    """End every token of a user at once: after a deactivation, a withdrawn approval, or when staff
    ask for it.
    """
    User.objects.filter(pk=user_id).update(session_version=F("session_version") + 1)


def end_company_sessions(*, company_id: int) -> None:
    """End every token of a company's users, when the company is closed."""
    User.objects.filter(company_id=company_id).update(session_version=F("session_version") + 1)
