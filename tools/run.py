"""`make run`: sets everything up, then runs the portal until it is stopped."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from portal.demo.accounts import ACCOUNTS
from portal.ops.processes import local_port
from portal.ops.steps import say, step
from tools.setup import PYTHON, ROOT, SetupError, check_node, front_end, python_packages

READY_SECONDS = 30


def main() -> int:
    """Set everything up, run the portal and return its exit code."""
    host, port = os.environ.get("PORTAL_HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    started = time.monotonic()
    try:
        check_port(host, port)
        check_node()
        python_packages()
        front_end()
    except SetupError as error:
        say(f"\n{error}")
        return 1
    if subprocess.run([PYTHON, "manage.py", "prepare"], cwd=ROOT, check=False).returncode:
        return 1
    return serve(host, port, started)


def serve(host: str, port: str, started: float) -> int:
    """Run the portal until it is stopped, tell where it is once it answers, and return its exit code."""
    # The terminal belongs to the addresses below; LOG_LEVEL=INFO shows every request.
    environment = {"LOG_LEVEL": "WARNING", **os.environ}
    if not environment.get("PAYPAL_ENDPOINT"):
        environment["PAYPAL_ENDPOINT"] = f"http://127.0.0.1:{free_port_after(int(port))}"
    portal = subprocess.Popen([PYTHON, "manage.py", "serve", "--with-parent"], cwd=ROOT, env=environment)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: portal.terminate())
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104 - what the host means, not a bind
    with step("Starting the portal"):
        ready = wait_until_ready(portal, f"{address}/healthz")
    if ready:
        announce(address, environment["PAYPAL_ENDPOINT"], time.monotonic() - started)
    code = portal.wait()
    if ready:
        say("The portal has stopped.")
    return 0 if ready and code in (0, -signal.SIGTERM, -signal.SIGINT) else code or 1


def check_port(host: str, port: str) -> None:
    """Raise SetupError if the port is no number, or another program has it: before minutes go into the set-up."""
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"PORT must be a number from 1 to 65535, not {port!r}.")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            other = int(port) + 1 if int(port) < 65535 else 8000
            reason = f"Port {port} of {host} cannot be used: {error.strerror}."
            raise SetupError(
                f"{reason} Stop the program that has it, or choose another: PORT={other} make run"
            ) from None


def free_port_after(port: int) -> int:
    """Return the next port of this machine that nothing listens on, for the PayPal simulator."""
    for candidate in range(port + 1, 65536):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", candidate))
            except OSError:
                continue
        return candidate
    return free_port_after(1024)


def wait_until_ready(portal: "subprocess.Popen[bytes]", url: str) -> bool:
    """Return whether the portal answers; False once it has ended or taken half a minute."""
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
    simulated = " (a simulator: no money moves)" if local_port(paypal) else ""
    say(f"\nThe portal runs ({seconds:.0f} s).\n\n  Buyers  {address}\n  Staff   {address}/{admin}/")
    say(f"  PayPal  {paypal}{simulated}\n")
    say("  Demo accounts (unless the database was filled otherwise)")
    for account in ACCOUNTS:
        say(f"    {account.email:<20} {account.password:<16} {account.who}")
    say("\nCtrl-C stops it.")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("\nStopped; make run goes on from here.")
        sys.exit(130)
