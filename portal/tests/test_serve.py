"""The server ends as it promises: what is under way is finished, nothing new is taken (reliability, section 18)."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from apps.accounts.models import User
from portal.demo.accounts import DEMO_DOMAIN
from portal.management.commands.serve import Command as Serve

GUARD_SECONDS = 60  # only against hanging
ANSWER_SECONDS = 2  # a closing server's queue may still take a connection that nobody will answer
PATIENCE_SECONDS = 3  # what a server that only closes its door would not wait
BODY = b"{"  # no JSON object: refused before anything is looked up
HEAD = (
    "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(BODY)}\r\nExpect: 100-continue\r\n\r\n"
)
Portal = tuple["subprocess.Popen[bytes]", int]


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Portal]:
    """Return a server that answers, and its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        "PATH": os.environ["PATH"],
        "PORTAL_ENV": "development",
        "PORTAL_DATA_DIR": str(tmp_path),
        "PORT": str(port),
        "PAYPAL_ENDPOINT": "https://api-m.sandbox.paypal.com",  # elsewhere, so that no simulator is started
        "WEB_WORKERS": "1",
    }
    command = [sys.executable, "manage.py", "serve", "--no-sweeps"]
    process = subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR)  # noqa: S603 - our own command
    try:
        until(lambda: accepts(port))
        yield process, port
    finally:
        process.kill()
        process.wait()


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that is bound to come."""
    end = time.monotonic() + GUARD_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def accepts(port: int) -> bool:
    """Return whether a new connection is answered."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def test_a_request_under_way_is_finished_and_no_other_is_taken(portal: Portal) -> None:
    process, port = portal
    with socket.create_connection(("127.0.0.1", port), timeout=GUARD_SECONDS) as connection:
        connection.sendall(HEAD.encode())
        assert connection.recv(64).startswith(b"HTTP/1.1 100 Continue")  # the portal is reading its body

        process.send_signal(signal.SIGTERM)
        until(lambda: not accepts(port))
        time.sleep(PATIENCE_SECONDS)
        assert process.poll() is None
        connection.sendall(BODY)
        answer = b""
        while chunk := connection.recv(4096):
            answer += chunk

    assert answer.startswith(b"HTTP/1.1 400")
    assert b'"code":"invalid"' in answer
    assert process.wait(GUARD_SECONDS) in (0, -signal.SIGTERM)


@pytest.mark.django_db
def test_production_does_not_open_with_passwords_that_everybody_can_read(
    monkeypatch: pytest.MonkeyPatch, django_user_model: type[User]
) -> None:
    user = django_user_model.objects.create(email=f"sales{DEMO_DOMAIN}", manager="Sales", is_staff=True)
    Serve.refuse_demo_accounts()
    monkeypatch.setenv("PORTAL_ENV", "production")
    with pytest.raises(CommandError, match=DEMO_DOMAIN):
        Serve.refuse_demo_accounts()
    django_user_model.objects.filter(pk=user.pk).update(is_active=False)
    Serve.refuse_demo_accounts()
