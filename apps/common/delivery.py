"""Hands mails to the mail server, and notes each the moment the server has taken it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import TimeoutError as TakesTooLong
from multiprocessing.pool import ThreadPool

from django.dispatch import Signal
from django.utils import timezone
from post_office.connections import connections
from post_office.models import STATUS, Email
from post_office.settings import get_max_retries, get_retry_timedelta

logger = logging.getLogger("portal.mail")
MAIL_SECONDS = 60  # what the mail server has for one mail, however slowly it answers
GOODBYE_SECONDS = 1

# A mail leaves with the file of a document (`attached`, as `Mail` has it). A receiver returns the
# PDF, or None where it cannot be made: the mail leaves without it.
attaching = Signal()


def deliver(emails: Sequence[Email]) -> int:
    """Send mails one after the other, by one connection, and return how many the server took.

    Each is noted before anything else is done: a process that dies repeats one mail at most, the
    one whose yes it had not noted yet, and with the same Message-ID. Outside a transaction.
    """
    taken = 0
    with _mail_server() as hand_over:
        for email in emails:
            try:
                message = email.prepare_email_message()
                if attached := (email.context or {}).get("attached"):
                    for _, content in attaching.send(Email, attached=attached):
                        if content is not None:
                            message.attach(attached["name"], content, "application/pdf")
                hand_over(email)
            except Exception as error:
                # It is tried again after a while, or given up after the last attempt; staff see why
                kind, at, tried = type(error).__name__, timezone.now(), email.number_of_retries or 0
                logger.warning("A mail could not be sent: %s", kind, exc_info=error)
                again = {
                    "status": STATUS.requeued,
                    "number_of_retries": tried + 1,
                    "scheduled_time": at + get_retry_timedelta(),
                }
                fate = again if tried < get_max_retries() else {"status": STATUS.failed}
                Email.objects.filter(pk=email.pk).update(**fate, last_updated=at)
                email.logs.create(status=STATUS.failed, message=str(error), exception_type=kind)
                if isinstance(error, TakesTooLong):
                    break  # the connection is of no more use
            else:
                Email.objects.filter(pk=email.pk).update(
                    status=STATUS.sent, last_updated=timezone.now()
                )
                email.logs.create(status=STATUS.sent)
                taken += 1
    return taken


@contextmanager
def _mail_server() -> Iterator[Callable[[Email], None]]:
    """Yield what hands a mail over and returns once the server has taken it; the connection is kept
    meanwhile.

    It works in a thread, because a server that sends a byte now and then would hold this one for
    good.
    """

    def dispatch(email: Email) -> None:
        try:
            email.dispatch(commit=False, disconnect_after_delivery=False)
        except Exception:
            connections.close()  # it may be broken: the next mail opens another
            raise

    with ThreadPool(1) as pool:
        try:
            yield lambda email: pool.apply_async(dispatch, (email,)).get(MAIL_SECONDS)
        finally:
            pool.apply_async(connections.close).wait(GOODBYE_SECONDS)
