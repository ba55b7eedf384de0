"""Two PostgreSQL servers kept by Patroni with etcd, HAProxy before them, and the portal's instances
behind another.
"""

import base64
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from tools.ports import free_ports

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy" / "cluster"
DEBIAN = {"etcd": "etcd-server", "patroni": "patroni", "haproxy": "haproxy"}
LOCAL = "127.0.0.1"
START_SECONDS = 90
NAMES = ("a", "b")
THIRD = "c"  # the instance that comes and goes
INSTANCES = (*NAMES, THIRD)
PORTS = (
    "etcd",
    "peer",
    "primary",
    "copy",
    "web",
    "a",
    "b",
    "rest_a",
    "rest_b",
    "web_a",
    "web_b",
    "web_c",
)
RUNNING = ("running", "streaming")
NOTHING: Mapping[str, str] = {}


class ClusterError(Exception):
    """Something that the cluster needs is missing, or did not come in time; the text says what."""


def postgresql_programs() -> Path:
    """Return the folder of PostgreSQL's own programs, the newest.

    Raises:
        ClusterError: a program is not installed.
    """
    missing = [package for program, package in DEBIAN.items() if shutil.which(program) is None]
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3])
    )
    if not versions:
        missing.append("postgresql")
    if missing:
        raise ClusterError(
            f"make cluster needs Debian's packages: apt-get install {' '.join(missing)}"
        )
    return versions[-1].parent


class Cluster:
    """The running engines. They end with `close`."""

    def __init__(self, folder: Path) -> None:
        self.programs = postgresql_programs()
        self.folder = folder
        self.password = secrets.token_hex(16)
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        self.ports = dict(zip(PORTS, free_ports(len(PORTS)), strict=True))
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        folder.chmod(0o755)

    def address(self, port: str, *, owner: str = "portal", database: str = "portal") -> str:
        """Return a database's address: of the primary, of the copy, or of the server `a` or `b`."""
        return f"postgresql://{owner}:{self.password}@{LOCAL}:{self.ports[port]}/{database}"

    def start(self) -> None:
        """Start everything, and wait until the standby follows and both instances are ready.

        Raises:
            ClusterError: it did not come in time.
        """
        self.start_etcd()
        for name in NAMES:
            self.start_server(name)
            self.wait(f"PostgreSQL {name}", partial(self.runs, name))
        self.wait("the synchronous standby", self.is_safe)
        self.start_haproxy()
        for statement in (
            f"CREATE ROLE portal LOGIN PASSWORD '{self.password}'",
            "CREATE DATABASE portal OWNER portal",
        ):
            self.query(statement, owner="postgres", database="postgres")
        self.manage("prepare", "--no-demo")
        for name in NAMES:
            self.start_portal(name)
        self.start_web()

    def start_etcd(self) -> None:
        """Start the store in which the servers agree who is the primary; on machines of their own
        it is three.
        """
        client, peer = (f"http://{LOCAL}:{self.ports[port]}" for port in ("etcd", "peer"))
        folder = self.private("etcd")
        self.run(
            "etcd",
            ["etcd", "--data-dir", str(folder), "--listen-client-urls", client, "--advertise-client-urls", client,
             "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
             "--heartbeat-interval", "500", "--election-timeout", "5000", "--enable-v2=false"],
        )  # fmt: skip
        self.wait("etcd", lambda: self.get(f"{client}/health") is not None)

    def start_server(self, name: str) -> None:
        """Start a PostgreSQL server under its Patroni."""
        rest, address = (f"{LOCAL}:{self.ports[port]}" for port in (f"rest_{name}", name))
        folder = self.private(f"postgresql-{name}")
        self.run(
            f"patroni-{name}",
            ["patroni", str(DEPLOY / "patroni.yml")],
            {
                "PATRONI_NAME": name,
                "PATRONI_RESTAPI_LISTEN": rest,
                "PATRONI_RESTAPI_CONNECT_ADDRESS": rest,
                "PATRONI_POSTGRESQL_LISTEN": address,
                "PATRONI_POSTGRESQL_CONNECT_ADDRESS": address,
                "PATRONI_POSTGRESQL_DATA_DIR": str(folder / "data"),
                "PATRONI_POSTGRESQL_BIN_DIR": str(self.programs),
                "PATRONI_POSTGRESQL_PGPASS": str(folder / "pgpass"),
                "PATRONI_SUPERUSER_USERNAME": "postgres",
                "PATRONI_SUPERUSER_PASSWORD": self.password,
                "PATRONI_REPLICATION_USERNAME": "standby",
                "PATRONI_REPLICATION_PASSWORD": self.password,
                "PATRONI_ETCD3_HOSTS": f"{LOCAL}:{self.ports['etcd']}",
            },
        )

    def start_haproxy(self) -> None:
        """Start what leads to the primary."""
        self.run(
            "haproxy",
            ["haproxy", "-db", "-f", str(DEPLOY / "haproxy.cfg")],
            {
                "PORTAL_PRIMARY": f"{LOCAL}:{self.ports['primary']}",
                "PORTAL_COPY": f"{LOCAL}:{self.ports['copy']}",
                **{
                    f"PORTAL_DATABASE_{name.upper()}": f"{LOCAL}:{self.ports[name]}"
                    for name in NAMES
                },
                **{f"PORTAL_PATRONI_ADDRESS_{name.upper()}": LOCAL for name in NAMES},
                **{
                    f"PORTAL_PATRONI_PORT_{name.upper()}": str(self.ports[f"rest_{name}"])
                    for name in NAMES
                },
            },
        )
        # Until its first checks it takes both servers for the primary.
        self.wait("HAProxy", lambda: all(self.leads_to_primary() for _ in range(2 * len(NAMES))))

    def leads_to_primary(self) -> bool:
        """Return whether HAProxy leads to a server that takes writes."""
        try:
            return (
                self.query(
                    "SELECT pg_is_in_recovery()", owner="postgres", database="postgres"
                ).strip()
                == "f"
            )
        except subprocess.CalledProcessError:
            return False

    def start_portal(self, name: str, source: Path = ROOT) -> None:
        """Start an instance of the portal, of this release or of what another folder holds."""
        port = self.ports[f"web_{name}"]
        command = [sys.executable, "manage.py", "serve", "--no-sweeps"]
        environment = self.portal_environment() | {"PORT": str(port), "WEB_WORKERS": "1"}
        self.run(f"portal-{name}", command, environment, folder=source)
        self.wait(f"instance {name}", lambda: self.get(f"http://{LOCAL}:{port}/readyz") is not None)

    def start_web(self) -> None:
        """Start what stands before the instances."""
        self.run(
            "web",
            ["haproxy", "-db", "-f", str(DEPLOY / "web.cfg")],
            {
                "PORTAL_WEB": f"{LOCAL}:{self.ports['web']}",
                "PORTAL_WEB_SOCKET": str(self.private("web") / "admin"),
                "PORTAL_HOST_NAME": LOCAL,
                **{
                    f"PORTAL_INSTANCE_{name.upper()}": f"{LOCAL}:{self.ports[f'web_{name}']}"
                    for name in INSTANCES
                },
            },
        )
        self.wait(
            "HAProxy", lambda: self.get(f"http://{LOCAL}:{self.ports['web']}/readyz") is not None
        )

    def tell_web(self, command: str) -> str:
        """Return what HAProxy before the instances answers to a command of its own."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.folder / "web" / "admin"))
            line.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: line.recv(65536), b"")).decode()

    def takes_requests(self, name: str) -> bool:
        """Return whether HAProxy sends requests to an instance."""
        rows = (row.split(",") for row in self.tell_web("show stat").splitlines())
        return any(row[:2] == ["web", name] and row[17] == "UP" for row in rows)

    def stop_portal(self, name: str) -> None:
        """Take an instance away as operators do: drained, then told to stop, which lets
        it finish.
        """
        self.tell_web(f"set server web/{name} state drain")
        process = self.running.pop(f"portal-{name}")
        process.terminate()
        process.wait(START_SECONDS)

    def add_portal(self, name: str, source: Path = ROOT) -> None:
        """Start an instance, and wait until it gets requests."""
        self.start_portal(name, source)
        self.tell_web(f"set server web/{name} state ready")
        self.wait(f"requests for instance {name}", partial(self.takes_requests, name))

    def portal_environment(self) -> dict[str, str]:
        """Return what the portal's commands and instances are told; limits are out of the way."""
        return {
            "PORTAL_ENV": "development",
            "DATABASE_URL": self.address("primary"),
            "DATABASE_COPY_URL": self.address("copy"),
            "PORTAL_DATA_DIR": str(self.folder / "portal"),
            "THROTTLE_FACTOR": "1000000",
            "LOG_LEVEL": "CRITICAL",
        }

    def manage(self, *words: str, source: Path = ROOT) -> str:
        """Run one of the portal's commands and return what it prints."""
        return self.python("manage.py", *words, source=source)

    def python(self, *words: str, source: Path = ROOT) -> str:
        """Run a program of ours on the cluster's database and return what it prints.

        Raises:
            CalledProcessError: it failed.
        """
        command = [sys.executable, *words]
        environment = os.environ | self.portal_environment()
        return subprocess.run(
            command, cwd=source, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def run(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] = NOTHING,
        *,
        folder: Path | None = None,
    ) -> None:
        """Start a program, an engine unless it has a folder, which writes into a log of its own."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=folder or self.folder,
                env=os.environ | dict(environment),
                user=self.user if folder is None else None,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def private(self, name: str) -> Path:
        """Return a folder that belongs to the engines."""
        folder = self.folder / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.user:
            shutil.chown(folder, self.user)
        return folder

    def role(self, name: str) -> str:
        """Return what a server is: primary, replica, or nothing."""
        state = self.get(f"http://{LOCAL}:{self.ports[f'rest_{name}']}/patroni") or {}
        return (
            state.get("role", "").replace("master", "primary")
            if state.get("state") == "running"
            else ""
        )

    def runs(self, name: str) -> bool:
        """Return whether a server is a primary or follows one."""
        return bool(self.role(name))

    def primary(self) -> str:
        """Return which server is the primary; nothing while none is."""
        return next((name for name in NAMES if self.role(name) == "primary"), "")

    def is_safe(self) -> bool:
        """Return whether there is a primary, and the other server has everything that it
        acknowledges.
        """
        for name in NAMES:
            cluster = self.get(f"http://{LOCAL}:{self.ports[f'rest_{name}']}/cluster") or {}
            roles = {
                member["role"]
                for member in cluster.get("members", [])
                if member["state"] in RUNNING
            }
            if roles == {"leader", "sync_standby"}:
                return bool(self.primary())
        return False

    def set_parameter(self, name: str, value: str | None) -> None:
        """Let Patroni give a parameter to both servers, or take it back."""
        told = json.dumps({"postgresql": {"parameters": {name: value}}}).encode()
        address = f"http://{LOCAL}:{self.ports['rest_a']}/config"
        with urllib.request.urlopen(
            urllib.request.Request(address, told, method="PATCH"), timeout=10
        ):
            pass

    def kill_server(self, name: str) -> None:
        """Kill a PostgreSQL server at once, as a crash would."""
        pid = int(
            (self.folder / f"postgresql-{name}" / "data" / "postmaster.pid").read_text().split()[0]
        )
        os.kill(pid, signal.SIGKILL)

    def kill_patroni(self, name: str) -> None:
        """Kill a server's Patroni alone, and start it again as systemd does."""
        self.end_patroni(name, signal.SIGKILL)
        self.start_server(name)

    def kill_machine(self, name: str) -> None:
        """Kill a server and its Patroni, as a machine that vanishes would."""
        self.end_patroni(name, signal.SIGKILL)
        self.kill_server(name)

    def give_up_machine(self, name: str) -> None:
        """Kill both, and take the place of the primary from it, as an operator does who knows that
        it is gone.
        """
        self.kill_machine(name)
        key = base64.b64encode(b"/service/portal/leader").decode()
        address = f"http://{LOCAL}:{self.ports['etcd']}/v3/kv/deleterange"
        with urllib.request.urlopen(address, json.dumps({"key": key}).encode(), timeout=5):
            pass

    def stop_machine(self, name: str) -> None:
        """Let a machine shut down in good order."""
        self.end_patroni(name, signal.SIGTERM)

    def end_patroni(self, name: str, how: int) -> None:
        """End a server's Patroni, and wait until it has."""
        patroni = self.running[f"patroni-{name}"]
        patroni.send_signal(how)
        patroni.wait(START_SECONDS)

    def query(
        self,
        statement: str,
        *,
        port: str = "primary",
        owner: str = "portal",
        database: str = "portal",
    ) -> str:
        """Run a statement on the primary, or on a server, and return what psql prints."""
        address = self.address(port, owner=owner, database=database)
        command = [
            str(self.programs / "psql"),
            address,
            "-v",
            "ON_ERROR_STOP=1",
            "-Atqc",
            statement,
        ]
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL
        ).stdout

    def get(self, address: str) -> Any:
        """Return what an address answers, None where it does not answer well."""
        with (
            suppress(OSError, ValueError, urllib.error.URLError),
            urllib.request.urlopen(address, timeout=3) as answer,  # noqa: S310
        ):
            return json.load(answer)
        return None

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        """Wait until something holds.

        Raises:
            ClusterError: it did not come in time.
        """
        end = time.monotonic() + START_SECONDS
        while not holds():
            if time.monotonic() > end:
                raise ClusterError(
                    f"{what} did not come within {START_SECONDS} s: see {self.folder}"
                )
            time.sleep(0.1)

    def close(self) -> None:
        """End everything, the portal first."""
        for process in reversed(self.running.values()):
            process.terminate()
        for process in self.running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
