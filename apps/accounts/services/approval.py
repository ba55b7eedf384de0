"""What approvers decide about a registration: each decision under a lock, with its mail and its
history.
"""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from apps.accounts.errors import AlreadyDecided, MailIncomplete, RegistrationChanged
from apps.accounts.mail import (
    LINK,
    check_words,
    clean,
    password_reset,
    plain_mail,
    registration_address,
)
from apps.accounts.models import Company, RegistrationEvent, User
from apps.accounts.registrations import decision_text, registration_version
from apps.accounts.services.invitations import send_invitations
from apps.accounts.services.passwords import reset_link
from apps.accounts.services.sessions import end_sessions
from apps.accounts.services.sign_up import issue_link
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, row_or_404
from apps.common.logs import log_event
from apps.common.mail import queue
from apps.common.mail_texts import Words
from apps.common.permissions import needs

DECIDE = "accounts.change_user"
Approval, Kind = User.Approval, RegistrationEvent.Kind


@needs(DECIDE)
@one_transaction
def approve(
    *,
    actor: User,
    user_id: int,
    company_id: int | None,
    stock_free: bool,
    subject: str,
    body: str,
    seen: str,
    now: datetime,
) -> User:
    """Approve a registration and tell the buyer (section 4, Registration; readings, Registration).

    With a `company_id` the person joins that company, and the company made at the sign-up goes,
    unless something refers to it. `seen` is the registration's version on the page that was decided
    from.

    Raises:
        AlreadyDecided, RegistrationChanged: somebody was quicker; says who and when.
        MailIncomplete: no subject or no text.
        NotFound: there is no such registration or company.
    """
    mail = check_words(Words(subject, body))
    user = _undecided(user_id=user_id, seen=seen, now=now)
    own = user.company
    if company_id is not None and company_id != user.company_id:
        user.company = Company.objects.select_for_update().filter(pk=company_id).first()
        if user.company is None:
            raise NotFound
    user.stock_free = stock_free
    _decide(user, Approval.APPROVED, actor=actor, now=now)
    if own is not None and own.pk != user.company_id:
        # Where somebody else belongs to it, or it has orders, it is no double row.
        with suppress(ProtectedError), transaction.atomic():
            own.delete()
    _send(user, Kind.APPROVED, mail, actor=actor, now=now)
    return user


@needs(DECIDE)
@one_transaction
def ask_for_more(
    *, actor: User, user_id: int, reason: str, subject: str, body: str, seen: str, now: datetime
) -> User:
    """Ask a buyer to complete a registration, with a link to the filled-in form (readings,
    Registration).

    Raises:
        AlreadyDecided, RegistrationChanged, NotFound: as for `approve`.
        MailIncomplete: also without a reason, or without the places of reason and link.
    """
    mail = check_words(Words(subject, body), reason=reason, has_link=True)
    user = _undecided(user_id=user_id, seen=seen, now=now)
    user.asked_at = now
    user.save()
    link = registration_address(issue_link(email=user.email, user_id=user.pk, now=now))
    _send(user, Kind.ASKED, mail, actor=actor, reason=reason, link=link, now=now)
    return user


@needs(DECIDE)
@one_transaction
def reject(
    *, actor: User, user_id: int, reason: str, subject: str, body: str, seen: str, now: datetime
) -> User:
    """Reject a registration and tell the buyer why; the address may register again (readings,
    Registration).

    Raises:
        AlreadyDecided, RegistrationChanged, NotFound: as for `approve`.
        MailIncomplete: also without a reason, or without its place.
    """
    mail = check_words(Words(subject, body), reason=reason)
    user = _undecided(user_id=user_id, seen=seen, now=now)
    _decide(user, Approval.REJECTED, actor=actor, reason=reason, now=now)
    _send(user, Kind.REJECTED, mail, actor=actor, reason=reason, now=now)
    return user


@needs(DECIDE)
@one_transaction
def withdraw_approval(*, actor: User, user_id: int, reason: str, now: datetime) -> User:
    """Take an approval back: every sign-in ends at once, and the registration waits to be decided
    again.

    Raises:
        MailIncomplete: without a reason.
        AlreadyDecided: it is not approved any more.
        NotFound: there is no such buyer.
    """
    reason = clean(reason)
    if not reason:
        raise MailIncomplete(reason=_("Write why."))
    user = _locked(user_id)
    if user.approval != Approval.APPROVED:
        raise AlreadyDecided(
            decision_text(user, now=now) or _("This registration is not approved.")
        )
    user.registered_at = now  # it waits from now on
    _decide(user, Approval.PENDING, actor=actor, reason=reason, now=now)
    end_sessions(user_id=user.pk)
    user.registration_events.create(actor=actor, kind=Kind.WITHDRAWN, note=reason, at=now)
    log_event("approval_withdrawn", user=user.uuid, actor=actor.uuid)
    return user


@needs(DECIDE)
@one_transaction
def add_note(*, actor: User, user_id: int, text: str, now: datetime) -> None:
    """Keep a note for colleagues in a registration's history; a buyer never sees it.

    Raises:
        MailIncomplete: without a text.
        NotFound: there is no such registration.
    """
    text = clean(text)
    if not text:
        raise MailIncomplete(text=_("Write something."))
    _locked(user_id).registration_events.create(actor=actor, kind=Kind.NOTE, note=text, at=now)


@needs(DECIDE)
@one_transaction
def send_password_mail(*, actor: User, user_id: int, now: datetime) -> None:
    """Mail somebody who may sign in the link to a new password, an invitation where there is none
    yet (readings: "Forgot e-mail or password"). A colleague's is a superuser's to send.

    Raises:
        AlreadyDecided: the person may not sign in.
        NotFound: there is no such person.
    """
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None or (user.is_staff and not actor.is_superuser):
        raise NotFound
    if not user.is_active or not (user.is_staff or user.approval == Approval.APPROVED):
        raise AlreadyDecided(_("Only somebody who may sign in can get a password mail."))
    if not user.has_usable_password():
        send_invitations([user], actor=actor, now=now)
        return
    link = reset_link(user=user)
    _send(user, Kind.PASSWORD_MAIL, password_reset(user), actor=actor, link=link, now=now)
    log_event("password_mail", user=user.uuid, actor=actor.uuid)


@needs(DECIDE)
@one_transaction
def end_sign_ins(*, actor: User, user_id: int) -> None:
    """End every sign-in of a buyer at once.

    Raises:
        NotFound: there is no such buyer.
    """
    user = _locked(user_id)
    end_sessions(user_id=user.pk)
    log_event("sign_ins_ended", user=user.uuid, actor=actor.uuid)


def _locked(user_id: int) -> User:
    # No joins: after waiting for the lock, PostgreSQL would join what stood there before.
    return row_or_404(User.objects.select_for_update().filter(pk=user_id, is_staff=False))


def _undecided(*, user_id: int, seen: str, now: datetime) -> User:
    user = _locked(user_id)
    if user.approval != Approval.PENDING:
        raise AlreadyDecided(decision_text(user, now=now))
    if registration_version(user) != seen:
        raise RegistrationChanged(decision_text(user, now=now))
    return user


def _decide(
    user: User, approval: User.Approval, *, actor: User, reason: str = "", now: datetime
) -> None:
    user.approval, user.approval_reason, user.asked_at = approval, clean(reason), None
    user.decided_by, user.decided_at = actor, now
    user.save()  # all of it, for its row is locked


def _send(
    user: User,
    kind: RegistrationEvent.Kind,
    mail: Words,
    *,
    actor: User,
    now: datetime,
    reason: str = "",
    link: str | None = None,
) -> None:
    body = mail.body if link is None else mail.body.replace(LINK, link)
    queue([plain_mail(user.email, Words(mail.subject, body), private=link is not None)])
    texts, note = mail._asdict(), clean(reason)
    user.registration_events.create(actor=actor, kind=kind, note=note, at=now, **texts)
