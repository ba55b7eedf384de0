"""200 buyers check out at once for the last ten lots of one product, over HTTP, on SQLite and on
PostgreSQL.

`python -m bench.rush` starts the portal as it ships on a database of its own for each, prints what
every buyer got and how long it took, and ends with 1 unless exactly ten got a lot and the audit is
clean.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from bench import tools, wire_order
from tools.ports import free_port

BUYERS, LOTS, LOT = 200, 10, 10  # pieces in a lot
SKU = "LAST-1"
LIMIT_MS = {"sqlite": 5000, "postgresql": 3000}


def prepare() -> None:
    """Fill the database that DATABASE_URL names, and print each buyer's token and checkout, one a
    line.
    """
    tools.set_up()
    from django.utils import timezone

    from apps.accounts.shipping import Shipping
    from apps.orders.services.request import request_order

    wire_order.make_products([wire_order.Line(SKU, LOT, Decimal("4.50"))], stock=LOTS * LOT)
    for buyer, token, who in wire_order.make_buyers(BUYERS):
        shipping = Shipping(**{name: value for name, value in who.items() if name != "uuid"})
        draft = request_order(
            buyer=buyer, lines=[(SKU, LOT)], shipping=shipping, now=timezone.now()
        )
        body = wire_order.checkout_body(
            who, code=draft.invoice_code, amount=float(draft.total), email=""
        )
        print(json.dumps([token, body]))


def rush(port: int, calls: list[tuple[str, dict[str, Any]]]) -> tuple[Counter[str], list[float]]:
    """Send every checkout at the same moment; return the outcomes and the milliseconds of each."""
    start, outcomes, times = threading.Barrier(len(calls)), Counter[str](), list[float]()

    def check_out(token: str, body: dict[str, Any]) -> None:
        start.wait()
        begun = time.perf_counter()
        headers = {"x-access-token": token}
        status, answer = wire_order.post(port, wire_order.CHECKOUT, body, headers, seconds=60)
        outcomes[f"{status} {answer.get('code', 'ordered')}"] += 1
        times.append((time.perf_counter() - begun) * 1000)

    threads = [threading.Thread(target=check_out, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes, sorted(times)


def databases(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the databases by name: a file, and one on PostgreSQL where it answers, gone
    afterwards.
    """
    yield "sqlite", f"sqlite:///{folder}/rush.sqlite3"
    if (
        subprocess.run(["createdb", "portal_rush"], capture_output=True, check=False).returncode
        == 0
    ):
        try:
            yield "postgresql", "postgresql:///portal_rush"
        finally:
            subprocess.run(["dropdb", "--force", "portal_rush"], check=False)


def main() -> int:
    """Run the rush on each database and print it; return 1 if anything is not as it must be."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, url in databases(folder):
            port = free_port()
            env = {"DATABASE_URL": url, "PORT": str(port), "PORTAL_DATA_DIR": folder}
            env["LOG_LEVEL"] = "WARNING"
            tools.python(env, "manage.py", "migrate", "-v0")
            output = tools.python(env, "-m", "bench.rush", "prepare")
            calls = [tuple(json.loads(line)) for line in output.splitlines()]
            with tools.server("manage.py", "serve", "--with-parent", port=port, env=env):
                outcomes, times = rush(port, calls)
            audit = tools.python(env, "manage.py", "audit", check=False)
            p50, p95 = times[len(times) // 2], times[int(0.95 * len(times))]
            as_it_must = outcomes == {"200 ordered": LOTS, "409 out_of_stock": BUYERS - LOTS}
            good = as_it_must and p95 < LIMIT_MS[name] and audit.endswith("rules hold.\n")
            failed |= not good
            print(
                f"{name}: {dict(outcomes)}, p50 {p50:.0f} ms, p95 {p95:.0f} ms (limit "
                f"{LIMIT_MS[name]}), slowest {times[-1]:.0f} ms: "
                f"{'as it must be' if good else 'FAILED'}"
            )
    return int(failed)


if __name__ == "__main__":
    if sys.argv[1:] == ["prepare"]:
        prepare()
    else:
        sys.exit(main())
