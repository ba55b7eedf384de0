"""Invitations: somebody whom staff added chooses a password, by a link that nobody else sees."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import get_random_string

from apps.accounts.errors import ElementsMissing, LinkExpired
from apps.accounts.mail import LINK, invitation, plain_mail
from apps.accounts.models import Invitation, RegistrationEvent, User
from apps.accounts.rules import check_new_password
from apps.accounts.selectors import Buyer, find_invitation, identify, profile, token_hash, uninvited
from apps.accounts.services.passwords import colleague_link, reset_tokens, store_password
from apps.accounts.services.sessions import SignedIn, issue_token
from apps.common.db.failures import unless_read_only
from apps.common.db.transactions import one_transaction
from apps.common.logs import log_event
from apps.common.mail import queue
from apps.common.mail_texts import Words
from apps.common.permissions import needs
from apps.common.policy import accepted_version

LIFETIME = timedelta(days=14)
TOKEN_LENGTH = 43  # letters and digits: 256 bits
PART = 100
MOST = 1_000  # in one request


@needs("accounts.change_user")
def invite(*, user_ids: Collection[int], actor: User, now: datetime) -> int:
    """Invite those of these buyers who were never invited, in parts; return how many.

    Whoever is asked twice, or killed in the middle and asked again, sends nobody two.
    """
    ids = sorted(user_ids)[:MOST]

    @one_transaction
    def invite_part(start: int) -> int:
        # Locked first, looked at after: who waited for the lock sees what the other one sent.
        part = User.objects.filter(pk__in=ids[start : start + PART]).order_by("pk")
        locked = list(part.select_for_update().values_list("pk", flat=True))
        people = list(uninvited().filter(pk__in=locked).select_related("company").order_by("pk"))
        send_invitations(people, actor=actor, now=now)
        return len(people)

    return sum(invite_part(start) for start in range(0, len(ids), PART))


def send_invitations(people: Sequence[User], *, actor: User, now: datetime) -> None:
    """Mail each a link of the own, in the caller's transaction; an older link ends."""
    mails, invitations, steps = [], [], []
    for user in people:
        token = get_random_string(TOKEN_LENGTH)
        link = f"{settings.SITE_URL}/invitation/{token}"
        if user.is_staff:
            link = colleague_link(user, token)
        words = invitation(user)
        body = words.body.replace(LINK, link)
        mails.append(plain_mail(user.email, Words(words.subject, body), private=True))
        invitations.append(
            Invitation(
                user=user,
                token_hash=token_hash(token),
                sent_at=now,
                sent_by=actor,
                expires_at=now + LIFETIME,
            )
        )
        kind = RegistrationEvent.Kind.PASSWORD_MAIL
        step = RegistrationEvent(user=user, actor=actor, kind=kind, at=now, **words._asdict())
        steps.append(step)
        log_event("invited", user=user.uuid, actor=actor.uuid)
    queue(mails)
    Invitation.objects.bulk_create(
        invitations,
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=[
            "token_hash",
            "sent_at",
            "sent_by",
            "expires_at",
            "opened_at",
            "accepted_at",
        ],
    )
    RegistrationEvent.objects.bulk_create(steps)


def open_invitation(*, token: str, now: datetime) -> Invitation | None:
    """Return a good invitation of a buyer, and note when it was opened first; None for one that is
    not good any more.
    """
    invitation = find_invitation(token, now=now)
    if invitation is None or invitation.user.is_staff:
        log_event("link_rejected")
        return None
    if invitation.opened_at is None:
        with unless_read_only():
            Invitation.objects.filter(pk=invitation.pk, opened_at=None).update(opened_at=now)
    return invitation


def accept_invitation(
    *,
    request: HttpRequest,
    token: str,
    password: str,
    confirmation: str,
    terms: bool,
    terms_version: int | None,
    now: datetime,
) -> SignedIn:
    """Set a buyer's first password by the invitation's link, keep that the terms are accepted, and
    sign the buyer in.

    Raises:
        LinkExpired: the link is not good, or not any more.
        PasswordMissing, PasswordTooShort, PasswordsDiffer: the password is refused (section 5).
        ElementsMissing: the terms are not accepted.
    """
    invitation = open_invitation(token=token, now=now)
    if invitation is None:
        raise LinkExpired
    check_new_password(password=password, confirmation=confirmation)
    if not terms:
        raise ElementsMissing(terms=ElementsMissing.message)
    password_hash = make_password(password)  # outside, because it takes long on purpose
    accepted = {
        "terms_accepted_at": now,
        "terms_version": accepted_version(terms_version, now=now),
    }

    @one_transaction
    def accept() -> Buyer:
        same = Invitation.objects.filter(pk=invitation.pk, token_hash=invitation.token_hash)
        if not same.filter(accepted_at=None).update(accepted_at=now):  # used or replaced meanwhile
            raise LinkExpired
        store_password(user_id=invitation.user_id, password_hash=password_hash)
        User.objects.filter(pk=invitation.user_id).update(**accepted)
        buyer = identify(invitation.user.uuid)
        if buyer is None:
            raise LinkExpired
        return buyer

    buyer = accept()
    user_logged_in.send(sender=User, request=request, user=invitation.user)
    log_event("invitation_accepted", user=buyer.uuid)
    return SignedIn(issue_token(buyer=buyer, signed_in_at=now, now=now), profile(buyer=buyer))


class StaffLinks:
    """The links to a colleague's password: an invitation's, or one to a new password."""

    def check_token(self, user: User | None, token: str) -> bool:
        """Return whether a link is good for a colleague."""
        invitation = find_invitation(token, now=timezone.now())
        if invitation is not None:
            return invitation.user == user
        return bool(reset_tokens.check_token(user, token))
