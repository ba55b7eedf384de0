"""nginx as deploy/ has it, before one instance: slow and silent clients beside honest ones. Needs Debian's nginx."""

import asyncio
import http.client
import re
import resource
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from portal.ops.steps import say
from tools.cluster.alone import Alone
from tools.cluster.buyers import prepared
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
OPEN_SECONDS, LOOK_SECONDS = 30.0, 5.0
TLS = ssl._create_unverified_context()  # noqa: S323 - the certificate is our own, made for the trial


class Proxied(Alone):
    """One instance behind nginx, of one process as on one core."""

    def start(self) -> None:
        """Start the database, the instance and nginx."""
        super().start()
        self.plain, self.tls = free_ports(2)
        folder = self.private("nginx")
        folder.chmod(0o755)
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
        keys = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
        subprocess.run([*command, *keys], check=True, capture_output=True)
        instance = f"{LOCAL}:{self.ports['web']}"
        told = {
            "HOST_NAME": "localhost", "ADMIN_PATH": "admin", "HTTP_PORT": f"{LOCAL}:{self.plain}",
            "HTTPS_PORT": f"{LOCAL}:{self.tls}", "TLS": str(folder), "STATIC": str(folder), "MEDIA": str(folder),
            "WEB_A": instance, "WEB_B": instance, "S3": instance, "S3_HOST_NAME": "storage.invalid", "RESOLVER": LOCAL,
        }  # fmt: skip
        deploy = Path(__file__).resolve().parents[2] / "deploy"
        site = re.sub(r"\$\{PORTAL_(\w+)\}", lambda found: told[found[1]], (deploy / "nginx.conf").read_text())
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
        self.wait("nginx", lambda: self.look("GET", "/healthz", "")[0] == 200)

    def portal_environment(self) -> dict[str, str]:
        """Return what the instance is told."""
        return super().portal_environment() | {"NUM_PROXIES": "1"}

    def look(self, method: str, path: str, token: str) -> tuple[int, float]:
        """Return the status of a call on a connection of its own, 0 for none, and its seconds."""
        began = time.monotonic()
        connection = http.client.HTTPSConnection("localhost", self.tls, timeout=20, context=TLS)
        try:
            connection.request(method, path, headers={"x-access-token": token})
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return 0, time.monotonic() - began
        finally:
            connection.close()
        return answer.status, time.monotonic() - began


@contextmanager
def crowd(port: int, number: int, sent: bytes, drip: bytes) -> Iterator[dict[str, int]]:
    """Keep so many slow clients at a port, each again whenever it is cut off; yield what became of them."""
    over, seen = threading.Event(), {"open": 0, "most": 0, "refused": 0}

    async def stay() -> None:
        while not over.is_set():
            try:
                reader, writer = await asyncio.wait_for(asyncio.open_connection("localhost", port, ssl=TLS), 30)
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


def look_around(one: Proxied, person: dict[str, Any]) -> tuple[dict[str, float], int]:
    """Return the 95th of a hundred of an honest caller's calls in milliseconds, by call, and how many failed."""
    took: dict[str, list[float]] = {}
    failed, end = 0, time.monotonic() + LOOK_SECONDS
    while time.monotonic() < end:
        for path in ("/healthz", f"/api/product/stock/{person['who']['uuid']}/0", "/api/order/0"):
            status, seconds = one.look("GET", path, person["token"])
            failed += status != 200
            took.setdefault(path.split("/")[-3] if "stock" in path else path, []).append(seconds * 1000)
    return {name: sorted(times)[int(0.95 * (len(times) - 1))] for name, times in took.items()}, failed


def stand_before(folder: Path) -> bool:
    """Let slow clients come to nginx; return whether no honest call failed and nobody was refused."""
    if shutil.which("nginx") is None:
        raise ClusterError("The proxy needs Debian's package: apt-get install nginx-light")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = True
    with closing(Proxied(folder)) as one:
        one.start()
        person = prepared(one)[0]
        for name, (number, sent, drip) in PEERS.items():
            with crowd(one.tls, number, sent, drip) as seen:
                took, failed = look_around(one, person)
            figures = ", ".join(f"{call} {milliseconds:.0f} ms" for call, milliseconds in took.items())
            say(f"{name}: p95 {figures}; failed {failed}; most at once {seen['most']}, refused {seen['refused']}")
            held &= not failed and not seen["refused"]
    return held


PROXIED = {"peers": stand_before}
