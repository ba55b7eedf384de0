"""`make fuzz`: the fuzzing tests at large, on SQLite and on PostgreSQL where it answers; one last
line sums up.

FUZZ_REQUESTS (20000) says how many calls each database gets, FUZZ_SEED what is drawn: a seed
printed by an earlier run draws the same again. FUZZ_LIVES says with how many lives of orders a
company's account is tried besides; for each four an order is negotiated line by line (10000: about
200,000 proposals; without it their share of the calls). FUZZ_SCHEDULES (100000) says how often the
browser's models of a bad network run. TEST_POSTGRES as for `make test`.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from uuid import uuid4

from portal.ops.steps import say
from tools.setup import FRONTEND, ROOT, SetupError, node_packages, python_packages
from tools.test import POSTGRES, answers, pytest

REQUESTS, SCHEDULES = 20_000, 100_000
TESTS = "portal/tests/fuzz"
MODEL = "basket-model"
COUNTED = ("line proposals", "days of wishes", "prices", "shown prices")  # beside requests


def main() -> int:
    """Fuzz each database and return an exit code."""
    os.chdir(ROOT)
    requests = int(os.environ.get("FUZZ_REQUESTS") or REQUESTS)
    seed = os.environ.get("FUZZ_SEED") or str(random.SystemRandom().randrange(2**32))
    try:
        python_packages(tests=True)
        node_packages()
    except SetupError as error:
        say(f"\n{error}")
        return 1
    databases = {"SQLite": ""}
    if answers("PostgreSQL", POSTGRES):
        databases["PostgreSQL"] = f"{POSTGRES}/portal_{uuid4().hex[:12]}"
    else:
        say("   PostgreSQL does not answer: SQLite alone is tried.")
    schedules = int(os.environ.get("FUZZ_SCHEDULES") or SCHEDULES)
    say(f"\n== Browser, {schedules:,} schedules of the basket")
    failed, figures = (
        models(schedules),
        [f"{schedules:,} schedules of the basket in the browser"],
    )
    for name, url in databases.items():
        say(f"\n== {name}, seed {seed}")
        count, statuses = fuzz(url, requests=requests, seed=seed)
        failed += count
        others = [f"{statuses.pop(what, 0):,} {what}" for what in COUNTED]
        by_status = ", ".join(f"{status}: {times:,}" for status, times in statuses.most_common())
        figures.append(
            f"{statuses.total():,} requests on {name} ({by_status}), {', '.join(others)}"
        )
    say(f"\nSeed {seed}: {'; '.join(figures)}; {failed} tests failed")
    return bool(failed)


def fuzz(url: str, *, requests: int, seed: str) -> tuple[int, Counter[str]]:
    """Run the fuzzing tests on a database; return how many failed, and the answers by status."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PORTAL_ENV": "test",
            "DATABASE_URL": url,
            "REDIS_URL": "",
            "FUZZ_REQUESTS": str(requests),
            "FUZZ_TALLY": folder,
        }
        options = ("-p", "hypothesispytest", f"--hypothesis-seed={seed}")
        count = pytest(Path(folder, "report.xml"), environment, TESTS, *options)
        statuses: Counter[str] = Counter()
        for file in Path(folder).glob("*.json"):
            statuses.update(json.loads(file.read_text()))
    return count.failed, statuses


def models(schedules: int) -> int:
    """Run the basket's model with so many random schedules; return 1 if a schedule fails."""
    command = ["npx", "vitest", "run", MODEL]
    environment = {**os.environ, "SCHEDULES": str(schedules)}
    return int(subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
