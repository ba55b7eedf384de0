"""Runs the PayPal simulator that stands in for PayPal where PAYPAL_ENDPOINT leads to
this machine.
"""

import errno
import signal
import threading
from pathlib import Path
from typing import Any

import requests
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.payments.simulator.moves import Configuration
from apps.payments.simulator.simulator import Simulator
from portal.ops.processes import end_with_parent, local_port

WEBHOOK_PATH = "/api/paypal/webhook"
ANSWER_SECONDS = 3


class Command(BaseCommand):
    """Serves until SIGTERM or Ctrl-C. A second one for the same portal sees that the first is there
    and ends.
    """

    help = __doc__
    requires_system_checks = ()  # it uses nothing of the portal but its settings

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the switch of `serve`, which starts this beside the portal."""
        parser.add_argument(
            "--with-parent",
            action="store_true",
            help="end when the process that started this dies; ignore Ctrl-C",
        )

    def handle(self, *args: Any, with_parent: bool, **options: Any) -> None:
        """Serve."""
        if with_parent:
            end_with_parent()
        configuration = read_configuration()
        try:
            simulator = Simulator(configuration)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and answers(configuration):
                self.stdout.write(
                    f"A simulator of this portal answers at port {configuration.port} already."
                )
                return
            raise CommandError(
                f"The PayPal simulator cannot listen on port {configuration.port}: {error.strerror}. "
                "PAYPAL_ENDPOINT chooses another."
            ) from None
        over = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: over.set())
        # Ctrl-C reaches every process of a terminal: the portal finishes its requests first, then
        # ends this.
        signal.signal(signal.SIGINT, signal.SIG_IGN if with_parent else lambda *_: over.set())
        with simulator:
            if not with_parent:
                self.stdout.write(
                    f"The PayPal simulator answers at {simulator.url}. Ctrl-C stops it."
                )
                self.stdout.flush()
            over.wait()


def read_configuration() -> Configuration:
    """Return what PAYPAL_SIM_* and the portal's own settings say (docs/settings.md).

    Raises:
        CommandError: the portal takes real money, or asks PayPal itself.
    """
    if settings.PAYPAL_MODE == "live":
        raise CommandError("The PayPal simulator does not run with PAYPAL_MODE=live.")
    endpoint_port = local_port(settings.PAYPAL_ENDPOINT)
    port = settings.PAYPAL_SIM_PORT or endpoint_port
    if not port:
        raise CommandError(
            "PAYPAL_ENDPOINT leads elsewhere: name the simulator's port with PAYPAL_SIM_PORT."
        )
    own = f"{settings.PAYPAL_CLIENT_ID}:{settings.PAYPAL_CLIENT_SECRET}"
    return Configuration(
        credentials=dict(pair.split(":", 1) for pair in settings.PAYPAL_SIM_CREDENTIALS or [own]),
        host=settings.PAYPAL_SIM_HOST,
        port=port,
        public_url=settings.PAYPAL_SIM_PUBLIC_URL
        or (settings.PAYPAL_ENDPOINT if endpoint_port else ""),
        webhook_url=settings.PAYPAL_SIM_WEBHOOK_URL or f"{settings.SITE_URL}{WEBHOOK_PATH}",
        webhook_id=settings.PAYPAL_WEBHOOK_ID,
        database=Path(settings.PAYPAL_SIM_DB) if settings.PAYPAL_SIM_DB else None,
        control=settings.PAYPAL_SIM_CONTROL,
        compression=settings.PAYPAL_SIM_COMPRESSION,
    )


def answers(configuration: Configuration) -> bool:
    """Return whether what listens there already is a simulator that knows this portal."""
    session = requests.Session()
    session.trust_env = False  # no proxy between programs of one machine
    try:
        response = session.post(
            f"http://{configuration.host}:{configuration.port}/v1/oauth2/token",
            data={"grant_type": "client_credentials"},
            auth=next(iter(configuration.credentials.items())),
            timeout=ANSWER_SECONDS,
        )
    except requests.RequestException:
        return False
    return response.status_code == requests.codes.ok
