"""`make run`: sets everything up, then runs the portal until it is stopped; EMPTY=1 without
the demo.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import chain

from portal.demo.rows import ACCOUNTS
from portal.ops.steps import say, step
from tools.setup import (
    DATA,
    FRONTEND,
    PYTHON,
    ROOT,
    VENV,
    SetupError,
    check_folders,
    check_node,
    front_end,
    install_beside,
)

LOCAL = "127.0.0.1"
EMPTY = bool(os.environ.get("EMPTY"))
# The demo is another portal, with keys and mails of its own.
DATA_FOLDER = DATA / "empty" if EMPTY else DATA
READY_SECONDS = 180  # a busy machine takes more than half a minute after the first set-up


def main() -> int:
    """Set everything up, run the portal and return its exit code."""
    host, port = os.environ.get("PORTAL_HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    started = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        check_port(host, port)
        check_folders(
            ROOT, VENV, FRONTEND, FRONTEND / "node_modules", FRONTEND / "dist", DATA_FOLDER
        )
        check_node()
        install_beside(front_end)
    except SetupError as error:
        say(f"\n{error}")
        return 1
    # The terminal belongs to the addresses below; LOG_LEVEL=INFO shows every request.
    environment = {
        "LOG_LEVEL": "WARNING",
        **os.environ,
        "PORT": port,
        "PORTAL_DATA_DIR": str(DATA_FOLDER),
    }
    is_simulated = not environment.get("PAYPAL_ENDPOINT")
    if is_simulated:
        environment["PAYPAL_ENDPOINT"] = f"http://{LOCAL}:{free_port_after(int(port))}"
    prepare = ["manage.py", "prepare", *(["--no-demo"] if EMPTY else [])]
    with program(*prepare, environment=environment) as preparing:
        if preparing.wait():
            return 1
    with ExitStack() as beside:
        if is_simulated:
            beside.enter_context(paypal_simulator(environment))
        return serve(host, port, environment, started)


@contextmanager
def program(
    *arguments: str, environment: Mapping[str, str], stdin: int | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program of ours, out of reach of the terminal's Ctrl-C; it ends with the block."""
    command = [str(PYTHON), *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, env=dict(environment), stdin=stdin, process_group=0
    ) as running:
        try:
            yield running
        finally:
            running.terminate()


def paypal_simulator(
    environment: Mapping[str, str],
) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """Run what answers at PAYPAL_ENDPOINT; its payments outlive it, and the pipe ends it however
    this process dies.
    """
    simulator_environment = {"PAYPAL_SIM_DB": str(DATA_FOLDER / "paypal-simulator.sqlite3")}
    return program(
        *("-m", "tools.paypal_simulator", "--with-parent"),
        environment={**simulator_environment, **environment},
        stdin=subprocess.PIPE,
    )


def serve(host: str, port: str, environment: Mapping[str, str], started: float) -> int:
    """Run the portal until it is stopped, tell where it is once it answers, and return its exit
    code.
    """
    reached = LOCAL if host == "0.0.0.0" else host  # noqa: S104 - what it means, not a bind
    address = f"http://{reached}:{port}"
    with program("manage.py", "serve", "--with-parent", environment=environment) as portal:
        with step("Starting the portal"):
            ready = wait_until_ready(portal, f"{address}/healthz")
        if not ready:
            say(
                f"The portal has ended, or did not answer within {READY_SECONDS} s. "
                "LOG_LEVEL=INFO says more."
            )
            return portal.wait() or 1
        announce(address, environment["PAYPAL_ENDPOINT"], time.monotonic() - started)
        try:
            code = portal.wait()
        except KeyboardInterrupt:
            portal.terminate()
            portal.wait()
            code = 0
    say("The portal has stopped.")
    return code


def check_port(host: str, port: str) -> None:
    """Raise SetupError if the port is no number, or another program has it: before minutes go into
    the set-up.
    """
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"PORT must be a number from 1 to 65535, not {port!r}.")
    reason = refused(host, int(port))
    if reason:
        other = free_port_after(int(port))
        raise SetupError(
            f"Port {port} of {host} cannot be used: {reason}. Stop the program that has it, or "
            f"choose another: PORT={other} make run"
        )


def refused(host: str, port: int) -> str:
    """Return why a port cannot be listened on, nothing if it can."""
    with socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM
    ) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return str(error.strerror)
    return ""


def free_port_after(port: int) -> int:
    """Return the next port of this machine that nothing listens on."""
    above = range(max(port, 1023) + 1, 65536)
    return next(one for one in chain(above, range(1024, port)) if not refused(LOCAL, one))


def wait_until_ready(portal: "subprocess.Popen[bytes]", url: str) -> bool:
    """Return whether the portal answers; False once it has ended or taken three minutes."""
    until = time.monotonic() + READY_SECONDS
    while portal.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own address
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            time.sleep(0.05)
    portal.terminate()
    return False


def announce(address: str, paypal: str, seconds: float) -> None:
    """Print where the portal is and who can sign in."""
    admin = os.environ.get("ADMIN_PATH", "admin").strip("/")
    simulated = "" if os.environ.get("PAYPAL_ENDPOINT") else " (a simulator: no money moves)"
    say(
        f"\nThe portal runs ({seconds:.0f} s).\n\n  Buyers  {address}\n  Staff   {address}/{admin}/"
    )
    say(f"  PayPal  {paypal}{simulated}\n")
    if EMPTY:
        say(f"  No demo data; everything is kept in {DATA_FOLDER}.\n\nCtrl-C stops it.")
        return
    say("  Demo accounts (unless the database was filled otherwise)")
    for account in ACCOUNTS:
        say(f"    {account.email:<20} {account.password:<16} {account.who}")
    say("\nCtrl-C stops it.")


if __name__ == "__main__":
    sys.exit(main())
