"""Colleagues: a buyer asks for somebody of his company, staff approve, an invitation goes out."""

from datetime import datetime

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.accounts.errors import AlreadyDecided, AlreadySubscribed, TooManyColleagues
from apps.accounts.mail import queue_colleague_waits
from apps.accounts.models import Company, RegistrationEvent, User
from apps.accounts.registrations import decision_text
from apps.accounts.selectors import Buyer
from apps.accounts.services.approval import DECIDE, send_password_mail
from apps.accounts.shipping import Shipping
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.common.logs import log_event
from apps.common.permissions import needs
from apps.common.printed import refuse_unprintable

MOST_WAITING = 5  # requests of a company
Approval, Kind = User.Approval, RegistrationEvent.Kind


def requested_people(company_id: int) -> QuerySet[User]:
    """Return the people whom a company's buyers asked for and nobody has decided on."""
    return User.objects.filter(
        company_id=company_id,
        approval=Approval.PENDING,
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
    )


@one_transaction
def ask_for_colleague(*, buyer: Buyer, email: str, name: str, now: datetime) -> User:
    """Ask staff to let somebody of the buyer's company in, who then orders for it as any buyer; the
    approvers get a mail.

    Raises:
        Invalid: the address is known, to whichever company, or invoices cannot print the name.
        TooManyColleagues: as many requests of the company wait as may.
    """
    refuse_unprintable({"manager": name})
    Company.objects.select_for_update(no_key=True).get(pk=buyer.company_id)
    if requested_people(buyer.company_id).count() >= MOST_WAITING:
        raise TooManyColleagues
    inviter = User.objects.get(pk=buyer.id)
    user = User(
        email=email,
        manager=name,
        company_id=buyer.company_id,
        password=make_password(None),
        registered_at=now,
        **Shipping.of(inviter).columns(),
    )
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:
        raise Invalid(email=AlreadySubscribed.message) from error
    RegistrationEvent.objects.create(user=user, kind=Kind.SENT, actor=inviter, at=now)
    queue_colleague_waits(user=user, inviter=inviter)
    log_event("colleague_asked", user=user.uuid, actor=inviter.uuid)
    return user


@needs(DECIDE)
@one_transaction
def approve_colleague(*, actor: User, user_id: int, now: datetime) -> User:
    """Let a colleague whom a buyer asked for in, with an invitation by mail.

    Raises:
        AlreadyDecided: somebody was quicker; says who and when.
        NotFound: nobody asked for this person.
    """
    user = _decide(user_id, Approval.APPROVED, actor=actor, now=now)
    send_password_mail(actor=actor, user_id=user.pk, now=now)
    return user


@needs(DECIDE)
@one_transaction
def decline_colleague(*, actor: User, user_id: int, now: datetime) -> User:
    """Turn a request for a colleague down, without a mail; the address may register by itself.

    Raises:
        AlreadyDecided, NotFound: as for `approve_colleague`.
    """
    return _decide(user_id, Approval.REJECTED, actor=actor, now=now)


def _decide(user_id: int, approval: User.Approval, *, actor: User, now: datetime) -> User:
    user = User.objects.select_for_update().filter(pk=user_id, is_staff=False).first()
    if user is None or user.has_usable_password():
        raise NotFound
    if user.approval != Approval.PENDING:
        raise AlreadyDecided(decision_text(user, now=now))
    user.approval, user.decided_by, user.decided_at = approval, actor, now
    user.save(update_fields=["approval", "decided_by", "decided_at"])
    RegistrationEvent.objects.create(user=user, kind=approval.value, actor=actor, at=now)
    return user
