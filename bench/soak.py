"""Load the portal as it ships with a working day's mixture, for long, and print each minute how it
fares.

`make soak` runs this on PostgreSQL. SOAK_MINUTES (default 30), SOAK_RATE (20 requests a second).
Requests arrive when they are due, whether or not those before them were answered, and their time
runs from then. Ends with 1 if a figure is missed.
"""

import os
import random
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import tools
from bench.run import Portal, call
from bench.seed import ORDERS, PASSWORD, PRODUCTS
from portal.env import settings_module
from tools.ports import free_port

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
RATE = float(os.environ.get("SOAK_RATE", "20"))
BUYERS, STAFF_EMAIL, CALLERS, SEED = 50, "staff@bench.test", 64, 20260101
READ_MS, WRITE_MS = 300, 800
# Memory is flat if what it grows by, from the first quarter on, is below the larger of these.
FLAT_SHARE, FLAT_MIB = 0.05, 4.0
SHORTEST_MINUTES = 10  # for a verdict on memory
WORDS = ("serum", "essence 50ml", "nothing")


class Day:
    """The mixture of a working day: what fifty buyers and one of the staff ask for, and how
    often.
    """

    def __init__(self, base: str, staff: str) -> None:
        self.base, self.staff = base, {"Cookie": f"staff_session={staff}"}
        self.chance = random.Random(SEED)  # noqa: S311 - what comes next is no secret
        emails = [f"buyer{number}@bench.test" for number in range(1, BUYERS + 1)]
        with ThreadPoolExecutor(8) as pool:
            self.buyers = list(pool.map(lambda email: Portal(base, email), emails))
        self.codes = {
            buyer.email: [one["invoice_code"] for one in buyer.call("/api/order/0")["orderList"]]
            for buyer in self.buyers
        }
        pick, number = self.chance.choice, self.chance.randrange
        # Its share of 1,000 requests, whether it writes, how.
        self.kinds: tuple[tuple[int, bool, Callable[[Portal], object]], ...] = (
            (330, False, lambda b: b.call(f"/api/product/stock/{b.uuid}/{number(20)}")),
            (50, False, lambda b: b.call(f"/api/product/stock/{b.uuid}/0?search={pick(WORDS)}")),
            (20, False, lambda b: b.call(f"/api/product/stock/{b.uuid}/0?search={self.sku()}")),
            (60, False, lambda b: b.call(f"/api/brand/{b.uuid}")),
            (140, False, lambda b: b.call(f"/api/order/{number(6)}")),
            (130, False, lambda b: b.call(f"/api/details/{pick(self.codes[b.email])}")),
            (80, False, lambda b: b.call("/api/dashboard", {"uuid": b.uuid})),
            (20, False, lambda b: b.call("/api/config")),
            (20, False, lambda b: b.call("/api/notice")),
            (2, False, Portal.price_list),
            (15, False, lambda _: self.look("")),
            (20, False, lambda _: self.look(f"orders/order/?status={number(1, 5)}")),
            (20, False, lambda _: self.look(f"orders/order/{number(1, ORDERS)}/change/")),
            (10, True, Portal.sign_in),
            (20, True, lambda b: b.call("/api/check", {"token": b.headers["x-access-token"]})),
            (30, True, lambda b: b.order(number(PRODUCTS))),
        )

    def sku(self) -> str:
        """Return the SKU of a product."""
        return f"SKU{self.chance.randrange(1, PRODUCTS)}"

    def look(self, page: str) -> None:
        """Open a page of staff."""
        call(self.base, f"/admin/{page}", self.staff)

    def next(self) -> tuple[bool, Callable[[], object]]:
        """Return what comes next: whether it writes, and the request."""
        (_, writes, do), *_ = self.chance.choices(self.kinds, [share for share, _, _ in self.kinds])
        buyer = self.chance.choice(self.buyers)
        return writes, lambda: do(buyer)


class Soak:
    """The load on a running portal: what was answered, and each process's memory every minute."""

    def __init__(self, day: Day, pid: int) -> None:
        self.day, self.pid = day, pid
        self.lock = threading.Lock()
        self.times: dict[bool, list[float]] = {False: [], True: []}  # ms, by whether it writes
        self.errors: list[str] = []
        self.memory: list[dict[int, float]] = []

    def run(self) -> None:
        """Send what is due when it is due, for SOAK_MINUTES, and print each minute."""
        print("minute, requests, failed; p50, p95 of reads and of writes in ms; MiB of processes")
        begun = due = time.monotonic()
        seen = {False: 0, True: 0}
        with ThreadPoolExecutor(CALLERS) as pool:
            while due - begun < MINUTES * 60:
                due += self.day.chance.expovariate(RATE)
                time.sleep(max(0.0, due - time.monotonic()))
                pool.submit(self.measure, due, *self.day.next())
                if due - begun >= 60 * (len(self.memory) + 1):
                    seen = self.end_minute(seen)

    def measure(self, due: float, writes: bool, do: Callable[[], object]) -> None:
        """Make a request, and keep the ms since it was due, or why it failed."""
        try:
            do()
        except Exception as error:  # whatever goes wrong is a figure of the soak
            self.errors.append(f"{type(error).__name__}: {error}")
            return
        with self.lock:
            self.times[writes].append((time.monotonic() - due) * 1000)

    def end_minute(self, seen: dict[bool, int]) -> dict[bool, int]:
        """Print what came since `seen`, and return how many answers there are now."""
        self.memory.append(tools.memory(tools.process_tree(self.pid)))
        with self.lock:
            last = [list(times[seen[writes] :]) for writes, times in self.times.items()]
            now = {writes: len(times) for writes, times in self.times.items()}
        figures = [f"{percentile(times, part):.0f}" for times in last for part in (50, 95)]
        sizes = " ".join(f"{size:.0f}" for size in self.memory[-1].values())
        print(f"{len(self.memory):>4} {sum(map(len, last)):>6} {len(self.errors):>4}  "
              f"{' '.join(figures)}   {sizes}", flush=True)  # fmt: skip
        return now

    def verdicts(self) -> list[tuple[str, bool]]:
        """Return what must hold, in words with its figures, and whether it does."""
        reads, writes = (percentile(self.times[kind], 95) for kind in (False, True))
        asked = sum(map(len, self.times.values()))
        return [
            (f"{asked} answers, {len(self.errors)} failed {self.errors[:3]}", not self.errors),
            (f"reads: p95 {reads:.0f} ms, under {READ_MS}", reads < READ_MS),
            (f"writes: p95 {writes:.0f} ms, under {WRITE_MS}", writes < WRITE_MS),
            *(self.memory_verdicts() if len(self.memory) >= SHORTEST_MINUTES else []),
        ]

    def memory_verdicts(self) -> list[tuple[str, bool]]:
        """Return for each process that lived to the end whether its memory was flat after the first
        quarter.
        """
        later, found = self.memory[len(self.memory) // 4 :], []
        for pid in later[-1]:
            sizes = [sample[pid] for sample in later if pid in sample]
            if len(sizes) > 1:
                slope = statistics.linear_regression(range(len(sizes)), sizes).slope
                growth, mean = slope * (len(sizes) - 1), statistics.fmean(sizes)
                text = f"memory of {pid}: {mean:.1f} MiB, {growth:+.2f} while measured"
                found.append((text, growth <= max(FLAT_MIB, FLAT_SHARE * mean)))
        return found


def percentile(times: list[float], part: int) -> float:
    """Return a percentile, 0 of nothing."""
    return sorted(times)[min(len(times) - 1, part * len(times) // 100)] if times else 0.0


def settle() -> None:
    """Give the first buyers their password, and print the session of a member of staff; in a
    process with the portal's settings.
    """
    tools.set_up()
    from django.conf import settings
    from django.contrib.auth.hashers import make_password
    from django.test import Client

    from apps.accounts.models import User

    emails = [f"buyer{number}@bench.test" for number in range(1, BUYERS + 1)]
    User.objects.filter(email__in=emails).update(password=make_password(PASSWORD))
    staff = User.objects.filter(email=STAFF_EMAIL).first() or User.objects.create_superuser(
        email=STAFF_EMAIL, password=None
    )
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    print(client.cookies[settings.SESSION_COOKIE_NAME].value)


def main() -> int:
    """Prepare, load, print, and return an exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the server too
    port, folder = free_port(), tools.HERE.parent / "var" / "soak"
    env = {
        "DJANGO_SETTINGS_MODULE": settings_module(),
        "DATABASE_URL": tools.database("portal_soak"),
        "PORT": str(port),
        "PORTAL_DATA_DIR": str(folder),
        "THROTTLE_FACTOR": "1000000",  # all callers have one address
        "LOG_LEVEL": "WARNING",
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    tools.python(env, "manage.py", "migrate", "-v0")
    tools.python(env, "-m", "bench.seed")
    tools.python(env, "manage.py", "collectstatic", "--noinput", "-v0")
    staff = tools.python(env, "-m", "bench.soak", "settle").strip()
    with tools.server("manage.py", "serve", "--with-parent", port=port, env=env) as (pid, _):
        soak = Soak(Day(f"http://127.0.0.1:{port}", staff), pid)
        soak.run()
    audit = tools.python(env, "manage.py", "audit", check=False).strip().splitlines()[-1]
    found = [*soak.verdicts(), (f"audit: {audit}", audit.endswith("rules hold."))]
    print("\n".join(f"{'holds ' if holds else 'MISSED'}  {text}" for text, holds in found))
    return int(not all(holds for _, holds in found))


if __name__ == "__main__":
    if sys.argv[1:] == ["settle"]:
        settle()
    else:
        sys.exit(main())
