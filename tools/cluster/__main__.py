"""Start the cluster, try it under load, and print what it came to.

CLUSTER_TRY names the trials: `kills`, `copies`, `upgrade`, which are made where it is empty; and on
one machine `backup`, `sqlite`, `disk`, which needs root, `clock`, `clock-sqlite` and `workers`
(`sweeping.py`), `peers`, `pooler`. CLUSTER_KILLS says what ends how often (server=10,machine=2):
the primary's `server`, its whole `machine`, its `patroni` alone, a machine that is `given-up` by an
operator at once, one that is `stopped` in good order. CLUSTER_READS (100000) says how often a copy
that is behind is looked at, CLUSTER_REQUESTS (10000) how many calls an upgrade must outlive.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from portal.ops.steps import say, step
from tools.cluster.alone import ALONE
from tools.cluster.buyers import Buyers, prepared
from tools.cluster.copies import CONTROL_READS, DELAY_SECONDS, Delayed, look_often
from tools.cluster.engines import ROOT, Cluster, ClusterError
from tools.cluster.peers import PROXIED
from tools.cluster.pooler import POOLED
from tools.cluster.sweeping import SWEEPING
from tools.cluster.upgrade import Visitors, come_and_go, next_release, upgrade

KILLS = os.environ.get("CLUSTER_KILLS", "server=10,machine=2")
READS, REQUESTS = (
    int(os.environ.get("CLUSTER_READS", "100000")),
    int(os.environ.get("CLUSTER_REQUESTS", "10000")),
)
WITHIN_SECONDS = 20
BLOWS: dict[str, Callable[[Cluster, str], None]] = {
    "server": Cluster.kill_server,
    "machine": Cluster.kill_machine,
    "patroni": Cluster.kill_patroni,
    "given-up": Cluster.give_up_machine,
    "stopped": Cluster.stop_machine,
}
RESTARTED = ("server", "patroni")  # what comes back by itself
FOLDER = ROOT / "var" / "cluster"
People = Sequence[dict[str, Any]]


def main() -> int:
    """Try the cluster and return an exit code."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    names = os.environ.get("CLUSTER_TRY", "").split() or list(TRIALS)
    alone = {
        name: trial
        for name, trial in (ALONE | SWEEPING | PROXIED | POOLED).items()
        if name in names
    }
    held = [try_alone(trial, FOLDER / name) for name, trial in alone.items()]
    names = [name for name in names if name not in alone]
    if not names:
        return int(not all(held))
    try:
        with closing(Cluster(FOLDER)) as cluster:
            with step("Starting etcd, two PostgreSQL servers, two HAProxy and two instances"):
                cluster.start()
                people = prepared(cluster)
            held += [TRIALS[name](cluster, people) for name in names]
            audit = cluster.manage("audit").strip().splitlines()[-1]
    except ClusterError as error:
        say(f"\n{error}")
        return 1
    say(f"\naudit: {audit}\n{'All held.' if all(held) else 'Not all held.'}")
    return int(not all(held))


def try_alone(trial: Callable[[Path], bool], folder: Path) -> bool:
    """Make a trial of one machine in a folder of its own; return whether it held, and say what it
    lacks.
    """
    folder.mkdir(parents=True)
    try:
        return trial(folder)
    except ClusterError as error:
        say(f"\n{error}")
        return False


def read_copies(cluster: Cluster, people: People) -> bool:
    """Let the copy be seconds behind; return whether nobody is shown less than he wrote, and a
    control is.
    """
    cluster.wait("the synchronous standby", cluster.is_safe)
    with Delayed(cluster) as copy:
        control = look_often(cluster, people, reads=min(CONTROL_READS, READS), with_place=False)
        say(f"\ncopy {DELAY_SECONDS} s behind, control without a place: {control}")
        before, began = copy.statements(), time.monotonic()
        seen = look_often(cluster, people, reads=READS)
        seconds = time.monotonic() - began
        # A read asks it for its place, and for the basket where it has come far enough.
        by_copy, was_late = copy.statements() - before - seen.reads, copy.is_late()
    say(
        f"copy {DELAY_SECONDS} s behind: {seen}; by the copy {by_copy}, {seen.reads / seconds:.0f} a second"
    )
    return was_late and bool(control.less) and not seen.less and not seen.lost and by_copy > 0


def upgrade_in_use(cluster: Cluster, people: People) -> bool:
    """Add and take away an instance, upgrade to a release with a column more; return whether all
    was answered.
    """
    source = next_release(cluster)
    with Visitors(cluster, people) as visitors:
        visitors.wait_for(REQUESTS // 10)
        come_and_go(cluster, visitors)
        upgrade(cluster, source)
        visitors.wait_for(max(REQUESTS // 10, REQUESTS - visitors.asked))
    kept = set(cluster.query("SELECT invoice_code FROM orders_order").split())
    lost = len(set(visitors.orders) - kept)
    failed = f" ({dict(visitors.failed)})" if visitors.failed else ""
    say(
        f"\nan instance added and taken away, both upgraded with a column more: {visitors.asked} calls, failed "
        f"{visitors.failed.total()}{failed}; {len(visitors.orders)} orders acknowledged, lost {lost}"
    )
    return not visitors.failed and not lost


def kill_often(cluster: Cluster, people: People) -> bool:
    """Kill the primary under load; return whether all held that buyers were told, and they never
    waited for long.
    """
    say(f"\n{'ended':<24}{'a primary':>12}{'an order again':>16}{'longest call':>14}")
    longest, told = 0.0, (part.split("=") for part in KILLS.split(","))
    with Buyers(cluster, people) as buyers:
        for kind in (kind for kind, number in told for _ in range(int(number))):
            cluster.wait("the synchronous standby", cluster.is_safe)
            buyers.wait_for_orders()
            name, blow = cluster.primary(), BLOWS[kind]
            took = buyers.measure_outage(
                partial(blow, cluster, name), leave="" if kind == "patroni" else name
            )
            longest = max(longest, took.call)
            say(
                f"{f'{name}, {kind}':<24}{took.primary:>10.1f} s{took.order:>14.1f} s{took.call:>12.1f} s"
            )
            if kind not in RESTARTED:
                cluster.start_server(name)
    cluster.wait("the synchronous standby", cluster.is_safe)
    found = buyers.compare()
    say(f"\n{found}")
    return not (found.lost or found.doubled or found.wrong) and longest <= WITHIN_SECONDS


TRIALS: dict[str, Callable[[Cluster, People], bool]] = {
    "kills": kill_often,
    "copies": read_copies,
    "upgrade": upgrade_in_use,
}


if __name__ == "__main__":
    sys.exit(main())
