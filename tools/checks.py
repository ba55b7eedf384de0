"""`make check`, `make format` and `make contract`: what must hold of the sources before a test
runs.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from portal.ops.steps import WIDTH, fingerprint, say, step
from tools.setup import (
    FRONTEND,
    PYTHON,
    ROOT,
    VENV,
    SetupError,
    execute,
    install_beside,
    node_packages,
)

BIN = VENV / "bin"
CONTRACT = [FRONTEND / "contract", FRONTEND / "src" / "api" / "schema.gen.ts"]
OUTDATED = "The contract was out of date and has been written anew: look at it and commit it."
Command = tuple[str | Path, ...]


class Check(NamedTuple):
    """Something that must hold of the sources; `run` raises SetupError where it does not."""

    name: str
    run: Callable[[], object]


def main(task: str) -> int:
    """Do the task named and return an exit code."""
    try:
        install_beside(node_packages, tests=True)
        if task == "check":
            return bool(run_checks()[1])
        if task == "format":
            format_sources()
        else:
            with step("Writing the contract"):
                write_contract()
    except SetupError as error:
        say(f"\n{error}")
        return 1
    return 0


def run_checks() -> tuple[int, int]:
    """Run every check, two at a time, print what fails, and return how many passed and failed."""
    with tempfile.TemporaryDirectory() as data, ThreadPoolExecutor() as pool:
        # Types take as long as all the rest. The contract is written before the front end is looked
        # at.
        lanes = (
            [
                command("Python lint", (BIN / "ruff", "check", "--quiet", ".")),
                Check("Complexity", check_complexity),
                command("Python types", (BIN / "mypy", "apps", "portal", "bench", "tools")),
            ],
            [
                command("Python format", (BIN / "ruff", "format", "--check", "--quiet", ".")),
                command("Architecture", (BIN / "lint-imports", "--no-cache")),
                command(
                    "Migrations complete",
                    (PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"),
                    data=data,
                ),
                Check("Contract unchanged", check_contract),
                command("Texts in Korean", (PYTHON, "-m", "tools.texts")),
                command("Licences noted", (PYTHON, "-m", "tools.notice", "--check")),
                command(
                    "Front-end format and lint", ("npx", "biome", "check", "."), folder=FRONTEND
                ),
                command("Front-end types", ("npx", "tsc", "--noEmit"), folder=FRONTEND),
            ],
        )
        results = [result for lane in pool.map(run_lane, lanes) for result in lane]
    return results.count(True), results.count(False)


def command(name: str, words: Command, *, folder: Path = ROOT, data: str = "") -> Check:
    """Return the check that a command ends well; what needs Django gets a data folder
    of its own.
    """
    environment = (
        {"PORTAL_ENV": "test", "PORTAL_DATA_DIR": data, "DATABASE_URL": ""} if data else {}
    )
    return Check(name, lambda: execute(words, cwd=folder, env=environment))


def run_lane(checks: Iterable[Check]) -> list[bool]:
    """Run checks one after another, say how each went, and return whether it held."""
    return [holds(check) for check in checks]


def holds(check: Check) -> bool:
    """Return whether a check passes, and print it."""
    started = time.monotonic()
    try:
        check.run()
    except SetupError as error:
        say(f"{f'  {check.name} '.ljust(WIDTH, '.')} failed\n{error}\n")
        return False
    say(f"{f'  {check.name} '.ljust(WIDTH, '.')} {time.monotonic() - started:.1f} s")
    return True


def check_complexity() -> None:
    """Raise SetupError where a function's complexity is over 20 by radon, which counts `and`, `or`
    and comprehensions too; ruff's `C901` holds 10.
    """
    without = ("--exclude", "*/tests/*,*/migrations/*,*/conftest.py")
    if functions := execute(
        (BIN / "radon", "cc", "--min", "D", "--show-complexity", *without, "apps", "portal")
    ):
        raise SetupError(functions)


def check_contract() -> None:
    """Raise SetupError where the contract is not what the server's code says; it is written anew
    then.
    """
    before = fingerprint(CONTRACT)
    write_contract()
    if fingerprint(CONTRACT) != before:
        raise SetupError(OUTDATED)


def write_contract() -> None:
    """Write the description of the calls, the texts and limits, and the types made of them."""
    with tempfile.TemporaryDirectory() as data:
        environment = {"PORTAL_ENV": "test", "PORTAL_DATA_DIR": data, "DATABASE_URL": ""}
        options = ("--validate", "--fail-on-warn", "--file", "frontend/contract/openapi.yaml")
        execute([PYTHON, "manage.py", "spectacular", *options], env=environment)
        execute([PYTHON, "manage.py", "export_contract"], env=environment)
    execute(["npm", "run", "--silent", "types"], cwd=FRONTEND)


def format_sources() -> None:
    """Rewrite the sources in the house format."""
    execute([BIN / "ruff", "format", "--quiet", "."])
    subprocess.run([BIN / "ruff", "check", "--fix", "."], cwd=ROOT, check=False)
    subprocess.run(["npm", "run", "--silent", "fix"], cwd=FRONTEND, check=False)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1]))
