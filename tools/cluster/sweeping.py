"""What works behind the buyers under blows: a clock that jumps, Celery's workers killed. Each mail
leaves, and once.

The clock needs a C compiler, the workers Debian's redis-server. CLUSTER_BLOWS (30) says how often a
worker is killed.
"""

import email
import email.policy
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from portal.ops.steps import say
from tools.cluster.alone import Alone, judged
from tools.cluster.buyers import prepared
from tools.cluster.engines import LOCAL, ROOT, ClusterError
from tools.cluster.upgrade import Visitors
from tools.ports import free_ports

BLOWS = int(os.environ.get("CLUSTER_BLOWS", "30"))
PEOPLE = (
    1  # each order is two mails and a document: no more than one machine sends and draws meanwhile
)
JUMPS = (1, -1, 23, -23)  # hours
PHASE_SECONDS, BLOW_SECONDS, DRAIN_SECONDS = 4.0, 1.0, 180.0
WAITING = "SELECT count(*) FROM post_office_email WHERE status IS DISTINCT FROM 0"
MISSING = """SELECT count(*) FROM orders_orderpaper paper
 WHERE NOT EXISTS (SELECT 1 FROM orders_orderdocument file WHERE file.paper_id = paper.id)"""


class Sent(NamedTuple):
    """What left, beside what was owed."""

    owed: int
    lost: int
    doubled: int

    def __str__(self) -> str:
        return f"; {self.owed} mails, lost {self.lost}, doubled {self.doubled}"


class Sweeping(Alone):
    """One instance with its sweeps beside it, whose clock a file moves."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.clock = folder / "clock"
        self.library = folder / "clock.so"
        self.set_clock(0)

    def set_clock(self, hours: int) -> None:
        """Move the clock of the portal's processes."""
        self.clock.write_text(str(hours * 3600))

    def build_clock(self) -> None:
        """Build what moves it.

        Raises:
            ClusterError: there is no C compiler.
        """
        if shutil.which("cc") is None:
            raise ClusterError("The clock needs a C compiler: apt-get install gcc libc6-dev")
        source = Path(__file__).with_name("clock.c")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O2", "-o", self.library, source, "-ldl"], check=True
        )

    def portal_environment(self) -> dict[str, str]:
        """Return what the instance and its sweeps are told."""
        return super().portal_environment() | {
            "LD_PRELOAD": str(self.library),
            "PORTAL_CLOCK": str(self.clock),
        }

    def start_portal(self, name: str, source: Path = ROOT) -> None:
        """Start the instance as it ships, with its sweeps."""
        port = self.ports[f"web_{name}"]
        environment = self.portal_environment() | {"PORT": str(port), "WEB_WORKERS": "1"}
        self.run(
            f"portal-{name}", [sys.executable, "manage.py", "serve"], environment, folder=source
        )
        self.wait(f"instance {name}", lambda: self.get(f"http://{LOCAL}:{port}/readyz") is not None)

    def found(self, statement: str) -> list[str]:
        """Return what a statement finds, as words."""
        if not self.sqlite:
            return self.query(statement).split()
        with closing(sqlite3.connect(self.folder / "portal.sqlite3", timeout=20)) as database:
            return [str(value) for (value,) in database.execute(statement)]

    def count(self, statement: str) -> int:
        """Return the number that a statement finds."""
        return int(self.found(statement)[0])

    def drained(self) -> bool:
        """Wait until every mail has left and every document is made, and return whether they did in
        time.
        """
        end = time.monotonic() + DRAIN_SECONDS
        while self.count(WAITING) or self.count(MISSING):
            if time.monotonic() > end:
                return False
            time.sleep(0.5)
        return True

    def sent(self) -> Sent:
        """Return what left, by the files that stand for a mail server."""
        seen: Counter[str] = Counter()
        for file in (self.folder / "portal" / "mail").glob("*.eml"):
            seen[
                str(
                    email.message_from_bytes(file.read_bytes(), policy=email.policy.default)[
                        "Message-ID"
                    ]
                )
            ] += 1
        owed = set(self.found("SELECT message_id FROM post_office_email"))
        return Sent(len(owed), len(owed - seen.keys()), sum(count - 1 for count in seen.values()))


def jump(folder: Path, *, sqlite: bool = False) -> bool:
    """Set the clock of the portal forward and back while buyers order; PostgreSQL's own stays
    right.
    """
    with closing(Sweeping(folder)) as one:
        one.sqlite = sqlite
        one.build_clock()
        one.start()
        with Visitors(one, prepared(one)[:PEOPLE]) as visitors:
            time.sleep(PHASE_SECONDS)
            for hours in JUMPS:
                before, refused = len(visitors.orders), visitors.failed.total()
                one.set_clock(hours)
                time.sleep(PHASE_SECONDS)
                during = len(visitors.orders) - before
                one.set_clock(0)
                time.sleep(PHASE_SECONDS)
                after = len(visitors.orders) - before - during
                refused = visitors.failed.total() - refused
                say(f"{hours:+} h: {during} orders meanwhile, {after} after, {refused} refused")
        is_drained, sent = one.drained(), one.sent()
        held = judged(
            "a clock that jumps",
            one,
            visitors,
            allowed=("403",),
            more=f"{sent}, drained {is_drained}",
        )
    return held and is_drained and not sent.lost and not sent.doubled


class WithCelery(Sweeping):
    """One instance that nudges Celery's workers through a Redis of its own, and the beat."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (self.redis,) = free_ports(1)

    def portal_environment(self) -> dict[str, str]:
        """Return what all of them are told."""
        told = Alone.portal_environment(self)
        return told | {"TASKS": "celery", "REDIS_URL": f"redis://{LOCAL}:{self.redis}/0"}

    def start_portal(self, name: str, source: Path = ROOT) -> None:
        """Start Redis, the instance, the beat and the workers."""
        self.run(
            "redis", ["redis-server", "--port", str(self.redis), "--bind", LOCAL, "--save", ""]
        )
        Alone.start_portal(self, name, source)
        told = self.portal_environment()
        self.run("beat", [sys.executable, "manage.py", "run_due", "--loop"], told, folder=ROOT)
        self.start_workers()

    def start_workers(self) -> None:
        """Start the workers as compose.yaml does."""
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "portal.celery",
            "worker",
            "-c",
            "2",
            "-l",
            "WARNING",
        ]
        self.run("workers", command, self.portal_environment(), folder=ROOT)

    def kill_worker(self, *, whole: bool) -> bool:
        """Kill one of the processes that work, or all with their parent, which is started again."""
        parent = self.running["workers"]
        if (
            parent.poll() is not None
        ):  # it ends where its first processes die; compose.yaml starts it again, too
            self.start_workers()
            return False
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        if not children:
            return False
        if not whole:
            with suppress(ProcessLookupError):
                os.kill(int(random.choice(children)), signal.SIGKILL)  # noqa: S311
            return True
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()
        self.start_workers()
        return True


def kill_workers(folder: Path) -> bool:
    """Kill Celery's workers while buyers order; every third time all of them."""
    if shutil.which("redis-server") is None:
        raise ClusterError("Celery's workers need Debian's package: apt-get install redis-server")
    with closing(WithCelery(folder)) as one:
        one.start()
        killed = 0
        with Visitors(one, prepared(one)[:PEOPLE]) as visitors:
            while killed < BLOWS:
                time.sleep(BLOW_SECONDS)
                killed += one.kill_worker(whole=killed % 3 == 2)
        began = time.monotonic()
        is_drained, sent = one.drained(), one.sent()
        more = f"{sent}; all done {time.monotonic() - began:.1f} s after"
        held = judged(f"{killed} kills of Celery's workers", one, visitors, allowed=(), more=more)
    return held and is_drained and not sent.lost


SWEEPING: dict[str, Callable[[Path], bool]] = {
    "clock": jump,
    "clock-sqlite": partial(jump, sqlite=True),
    "workers": kill_workers,
}
