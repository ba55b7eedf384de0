"""`make test`: every check and every test, on PostgreSQL where it answers, and on SQLite what is of
its own there; one last line sums up.

One stage follows another, each as wide as the machine: beside each other they took half as long
again.

PORTAL_REQUIRE_SERVICES=1 makes a missing PostgreSQL or Redis a failure. TEST_POSTGRES
(postgresql://) and TEST_REDIS (redis://127.0.0.1:6379/15) say where they are.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

from portal.ops.steps import say, step
from tools.checks import run_checks
from tools.ports import free_ports
from tools.setup import (
    FRONTEND,
    PYTHON,
    ROOT,
    VENV,
    SetupError,
    browser,
    execute,
    front_end,
    install_beside,
    node_packages,
)

REQUIRED = os.environ.get("PORTAL_REQUIRE_SERVICES") == "1"
POSTGRES = os.environ.get("TEST_POSTGRES") or "postgresql://"
REDIS = os.environ.get("TEST_REDIS") or "redis://127.0.0.1:6379/15"
ANSWERS = {
    "PostgreSQL": (
        "import psycopg, sys; psycopg.connect(sys.argv[1] + '/postgres', connect_timeout=3).close()"
    ),
    "Redis": (
        "import redis, sys; redis.Redis.from_url(sys.argv[1], socket_connect_timeout=3).ping()"
    ),
}
TESTS = ("portal", "apps", "tools")  # the longest first, so that none is left for the end
AND_AT_RANDOM = (*TESTS, "-o", "norecursedirs=.*")  # pytest.ini leaves their folder out
# What has SQL, locks or types of its own on SQLite; the journeys of the browser run on it whole.
ON_SQLITE = [
    f"{folder}/test_{name}.py"
    for folder, names in {
        "apps/accounts/tests": "api_check",
        "apps/catalog/tests": "api_cart_stock api_like api_price_list api_products imports"
        " pages stock stock_races",
        "apps/common/tests": "mail",
        "apps/notices/tests": "api_notices",
        "apps/orders/tests": "api_basket api_temporary_orders life races sales",
        "apps/payments/tests": "api_deposit wallet",
        "apps/payments/tests/bank": "statements",
        "portal/tests": "audit backup dashboard database migrations offer_races product_search"
        " proposal_races rows sweeps",
        "portal/tests/reliability": "busy_rows kills read_only_database storage_faults unavailable",
    }.items()
    for name in names.split()
]
STATIC_FILES = VENV / "static-of-tests"  # kept: compressing takes a while, seldom changes


@dataclass(frozen=True)
class Count:
    """How many passed, failed and were skipped, and the names of those that failed."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    names: tuple[str, ...] = ()

    def __add__(self, other: "Count") -> "Count":
        """Return the sum."""
        return Count(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.names + other.names,
        )

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def main() -> int:
    """Run everything, print the sum and return an exit code."""
    started = time.monotonic()
    os.chdir(ROOT)
    # The portal is started a hundred times: what is compiled is kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        install_beside(node_packages, tests=True)
    except SetupError as error:
        say(f"\n{error}\n\n0 passed, 1 failed")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        total = run_stages(Path(folder))
    say()
    for name in total.names:
        say(f"FAILED {name}")
    minutes, seconds = divmod(round(time.monotonic() - started), 60)
    say(f"{total} in {minutes} min {seconds} s")
    return bool(total.failed)


def run_stages(folder: Path) -> Count:
    """Run one stage after another, the browser's last, and return the sum."""
    stages: dict[str, Callable[[], Count]] = {
        "Checks": lambda: Count(*run_checks()),
        "Server": lambda: server_tests(folder),
        "Screens": lambda: screen_tests(folder),
        "Build and its size": lambda: build(folder),
        "Browser": lambda: browser_tests(folder),
    }
    total = Count()
    for title, stage in stages.items():
        say(f"\n== {title}")
        started = time.monotonic()
        count = stage()
        say(f"   {time.monotonic() - started:.0f} s, {count.failed or 'none'} failed")
        total += count
    return total


def server_tests(folder: Path) -> Count:
    """Run the server's tests on PostgreSQL, then those of what differs there on SQLite; where
    PostgreSQL does not answer, all of them on SQLite.
    """
    postgres, redis = answers("PostgreSQL", POSTGRES), answers("Redis", REDIS)
    count = missing(PostgreSQL=postgres, Redis=redis)
    environment = {
        "PORTAL_ENV": "test",
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "TEST_REDIS": REDIS if redis else "",
    }
    if not postgres:
        return count + pytest(folder / "sqlite.xml", environment, *AND_AT_RANDOM)
    on_postgres = environment | {"DATABASE_URL": f"{POSTGRES}/portal_{uuid4().hex[:12]}"}
    count += pytest(folder / "postgresql.xml", on_postgres, *AND_AT_RANDOM)
    # What needs PostgreSQL is left out on SQLite, not skipped.
    environment["DATABASE_TESTS_ONLY"] = "1"
    return count + pytest(folder / "sqlite.xml", environment, *ON_SQLITE, "-m", "not postgresql")


def missing(**answering: bool) -> Count:
    """Say which services do not answer, and count them as failures where they must."""
    silent = [name for name, there in answering.items() if not there]
    outcome = "fail" if REQUIRED else "are skipped"
    for name in silent:
        say(f"   {name} does not answer: the tests that need it {outcome}.")
    return Count(failed=len(silent) if REQUIRED else 0)


def answers(service: str, url: str) -> bool:
    """Return whether a service is there."""
    command = [str(PYTHON), "-c", ANSWERS[service], url]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def pytest(report: Path, environment: Mapping[str, str], *arguments: str) -> Count:
    """Run the server's tests, three at a time, since some wait while others work; count them."""
    command = [str(VENV / "bin" / "pytest"), "-n", "3", "-rfE", f"--junitxml={report}", *arguments]
    code = subprocess.run(command, env={**os.environ, **environment}, check=False).returncode
    if not report.exists():
        return Count(failed=1)
    suite = ElementTree.parse(report).getroot().find("testsuite")  # noqa: S314 - pytest's
    if suite is None:
        return Count(failed=1)
    tests, skipped = int(suite.attrib["tests"]), int(suite.attrib["skipped"])
    failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    if code and not failed:
        failed, tests = 1, tests + 1
    broken = [
        case
        for case in suite.iter("testcase")
        if {"failure", "error"} & {part.tag for part in case}
    ]
    names = tuple(f"{report.stem}: {case.get('classname')}::{case.get('name')}" for case in broken)
    return Count(tests - failed - skipped, failed, skipped, names)


def screen_tests(folder: Path) -> Count:
    """Run the screens' tests and count them."""
    report = folder / "vitest.json"
    options = ("--reporter=dot", "--reporter=json", f"--outputFile.json={report}")
    command = ["npx", "vitest", "run", *options]
    code = subprocess.run(command, cwd=FRONTEND, check=False).returncode
    figures = json.loads(report.read_text()) if report.exists() else {}
    failed = int(figures.get("numFailedTests", 0)) or int(code != 0)
    skipped = int(figures.get("numPendingTests", 0)) + int(figures.get("numTodoTests", 0))
    tests = [test for file in figures.get("testResults", []) for test in file["assertionResults"]]
    names = tuple(f"screens: {test['fullName']}" for test in tests if test["status"] == "failed")
    return Count(int(figures.get("numPassedTests", 0)), failed, skipped, names)


def build(folder: Path) -> Count:
    """Build the screens and weigh them against their budgets; the other core loads the journeys'
    demo meanwhile.
    """
    count = Count()
    with ThreadPoolExecutor(1) as beside:
        loading = beside.submit(load_demo, folder)
        actions: list[Callable[[], object]] = [
            front_end,
            weigh,
            loading.result,
            # Collected and compressed for the journeys' portals.
            partial(execute, [PYTHON, "manage.py", "prepare"], env=demo_of(folder)),
        ]
        for action in actions:
            try:
                action()
                count += Count(passed=1)
            except SetupError as error:
                say(str(error))
                count += Count(failed=1)
    return count


def load_demo(folder: Path) -> None:
    """Raise SetupError unless the demo is loaded into a data folder that the journeys' portals
    copy.
    """
    for command in ("migrate", "load_demo"):
        execute([PYTHON, "manage.py", command], env=demo_of(folder))


def demo_of(folder: Path) -> dict[str, str]:
    """Return the environment of the portal whose data folder the journeys' portals copy."""
    default = {"PORTAL_ENV": "development", "DJANGO_SETTINGS_MODULE": "portal.settings.development"}
    unset = dict.fromkeys(("DATABASE_URL", "REDIS_URL", "SITE_URL", "PAYPAL_ENDPOINT"), "")
    own = {"PORTAL_DATA_DIR": str(folder / "demo"), "STATIC_ROOT": str(STATIC_FILES)}
    return default | unset | own


def weigh() -> None:
    """Raise SetupError where a file of the screens is over its budget."""
    with step("Weighing the screens"):
        execute(["npm", "run", "--silent", "budget"], cwd=FRONTEND)


def browser_tests(folder: Path) -> Count:
    """Run the journeys through two portals beside each other (frontend/playwright.config.ts) and
    count them.
    """
    try:
        chromium, ports = browser(), free_ports(4)
    except SetupError as error:
        say(str(error))
        return Count(failed=1)
    report = folder / "playwright.json"
    environment = {
        "E2E_PORTS": ",".join(map(str, ports)),
        "E2E_DEMO": str(folder / "demo"),
        "STATIC_ROOT": str(STATIC_FILES),
        "CHROMIUM": chromium,
        "PLAYWRIGHT_JSON_OUTPUT_NAME": str(report),
    }
    command = ["npx", "playwright", "test", "--reporter=list,json"]
    code = subprocess.run(
        command, cwd=FRONTEND, env={**os.environ, **environment}, check=False
    ).returncode
    results: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {}
    figures = results.get("stats", {})
    failed = int(figures.get("unexpected", 0)) or int(code != 0)
    names = tuple(failed_journeys(results))
    return Count(int(figures.get("expected", 0)), failed, int(figures.get("skipped", 0)), names)


def failed_journeys(results: Mapping[str, Any]) -> Iterator[str]:
    """Give the names of the journeys that failed, by Playwright's report."""
    for suite in results.get("suites", []):
        yield from failed_journeys(suite)
    for journey in results.get("specs", []):
        if not journey["ok"]:
            yield f"browser: {journey['file']}: {journey['title']}"


if __name__ == "__main__":
    sys.exit(main())
