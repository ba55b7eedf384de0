"""Mails to the operators: one when something is over its limit, the next only after it was well in
between.

Reliability-and-security, section 17; the limits are listed in docs/watching.md.
"""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from apps.common.mail import Mail, queue
from apps.common.seller import in_staff_language, seller
from apps.common.staff import humanize
from portal.models import Alert
from portal.ops.watch import MAIL_WAITS, Backlog, SweepState, read_backlog


@in_staff_language()
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
            address = f"{settings.SITE_URL}/{settings.ADMIN_PATH}"
            where = _("Staff see it at %(address)s") % {"address": address}
            subject = (
                f"{seller().title}: {next(iter(new.values()))}"[:200]
                if len(new) == 1
                else _("%(title)s: %(count)s things need an operator")
                % {"title": seller().title, "count": len(new)}
            )
            body = "\n".join([*new.values(), "", where])
            to, language = settings.OPERATORS_EMAIL, seller().staff_language
            queue([Mail(to, subject, "plain", {"body": body}, language=language)])
    return len(new)


def troubles(backlog: Backlog, *, now: datetime) -> Iterator[tuple[str, str]]:
    """Return what is over its limit: its key, and a sentence in the language of the mail."""
    if backlog.oldest_mail and backlog.oldest_mail < now - MAIL_WAITS:
        yield (
            "mails-wait",
            _("%(count)s mails wait, the oldest for %(time)s.")
            % {"count": backlog.mails, "time": humanize(now - backlog.oldest_mail)},
        )
    if backlog.mails_failed:
        text = _("%(count)s mails were given up: see Mail in admin.")
        yield "mails-failed", text % {"count": backlog.mails_failed}
    if backlog.unknown:
        text = _("%(count)s PayPal payments have had no outcome for 10 minutes.")
        yield "payments-unknown", text % {"count": backlog.unknown}
    if backlog.held:
        text = _("%(count)s PayPal payments are held apart, because no order could take them.")
        yield "payments-held", text % {"count": backlog.held}
    for sweep in backlog.sweeps:
        if sweep.is_failing:
            text = _("The sweep “%(name)s” fails: %(failure)s")
            yield (
                f"sweep-fails:{sweep.name}",
                text % {"name": sweep, "failure": sweep.failure},
            )
        elif sweep.is_late:
            text = _("The sweep “%(name)s” has not run yet.")
            values = {"name": str(sweep)}
            if sweep.succeeded_at:
                text = _("The sweep “%(name)s” has not run for %(time)s.")
                values["time"] = humanize(now - sweep.succeeded_at)
            yield f"sweep-late:{sweep.name}", text % values
