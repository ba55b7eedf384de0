"""nginx as deploy/ has it, before one instance: slow and silent clients, a silent PostgreSQL, no
instance at all.

Honest callers look, sign in and order beside it. Needs Debian's nginx.
"""

import asyncio
import http.client
import os
import re
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from bench.wire_order import CHECKOUT, REQUEST, checkout_body, request_body
from portal.ops.steps import say
from tools.cluster.alone import Alone
from tools.cluster.buyers import lines_of, prepared
from tools.cluster.client import Client
from tools.cluster.crowd import Crowd
from tools.cluster.engines import LOCAL, ClusterError
from tools.ports import free_ports

BODY = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
PEERS = {
    "nobody": (0, b"", b""),
    "500 unfinished bodies": (500, BODY, b""),
    "500 bodies byte by byte": (500, BODY, b" "),
    "500 unfinished heads": (500, b"GET /api/order/0 HTTP/1.1\r\nHo", b""),
    "1000 idle after an answer": (1000, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b""),
    "1500 that say nothing": (1500, b"", b""),
}
OPEN_SECONDS, LOOK_SECONDS = 30.0, 10.0
CALLERS, ROUNDS = 12, 3  # at once: more than the instance has threads
READS = ("products", "orders")
READ_SECONDS, WRITE_SECONDS, AGAIN_SECONDS = 5.0, 10.0, 60.0
SIGNS_IN, PASSWORD = "buyer0@bench.test", "peers-behind-nginx-1"
SET_PASSWORD = f"""from apps.accounts.models import User
user = User.objects.get(email="{SIGNS_IN}"); user.set_password("{PASSWORD}"); user.save()"""
TLS = ssl._create_unverified_context()  # noqa: S323 - the certificate is our own, made for the trial


class Proxied(Alone):
    """One instance behind nginx, of one process as on one core."""

    def start(self) -> None:
        """Start the database, the instance and nginx."""
        super().start()
        self.plain, self.tls = free_ports(2)
        folder = self.private("nginx")
        folder.chmod(0o755)
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-subj",
            "/CN=localhost",
        ]
        keys = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
        subprocess.run([*command, *keys], check=True, capture_output=True)
        instance = f"{LOCAL}:{self.ports['web']}"
        told = {
            "HOST_NAME": "localhost", "ADMIN_PATH": "admin", "HTTP_PORT": f"{LOCAL}:{self.plain}",
            "HTTPS_PORT": f"{LOCAL}:{self.tls}", "TLS": str(folder), "STATIC": str(folder), "MEDIA": str(folder),
            "WEB_A": instance, "WEB_B": instance, "S3": instance, "S3_HOST_NAME": "storage.invalid", "RESOLVER": LOCAL,
        }  # fmt: skip
        deploy = Path(__file__).resolve().parents[2] / "deploy"
        site = re.sub(
            r"\$\{PORTAL_(\w+)\}", lambda found: told[found[1]], (deploy / "nginx.conf").read_text()
        )
        (folder / "site.conf").write_text(site)
        main = (deploy / "nginx-main.conf").read_text()
        for was, now in {
            "user nginx;": "daemon off;",
            "processes auto": "processes 1",
            "/var/log/nginx": str(folder),
            "/run/nginx.pid": str(folder / "pid"),
            "/etc/nginx/conf.d/*.conf": str(folder / "site.conf"),
        }.items():
            main = main.replace(was, now)
        (folder / "nginx.conf").write_text(main)
        self.run("nginx", ["nginx", "-c", str(folder / "nginx.conf")], folder=folder)
        self.wait("nginx", self.is_open)

    def portal_environment(self) -> dict[str, str]:
        """Return what the instance is told."""
        return super().portal_environment() | {"NUM_PROXIES": "1"}

    def is_open(self) -> bool:
        """Return whether nginx takes connections."""
        with suppress(OSError), socket.create_connection((LOCAL, self.tls)):
            return True
        return False

    @contextmanager
    def silent_database(self) -> Iterator[None]:
        """Stop PostgreSQL's processes: what is connected stays, who comes is accepted, and nothing
        is said.
        """
        parent = self.running["postgresql"].pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        processes = [parent, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)


class Told(NamedTuple):
    """What a caller was told to a call, after how many seconds; status 0 for nothing."""

    call: str
    status: int
    seconds: float
    retry_after: str


class Caller(Client):
    """A buyer who comes through nginx, on a connection of its own for each call."""

    def __init__(self, one: Proxied, person: dict[str, Any]) -> None:
        super().__init__(one, person["token"])
        self.who, self.port = person["who"], one.tls
        self.told: list[Told] = []
        self.codes: list[str] = []

    def call(self, name: str, method: str, path: str, body: object = None) -> Any:
        """Make a call, note what was told, and return what came where that is well."""
        self.connection = http.client.HTTPSConnection(
            "localhost", self.port, timeout=20, context=TLS
        )
        self.headers["Idempotency-Key"], self.retry_after = str(uuid4()), ""
        began = time.monotonic()
        status, answer = self.ask(method, path, body)
        self.told.append(Told(name, status, time.monotonic() - began, self.retry_after))
        self.connection.close()
        return answer if status == 200 else None

    def look(self) -> None:
        """Look at products and orders."""
        self.call("products", "GET", f"/api/product/stock/{self.who['uuid']}/0")
        self.call("orders", "GET", "/api/order/0")

    def sign_in(self) -> None:
        """Sign in, as the buyer who has a password."""
        self.call("sign-in", "POST", "/api/login", {"email": SIGNS_IN, "password": PASSWORD})

    def order(self) -> None:
        """Place an order: the two calls that it takes."""
        draft = request_body(self.who, lines_of(len(self.told)))
        code = (self.call("order", "POST", REQUEST, draft) or {}).get("invoice_code")
        if code is not None:
            checkout = checkout_body(self.who, code=code, amount=draft["total"], email="")
            if self.call("checkout", "POST", CHECKOUT, checkout):
                self.codes.append(code)

    def visit(self) -> None:
        """Ask for all of it once."""
        self.call("/healthz", "GET", "/healthz")
        self.look()
        self.sign_in()
        self.order()

    def visit_for(self, seconds: float) -> list[Told]:
        """Ask for all of it again and again, and return what was told."""
        self.told = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.visit()
        return self.told


@contextmanager
def crowd(port: int, number: int, sent: bytes, drip: bytes) -> Iterator[dict[str, int]]:
    """Keep so many slow clients at a port, each again whenever it is cut off; yield what became of
    them.
    """
    over, seen = threading.Event(), {"open": 0, "most": 0, "refused": 0}

    async def stay() -> None:
        while not over.is_set():
            try:
                reader, writer = await asyncio.wait_for(
                    asyncio.open_connection("localhost", port, ssl=TLS), 30
                )
            except (OSError, TimeoutError):
                seen["refused"] += 1
                await asyncio.sleep(1)
                continue
            seen["open"] += 1
            seen["most"] = max(seen["most"], seen["open"])
            with suppress(OSError):
                writer.write(sent)
                while not over.is_set():
                    with suppress(TimeoutError):
                        if not await asyncio.wait_for(reader.read(4096), 1):
                            break
                        continue
                    writer.write(drip)
            seen["open"] -= 1
            writer.close()

    async def all_stay() -> None:
        await asyncio.gather(*(stay() for _ in range(number)))

    thread = threading.Thread(target=lambda: asyncio.run(all_stay()))
    thread.start()
    try:
        end = time.monotonic() + OPEN_SECONDS
        while seen["open"] < 0.95 * number and time.monotonic() < end:
            time.sleep(0.1)
        yield seen
    finally:
        over.set()
        thread.join()


ACTS = (Caller.look, Caller.sign_in, Caller.order)


def figures(told: list[Told]) -> str:
    """Return the 95th of a hundred of each call's times in milliseconds, in words."""
    took: dict[str, list[float]] = {}
    for one in told:
        took.setdefault(one.call, []).append(one.seconds * 1000)
    return ", ".join(
        f"{name} {sorted(times)[int(0.95 * (len(times) - 1))]:.0f} ms"
        for name, times in took.items()
    )


def failures(told: list[Told]) -> int:
    """Return how many calls were not answered well."""
    return sum(one.status != 200 for one in told)


def slow_clients(one: Proxied, caller: Caller) -> bool:
    """Let slow clients come; return whether no honest call failed and nobody was refused."""
    held = True
    for name, (number, sent, drip) in PEERS.items():
        with crowd(one.tls, number, sent, drip) as seen:
            told = caller.visit_for(LOOK_SECONDS)
        failed = failures(told)
        told_of = f"p95 {figures(told)}; {len(told)} calls, failed {failed}"
        say(f"{name}: {told_of}; most at once {seen['most']}, refused {seen['refused']}")
        held &= not failed and not seen["refused"]
    return held


def silent_database(one: Proxied, caller: Caller, callers: Sequence[Caller]) -> bool:
    """Let PostgreSQL say nothing; return whether all are told so in time, and are answered again
    once it speaks.
    """
    with one.silent_database():
        for _ in range(ROUNDS):
            with Crowd(
                [partial(act, each) for each, act in zip(callers, cycle(ACTS), strict=False)]
            ):
                pass
        caller.told = []
        caller.call("/readyz", "GET", "/readyz")
        caller.call("/healthz", "GET", "/healthz")
        ready, alive = (told.status for told in caller.told)
        heard = caller.told[0].seconds
    began, before = time.monotonic(), len(caller.codes)
    while len(caller.codes) == before and time.monotonic() < began + AGAIN_SECONDS:
        caller.order()
    again = time.monotonic() - began
    failed = failures(caller.visit_for(LOOK_SECONDS))
    told = [answer for each in callers for answer in each.told]
    asked_again = sum((answer.status, answer.retry_after) == (503, "5") for answer in told)
    slowest = max(answer.seconds for answer in told)
    say(
        f"a silent PostgreSQL: {len(told)} calls, {asked_again} asked to try again (503), slowest {slowest:.1f} s"
    )
    say(
        f"/readyz {ready} after {heard:.2f} s, /healthz {alive}; an order again after {again:.1f} s, "
        f"then failed {failed}"
    )
    in_time = all(
        answer.seconds <= (READ_SECONDS if answer.call in READS else WRITE_SECONDS)
        for answer in told
    )
    return asked_again == len(told) and in_time and (ready, alive) == (503, 200) and not failed


def nobody_there(one: Proxied, caller: Caller) -> bool:
    """End the instance; return whether a page and a call say so and ask to try again."""
    instance = one.running.pop("portal-a")
    instance.terminate()
    instance.wait()
    caller.told = []
    caller.call("page", "GET", "/login")
    caller.look()
    say(f"no instance: {', '.join(f'{told.call} {told.status}' for told in caller.told)}")
    return {(told.status, told.retry_after) for told in caller.told} == {(503, "5")}


def stand_before(folder: Path) -> bool:
    """Let nginx meet slow clients, a silent PostgreSQL, and no instance; return whether
    all held.
    """
    if shutil.which("nginx") is None:
        raise ClusterError("The proxy needs Debian's package: apt-get install nginx-light")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with closing(Proxied(folder)) as one:
        one.start()
        people = prepared(one)
        one.manage("shell", "-v", "0", "-c", SET_PASSWORD)
        caller, *callers = [Caller(one, person) for person in people[: 1 + CALLERS]]
        held = slow_clients(one, caller)
        held &= silent_database(one, caller, callers)
        lost = len(set(caller.codes) - one.orders())
        say(
            f"{len(caller.codes)} orders acknowledged, lost {lost}; {one.manage('audit').strip().splitlines()[-1]}"
        )
        return nobody_there(one, caller) and held and not lost


PROXIED = {"peers": stand_before}
