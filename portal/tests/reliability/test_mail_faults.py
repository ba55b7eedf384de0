"""The mail server down, silent, refusing for now and for good (design/reliability-and-security.md,
19.3).

No order waits for a mail and none is lost: a mail goes out when the server takes it, or is shown to
staff as failed.
"""

import smtplib
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from email import message_from_bytes
from itertools import count
from threading import Event, Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.db import connection
from django.utils import timezone
from post_office import connections
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.common import mail as delivery
from apps.common.mail import Mail, queue
from apps.common.sweeps import deliver_mails
from apps.common.tests.kills import Killed, killed_at
from apps.payments.tests.factories import make_wire_order
from portal.models import SweepRun
from portal.ops.sweeps import run_sweep
from portal.tests.reliability.network import closed_port, silent_server

pytestmark = pytest.mark.usefixtures("transactional_db")


class PostOffice:
    """A mail server that takes mails, or answers with a refusal where one is set."""

    def __init__(self) -> None:
        self.refuses: dict[str, str] = {}
        self.taken: list[str] = []
        self.ids: Counter[str] = Counter()

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if "RCPT" in self.refuses:
            return self.refuses["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if "DATA" in self.refuses:
            return self.refuses["DATA"]
        self.taken += envelope.rcpt_tos
        self.ids[message_from_bytes(envelope.content)["Message-ID"]] += 1
        return "250 OK"


@pytest.fixture
def smtp(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Return a function that makes the portal send its mails to a port of this machine, outside
    transactions.
    """
    connect = smtplib.SMTP.connect

    def outside_transactions(self: smtplib.SMTP, *args: Any, **options: Any) -> Any:
        assert not connection.in_atomic_block, "the mail server is asked inside a transaction"
        return connect(self, *args, **options)

    monkeypatch.setattr(smtplib.SMTP, "connect", outside_transactions)
    settings.POST_OFFICE = {
        **settings.POST_OFFICE,
        "BACKENDS": {"default": "django.core.mail.backends.smtp.EmailBackend"},
    }
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = "127.0.0.1", False, 0.5

    def at(port: int) -> None:
        settings.EMAIL_PORT = port
        connections.connections.close()

    yield at
    connections.connections.close()


@pytest.fixture
def office(smtp: Callable[[int], None]) -> Iterator[PostOffice]:
    """Run a mail server, and make the portal use it."""
    office = PostOffice()
    controller = Controller(office, hostname="127.0.0.1", port=closed_port())
    controller.start()
    smtp(controller.port)
    yield office
    controller.stop()


def states() -> set[int]:
    return set(Email.objects.values_list("status", flat=True))


def retries() -> list[int]:
    return sorted(tries or 0 for tries in Email.objects.values_list("number_of_retries", flat=True))


def later() -> None:
    """Let the time pass that a mail waits before it is tried again."""
    Email.objects.filter(status=STATUS.requeued).update(
        scheduled_time=timezone.now() - timedelta(seconds=1)
    )


def order_received() -> list[str]:
    """Let an order be received, and return whom its mails are for."""
    make_wire_order(make_buyer())
    return sorted(to for mail in Email.objects.all() for to in mail.to)


@pytest.mark.parametrize("fault", ["down", "silent"])
def test_a_server_that_is_away_delays_mails_and_nothing_else(
    smtp: Callable[[int], None], office: PostOffice, settings: Any, fault: str
) -> None:
    well = settings.EMAIL_PORT
    with silent_server() as silent:
        smtp(silent if fault == "silent" else closed_port())
        to = order_received()
        run_sweep("mails")
        assert SweepRun.objects.get(name="mails").failure == ""  # the sweep itself goes on
    assert states() <= {STATUS.queued, STATUS.requeued}
    smtp(well)
    later()
    assert run_sweep("mails") == 2
    assert sorted(office.taken) == to
    assert states() == {STATUS.sent}


@pytest.mark.parametrize(
    ("where", "answer"), [("RCPT", "451 Try again later"), ("DATA", "452 Mailbox full")]
)
def test_a_refusal_for_now_is_tried_again(office: PostOffice, where: str, answer: str) -> None:
    office.refuses[where] = answer
    to = order_received()
    assert run_sweep("mails") == 0
    assert states() == {STATUS.requeued}
    assert run_sweep("mails") == 0  # not before its time: a server that is busy is left alone
    assert set(Email.objects.values_list("number_of_retries", flat=True)) == {1}
    office.refuses.clear()
    later()
    assert run_sweep("mails") == 2
    assert sorted(office.taken) == to


def test_a_refusal_for_good_ends_and_is_shown_to_staff(office: PostOffice, settings: Any) -> None:
    office.refuses["RCPT"] = "550 No such mailbox"
    order_received()
    for _ in range(settings.POST_OFFICE["MAX_RETRIES"] + 1):
        run_sweep("mails")
        later()
    assert states() == {STATUS.failed}
    assert run_sweep("mails") == 0
    client, mail = staff_client(), Email.objects.all()[0]
    listed = client.get("/admin/post_office/email/?state=failed")
    assert mail.subject in listed.text
    assert "550" in client.get(f"/admin/post_office/email/{mail.pk}/change/").text
    office.refuses.clear()
    client.post(f"/admin/post_office/email/{mail.pk}/again/")
    assert run_sweep("mails") == 1
    assert office.taken == mail.to


def test_one_address_that_is_refused_holds_up_no_other(office: PostOffice) -> None:
    take = office.handle_RCPT

    async def refuse_one(
        server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address == refused:
            return "550 No such mailbox"
        return await take(server, session, envelope, address, options)

    office.handle_RCPT = refuse_one  # type: ignore[method-assign]
    refused, *others = order_received()
    assert run_sweep("mails") == 1
    assert office.taken == others


def test_a_connection_that_ends_costs_one_mail(office: PostOffice) -> None:
    async def end_once(server: Any, session: Any, envelope: Any) -> str:
        office.handle_DATA = PostOffice.handle_DATA.__get__(office)  # type: ignore[method-assign]
        return "421 Too many mails for one connection"

    office.handle_DATA = end_once  # type: ignore[method-assign]
    queue_mails(3)
    assert run_sweep("mails") == 2
    assert retries() == [0, 0, 1]


def queue_mails(number: int) -> None:
    queue(
        Mail(f"ines{one}@glow.test", "Hello", "plain", {"body": "Hello"}) for one in range(number)
    )


def test_an_end_of_the_process_repeats_one_mail_at_most(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it ends: every mail leaves, and at most one leaves again, with the same
    Message-ID.
    """
    repeated = set()
    for point in count(1):
        Email.objects.all().delete()
        office.ids.clear()
        queue_mails(3)
        ids = set(Email.objects.values_list("message_id", flat=True))
        with suppress(Killed), killed_at(point, monkeypatch) as passed:
            deliver_mails(timezone.now())
        deliver_mails(timezone.now())
        assert set(office.ids) == ids
        extra = office.ids.total() - 3
        assert extra <= 1, passed
        repeated.add(extra)
        if len(passed) < point:
            break
    assert repeated == {0, 1}  # at least once is all that SMTP allows


@contextmanager
def dripping_server() -> Iterator[int]:
    """Yield the port of a server that sends a byte of its greeting now and then, and never the
    last.
    """
    over = Event()

    def drip(listener: socket.socket) -> None:
        with listener.accept()[0] as connection, suppress(OSError):
            while not over.wait(0.1):
                connection.sendall(b"2")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        dripping = Thread(target=drip, args=(listener,))
        dripping.start()
        yield listener.getsockname()[1]
        over.set()
        dripping.join()


def test_a_server_that_drips_is_left(
    smtp: Callable[[int], None], office: PostOffice, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = settings.EMAIL_PORT
    queue_mails(3)
    with dripping_server() as port, monkeypatch.context() as patch:
        patch.setattr(delivery, "MAIL_SECONDS", 0.3)
        patch.setattr(delivery, "GOODBYE_SECONDS", 0.1)
        smtp(port)
        assert run_sweep("mails") == 0
    assert retries() == [0, 0, 1]
    smtp(well)
    later()
    assert run_sweep("mails") == 3
