"""Periodic work on sign-ins and registrations. Safe to repeat; `portal/ops/sweeps.py` says when
each runs.
"""

from datetime import datetime, timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.core.files.storage import storages

from apps.accounts.models import Certificate, EmailVerification
from apps.accounts.services.sign_up import stored_path
from apps.common.sweeps import delete_in_parts

ATTEMPT_LIFETIME = timedelta(days=1)
LOG_LIFETIME = timedelta(days=90)
VERIFICATION_LIFETIME = timedelta(days=30)
# An hour longer than the link under which a form could still name the file.
ORPHAN_LIFETIME = timedelta(hours=25)


def forget_sign_ins(now: datetime) -> int:
    """Delete old sign-in attempts, their log and dead staff sessions; return how many rows they
    were.
    """
    expired = (
        AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPT_LIFETIME),
        AccessLog.objects.filter(attempt_time__lt=now - LOG_LIFETIME),
        AccessFailureLog.objects.filter(attempt_time__lt=now - LOG_LIFETIME),
        Session.objects.filter(expire_date__lt=now),
    )
    return sum(map(delete_in_parts, expired))


def forget_certificates(now: datetime) -> int:
    """Delete certificates that no registration came to hold within a day, files first; return how
    many they were.

    What is cut off in between, or refused by the storage, is found again the next time.
    """
    orphans = Certificate.objects.filter(user__isnull=True, uploaded_at__lt=now - ORPHAN_LIFETIME)
    count = 0
    for certificate in orphans.iterator():
        storages["private"].delete(stored_path(certificate.storage_name))
        count += bool(orphans.filter(pk=certificate.pk).delete()[0])
    return count


def forget_verifications(now: datetime) -> int:
    """Delete registration links that died 30 days ago and carry no certificate; return how many
    they were.
    """
    dead = EmailVerification.objects.filter(
        expires_at__lt=now - VERIFICATION_LIFETIME, certificates__isnull=True
    )
    return delete_in_parts(dead)
