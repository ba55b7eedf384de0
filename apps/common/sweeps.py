"""Periodic work on the mail queue. Safe to repeat; `portal/ops/sweeps.py` says when each runs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import connection
from post_office.mail import send_queued
from post_office.models import STATUS, Email, Log
from post_office.settings import get_batch_size

MAIL_LOG_LIFETIME = timedelta(days=90)
BATCHES_AT_ONCE = 10
# What mail servers take from one sender, and little beside what buyers ask of the machine meanwhile.
MAILS_PER_SECOND = 20


def deliver_mails(now: datetime) -> int:
    """Send the mails that wait, batch by batch, and return how many went out (reliability, section 3).

    At most 20 a second leave. After ten batches the other sweeps have their turn; the rest goes out with the next run.
    """
    total: int = 0
    for _ in range(BATCHES_AT_ONCE):
        ends_at = time.monotonic() + get_batch_size() / MAILS_PER_SECOND
        with without_sorting():
            sent, failed, put_back = send_queued(processes=1)
        total += sent
        if sent + failed + put_back < get_batch_size():
            break
        time.sleep(max(0.0, ends_at - time.monotonic()))
    return total


@contextmanager
def without_sorting() -> Iterator[None]:
    """Let PostgreSQL take rows in the order of an index, however few it believes there are (decision 0083)."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET enable_sort = off")
    try:
        yield
    finally:
        if connection.is_usable():  # or the setting is gone with it
            with connection.cursor() as cursor:
                cursor.execute("RESET enable_sort")


def forget_sent_mails(now: datetime) -> int:
    """Delete the mails sent more than 90 days ago, with their log, and return how many they were."""
    before = now - MAIL_LOG_LIFETIME
    Log.objects.filter(date__lt=before).delete()
    _, rows = Email.objects.filter(status=STATUS.sent, created__lt=before).delete()
    return int(rows.get("post_office.Email", 0))
