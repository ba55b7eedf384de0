"""Tries deploy/cluster on this machine: the primary is killed while fifty buyers order.

`make cluster` starts etcd, two PostgreSQL servers under Patroni, HAProxy before them, two instances
of the portal and HAProxy before those, kills the primary CLUSTER_KILLS (3) times, and compares what
buyers were told with what the database has. It needs Debian's packages `postgresql`, `patroni`,
`etcd-server` and `haproxy`; what each program says is in `var/cluster`.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench import tools, wire_order
from portal.ops.steps import say, step
from tools.ports import free_ports

ROOT = Path(__file__).resolve().parent.parent
DEPLOY, FOLDER = ROOT / "deploy" / "cluster", ROOT / "var" / "cluster"
KILLS = int(os.environ.get("CLUSTER_KILLS", "3"))
BUYERS, LINES, ENOUGH = 50, 3, 10_000_000  # buyers, lines of an order, pieces of a product
PRODUCTS = [wire_order.Line(f"BENCH-{number}", 10, Decimal("4.50")) for number in range(40)]
LOCAL, NAMES, RUNNING = "127.0.0.1", ("a", "b"), ("running", "streaming")
START_SECONDS, CALL_SECONDS, OUTAGE_SECONDS = 90, 15, 20
PAUSE_SECONDS = 0.3  # before a refused call is repeated, as the screens do
AGAIN = (0, 409, 503)  # 0: no answer
PORTS = ("etcd", "peer", "primary", "web", "a", "b", "rest_a", "rest_b", "web_a", "web_b")
Environment = dict[str, str]  # a program's environment


class ClusterError(Exception):
    """Something that the cluster needs is missing, or did not come in time; the text says what."""


class Cluster:
    """The running programs. They end with `close`."""

    def __init__(self) -> None:
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not versions or not all(map(shutil.which, ("etcd", "patroni", "haproxy"))):
            raise ClusterError("Debian's postgresql, patroni, etcd-server and haproxy are needed.")
        self.programs = versions[-1].parent
        self.password = secrets.token_hex(16)
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        self.ports = dict(zip(PORTS, free_ports(len(PORTS)), strict=True))
        self.addresses = {name: f"{LOCAL}:{port}" for name, port in self.ports.items()}
        self.url = f"postgresql://{{0}}:{self.password}@{self.addresses['primary']}/{{0}}"
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start everything, and wait until the standby follows and the instances are ready.

        Raises:
            ClusterError: it did not come in time.
        """
        self.start_etcd()
        for name in NAMES:
            self.start_server(name)
        self.wait("the synchronous standby", self.is_safe)
        self.start_haproxy()
        self.query(f"CREATE ROLE portal LOGIN PASSWORD '{self.password}'", owner="postgres")
        self.query("CREATE DATABASE portal OWNER portal", owner="postgres")
        self.portal("manage.py", "prepare", "--no-demo")
        for name in NAMES:
            port = {"PORT": str(self.ports[f"web_{name}"]), "WEB_WORKERS": "1"}
            command = [sys.executable, "manage.py", "serve", "--no-sweeps"]
            self.run(f"portal-{name}", command, self.environment() | port, is_engine=False)
        web = {
            "PORTAL_WEB": self.addresses["web"],
            "PORTAL_WEB_SOCKET": str(self.private("web") / "admin"),
            "PORTAL_HOST_NAME": LOCAL,
            "PORTAL_INSTANCE_A": self.addresses["web_a"],
            "PORTAL_INSTANCE_B": self.addresses["web_b"],
            "PORTAL_INSTANCE_C": self.addresses["peer"],  # nobody is ready there
        }
        self.run("web", ["haproxy", "-db", "-f", str(DEPLOY / "web.cfg")], web)
        fronts = [self.addresses[name] for name in ("web_a", "web_b", "web")]
        self.wait("the instances", lambda: all(self.get(f"{front}/readyz") for front in fronts))

    def start_etcd(self) -> None:
        """Start the store in which the servers agree who is the primary."""
        client, peer = (f"http://{self.addresses[name]}" for name in ("etcd", "peer"))
        options = {
            "data-dir": self.private("etcd"),
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"default={peer}",
        }
        self.run("etcd", ["etcd", *(f"--{name}={value}" for name, value in options.items())], {})
        self.wait("etcd", lambda: self.get(f"{self.addresses['etcd']}/health"))

    def start_server(self, name: str) -> None:
        """Start a PostgreSQL server under its Patroni."""
        rest, address = self.addresses[f"rest_{name}"], self.addresses[name]
        folder = self.private(f"postgresql-{name}")
        settings = {
            "NAME": name,
            "RESTAPI_LISTEN": rest,
            "RESTAPI_CONNECT_ADDRESS": rest,
            "POSTGRESQL_LISTEN": address,
            "POSTGRESQL_CONNECT_ADDRESS": address,
            "POSTGRESQL_DATA_DIR": str(folder / "data"),
            "POSTGRESQL_BIN_DIR": str(self.programs),
            "POSTGRESQL_PGPASS": str(folder / "pgpass"),
            "SUPERUSER_USERNAME": "postgres",
            "SUPERUSER_PASSWORD": self.password,
            "REPLICATION_USERNAME": "standby",
            "REPLICATION_PASSWORD": self.password,
            "ETCD3_HOSTS": self.addresses["etcd"],
        }
        environment = {f"PATRONI_{key}": value for key, value in settings.items()}
        self.run(f"patroni-{name}", ["patroni", str(DEPLOY / "patroni.yml")], environment)

    def start_haproxy(self) -> None:
        """Start what leads to the primary."""
        environment = {"PORTAL_PRIMARY": self.addresses["primary"]}
        for name in NAMES:
            environment[f"PORTAL_DATABASE_{name.upper()}"] = self.addresses[name]
            environment[f"PORTAL_PATRONI_ADDRESS_{name.upper()}"] = LOCAL
            environment[f"PORTAL_PATRONI_PORT_{name.upper()}"] = str(self.ports[f"rest_{name}"])
        self.run("haproxy", ["haproxy", "-db", "-f", str(DEPLOY / "haproxy.cfg")], environment)
        # Until its first checks it takes both servers for the primary.
        self.wait("HAProxy", lambda: all(self.leads_to_primary() for _ in range(4)))

    def environment(self) -> Environment:
        """Return what the portal's programs are told; its limits are out of the way."""
        return {
            "PORTAL_ENV": "development",
            "DATABASE_URL": self.url.format("portal"),
            "PORTAL_DATA_DIR": str(FOLDER / "portal"),
            "THROTTLE_FACTOR": "1000000",
            "LOG_LEVEL": "CRITICAL",
        }

    def portal(self, *words: str) -> str:
        """Run a program of ours on the cluster's database and return what it prints."""
        command, environment = [sys.executable, *words], os.environ | self.environment()
        return subprocess.check_output(command, cwd=ROOT, env=environment, text=True)

    def run(
        self, name: str, command: list[str], environment: Environment, is_engine: bool = True
    ) -> None:
        """Start a program that writes into a log of its own."""
        with (FOLDER / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=FOLDER if is_engine else ROOT,
                env=os.environ | environment,
                user=self.user if is_engine else None,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def private(self, name: str) -> Path:
        """Return a folder that belongs to the engines."""
        folder = FOLDER / name
        folder.mkdir(mode=0o700)
        if self.user:
            shutil.chown(folder, self.user)
        return folder

    def roles(self) -> dict[str, str]:
        """Return the servers that run, each with its role in Patroni's word."""
        cluster = self.get(f"{self.addresses['rest_a']}/cluster") or {}
        running = [one for one in cluster.get("members", []) if one["state"] in RUNNING]
        return {member["name"]: member["role"] for member in running}

    def primary(self) -> str:
        """Return which server is the primary; nothing while none is."""
        return next((name for name, role in self.roles().items() if role == "leader"), "")

    def is_safe(self) -> bool:
        """Return whether the other server has everything that the primary acknowledges."""
        return set(self.roles().values()) == {"leader", "sync_standby"}

    def leads_to_primary(self) -> bool:
        """Return whether HAProxy leads to a server that takes writes."""
        with suppress(subprocess.CalledProcessError):
            return self.query("SELECT pg_is_in_recovery()", owner="postgres") == {"f"}
        return False

    def kill(self, name: str) -> None:
        """Kill a PostgreSQL server at once, as a crash would."""
        file = FOLDER / f"postgresql-{name}" / "data" / "postmaster.pid"
        os.kill(int(file.read_text().split()[0]), signal.SIGKILL)

    def query(self, statement: str, *, owner: str = "portal") -> set[str]:
        """Run a statement in a role's own database on the primary; return the words of its rows."""
        command = [str(self.programs / "psql"), self.url.format(owner), "-Atqc", statement]
        return set(subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True).split())

    def get(self, address: str) -> Any:
        """Return what an address answers, None where it does not answer well."""
        with (
            suppress(OSError, ValueError),
            urllib.request.urlopen(f"http://{address}", timeout=3) as answer,
        ):
            return json.load(answer)
        return None

    def wait(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until something holds.

        Raises:
            ClusterError: it did not come in time.
        """
        end = time.monotonic() + START_SECONDS
        while not holds():
            if time.monotonic() > end:
                raise ClusterError(f"{what} did not come in {START_SECONDS} s: see {FOLDER}")
            time.sleep(0.1)

    def close(self) -> None:
        """End everything, the portal first."""
        for process in reversed(self.running.values()):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@dataclass
class Buyer:
    """Somebody who orders without a pause and repeats what was not answered."""

    port: int
    token: str
    who: dict[str, Any]
    acknowledged: list[str] = field(default_factory=list)
    answered: float = 0.0  # when
    longest: float = 0.0  # seconds until an answer
    repeated: int = 0

    def order_until(self, over: threading.Event) -> None:
        """Place one order after the other, others each time; one that was begun is finished."""
        while not over.is_set():
            first = len(self.acknowledged) % (len(PRODUCTS) - LINES)
            products = PRODUCTS[first : first + LINES]
            self.acknowledged.append(wire_order.order(self.ask, self.who, products))

    def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make a call with one Idempotency-Key until it is answered.

        Raises:
            ClusterError: the answer is wrong.
        """
        headers = {"x-access-token": self.token, "Idempotency-Key": str(uuid.uuid4())}
        began = time.monotonic()
        while True:
            status, answer = wire_order.post(self.port, path, body, headers, seconds=CALL_SECONDS)
            if status == 200:
                self.answered = time.monotonic()
                self.longest = max(self.longest, self.answered - began)
                return answer
            if status not in AGAIN:
                say(f"A buyer was answered {status} {answer}")
                raise ClusterError("A buyer had a wrong answer.")
            self.repeated += 1
            time.sleep(PAUSE_SECONDS)


def kill_primary(cluster: Cluster, buyers: Sequence[Buyer]) -> None:
    """Kill the primary under load; every buyer is answered before and after it."""

    def all_answered() -> bool:
        return all(buyer.answered > since for buyer in buyers)

    cluster.wait("the synchronous standby", cluster.is_safe)
    since = time.monotonic()
    cluster.wait("an answer to every buyer", all_answered)
    killed, since = cluster.primary(), time.monotonic()
    cluster.kill(killed)
    cluster.wait("a new primary", lambda: cluster.primary() not in ("", killed))
    say(f"{killed} killed: a new primary after {time.monotonic() - since:.1f} s")
    since = time.monotonic()
    cluster.wait("an answer to every buyer", all_answered)


def try_cluster(cluster: Cluster) -> bool:
    """Return whether all was kept that buyers were told, and none waited for long."""
    with step("Starting etcd, PostgreSQL, HAProxy and the portal, two of each but etcd"):
        cluster.start()
        people = map(json.loads, cluster.portal("-m", "tools.cluster", "prepare").splitlines())
        buyers = [Buyer(cluster.ports["web"], **person) for person in people]
    over = threading.Event()
    with ThreadPoolExecutor(BUYERS) as pool:
        ordering = [pool.submit(buyer.order_until, over) for buyer in buyers]
        try:
            for _ in range(KILLS):
                kill_primary(cluster, buyers)
        finally:
            over.set()
    for buyer in ordering:
        buyer.result()
    acknowledged = [code for buyer in buyers for code in buyer.acknowledged]
    orders = cluster.query("SELECT invoice_code FROM orders_order")
    lost, doubled = (
        set(acknowledged) - orders,
        len(orders - set(acknowledged)) + len(acknowledged) - len(set(acknowledged)),
    )
    longest = max(buyer.longest for buyer in buyers)
    say(f"{len(acknowledged)} orders acknowledged, {sum(buyer.repeated for buyer in buyers)} calls "
        f"repeated; lost {len(lost)}, doubled {doubled}; longest call {longest:.1f} s; "
        f"audit: {cluster.portal('manage.py', 'audit').splitlines()[-1]}")  # fmt: skip
    return not (lost or doubled) and longest <= OUTAGE_SECONDS


def prepare() -> None:
    """Fill the database that DATABASE_URL names, and print each buyer's token and address."""
    tools.set_up()
    wire_order.make_products(PRODUCTS, stock=ENOUGH)
    for _, token, who in wire_order.make_buyers(BUYERS):
        say(json.dumps({"token": token, "who": who}))


def main(*arguments: str) -> int:
    """Try the cluster, or prepare its database; return an exit code."""
    if arguments == ("prepare",):
        prepare()
        return 0
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(mode=0o755, parents=True)
    try:
        with closing(Cluster()) as cluster:
            return int(not try_cluster(cluster))
    except ClusterError as error:
        say(f"\n{error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
