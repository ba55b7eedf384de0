"""PgBouncer before PostgreSQL, in session and in transaction mode, while buyers go on. Needs
Debian's pgbouncer.
"""

import os
import shutil
from contextlib import closing
from pathlib import Path

from tools.cluster.alone import Alone, judged
from tools.cluster.buyers import prepared
from tools.cluster.engines import LOCAL, ROOT, ClusterError
from tools.cluster.upgrade import Visitors

REQUESTS = int(os.environ.get("CLUSTER_REQUESTS", "10000"))
# In transaction mode fewer connections of PostgreSQL's than the instance has threads.
THREADS, POOLS = 8, {"session": 20, "transaction": 2}
CONFIGURATION = """[databases]
portal = host={host} port={database} dbname=portal user=portal
[pgbouncer]
listen_addr = {host}
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = {size}
ignore_startup_parameters = options
"""
# What docs/operations.md has set once: the pooler ignores what each connection asks for.
LIMITS = """ALTER ROLE portal SET lock_timeout = '3s'; ALTER ROLE portal SET statement_timeout = '15s';
 ALTER ROLE portal SET idle_in_transaction_session_timeout = '30s'; ALTER ROLE portal SET jit = off"""
CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = 'portal' AND pid <> pg_backend_pid()"
)


class Pooled(Alone):
    """One instance that reaches PostgreSQL by PgBouncer; the tables are made past it."""

    def __init__(self, folder: Path, mode: str) -> None:
        super().__init__(folder)
        self.mode = mode

    def portal_environment(self) -> dict[str, str]:
        """Return what the instance is told."""
        told = super().portal_environment() | {"WEB_THREADS": str(THREADS)}
        if "pgbouncer" in self.running:
            told["DATABASE_URL"] = self.address("copy") + (
                "?pooler=transaction" if self.mode == "transaction" else ""
            )
        return told

    def start_portal(self, name: str, source: Path = ROOT) -> None:
        """Start the pooler before the instance."""
        if "pgbouncer" not in self.running:
            self.query(LIMITS)
            file = self.private("pgbouncer") / "pgbouncer.ini"
            places = {"host": LOCAL, "database": self.ports["primary"], "port": self.ports["copy"]}
            file.write_text(CONFIGURATION.format(mode=self.mode, size=POOLS[self.mode], **places))
            file.chmod(0o644)
            self.run("pgbouncer", ["pgbouncer", str(file)])
        super().start_portal(name, source)


def pool(folder: Path) -> bool:
    """Let buyers look and order through PgBouncer in both modes; return whether none was refused
    and nothing lost.
    """
    if shutil.which("pgbouncer") is None:
        raise ClusterError("The pooler needs Debian's package: apt-get install pgbouncer")
    held = True
    for mode in POOLS:
        (folder / mode).mkdir()
        with closing(Pooled(folder / mode, mode)) as one:
            one.start()
            with Visitors(one, prepared(one)) as visitors:
                visitors.wait_for(REQUESTS)
                used = one.query(CONNECTIONS).strip()
            more = f"; {used} connections of PostgreSQL for {THREADS} threads"
            held &= judged(f"PgBouncer in {mode} mode", one, visitors, allowed=(), more=more)
    return held


POOLED = {"pooler": pool}
