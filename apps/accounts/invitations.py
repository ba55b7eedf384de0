"""Reads of invitations: who waits for one, what became of it, and whom a link is for."""

from datetime import datetime

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.models import Invitation, User
from apps.accounts.selectors import token_hash
from apps.common.staff_lists import day_of

MAY_COME_IN = Q(user__is_active=True, user__password__startswith=UNUSABLE_PASSWORD_PREFIX) & (
    Q(user__is_staff=True) | Q(user__approval=User.Approval.APPROVED, user__company__is_open=True)
)
WITHOUT_PASSWORD = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
NOBODY_INVITED = Q(WITHOUT_PASSWORD, invitation__isnull=True)


def uninvited() -> QuerySet[User]:
    """Return the buyers who may come in, have no password and were never invited."""
    return User.objects.who_may_come_in().filter(NOBODY_INVITED)


def find_invitation(token: str, *, now: datetime) -> Invitation | None:
    """Return the invitation of a token with its user and company; None for one that is forged,
    used, replaced or too old, and where the person has a password or may not come in.
    """
    good = Invitation.objects.filter(MAY_COME_IN, accepted_at__isnull=True, expires_at__gt=now)
    invitations = good.select_related("user__company").filter(token_hash=token_hash(token))
    return invitations.first()


def invitation_text(user: User, *, now: datetime) -> str:
    """Return what became of somebody's invitation, in words; empty for who has a password."""
    if user.has_usable_password():
        return ""
    invitation = getattr(user, "invitation", None)
    if invitation is None:
        return _("Not invited yet")
    sent = {"day": day_of(invitation.sent_at)}
    if invitation.expires_at <= now:
        return _("Invited %(day)s, link expired") % sent
    if invitation.opened_at is None:
        return _("Invited %(day)s, not opened yet") % sent
    return _("Invited %(day)s, opened, no password yet") % sent
