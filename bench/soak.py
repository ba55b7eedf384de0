"""Load the portal as it ships with a working day's mixture, for long, and print each minute how it
fares.

`make soak` runs this. SOAK_MINUTES (default 30), SOAK_RATE (20 requests a second), SOAK_DATABASE
(default postgresql:///portal_soak, SQLite where no PostgreSQL answers). Requests arrive when they
are due, whether or not those before them were answered, and their time runs from then. Ends with 1
if a figure is missed.
"""

import contextlib
import os
import queue
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from apps.common.types import Json
from bench import tools
from bench.seed import ORDERS, PASSWORD, PRODUCTS
from portal.env import settings_module
from tools.ports import free_port

MINUTES, RATE = (
    float(os.environ.get("SOAK_MINUTES", "30")),
    float(os.environ.get("SOAK_RATE", "20")),
)
ROOT = Path(__file__).resolve().parent.parent
BUYERS, STAFF_EMAIL = 50, "staff@bench.test"
LINES, CALLERS, TIMEOUT_SECONDS, SEED = 5, 64, 30, 20260101
READ_MS, WRITE_MS = 300, 800
# Memory is flat if what it grows by, from the first quarter on, is below the larger of these.
FLAT_SHARE, FLAT_MIB = 0.05, 4.0
SHORTEST_MINUTES = 10  # for a verdict on memory
METRICS_TOKEN = "soak-metrics-token-of-at-least-32-characters"  # noqa: S105
_local = threading.local()


@dataclass
class Minute:
    """What was answered in a minute, in ms, and what failed."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Failed(Exception):
    """A request that was not answered as it should be."""


def send(method: str, url: str, **kwargs: Any) -> requests.Response:
    """Make a request over this thread's kept connection.

    Raises:
        Failed: no answer, or a refusal.
    """
    session: requests.Session = _local.__dict__.setdefault("session", requests.Session())
    session.cookies.clear()
    try:
        answer = session.request(
            method, url, timeout=TIMEOUT_SECONDS, allow_redirects=False, **kwargs
        )
    except requests.RequestException as error:
        raise Failed(f"{method} {url}: {type(error).__name__}") from error
    if answer.status_code >= 400:
        raise Failed(f"{method} {url}: {answer.status_code} {answer.text[:120]!r}")
    return answer


class Buyer:
    """One of the seeded buyers, signed in."""

    def __init__(self, base: str, number: int) -> None:
        self.base, self.email = base, f"buyer{number}@bench.test"
        self.sign_in()
        self.products = [
            p for p in self.get(f"product/stock/{self.uuid}/0")["result"] if p["selectable"]
        ]
        self.brands = [
            0,
            *(brand["brand_id"] for brand in self.get(f"brand/{self.uuid}")["result"]),
        ]
        self.orders = [order["invoice_code"] for order in self.get("order/0")["orderList"]]

    def sign_in(self) -> None:
        """Sign in, and go on with the new token."""
        answer = send(
            "POST", f"{self.base}/api/login", json={"email": self.email, "password": PASSWORD}
        ).json()
        if answer["success"] != 1:
            raise Failed(f"login: {answer['success']}")
        self.user: Json = answer["user"]
        self.uuid, self.token = self.user["uuid"], answer["token"]

    def get(self, path: str) -> Any:
        """Read."""
        answer = send("GET", f"{self.base}/api/{path}", headers={"x-access-token": self.token})
        return (
            answer.json()
            if answer.headers["Content-Type"].startswith("application/json")
            else answer.content
        )

    def post(self, path: str, body: Json) -> Any:
        """Write, or read what is asked for by POST."""
        return send(
            "POST", f"{self.base}/api/{path}", json=body, headers={"x-access-token": self.token}
        ).json()

    def request_order(self, chosen: Sequence[Json]) -> Json:
        """Request an order of one lot of each product; return the body that checks it
        out by wire.
        """
        ship = {name: value for name, value in self.user.items() if name.startswith("ship_")}
        lines = [{"sku": p["sku"], "count": p["moq"]} for p in chosen]
        total = round(sum(p["moq"] * round(p["usd_supply"] * 100) for p in chosen) / 100, 2)
        who = {"uuid": self.uuid, **ship}
        draft = {**who, "export_report": 0, "count": len(lines), "total": total, "product": lines}
        code = self.post("temp-order?shop=first", draft)["invoice_code"]
        return {**who, "email": self.email, "invoice_code": code, "type": "ORDER", "payment_type": "T/T",
                "export_report": 1, "ship_memo": "", "payer_id": "Soak", "amount": total}  # fmt: skip

    def check_out(self, checkout: Json) -> None:
        """Turn a requested order into one."""
        self.post("order/checkout-deposit/tt?send=0", checkout)
        self.orders = [checkout["invoice_code"], *self.orders[:49]]


class Staff:
    """The member of staff who looks after the orders in admin."""

    def __init__(self, base: str) -> None:
        self.base = f"{base}/admin/"
        page = send("GET", f"{self.base}login/")
        crumb = page.cookies["csrftoken"]
        form = {
            "username": STAFF_EMAIL,
            "password": PASSWORD,
            "csrfmiddlewaretoken": crumb,
            "next": "/admin/",
        }
        cookies = {"csrftoken": crumb}
        self.cookies = send(
            "POST", f"{self.base}login/", data=form, cookies=cookies
        ).cookies.get_dict()
        if "staff_session" not in self.cookies:
            raise Failed("staff sign-in")

    def get(self, path: str) -> None:
        """Open a page."""
        if send("GET", self.base + path, cookies=self.cookies).is_redirect:
            raise Failed(f"admin/{path}: signed out")


class Day:
    """The mixture of a working day: what is asked how often, by fifty buyers and one of
    the staff.
    """

    def __init__(self, base: str) -> None:
        self.base, self.chance = base, random.Random(SEED)  # noqa: S311 - what comes next is no secret
        self.staff = Staff(base)
        with ThreadPoolExecutor(8) as pool:
            self.buyers = list(pool.map(lambda number: Buyer(base, number), range(1, BUYERS + 1)))
        self.requested: queue.SimpleQueue[tuple[Buyer, Json]] = queue.SimpleQueue()
        # What, its share of 1,000 requests, whether it writes, how.
        self.kinds: tuple[tuple[int, bool, Callable[[Buyer], object]], ...] = (
            (330, False, lambda b: b.get(f"product/stock/{b.uuid}/{self.chance.choice(b.brands)}")),
            (70, False, lambda b: b.get(f"product/stock/{b.uuid}/0?search={self.word()}")),
            (60, False, lambda b: b.get(f"brand/{b.uuid}")),
            (140, False, lambda b: b.get(f"order/{self.chance.randrange(6)}")),
            (130, False, lambda b: b.get(f"details/{self.chance.choice(b.orders)}")),
            (80, False, lambda b: b.post("dashboard", {"uuid": b.uuid})),
            (20, False, lambda b: b.get("config")),
            (20, False, lambda b: b.get("notice")),
            (2, False, lambda b: b.get(f"excel/product-setting/{b.uuid}?format=xlsx")),
            (15, False, lambda _: self.staff.get("")),
            (
                20,
                False,
                lambda _: self.staff.get(f"orders/order/?status={self.chance.randrange(1, 5)}"),
            ),
            (
                20,
                False,
                lambda _: self.staff.get(
                    f"orders/order/{self.chance.randrange(1, ORDERS)}/change/"
                ),
            ),
            (3, False, lambda _: send("GET", f"{base}/readyz")),
            (10, True, lambda b: b.sign_in()),
            (20, True, lambda b: b.post("check", {"token": b.token})),
            (32, True, self.request_order),
            (28, True, self.check_out),
        )

    def next(self) -> tuple[bool, Callable[[], object]]:
        """Return what comes next: whether it writes, and the request."""
        (_, writes, do), *_ = self.chance.choices(self.kinds, [share for share, _, _ in self.kinds])
        buyer = self.chance.choice(self.buyers)
        return writes, lambda: do(buyer)

    def word(self) -> str:
        """Return what somebody looks for."""
        return self.chance.choice(
            ("serum", "essence 50ml", f"SKU{self.chance.randrange(1, PRODUCTS)}", "nothing")
        )

    def request_order(self, buyer: Buyer) -> None:
        """Request an order, to be checked out by a later request."""
        self.requested.put((buyer, buyer.request_order(self.chance.sample(buyer.products, LINES))))

    def check_out(self, buyer: Buyer) -> None:
        """Check out the order that was requested longest ago; request one while there is none."""
        try:
            buyer, checkout = self.requested.get_nowait()
        except queue.Empty:
            self.request_order(buyer)
        else:
            buyer.check_out(checkout)


class Soak:
    """The load on a running portal: minutes of answers, and each process's memory at their ends."""

    def __init__(self, base: str, pid: int) -> None:
        self.base, self.pid, self.day = base, pid, Day(base)
        self.lock, self.minute = threading.Lock(), Minute()
        self.minutes: list[Minute] = []
        self.memory: list[dict[int, float]] = []

    def run(self) -> None:
        """Send what is due when it is due, for SOAK_MINUTES, and print each minute."""
        print(
            "processes: " + ", ".join(f"{pid} {role(pid)}" for pid in tools.process_tree(self.pid))
        )
        print(f"{'min':>4} {'requests':>8} {'errors':>6} {'read p50':>9} {'p95':>6} {'p99':>6} "
              f"{'write p50':>10} {'p95':>6} {'p99':>6} ms   MiB of each process")  # fmt: skip
        begun = due = time.monotonic()
        with ThreadPoolExecutor(CALLERS) as pool:
            while due - begun < MINUTES * 60:
                due += self.day.chance.expovariate(RATE)
                time.sleep(max(0.0, due - time.monotonic()))
                pool.submit(self.measure, due, *self.day.next())
                if due - begun >= 60 * (len(self.minutes) + 1):
                    self.end_minute()
        if not self.minutes:
            self.end_minute()
        last = self.minutes[-1]  # takes what was still under way, and the part of a minute
        last.reads += self.minute.reads
        last.writes += self.minute.writes
        last.errors += self.minute.errors

    def measure(self, due: float, writes: bool, do: Callable[[], object]) -> None:
        """Make a request, and keep the ms since it was due, or why it failed."""
        try:
            do()
        except Exception as error:  # whatever goes wrong is a figure of the soak
            with self.lock:
                self.minute.errors.append(f"{type(error).__name__}: {error}")
            return
        with self.lock:
            (self.minute.writes if writes else self.minute.reads).append(
                (time.monotonic() - due) * 1000
            )

    def end_minute(self) -> None:
        """Print the minute and begin another; the figures for Prometheus are asked for, as in
        earnest.
        """
        with self.lock:
            done, self.minute = self.minute, Minute()
        try:
            send(
                "GET", f"{self.base}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}
            )
        except Failed as error:
            done.errors.append(str(error))
        self.minutes.append(done)
        self.memory.append(tools.memory(tools.process_tree(self.pid), "VmRSS"))
        reads, writes = (
            [f"{percentile(times, part):.0f}" for part in (50, 95, 99)]
            for times in (done.reads, done.writes)
        )
        print(f"{len(self.minutes):>4} {len(done.reads) + len(done.writes):>8} {len(done.errors):>6} "
              f"{reads[0]:>9} {reads[1]:>6} {reads[2]:>6} {writes[0]:>10} {writes[1]:>6} {writes[2]:>6}      "
              f"{' '.join(f'{mib:.1f}' for mib in self.memory[-1].values())}", flush=True)  # fmt: skip


def role(pid: int) -> str:
    """Return which of the portal's commands a process runs."""
    words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return next((word for word in ("run_due", "serve") if word in words), "helper")


def verdicts(
    minutes: Sequence[Minute], memory: Sequence[dict[int, float]]
) -> list[tuple[str, bool]]:
    """Return what must hold, in words with its figures, and whether it does."""
    reads = [ms for minute in minutes for ms in minute.reads]
    writes = [ms for minute in minutes for ms in minute.writes]
    errors = [error for minute in minutes for error in minute.errors]
    return [
        (
            f"{len(reads) + len(writes)} requests, {len(errors)} failed {errors[:3] or ''}",
            not errors,
        ),
        (
            f"reads: p95 {percentile(reads, 95):.0f} ms, under {READ_MS}",
            percentile(reads, 95) < READ_MS,
        ),
        (
            f"writes: p95 {percentile(writes, 95):.0f} ms, under {WRITE_MS}",
            percentile(writes, 95) < WRITE_MS,
        ),
        *(memory_verdicts(memory) if len(memory) >= SHORTEST_MINUTES else []),
    ]


def memory_verdicts(memory: Sequence[dict[int, float]]) -> list[tuple[str, bool]]:
    """Return for each process that lived to the end whether its memory was flat after the first
    quarter.
    """
    later = memory[len(memory) // 4 :]
    found = []
    for pid in later[-1]:
        sizes = [sample[pid] for sample in later if pid in sample]
        if len(sizes) < 2:
            continue
        slope = statistics.linear_regression(range(len(sizes)), sizes).slope
        growth, mean = slope * (len(sizes) - 1), statistics.fmean(sizes)
        text = f"memory of {pid}: {mean:.1f} MiB, {slope * 60:+.2f} MiB an hour, {growth:+.2f} while measured"
        found.append((text, growth <= max(FLAT_MIB, FLAT_SHARE * mean)))
    return found


def percentile(times: list[float], part: int) -> float:
    """Return a percentile, 0 of nothing."""
    return sorted(times)[min(len(times) - 1, part * len(times) // 100)] if times else 0.0


def settle() -> None:
    """Make of the seeded rows a portal in use; in a process with the portal's settings.

    The first buyers get their password, staff a member.
    """
    tools.set_up()
    from django.contrib.auth.hashers import make_password

    from apps.accounts.models import User

    secret = make_password(PASSWORD)
    User.objects.filter(
        email__in=[f"buyer{number}@bench.test" for number in range(1, BUYERS + 1)]
    ).update(password=secret)
    User.objects.update_or_create(
        email=STAFF_EMAIL,
        defaults={"password": secret, "is_staff": True, "is_superuser": True, "manager": "Soak"},
    )


def database() -> str:
    """Return the soak's own database: made on PostgreSQL where it answers, else a SQLite file."""
    if url := os.environ.get("SOAK_DATABASE"):
        return url
    for command in (["createdb", "portal_soak"], ["psql", "-d", "portal_soak", "-c", "select 1"]):
        with contextlib.suppress(OSError):
            answered = subprocess.run(command, capture_output=True, check=False).returncode == 0
            if answered:
                return "postgresql:///portal_soak"
    return f"sqlite:///{ROOT / 'var' / 'soak' / 'portal.sqlite3'}"


def main() -> int:
    """Prepare, load, print, and return an exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the server too
    port = free_port()
    env = tools.environment(
        DJANGO_SETTINGS_MODULE=settings_module(),
        DATABASE_URL=database(),
        PORT=port,
        PORTAL_DATA_DIR=ROOT / "var" / "soak",
        THROTTLE_FACTOR=1_000_000,  # all callers have one address
        LOG_LEVEL="WARNING",
        METRICS_TOKEN=METRICS_TOKEN,
    )
    whole = {**os.environ, **env}
    (ROOT / "var" / "soak").mkdir(parents=True, exist_ok=True)
    for command in (
        ["manage.py", "migrate", "-v0"],
        ["-m", "bench.seed"],
        ["-m", "bench.soak", "settle"],
        ["manage.py", "collectstatic", "--noinput", "-v0"],
    ):
        subprocess.run([sys.executable, *command], env=whole, cwd=ROOT, check=True)
    serve = [sys.executable, "manage.py", "serve", "--with-parent"]
    with tools.server(serve, port=port, env=env) as (pid, _):
        soak = Soak(f"http://127.0.0.1:{port}", pid)
        print(
            f"{env['DATABASE_URL'].partition(':')[0]}, {MINUTES:g} minutes of {RATE:g} requests/s, "
            f"{BUYERS} buyers and staff"
        )
        soak.run()
    audit = subprocess.run([sys.executable, "manage.py", "audit"], env=whole, cwd=ROOT, check=False)
    found = [*verdicts(soak.minutes, soak.memory), ("audit", audit.returncode == 0)]
    print("\n".join(f"{'holds ' if holds else 'MISSED'}  {text}" for text, holds in found))
    if len(soak.memory) < SHORTEST_MINUTES:
        print(f"memory is not judged in less than {SHORTEST_MINUTES} minutes")
    return 0 if all(holds for _, holds in found) else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["settle"]:
        settle()
    else:
        sys.exit(main())
