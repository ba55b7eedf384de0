"""The mail server down, silent, refusing for now and for good (design/reliability-and-security.md, 19.3).

No order waits for a mail and none is lost: a mail goes out when the server takes it, or is shown to staff as failed.
"""

import smtplib
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.db import connection
from django.utils import timezone
from post_office import connections
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.payments.tests.factories import make_wire_order
from apps.payments.tests.paypal.conftest import committed  # noqa: F401 - a fixture
from portal.models import SweepRun
from portal.ops.sweeps import run_sweep
from portal.tests.reliability.network import closed_port, silent_server

pytestmark = pytest.mark.usefixtures("committed")


class PostOffice:
    """A mail server that takes mails, or answers with a refusal where one is set."""

    def __init__(self) -> None:
        self.refuses: dict[str, str] = {}
        self.taken: list[str] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if "RCPT" in self.refuses:
            return self.refuses["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if "DATA" in self.refuses:
            return self.refuses["DATA"]
        self.taken += envelope.rcpt_tos
        return "250 OK"


@pytest.fixture
def smtp(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Return a function that makes the portal send its mails to a port of this machine, outside transactions."""
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


def later() -> None:
    """Let the time pass that a mail waits before it is tried again."""
    Email.objects.filter(status=STATUS.requeued).update(scheduled_time=timezone.now() - timedelta(seconds=1))


def order_received() -> list[str]:
    """Let an order be received, and return whom its mails are for."""
    make_wire_order(make_buyer())
    return sorted(to for mail in Email.objects.all() for to in mail.to)


def test_a_server_that_is_well_gets_every_mail_once(office: PostOffice) -> None:
    to = order_received()
    assert run_sweep("mails") == 2
    assert run_sweep("mails") == 0
    assert sorted(office.taken) == to


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


@pytest.mark.parametrize(("where", "answer"), [("RCPT", "451 Try again later"), ("DATA", "452 Mailbox full")])
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
    async def refuse_one(server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address == refused:
            return "550 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    office.handle_RCPT = refuse_one  # type: ignore[method-assign]
    refused, *others = order_received()
    assert run_sweep("mails") == 1
    assert office.taken == others
