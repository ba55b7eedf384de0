"""Mails to the operators: one when something is over its limit, the next only after it was well in
between.

Reliability-and-security, section 17; the limits are listed in docs/watching.md.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction

from apps.common.mail import Mail, queue
from apps.common.staff import humanize
from portal.models import Alert
from portal.ops.watch import MAIL_WAITS, Backlog, SweepState, read_backlog


def tell_operators(*, sweeps: tuple[SweepState, ...], now: datetime) -> int:
    """Mail OPERATORS_EMAIL what is newly over its limit, and return how many things that is.

    Each is remembered by its key in the transaction that queues the mail, until it is well again.
    """
    if not settings.OPERATORS_EMAIL:
        return 0
    found = dict(troubles(read_backlog(sweeps=sweeps, now=now), now=now))
    with transaction.atomic():
        Alert.objects.exclude(key__in=found).delete()
        known = set(Alert.objects.values_list("key", flat=True))
        new = {key: text for key, text in found.items() if key not in known}
        if new:
            Alert.objects.bulk_create([Alert(key=key, since=now) for key in new])
            queue([_mail(new)])
    return len(new)


def troubles(backlog: Backlog, *, now: datetime) -> Iterator[tuple[str, str]]:
    """Return what is over its limit: its key, and a sentence."""
    if backlog.oldest_mail and backlog.oldest_mail < now - MAIL_WAITS:
        yield (
            "mails-wait",
            f"{backlog.mails} mails wait, the oldest for {humanize(now - backlog.oldest_mail)}.",
        )
    if backlog.mails_failed:
        yield "mails-failed", f"{backlog.mails_failed} mails were given up: see Mail in admin."
    if backlog.unknown:
        yield (
            "payments-unknown",
            f"{backlog.unknown} PayPal payments have had no outcome for 10 minutes.",
        )
    if backlog.held:
        yield (
            "payments-held",
            f"{backlog.held} PayPal payments are held apart, because no order could take them.",
        )
    for sweep in backlog.sweeps:
        if sweep.is_failing:
            yield f"sweep-fails:{sweep.name}", f"The sweep “{sweep.name}” fails: {sweep.failure}"
        elif sweep.is_late:
            since = f"for {humanize(now - sweep.succeeded_at)}" if sweep.succeeded_at else "yet"
            yield f"sweep-late:{sweep.name}", f"The sweep “{sweep.name}” has not run {since}."


def _mail(new: Mapping[str, str]) -> Mail:
    body = "\n".join(
        [*new.values(), "", f"Staff see it at {settings.SITE_URL}/{settings.ADMIN_PATH}"]
    )
    subject = (
        f"{settings.PORTAL_TITLE}: {next(iter(new.values()))}"[:200]
        if len(new) == 1
        else (f"{settings.PORTAL_TITLE}: {len(new)} things need an operator")
    )
    return Mail(settings.OPERATORS_EMAIL, subject, "plain", {"body": body})
