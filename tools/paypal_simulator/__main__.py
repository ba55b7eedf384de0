"""Runs the simulator until SIGTERM or Ctrl-C: `python -m tools.paypal_simulator`.

It reads the portal's own `PAYPAL_ENDPOINT`, `PAYPAL_CLIENT_ID`, `PAYPAL_CLIENT_SECRET`,
`PAYPAL_WEBHOOK_ID`, `SITE_URL` and `PORT`, and of its own:

- `PAYPAL_SIM_HOST` and `PAYPAL_SIM_PORT`, where it listens (127.0.0.1, the port of the endpoint);
- `PAYPAL_SIM_PUBLIC_URL`, the address that a browser can open (the endpoint);
- `PAYPAL_SIM_DB`, the SQLite file of its payments (memory);
- `PAYPAL_SIM_CONTROL=1`, which lets this machine use the calls under `/_sim/`.
"""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tools.paypal_simulator.moves import Configuration
from tools.paypal_simulator.simulator import Simulator

WEBHOOK_PATH = "/api/paypal/webhook"


def main() -> int:
    """Serve, and return an exit code; with `--with-parent`, until standard input closes."""
    with_parent = "--with-parent" in sys.argv
    configuration = read_configuration({name: text for name, text in os.environ.items() if text})
    try:
        simulator = Simulator(configuration)
    except OSError as error:
        sys.stderr.write(
            f"The PayPal simulator cannot listen on port {configuration.port}: "
            f"{error.strerror}. PAYPAL_ENDPOINT chooses another.\n"
        )
        return 1
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    signal.signal(signal.SIGINT, lambda *_: over.set())
    with simulator:
        if with_parent:
            threading.Thread(target=_wait_for_end_of_input, args=(over,), daemon=True).start()
        else:
            sys.stdout.write(f"The PayPal simulator answers at {simulator.url}. Ctrl-C stops it.\n")
            sys.stdout.flush()
        over.wait()
    return 0


def read_configuration(environment: Mapping[str, str]) -> Configuration:
    """Return what the environment says; the defaults are those of a portal in development."""
    site = environment.get("SITE_URL") or f"http://127.0.0.1:{environment.get('PORT', 8000)}"
    endpoint = environment.get("PAYPAL_ENDPOINT") or (
        f"http://127.0.0.1:{int(environment.get('PORT', 8000)) + 1}"
    )
    client_id = environment.get("PAYPAL_CLIENT_ID", "portal")
    database = environment.get("PAYPAL_SIM_DB")
    return Configuration(
        credentials={client_id: environment.get("PAYPAL_CLIENT_SECRET", "portal-secret")},
        host=environment.get("PAYPAL_SIM_HOST", "127.0.0.1"),
        port=int(environment.get("PAYPAL_SIM_PORT") or urlsplit(endpoint).port or 80),
        public_url=environment.get("PAYPAL_SIM_PUBLIC_URL", endpoint),
        webhook_url=f"{site}{WEBHOOK_PATH}",
        webhook_id=environment.get("PAYPAL_WEBHOOK_ID", "WH-PORTAL"),
        database=Path(database) if database else None,
        control=environment.get("PAYPAL_SIM_CONTROL") == "1",
    )


def _wait_for_end_of_input(over: threading.Event) -> None:
    sys.stdin.buffer.read()
    over.set()


if __name__ == "__main__":
    sys.exit(main())
