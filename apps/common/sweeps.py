"""Periodic work on the mail queue, and work on many rows part by part. Safe to repeat;
`portal/ops/sweeps.py` says when each runs.
"""

import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from post_office.mail import get_queued
from post_office.models import STATUS, Email, Log
from post_office.settings import get_batch_size, get_retry_timedelta

from apps.common.mail import deliver, write_texts

logger = logging.getLogger("portal.mail")
MAIL_LOG_LIFETIME = timedelta(days=90)
BATCHES_AT_ONCE = 10
# What mail servers take from one sender, and little beside what buyers ask of the machine
# meanwhile.
MAILS_PER_SECOND = 20
ROWS = 500


def parts_of(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    """Yield the rows part by part until there are none: the caller changes each part so that it is
    none of them. However many there are, no statement takes long and no transaction holds others.
    """
    while some := list(rows.order_by().values_list("pk", flat=True)[:ROWS]):
        yield rows.filter(pk__in=some)


def delete_in_parts(rows: QuerySet[Any]) -> int:
    """Delete rows, each part in a transaction of its own; return how many they were."""
    label = rows.model._meta.label
    return sum(part.delete()[1].get(label, 0) for part in parts_of(rows))


def deliver_mails(now: datetime) -> int:
    """Send the mails that wait, batch by batch, and return how many went out (reliability, section
    3).

    At most 20 a second leave. After ten batches the other sweeps have their turn; the rest goes out
    with the next run.
    """
    # Further away than a retry ever is: put off while the clock was ahead.
    postponed = Email.objects.filter(
        status=STATUS.requeued, scheduled_time__gt=now + 2 * get_retry_timedelta()
    )
    postponed.update(scheduled_time=now)
    total: int = 0
    for _ in range(BATCHES_AT_ONCE):
        ends_at = time.monotonic() + get_batch_size() / MAILS_PER_SECOND
        write_next_mails()
        if emails := list(get_queued()):
            total += deliver(emails)
        if len(emails) < get_batch_size():
            break
        time.sleep(max(0.0, ends_at - time.monotonic()))
    return total


def write_next_mails() -> None:
    """Write the texts of the mails that leave next. One that cannot be written is given up; the
    others leave.
    """
    emails = [email for email in get_queued() if email.context and "template" in email.context]
    for email in emails:
        try:
            write_texts(email)
        except Exception as error:
            logger.exception("The texts of a mail cannot be written")
            email.status = STATUS.failed
            email.logs.create(
                status=STATUS.failed, message=str(error), exception_type=type(error).__name__
            )
    Email.objects.bulk_update(emails, ["message", "html_message", "headers", "context", "status"])


def forget_sent_mails(now: datetime) -> int:
    """Delete the mails sent more than 90 days ago, with their log, and return how many
    they were.
    """
    before = now - MAIL_LOG_LIFETIME
    delete_in_parts(Log.objects.filter(date__lt=before))
    return delete_in_parts(Email.objects.filter(status=STATUS.sent, created__lt=before))
