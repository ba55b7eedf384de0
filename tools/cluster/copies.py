"""Buyers who write and then look, while the copy that may answer them is five seconds behind."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from tools.cluster.buyers import MOQ, PRODUCTS, SKU
from tools.cluster.client import Client
from tools.cluster.engines import NAMES, Cluster

READERS = 16
DELAY_SECONDS = 5
PARAMETER = "recovery_min_apply_delay"
DELAY = f"{DELAY_SECONDS}s"
LOOK_SECONDS = 10  # after a write: half of it answered by the primary, half by the copy
IDLE_SECONDS = 12  # after which PostgreSQL has written its counters
NO_PLACE = "0/1"  # which every copy has
CONTROL_READS = 2_000


@dataclass
class Seen:
    """What the readers met; `less` is a basket older than its buyer had written it, `lost` what was
    not answered.
    """

    reads: int = 0
    writes: int = 0
    less: int = 0
    lost: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __str__(self) -> str:
        lost = f", not answered {len(self.lost)} ({self.lost[0]})" if self.lost else ""
        return f"{self.reads} reads after {self.writes} writes: {self.less} showed less than was written{lost}"


class Delayed:
    """A copy that replays each commit seconds late, inside `with`."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.name = next(name for name in NAMES if name != cluster.primary())

    def __enter__(self) -> "Delayed":
        self.cluster.set_parameter(PARAMETER, DELAY)
        self.cluster.wait("a copy that is behind", self.is_late)
        return self

    def __exit__(self, *_: object) -> None:
        self.cluster.set_parameter(PARAMETER, None)

    def is_late(self) -> bool:
        """Return whether the copy waits before it replays a commit."""
        return self.ask(f"SHOW {PARAMETER}").strip() == DELAY

    def ask(self, statement: str) -> str:
        """Return what the copy answers to a statement."""
        return self.cluster.query(statement, port=self.name, owner="postgres", database="postgres")

    def statements(self) -> int:
        """Return how many of the portal's statements it has answered."""
        time.sleep(IDLE_SECONDS)
        return int(self.ask("SELECT xact_commit FROM pg_stat_database WHERE datname = 'portal'"))


def look_often(
    cluster: Cluster, people: Sequence[dict[str, Any]], *, reads: int, with_place: bool = True
) -> Seen:
    """Let buyers write and look until they have looked so often in all."""
    seen = Seen()
    threads = [
        threading.Thread(
            target=_look, args=(Client(cluster, person["token"]), seen, reads, with_place)
        )
        for person in people[:READERS]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def _look(client: Client, seen: Seen, reads: int, with_place: bool) -> None:
    device, sequence, revision = str(uuid4()), 0, client.ask("GET", "/api/basket").body["revision"]
    while seen.reads < reads and not seen.lost:
        sequence += 1
        edits = [{"sku": SKU.format(sequence % PRODUCTS), "count": MOQ * (1 + sequence % 7)}]
        body = {"device": device, "sequence": sequence, "revision": revision, "edits": edits}
        written = client.ask("POST", "/api/basket/edits", body)
        if written.status != 200:
            seen.lost.append(f"{written.status} {written.body}")
            return
        revision, until = written.body["revision"], time.monotonic() + LOOK_SECONDS
        if not with_place:
            client.place = NO_PLACE
        found = [client.ask("GET", "/api/basket")]
        while time.monotonic() < until and seen.reads + len(found) < reads:
            found.append(client.ask("GET", "/api/basket"))
        with seen.lock:
            seen.reads += len(found)
            seen.writes += 1
            seen.lost += [
                f"{answer.status} {answer.body}" for answer in found if answer.status != 200
            ]
            seen.less += sum(
                answer.status == 200 and answer.body["revision"] < revision for answer in found
            )
