"""`make check`, `make format` and `make contract`: what must hold of the sources before a test runs."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from portal.ops.stamps import fingerprint
from portal.ops.steps import say, step
from tools.setup import FRONTEND, PYTHON, ROOT, VENV, SetupError, execute, node_packages, python_packages

BIN = VENV / "bin"
CONTRACT = [FRONTEND / "contract", FRONTEND / "src" / "api" / "schema.gen.ts", ROOT / "docs" / "settings.md"]
OUTDATED = "The contract was out of date and has been written anew: look at it and commit it."


@dataclass(frozen=True)
class Check:
    """A command that says by its exit code whether something holds."""

    name: str
    command: tuple[str | Path, ...]
    folder: Path = ROOT


CHECKS = (
    Check("Python format", (BIN / "ruff", "format", "--check", "--quiet", ".")),
    Check("Python lint", (BIN / "ruff", "check", "--quiet", ".")),
    Check("Python types", (BIN / "mypy", "apps", "portal", "bench", "tools")),
    Check("Architecture", (BIN / "lint-imports", "--no-cache")),
    Check("Migrations complete", (PYTHON, "manage.py", "makemigrations", "--check", "--dry-run")),
    Check("Front-end format and lint", ("npx", "biome", "check", "."), FRONTEND),
    Check("Front-end types", ("npx", "tsc", "--noEmit"), FRONTEND),
)


def main(task: str) -> int:
    """Do the task named and return an exit code."""
    try:
        python_packages(tests=True)
        node_packages()
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
    """Run every check, print what fails, and return how many passed and failed."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as data:
        # A data folder of its own: no check may touch the one that the portal runs on.
        environment = {"PORTAL_ENV": "test", "PORTAL_DATA_DIR": data, "DATABASE_URL": ""}
        for check in CHECKS:
            try:
                with step(check.name):
                    execute(check.command, cwd=check.folder, env=environment)
            except SetupError as error:
                failures.append(check.name)
                say(f"{error}\n")
        try:
            with step("Contract unchanged"):
                before = fingerprint(CONTRACT)
                write_contract()
                if fingerprint(CONTRACT) != before:
                    raise SetupError(OUTDATED)
        except SetupError as error:
            failures.append("Contract unchanged")
            say(f"{error}\n")
    return len(CHECKS) + 1 - len(failures), len(failures)


def write_contract() -> None:
    """Write the description of the calls, the texts and limits, and the types made of them."""
    with tempfile.TemporaryDirectory() as data:
        environment = {"PORTAL_ENV": "test", "PORTAL_DATA_DIR": data, "DATABASE_URL": ""}
        described: list[str | Path] = [PYTHON, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file"]
        execute([*described, "frontend/contract/openapi.yaml"], env=environment)
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
