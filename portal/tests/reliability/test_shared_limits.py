"""Without Redis the processes of the server count together, and a worker that is renewed goes on
counting.

The server as it ships, from outside. The counters themselves: apps/common/tests/test_counters.py.
"""

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from apps.accounts.api.throttles import EmailCheckMailboxLimit
from apps.accounts.models import EmailVerification
from portal.tests.reliability.outside import Outside, served, until

ALLOWED = EmailCheckMailboxLimit.uses  # a day
MAILBOXES = [f"ines{number}@glow.test" for number in range(10)]


def ask(outside: Outside, mailboxes: list[str], callers: "count[int]") -> Counter[tuple[str, int]]:
    """Ask for a link to each of these mailboxes, four at once, each time from another address;
    count the answers.
    """

    def send(mailbox: str, caller: int) -> tuple[str, int]:
        forwarded = {"X-Forwarded-For": f"10.0.0.{caller}"}
        return mailbox, outside.send(
            "POST", "/api/register/email-check", {"email": mailbox}, **forwarded
        ).status

    with ThreadPoolExecutor(4) as pool:
        return Counter(pool.map(send, mailboxes, callers))


def workers_of(server: int) -> set[int]:
    """Return the processes that a server has started."""
    return {int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()}


def renew_workers(outside: Outside) -> None:
    """Kill every worker, and wait until the server has as many others."""
    old = workers_of(outside.server)
    for worker in old:
        os.kill(worker, signal.SIGKILL)
    until(
        lambda: (
            len(workers_of(outside.server) - old) == len(old) and outside.status("/healthz") == 200
        )
    )


@pytest.mark.django_db(transaction=True)
def test_the_figures_are_exact_with_several_workers_and_after_all_are_renewed(
    tmp_path: Path,
) -> None:
    callers = count(1)
    with served(tmp_path, WEB_WORKERS="2", NUM_PROXIES="1", THROTTLE_FACTOR="1") as outside:
        answers = ask(outside, MAILBOXES * (ALLOWED - 1), callers)
        renew_workers(outside)
        answers += ask(outside, MAILBOXES * (ALLOWED + 1), callers)
    assert answers == {(mailbox, status): ALLOWED for mailbox in MAILBOXES for status in (200, 429)}
    assert EmailVerification.objects.count() == ALLOWED * len(MAILBOXES)
