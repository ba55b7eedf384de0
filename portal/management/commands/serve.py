"""Starts the portal: the web server and, beside it, the sweeps."""

import logging
import os
import resource
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from apps.accounts.models import User
from apps.accounts.services.owner import owner_notice
from portal.asgi import PIECE, application
from portal.demo import DEMO_DOMAIN
from portal.ops.processes import end_soon_after_parent, end_with_parent, wake_at_signals
from portal.ops.storage import private_files_are_public
from portal.wsgi import share_with_workers

logger = logging.getLogger("portal.serve")

PUBLIC = ("staging", "production")
BACKLOG = 1024
CONNECTIONS = 4096  # of each worker; an idle one costs some kilobytes
GRACE_SECONDS = 30
SWEEPS_GRACE_SECONDS = 10
WORKER_LIFETIME_SECONDS = 12 * 3600


def load_application() -> Any:
    """Return what answers requests; runs in each worker."""
    end_soon_after_parent(GRACE_SECONDS)
    return application


class Command(BaseCommand):
    """Serves until SIGTERM or Ctrl-C, then finishes the requests under way within 30 seconds."""

    help = __doc__
    # They judge the code and take a tenth of the start; migrating runs them
    requires_system_checks = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sweeps: subprocess.Popen[bytes] | None = None

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the switches of those who run sweeps elsewhere, or start this as a child."""
        parser.add_argument(
            "--no-sweeps", action="store_true", help="another process runs them (run_due, Celery)"
        )
        parser.add_argument(
            "--with-parent", action="store_true", help="end when the process that started this dies"
        )

    def handle(self, *args: Any, no_sweeps: bool, with_parent: bool, **options: Any) -> None:
        """Check what would make the start useless, then serve."""
        if with_parent:
            end_with_parent()
        check_port(settings.HOST, settings.PORT)
        self.refuse_demo_accounts()
        self.refuse_public_files()
        if not with_parent:  # of `make run`, which said it in `prepare`
            with suppress(DatabaseError):  # one that is down keeps no server from its start
                self.stdout.write(owner_notice())
        allow_many_connections()
        share_with_workers()
        connections.close_all()  # the workers are forked and must not share a connection
        server = Granian(
            "portal.asgi:application",
            address=settings.HOST,
            port=settings.PORT,
            interface=Interfaces.ASGINL,
            workers=settings.WEB_WORKERS or len(os.sched_getaffinity(0)),
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=int(settings.CLIENT_TIMEOUT * 1000), max_buffer_size=PIECE
            ),
            websockets=False,
            backlog=BACKLOG,
            backpressure=CONNECTIONS,
            respawn_failed_workers=True,
            workers_lifetime=WORKER_LIFETIME_SECONDS,
            workers_kill_timeout=GRACE_SECONDS,
            log_access=False,
            log_level=LogLevels.error,
        )
        if not no_sweeps:
            server.on_startup(self.start_sweeps)
        server.on_shutdown(self.stop_sweeps)
        wake_at_signals()
        server.serve(target_loader=load_application, wrap_loader=False)

    @staticmethod
    def refuse_demo_accounts() -> None:
        """Raise CommandError where production would open with passwords that everybody can read."""
        if os.environ.get("PORTAL_ENV") not in PUBLIC:
            return
        if User.objects.filter(email__endswith=DEMO_DOMAIN, is_active=True).exists():
            raise CommandError(
                f"The portal cannot start: accounts ending in {DEMO_DOMAIN} exist. Deactivate them."
            )

    @staticmethod
    def refuse_public_files() -> None:
        """Raise CommandError where production would keep private files in a bucket that everybody
        can read.
        """
        if os.environ.get("PORTAL_ENV") not in PUBLIC:
            return
        try:
            public = private_files_are_public()
        except OSError as error:  # orders do not need files
            logger.warning("Nobody knows whether the private files are private: %s", error)
            return
        if public:
            raise CommandError(
                "The portal cannot start: S3_BUCKET answers people without a key. Make it private."
            )

    def start_sweeps(self) -> None:
        """Start the sweeps as a process of their own."""
        command = [sys.executable, sys.argv[0], "run_due", "--loop", "--with-parent"]
        self.sweeps = subprocess.Popen(command)  # noqa: S603 - our own command

    def stop_sweeps(self) -> None:
        """Let them finish what they are doing, for a while."""
        if self.sweeps is None:
            return
        self.sweeps.terminate()
        try:
            self.sweeps.wait(SWEEPS_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.sweeps.kill()


def allow_many_connections() -> None:
    """Let this process and its children open as many files as the system allows them; each
    connection is one.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def check_port(host: str, port: int) -> None:
    """Raise CommandError if another program listens there; the server itself would quietly share
    the port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Cannot listen on {host}:{port}: {error.strerror}. PORT chooses another port."
            ) from None
