"""An instance that comes and goes, and a release that adds a column, while buyers go on: nobody may
notice.
"""

import shutil
import threading
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.wire_order import CHECKOUT, REQUEST, checkout_body, request_body
from tools.cluster.buyers import lines_of
from tools.cluster.client import Client
from tools.cluster.crowd import Crowd
from tools.cluster.engines import NAMES, ROOT, THIRD, Cluster

VISITORS = 12
SOURCES = (
    "apps",
    "portal",
    "templates",
    "static",
    "tools",
    "manage.py",
    "frontend/contract",
    "frontend/dist",
)
MODEL, COLUMN = "apps/catalog/models/products.py", "    eng_name = models."
NEW_COLUMN = '    season = models.CharField(max_length=40, blank=True, default="", db_default="")\n'


class Visitors(Crowd):
    """Buyers who look around and order without a pause, inside `with`; `failed` counts what was not
    answered well.
    """

    def __init__(self, cluster: Cluster, people: Sequence[dict[str, Any]]) -> None:
        self.lock = threading.Lock()
        self.asked = 0
        self.failed: Counter[str] = Counter()
        self.orders: list[str] = []
        super().__init__(
            [
                partial(self.visit, Client(cluster, person["token"]), person["who"])
                for person in people[:VISITORS]
            ]
        )

    def visit(self, client: Client, who: dict[str, Any]) -> None:
        """Look at products, orders and the basket, and order, in turn."""
        reads = (
            f"/api/product/stock/{who['uuid']}/0",
            "/api/order/0",
            "/api/basket",
            "/api/notice",
            "/api/wallet",
        )
        turn = 0
        while not self.over.is_set():
            turn += 1
            for path in reads:
                self.ask(client, "GET", path)
            draft = request_body(who, lines_of(turn))
            code = (self.ask(client, "POST", REQUEST, draft) or {}).get("invoice_code", "")
            checkout = checkout_body(who, code=code, amount=draft["total"], email="")
            if code and self.ask(client, "POST", CHECKOUT, checkout):
                self.orders.append(code)

    def ask(self, client: Client, method: str, path: str, body: object = None) -> Any:
        """Make a call once, and count it."""
        client.headers["Idempotency-Key"] = str(uuid4())
        status, answer = client.ask(method, path, body)
        with self.lock:
            self.asked += 1
            if status != 200:
                self.failed[f"{method} {path.split('?')[0]}: {status}"] += 1
        return answer if status == 200 else None

    def wait_for(self, number: int) -> None:
        """Wait until so many more calls were made."""
        goal = self.asked + number
        while self.asked < goal:
            time.sleep(0.1)


def next_release(cluster: Cluster) -> Path:
    """Return a folder with this release and one column more, its migration beside it."""
    folder = cluster.folder / "next"
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    model = folder / MODEL
    text = model.read_text()
    model.write_text(text.replace(COLUMN, NEW_COLUMN + COLUMN, 1))
    cluster.manage("makemigrations", "catalog", "--name", "season", source=folder)
    return folder


def come_and_go(cluster: Cluster, visitors: Visitors) -> None:
    """Add an instance, let it answer, take it away."""
    cluster.add_portal(THIRD)
    visitors.wait_for(500)
    cluster.stop_portal(THIRD)


def upgrade(cluster: Cluster, source: Path) -> None:
    """Bring the tables of a release in, then its instances one by one (docs/operations.md)."""
    cluster.manage("migrate", "--no-input", source=source)
    for name in NAMES:
        cluster.stop_portal(name)
        cluster.add_portal(name, source)
