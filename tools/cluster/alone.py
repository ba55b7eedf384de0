"""One PostgreSQL and one instance on one machine, with a full disk, a backup in use, a migration in
use.
"""

import os
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

from portal.ops.steps import say
from tools.cluster.buyers import prepared
from tools.cluster.engines import LOCAL, Cluster
from tools.cluster.upgrade import Visitors, next_release

DISK = "400m"
CALLS = 400  # between two blows
AGAIN_SECONDS = 60
CODES = "from apps.orders.models import Order; print(*Order.objects.values_list('invoice_code', flat=True))"


class Alone(Cluster):
    """A PostgreSQL without Patroni, or a SQLite file, and one instance; `folder` may be a small
    disk.
    """

    sqlite = False

    def start(self) -> None:
        """Start the database and the instance."""
        self.ports["web_a"] = self.ports["web"]
        if not self.sqlite:
            data = self.private("data")
            init = [
                str(self.programs / "initdb"),
                "-D",
                str(data),
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
            ]
            subprocess.run(init, user=self.user, check=True, stdout=subprocess.DEVNULL)
            self.start_postgresql()
            self.query("CREATE ROLE portal LOGIN SUPERUSER", owner="postgres", database="postgres")
            self.query("CREATE DATABASE portal OWNER portal", owner="postgres", database="postgres")
        self.manage("prepare", "--no-demo")
        self.start_portal("a")

    def start_postgresql(self) -> None:
        """Start PostgreSQL, unless it runs, and wait until it answers."""
        was = self.running.get("postgresql")
        if was is None or was.poll() is not None:
            where = [
                "-D",
                str(self.folder / "data"),
                "-h",
                LOCAL,
                "-p",
                str(self.ports["primary"]),
                "-k",
                "",
            ]
            self.run(
                "postgresql", [str(self.programs / "postgres"), *where, "-c", "max_wal_size=64MB"]
            )
        self.wait("PostgreSQL", self.leads_to_primary)

    def portal_environment(self) -> dict[str, str]:
        """Return what the instance is told."""
        told = super().portal_environment() | {"DATABASE_COPY_URL": ""}
        if self.sqlite:
            told["DATABASE_URL"] = f"sqlite:///{self.folder / 'portal.sqlite3'}"
        return told

    def orders(self) -> set[str]:
        """Return the codes of all orders that there are."""
        return set(self.manage("shell", "-v", "0", "-c", CODES).split())


def answered_again(visitors: Visitors) -> float:
    """Return the seconds until the next order that is acknowledged."""
    began, before = time.monotonic(), len(visitors.orders)
    while len(visitors.orders) == before and time.monotonic() < began + AGAIN_SECONDS:
        time.sleep(0.05)
    return time.monotonic() - began


def judged(
    what: str, alone: Alone, visitors: Visitors, *, allowed: tuple[str, ...], more: str = ""
) -> bool:
    """Print what a trial came to; return whether nothing was lost and no answer was a failure of
    ours.
    """
    lost = len(set(visitors.orders) - alone.orders())
    audit = alone.manage("audit").strip().splitlines()[-1]
    wrong = {answer: n for answer, n in visitors.failed.items() if not answer.endswith(allowed)}
    say(
        f"\n{what}: {visitors.asked} calls, refused {visitors.failed.total()}, wrong {wrong or 0}; "
    )
    say(f"{len(visitors.orders)} orders acknowledged, lost {lost}; {audit}{more}")
    return not lost and not wrong


def fill_disk(folder: Path) -> bool:
    """Fill the disk under PostgreSQL while buyers order, and empty it again."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)], check=True)
    try:
        with closing(Alone(disk)) as alone:
            alone.start()
            with Visitors(alone, prepared(alone)) as visitors:
                visitors.wait_for(CALLS)
                ballast = disk / "ballast"
                with suppress(OSError), ballast.open("wb") as file:
                    while True:
                        file.write(bytes(1 << 16))
                visitors.wait_for(CALLS)
                fallen = alone.running["postgresql"].poll() is not None
                ballast.unlink()
                alone.start_postgresql()
                again = answered_again(visitors)
                visitors.wait_for(CALLS)
            more = f"; PostgreSQL {'ended and was started' if fallen else 'stayed'}; an order again after {again:.1f} s"
            return judged("a full disk", alone, visitors, allowed=("503", "409"), more=more)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


def back_up(folder: Path) -> bool:
    """Back up while buyers order, and restore beside it: what was acknowledged before is there."""
    with closing(Alone(folder)) as alone:
        alone.start()
        with Visitors(alone, prepared(alone)) as visitors:
            visitors.wait_for(CALLS)
            for size in ("100", "300"):  # the picture that all products name
                picture = folder / "portal" / "media" / "products" / size / "none.jpg"
                picture.parent.mkdir(parents=True, exist_ok=True)
                picture.write_bytes(b"none")
            before, began = set(visitors.orders), time.monotonic()
            alone.manage("backup", str(folder / "backup"))
            took = time.monotonic() - began
            visitors.wait_for(CALLS)
        held = judged(f"a backup of {took:.1f} s", alone, visitors, allowed=())
        alone.query("CREATE DATABASE restored", owner="postgres", database="postgres")
        url = alone.address("primary", database="restored")
        environment = (
            os.environ
            | alone.portal_environment()
            | {"DATABASE_URL": url, "PORTAL_DATA_DIR": str(folder / "other")}
        )
        command = [sys.executable, "manage.py", "restore", str(folder / "backup")]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        restored = set(
            alone.query("SELECT invoice_code FROM orders_order", database="restored").split()
        )
        say(
            f"restored: {len(restored)} orders; of {len(before)} from before the backup lost {len(before - restored)}"
        )
        return held and not before - restored


def migrate_sqlite(folder: Path) -> bool:
    """Add a column to a table of a SQLite file in use."""
    with closing(Alone(folder)) as alone:
        alone.sqlite = True
        alone.start()
        source = next_release(alone)
        with Visitors(alone, prepared(alone)) as visitors:
            visitors.wait_for(CALLS)
            began = time.monotonic()
            alone.manage("migrate", "--no-input", source=source)
            took = time.monotonic() - began
            visitors.wait_for(CALLS)
        return judged(f"a migration of {took:.1f} s on SQLite", alone, visitors, allowed=("409",))


ALONE = {"disk": fill_disk, "backup": back_up, "sqlite": migrate_sqlite}
