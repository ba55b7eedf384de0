"""The server ends as it promises: what is under way is finished, nothing new is taken (reliability,
section 18).
"""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError

from apps.accounts.models import User
from portal.demo import DEMO_DOMAIN
from portal.management.commands.serve import Command as Serve
from portal.tests.serving import GUARD_SECONDS, Server, accepts, read, request, served, until

PATIENCE_SECONDS = 1.5  # what a server that only closes its door would not wait
BODY = b"{"  # no JSON object: refused before anything is looked up
HEAD = request(
    "POST /api/login",
    "Content-Type: application/json",
    f"Content-Length: {len(BODY)}",
    "Expect: 100-continue",
)


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Server]:
    """Return a server that answers."""
    with served(tmp_path) as server:
        yield server


def test_a_request_under_way_is_finished_and_no_other_is_taken(portal: Server) -> None:
    process = portal.process
    with portal.connect(HEAD) as connection:
        assert connection.recv(64).startswith(
            b"HTTP/1.1 100 Continue"
        )  # the portal is reading its body

        process.send_signal(signal.SIGTERM)
        until(lambda: not accepts(portal))
        time.sleep(PATIENCE_SECONDS)
        assert process.poll() is None
        connection.sendall(BODY)
        answer = read(connection)

    assert answer.startswith(b"HTTP/1.1 400")
    assert b'"code":"invalid"' in answer
    assert process.wait(GUARD_SECONDS) in (0, -signal.SIGTERM)


@pytest.mark.django_db
def test_production_does_not_open_with_passwords_that_everybody_can_read(
    monkeypatch: pytest.MonkeyPatch, django_user_model: type[User]
) -> None:
    user = django_user_model.objects.create(
        email=f"sales{DEMO_DOMAIN}", manager="Sales", is_staff=True
    )
    Serve.refuse_demo_accounts()
    monkeypatch.setenv("PORTAL_ENV", "production")
    with pytest.raises(CommandError, match=DEMO_DOMAIN):
        Serve.refuse_demo_accounts()
    django_user_model.objects.filter(pk=user.pk).update(is_active=False)
    Serve.refuse_demo_accounts()
