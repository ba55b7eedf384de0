"""Measure the portal as it ships against the bare floor, the two in turn, and print the figures.

`make bench` runs this. BENCH_DATABASE (default postgresql:///portal_bench, SQLite where no
PostgreSQL answers), BENCH_FLOOR_DSN (default dbname=portal_floor), BENCH_ROUNDS (3), BENCH_SECONDS
(4).
"""

import contextlib
import http.client
import io
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from hashlib import md5
from typing import Any

from apps.common.types import Json
from bench import figures, tools
from bench.floor.app import TOKEN
from bench.seed import (
    BRANDS,
    COMPANIES,
    EMAIL,
    LINES,
    MOQ,
    ORDERS,
    PASSWORD,
    PRODUCTS,
    RACE_LOTS,
    RACE_SKU,
)
from bench.wire_order import Line, order
from tools.ports import free_port

ROUNDS, SECONDS = (
    int(os.environ.get("BENCH_ROUNDS", "3")),
    int(os.environ.get("BENCH_SECONDS", "4")),
)
CLIENTS = (1, 8, 32)
RACE_BUYERS = 64
MORE_LINES = 40
HEAD_ROWS = 2  # of the price list: its total and its headings
UNCHANGED = (
    5  # how often the unchanged file is asked for: one answer alone says more of the machine
)
IDLE_SECONDS = 5  # a server may have closed a connection that was idle for longer
FLOOR_DSN = os.environ.get("BENCH_FLOOR_DSN", "dbname=portal_floor")
FLOOR_UUID = str(uuid.UUID(md5(b"c1", usedforsecurity=False).hexdigest()))
FLOOR_HEADERS = {"X-Access-Token": TOKEN}
ROOT = pathlib.Path(__file__).resolve().parent.parent
_local = threading.local()
Load = Callable[[], tools.Figures]


def call(base: str, path: str, headers: dict[str, str], body: object = None) -> Any:
    """Make one call over a kept connection and return its JSON, or its bytes.

    Raises:
        RuntimeError: any answer but a success.
    """
    kept: dict[str, tuple[http.client.HTTPConnection, float]] = _local.__dict__.setdefault(
        "kept", {}
    )
    connection, used = kept.pop(base, (None, 0.0))
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
    kept[base] = (connection, time.monotonic())
    if response.status >= 300:
        raise RuntimeError(f"{path}: {response.status} {content[:200]!r}")
    return (
        json.loads(content)
        if response.headers.get_content_type() == "application/json"
        else content
    )


class Portal:
    """The running portal, signed in as the bench's buyer."""

    def __init__(self, base: str) -> None:
        self.base = base
        answer = call(base, "/api/login", {}, {"email": EMAIL, "password": PASSWORD})
        self.user: Json = answer["user"]
        self.headers = {"x-access-token": answer["token"]}
        self.ship = {name: value for name, value in self.user.items() if name.startswith("ship_")}
        page = self.call(f"/api/product/stock/{self.user['uuid']}/0")["result"]
        self.products = [p for p in page if p["selectable"] and p["sku"] != RACE_SKU]
        race = self.call(f"/api/product/stock/{self.user['uuid']}/0?search={RACE_SKU}")["result"]
        self.race: Json | None = race[0] if race else None

    def call(self, path: str, body: object = None) -> Any:
        """Make one signed-in call."""
        return call(self.base, path, self.headers, body)

    def order(self, products: list[Json]) -> str:
        """Request an order of one lot of each product, check it out by wire, return its invoice
        code.
        """
        lines = [Line(p["sku"], p["moq"], Decimal(str(p["usd_supply"]))) for p in products]
        who = {"uuid": self.user["uuid"], **self.ship}
        return order(self.call, who, lines, email=EMAIL)

    def ten(self, index: int) -> list[Json]:
        """Return ten products, others for each index."""
        return [self.products[(index * 7 + k) % len(self.products)] for k in range(LINES)]


@dataclass(frozen=True)
class Side:
    """A running server: its address, its process and its database."""

    base: str
    pid: int
    database: str

    def load(self, load: Load) -> tools.Figures:
        """Run a load against it."""
        return tools.with_cpu(load, self.pid, self.database)


def prepare_floor() -> bool:
    """Fill the floor's database unless it is filled; say whether there is one."""
    if not shell(["psql", "-d", "postgres", "-c", "select 1"]):
        return False
    name = FLOOR_DSN.partition("dbname=")[2].split()[0]
    if not shell(["psql", "-d", name, "-c", "select 1 from order_line limit 1"]):
        shell(["createdb", name])
        volume = {
            "products": PRODUCTS,
            "brands": BRANDS,
            "companies": COMPANIES,
            "orders": ORDERS,
            "lines": LINES,
        }
        settings = [part for key, value in volume.items() for part in ("-v", f"{key}={value}")]
        return shell(
            [
                "psql",
                "-q",
                "-d",
                name,
                *settings,
                "-f",
                str(ROOT / "bench" / "floor" / "schema.sql"),
            ]
        )
    return True


def shell(command: list[str]) -> bool:
    """Run a command quietly; say whether it succeeded."""
    with contextlib.suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


def database() -> str:
    """Return the bench's own database: made on PostgreSQL where it answers, else a SQLite file."""
    if url := os.environ.get("BENCH_DATABASE"):
        return url
    if shell(["psql", "-d", "postgres", "-c", "select 1"]):
        shell(["createdb", "portal_bench"])
        return "postgresql:///portal_bench"
    return f"sqlite:///{ROOT / 'var' / 'bench.sqlite3'}"


def in_process(module: str, env: dict[str, str], wanted: object) -> dict[str, Any]:
    """Return what a module of the bench finds inside the portal's own code."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        input=json.dumps(wanted),
        env={**os.environ, **env},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def statements(env: dict[str, str], portal: Portal, code: str) -> dict[str, int]:
    """Return the SQL statements of each call, identity included."""
    wanted = {
        "headers": portal.headers,
        "uuid": portal.user["uuid"],
        "ship": portal.ship,
        "code": code,
    }
    lines = [
        {"sku": p["sku"], "count": p["moq"], "price": p["usd_supply"]}
        for p in portal.products[:MORE_LINES]
    ]
    return in_process("bench.statements", env, {**wanted, "lines": lines})


def pages(portal: Portal, code: str) -> dict[str, tuple[str, str | None, str]]:
    """Return the reads: our address and body, and the floor's address."""
    who = portal.user["uuid"]
    return {
        "product page": (f"/api/product/stock/{who}/0", None, f"/stock/{FLOOR_UUID}/0"),
        "order list": ("/api/order/0", None, f"/orders/{FLOOR_UUID}"),
        "order details": (f"/api/details/{code}", None, f"/details/{FLOOR_UUID}/INV000000500"),
        "dashboard": ("/api/dashboard", json.dumps({"uuid": who}), f"/dashboard/{FLOOR_UUID}"),
    }


def measure(
    portal: Portal, code: str, ours: Side, theirs: Side | None
) -> dict[tuple[str, int], figures.Rounds]:
    """Return every round's figures, ours and the floor's, by call and number of clients.

    The orders come after all reads: they lengthen the one buyer's history.
    """
    got: dict[tuple[str, int], figures.Rounds] = {}
    sheet = f"/api/excel/product-setting/{portal.user['uuid']}?format=xlsx"
    json_headers = {**portal.headers, "Content-Type": "application/json"}

    def turn(name: str, clients: int, mine: Load, other: Load | None) -> None:
        found = ours.load(mine), theirs.load(other) if theirs and other else None
        got.setdefault((name, clients), []).append(found)

    for _ in range(ROUNDS):
        for name, (path, body, floor_path) in pages(portal, code).items():
            for clients in CLIENTS:
                load = partial(tools.wrk, clients=clients, seconds=SECONDS)
                turn(
                    name,
                    clients,
                    partial(load, portal.base + path, headers=json_headers, body=body),
                    partial(load, theirs.base + floor_path, headers=FLOOR_HEADERS, body=None)
                    if theirs
                    else None,
                )
    for _ in range(ROUNDS):
        for clients in CLIENTS:
            load = partial(tools.many, clients=clients, seconds=SECONDS)
            turn(
                "order of 10 lines",
                clients,
                partial(load, lambda i: portal.order(portal.ten(i))),
                partial(load, partial(floor_order, theirs.base)) if theirs else None,
            )
            sheets = partial(
                tools.many, lambda _: portal.call(sheet), clients=clients, count=3 * clients
            )
            turn("price list file", clients, sheets, None)
    return got


def floor_order(base: str, index: int) -> None:
    """Place an order of one lot of ten products on the floor."""
    wanted = {index * 37 % 9000 + k + 1: MOQ for k in range(LINES)}
    call(base, f"/order/{FLOOR_UUID}", FLOOR_HEADERS, wanted)


def price_list(portal: Portal, pids: list[int]) -> dict[str, float]:
    """Return what the price list costs: seconds of a new and an unchanged file and of the bare
    writer, MiB added.
    """
    sheet = f"/api/excel/product-setting/{portal.user['uuid']}?format=xlsx"
    portal.order(portal.ten(1))  # changes what the file shows
    before = tools.memory(pids, "VmRSS")
    tools.reset_peaks(pids)
    new = seconds(partial(portal.call, sheet))
    added = max((peak - before.get(pid, 0) for pid, peak in tools.memory(pids).items()), default=0)
    again = statistics.median(seconds(partial(portal.call, sheet)) for _ in range(UNCHANGED))
    cells = cells_of(portal.call(sheet))
    return {
        "rows": len(cells) - HEAD_ROWS,
        "new": new,
        "again": again,
        "bare": bare_writer(cells),
        "added": added,
    }


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def cells_of(file: bytes) -> list[list[tuple[int, Any]]]:
    """Return every cell of a workbook's sheet, row by row: its column, and its value (None: only a
    style).
    """
    import openpyxl

    sheet = openpyxl.load_workbook(io.BytesIO(file)).worksheets[0]
    return [
        [(cell.column - 1, cell.value) for cell in row if cell.value is not None or cell.has_style]
        for row in sheet.iter_rows()
    ]


def bare_writer(cells: list[list[tuple[int, Any]]]) -> float:
    """Return the seconds that the writer library alone needs for the same cells, formulas and empty
    ones included.
    """
    import xlsxwriter

    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        book = xlsxwriter.Workbook(f"{folder}/list.xlsx", {"constant_memory": True})
        page, style = book.add_worksheet(), book.add_format({"border": 1})
        for index, row in enumerate(cells):
            for column, value in row:
                if value is None:
                    page.write_blank(index, column, None, style)
                elif not isinstance(value, str):
                    page.write_number(index, column, value)
                elif value.startswith("="):
                    page.write_formula(index, column, value)
                else:
                    page.write_string(index, column, value)
        book.close()
        return time.perf_counter() - begun


def race(portal: Portal) -> figures.Figure | None:
    """Return how many of 64 buyers got one of the last ten lots; None where an earlier run has sold
    them.
    """
    if portal.race is None or portal.race["qty"] < RACE_LOTS * MOQ:
        return None
    product = portal.race
    run = tools.many(lambda _: portal.order([product]), clients=RACE_BUYERS, count=RACE_BUYERS)
    what = f"race: {RACE_BUYERS} buyers for {RACE_LOTS} lots, who got one"
    return figures.Figure(5, what, f"{run['n']:.0f}", f"exactly {RACE_LOTS}", run["n"] == RACE_LOTS)


def table(got: dict[tuple[str, int], figures.Rounds], counted: dict[str, int]) -> str:
    """Return every load as a row of a Markdown table; CPU is of the web processes + of PostgreSQL,
    for a request.
    """
    head = (
        "what | clients | SQL | ours /s | p50 | p95 | p99 ms | floor /s | floor p95 | floor/ours | p95 ratio "
        "| CPU µs | floor's | failed"
    )
    lines = [f"| {head} |", "|" + "---|" * (head.count("|") + 1)]
    for (name, clients), rounds in got.items():
        ours = tools.median_of([mine for mine, _ in rounds])
        theirs = tools.median_of([other for _, other in rounds if other]) if rounds[0][1] else None
        floor = (
            f"{theirs['rps']:.1f} | {theirs['p95']:.1f} | {theirs['rps'] / max(ours['rps'], 0.01):.2f} | "
            f"{ours['p95'] / max(theirs['p95'], 0.01):.2f}"
            if theirs
            else "- | - | - | -"
        )
        failed = sum(mine["bad"] for mine, _ in rounds)
        busy = [
            f"{side['web_us']:.0f} + {side['db_us']:.0f}" if side else "-"
            for side in (ours, theirs)
        ]
        lines.append(
            f"| {name} | {clients} | {counted.get(name, '')} | {ours['rps']:.1f} | {ours['p50']:.1f} "
            f"| {ours['p95']:.1f} | {ours['p99']:.1f} | {floor} | {busy[0]} | {busy[1]} | {failed:.0f} |"
        )
    return "\n".join(lines)


def prepare(port: int) -> dict[str, str]:
    """Fill the portal's database, compile what the image compiles, and return the environment to
    serve with.
    """
    data_dir = ROOT / "var" / "bench"
    env = tools.environment(
        DATABASE_URL=database(),
        PORT=port,
        PORTAL_DATA_DIR=data_dir,
        THROTTLE_FACTOR=1_000_000,
        LOG_LEVEL="WARNING",
    )
    for command in (
        ["manage.py", "migrate", "-v0"],
        ["-m", "bench.seed"],
        [
            "manage.py",
            "run_due",
        ],  # what a portal does once a day is done, as on one that has been running
        ["manage.py", "collectstatic", "--noinput", "-v0"],
        ["-m", "compileall", "-q", "apps", "portal", f"{sys.prefix}/lib"],  # as the image does
    ):
        subprocess.run([sys.executable, *command], env={**os.environ, **env}, cwd=ROOT, check=True)
    return env


def start_floor(running: contextlib.ExitStack) -> Side | None:
    """Start the bare server until `running` ends; None without PostgreSQL."""
    if not prepare_floor():
        return None
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port),
               "--workers", "2", "--blocking-threads", "4", "--no-access-log", "--log-level", "error",
               "bench.floor.app:application"]  # fmt: skip
    pid, _ = running.enter_context(tools.server(command, port=port, env={"FLOOR_DSN": FLOOR_DSN}))
    return Side(f"http://127.0.0.1:{port}", pid, FLOOR_DSN.partition("dbname=")[2].split()[0])


def main() -> None:
    """Prepare both sides, measure, print."""
    if not shell(["wrk", "-v"]) and not shell(["sh", "-c", "command -v wrk"]):
        sys.exit("make bench needs wrk (Debian package wrk)")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the servers too
    port = free_port()
    env = prepare(port)
    with contextlib.ExitStack() as running:
        theirs = start_floor(running)
        pid, ready = running.enter_context(
            tools.server(
                [sys.executable, "manage.py", "serve", "--with-parent"], port=port, env=env
            )
        )
        ours = Side(f"http://127.0.0.1:{port}", pid, env["DATABASE_URL"].rpartition("/")[2])
        portal = Portal(ours.base)
        code = portal.order(portal.ten(0))
        counted = statements(env, portal, code)
        noise = [tools.spin()]
        got = measure(portal, code, ours, theirs)
        noise.append(tools.spin())
        pids = tools.process_tree(pid)
        workers = [
            worker for worker in pids if b" serve " in tools.command_line(worker) and worker != pid
        ]
        raced, sheet = race(portal), price_list(portal, pids)
        lists = in_process("bench.lists", env, portal.headers)
        resident, shares = tools.memory(pids, "VmRSS"), tools.shares(workers)
    print(f"{env['DATABASE_URL'].partition(':')[0]}, {ROUNDS} rounds of {SECONDS} s in turn; "
          f"spin probe {min(noise):.0f} to {max(noise):.0f} ms\n")  # fmt: skip
    print(table(got, counted))
    if theirs is None:
        print("\nNo PostgreSQL: no floor to compare with.")
    if raced is None:
        print(f"\n{RACE_SKU} is sold already: drop the bench's database to run the race again.")
    print(
        f"\nprice list of {sheet['rows']:.0f}: new {sheet['new']:.2f} s, bare writer {sheet['bare']:.2f} s"
    )
    print(
        "resident memory by process, MiB: " + ", ".join(f"{size:.0f}" for size in resident.values())
    )
    found = [
        *figures.loads(got),
        *figures.counted(counted),
        *([raced] if raced else []),
        *figures.price_list(sheet),
    ]
    found += [*figures.shape(ready=ready, workers=shares), *figures.lists(lists)]
    print("\n" + figures.table(found))


if __name__ == "__main__":
    main()
