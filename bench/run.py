"""Measure the portal as it ships against the bare floor, the two in turn, and print the figures.

`make bench` runs this, on PostgreSQL: the databases portal_bench and portal_floor of this machine.
BENCH_ROUNDS (3) and BENCH_SECONDS (4) say how often and how long each load runs.
"""

import http.client
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from hashlib import md5
from pathlib import Path
from typing import Any

from apps.common.types import Json
from bench import figures, tools
from bench.floor.app import TOKEN
from bench.seed import BRANDS, COMPANIES, EMAIL, LINES, MOQ, ORDERS, PASSWORD, PRODUCTS
from bench.wire_order import Line, order
from tools.ports import free_port

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "4"))
CLIENTS = (1, 8, 32)
MORE_LINES = 40
UNCHANGED = 5  # askings for the unchanged file: one answer alone says more of the machine
IDLE_SECONDS = 5  # a server may have closed a connection that was idle for longer
FLOOR = "portal_floor"
FLOOR_UUID = str(uuid.UUID(md5(b"c1", usedforsecurity=False).hexdigest()))
FLOOR_HEADERS = {"X-Access-Token": TOKEN}
ROOT = Path(__file__).resolve().parent.parent
_local = threading.local()
Load = Callable[[], tools.Figures]


def call(base: str, path: str, headers: dict[str, str], body: object = None) -> Any:
    """Make one call over a kept connection and return its JSON, or its bytes.

    Raises:
        RuntimeError: any answer but a success.
    """
    connections: dict[str, tuple[http.client.HTTPConnection, float]] = _local.__dict__.setdefault(
        "kept", {}
    )
    connection, used = connections.pop(base, (None, 0.0))
    if connection is None or time.monotonic() - used > IDLE_SECONDS:
        connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=120)
    try:
        data = None if body is None else json.dumps(body)
        headers = {**headers, "Content-Type": "application/json"}
        connection.request("GET" if data is None else "POST", path, data, headers)
        response = connection.getresponse()
        content = response.read()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise RuntimeError(f"{path}: {error!r}") from error
    connections[base] = (connection, time.monotonic())
    if response.status >= 300:
        raise RuntimeError(f"{path}: {response.status} {content[:200]!r}")
    is_json = response.headers.get_content_type() == "application/json"
    return json.loads(content) if is_json else content


class Portal:
    """The running portal, signed in as one of the seeded buyers."""

    def __init__(self, base: str) -> None:
        self.base = base
        answer = call(base, "/api/login", {}, {"email": EMAIL, "password": PASSWORD})
        user: Json = answer["user"]
        self.headers, self.uuid = {"x-access-token": answer["token"]}, user["uuid"]
        ship = {name: value for name, value in user.items() if name.startswith("ship_")}
        self.who = {"uuid": self.uuid, **ship}
        page = self.call(f"/api/product/stock/{self.uuid}/0")["result"]
        self.products = [product for product in page if product["selectable"]]

    def call(self, path: str, body: object = None) -> Any:
        """Make one signed-in call."""
        return call(self.base, path, self.headers, body)

    def lines(self, first: int, number: int = LINES) -> list[Line]:
        """Return a lot each of some products, of others for each `first`."""
        products = [self.products[(first + k) % len(self.products)] for k in range(number)]
        return [Line(p["sku"], p["moq"], Decimal(str(p["usd_supply"]))) for p in products]

    def order(self, index: int) -> str:
        """Order ten products by wire, others for each index; return the invoice code."""
        return order(self.call, self.who, self.lines(index * 7), email=EMAIL)

    def price_list(self, _: int = 0) -> object:
        """Return the price list's file."""
        return self.call(f"/api/excel/product-setting/{self.uuid}?format=xlsx")


@dataclass(frozen=True)
class Side:
    """A running server: its address, its process and its database."""

    base: str
    pid: int
    database: str

    def load(self, load: Load) -> tools.Figures:
        """Run a load against it."""
        return tools.with_cpu(load, self.pid, self.database)


def prepare_floor() -> None:
    """Fill the floor's database unless it is filled."""
    tools.database(FLOOR)
    psql = ["psql", "-q", "-d", FLOOR]
    look = [*psql, "-c", "select 1 from order_line limit 1"]
    if subprocess.run(look, capture_output=True, check=False).returncode:
        volume = {"products": PRODUCTS, "brands": BRANDS, "companies": COMPANIES}
        volume |= {"orders": ORDERS, "lines": LINES}
        settings = [part for key, value in volume.items() for part in ("-v", f"{key}={value}")]
        file = str(ROOT / "bench" / "floor" / "schema.sql")
        subprocess.run([*psql, *settings, "-f", file], check=True)


def prepare(env: dict[str, str]) -> None:
    """Fill the portal's database, do what a portal does each day, compile what the image does."""
    tools.python(env, "manage.py", "migrate", "-v0")
    tools.python(env, "-m", "bench.seed")
    tools.python(env, "manage.py", "run_due")
    tools.python(env, "manage.py", "collectstatic", "--noinput", "-v0")
    tools.python(env, "-m", "compileall", "-q", "apps", "portal", f"{sys.prefix}/lib")


def reads(portal: Portal, code: str) -> dict[str, tuple[str, str | None, str]]:
    """Return the reads: our address and body, and the floor's address."""
    who = portal.uuid
    return {
        "product page": (f"/api/product/stock/{who}/0", None, f"/stock/{FLOOR_UUID}/0"),
        "order list": ("/api/order/0", None, f"/orders/{FLOOR_UUID}"),
        "order details": (f"/api/details/{code}", None, f"/details/{FLOOR_UUID}/INV000000500"),
        "dashboard": ("/api/dashboard", json.dumps({"uuid": who}), f"/dashboard/{FLOOR_UUID}"),
    }


def measure(
    portal: Portal, code: str, ours: Side, theirs: Side
) -> dict[tuple[str, int], figures.Rounds]:
    """Return every round's figures, ours and the floor's, by call and number of clients.

    The orders come after all reads: they lengthen the one buyer's history.
    """
    measured: dict[tuple[str, int], figures.Rounds] = {}
    headers = {**portal.headers, "Content-Type": "application/json"}
    loads = [(clients, number) for number in range(ROUNDS) for clients in CLIENTS]
    for name, (path, body, floor_path) in reads(portal, code).items():
        for clients, _ in loads:
            load = partial(tools.wrk, clients=clients, seconds=SECONDS)
            mine = partial(load, portal.base + path, headers=headers, body=body)
            other = partial(load, theirs.base + floor_path, headers=FLOOR_HEADERS, body=None)
            measured.setdefault((name, clients), []).append((ours.load(mine), theirs.load(other)))
    for clients, _ in loads:
        load = partial(tools.many, clients=clients, seconds=SECONDS)
        mine, other = partial(load, portal.order), partial(load, partial(floor_order, theirs.base))
        rounds = measured.setdefault(("order of 10 lines", clients), [])
        rounds.append((ours.load(mine), theirs.load(other)))
        files = partial(tools.many, portal.price_list, clients=clients, count=3 * clients)
        measured.setdefault(("price list file", clients), []).append((ours.load(files), None))
    return measured


def floor_order(base: str, index: int) -> None:
    """Place an order of one lot of ten products on the floor."""
    quantities = {index * 37 % 9000 + k + 1: MOQ for k in range(LINES)}
    call(base, f"/order/{FLOOR_UUID}", FLOOR_HEADERS, quantities)


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def price_list(portal: Portal) -> dict[str, float]:
    """Return the seconds of a new price list and of an unchanged one."""
    portal.order(1)  # changes what the file shows
    new = seconds(portal.price_list)
    unchanged = statistics.median(seconds(portal.price_list) for _ in range(UNCHANGED))
    return {"new": new, "unchanged": unchanged}


def table(measured: dict[tuple[str, int], figures.Rounds]) -> str:
    """Return every load as a row of a Markdown table; CPU is of the web processes and of
    PostgreSQL's, for a request.
    """
    lines = ["| what | clients | ours /s | p50 | p95 | p99 ms | web µs | base µs | floor /s |"]
    lines.append("|" + "---|" * 9)
    for (name, clients), rounds in measured.items():
        ours = tools.median_of([mine for mine, _ in rounds])
        floors = [other for _, other in rounds if other]
        columns = [ours[part] for part in ("rps", "p50", "p95", "p99", "web_us", "db_us")]
        columns += [tools.median_of(floors)["rps"]] if floors else []
        cells = [name, str(clients), *(f"{figure:.1f}" for figure in columns)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Prepare both sides, measure, print."""
    if not shutil.which("wrk"):
        sys.exit("make bench needs wrk (Debian package wrk)")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the servers too
    port, floor_port = free_port(), free_port()
    env = {
        "DATABASE_URL": tools.database("portal_bench"),
        "PORT": str(port),
        "PORTAL_DATA_DIR": str(ROOT / "var" / "bench"),
        "THROTTLE_FACTOR": "1000000",
        "LOG_LEVEL": "WARNING",
    }
    prepare(env)
    prepare_floor()
    floor = (
        f"-m granian --interface wsgi --host 127.0.0.1 --port {floor_port} --workers 2 "
        "--blocking-threads 4 --no-access-log --log-level error bench.floor.app:application"
    )
    with (
        tools.server(*floor.split(), port=floor_port, env={"FLOOR_DSN": f"dbname={FLOOR}"}) as (
            floor_pid,
            _,
        ),
        tools.server("manage.py", "serve", "--with-parent", port=port, env=env) as (pid, ready),
    ):
        theirs = Side(f"http://127.0.0.1:{floor_port}", floor_pid, FLOOR)
        ours = Side(f"http://127.0.0.1:{port}", pid, "portal_bench")
        portal = Portal(ours.base)
        code = portal.order(0)
        settings: Json = {"headers": portal.headers, "who": portal.who, "code": code}
        settings["lines"] = [(sku, n, str(price)) for sku, n, price in portal.lines(0, MORE_LINES)]
        counted = json.loads(tools.python(env, "-m", "bench.inside", stdin=settings))
        noise = [tools.spin()]
        rounds = measure(portal, code, ours, theirs)
        noise.append(tools.spin())
        file, pids = price_list(portal), tools.process_tree(pid)
        workers = [one for one in pids if b" serve " in tools.command_line(one) and one != pid]
        resident, shares = tools.memory(pids), tools.shares(workers)
    print(
        f"{ROUNDS} rounds of {SECONDS} s in turn; "
        f"spin probe {min(noise):.0f} to {max(noise):.0f} ms\n\n{table(rounds)}\n\n"
        f"resident MiB by process: {', '.join(f'{size:.0f}' for size in resident.values())}\n"
    )
    rows = [*figures.loads(rounds), *figures.counted(counted), *figures.files(file, counted)]
    print(figures.table([*rows, *figures.shape(ready=ready, workers=shares)]))


if __name__ == "__main__":
    main()
