"""Makes what the portal and its tests need, and nothing that is there already."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from portal.ops.stamps import Stamp, fingerprint
from portal.ops.steps import step

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
NODE_AT_LEAST = (20, 19)
BUILD_SOURCES = (
    "src",
    "staff",
    "public",
    "contract",
    "index.html",
    "vite.config.ts",
    "tsconfig.json",
    "package-lock.json",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class SetupError(Exception):
    """Something is missing that only the person at the terminal can supply; the text says what."""


def execute(command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> None:
    """Run a command quietly.

    Raises:
        SetupError: it failed; the text holds what it printed.
    """
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SetupError(f"{' '.join(str(part) for part in command)} failed:\n\n{done.stdout.strip()}")


def check_node() -> None:
    """Raise SetupError unless Node is there and new enough."""
    wanted = ".".join(map(str, NODE_AT_LEAST))
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise SetupError(f"Node {wanted} or newer is needed (with npm), and none was found.")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < NODE_AT_LEAST:
        raise SetupError(f"Node {wanted} or newer is needed; this machine has {version}.")


def python_packages(*, tests: bool = False) -> None:
    """Make the virtual environment and install the fixed versions, with those of the tests where wanted."""
    run_hash = fingerprint([ROOT / "requirements.txt"], also=sys.version)
    all_hash = fingerprint([ROOT / "requirements.txt", ROOT / "requirements-dev.txt"], also=sys.version)
    run_stamp, all_stamp = Stamp(VENV / "installed", run_hash), Stamp(VENV / "installed-tests", all_hash)
    if all_stamp.fresh or (run_stamp.fresh and not tests):
        return
    if not has_pip():
        with step("Making the virtual environment"):
            try:
                execute([sys.executable, "-m", "venv", "--clear", VENV])
            except SetupError as error:
                hint = "\n\nOn Debian and Ubuntu the package python3-venv is needed."
                raise SetupError(f"{error}{hint}") from None
    with step("Installing the Python packages"):
        pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        execute([*pip, "-r", "requirements-dev.txt" if tests else "requirements.txt"])
    run_stamp.write()
    if tests:
        all_stamp.write()


def has_pip() -> bool:
    """Return whether the virtual environment was made to its end; one without pip is a half of one."""
    asked = [str(PYTHON), "-m", "pip", "--version"]
    return PYTHON.exists() and subprocess.run(asked, capture_output=True, check=False).returncode == 0


def node_packages() -> None:
    """Install the front end's fixed versions."""
    check_node()
    files = [FRONTEND / "package.json", FRONTEND / "package-lock.json"]
    stamp = Stamp(FRONTEND / "node_modules" / ".installed", fingerprint(files))
    if not stamp.fresh:
        with step("Installing the front end's packages"):
            execute(["npm", "ci", "--include=dev", "--no-audit", "--no-fund"], cwd=FRONTEND)
        stamp.write()


def front_end() -> None:
    """Build the screens if a source of theirs changed."""
    stamp = Stamp(FRONTEND / "dist" / ".made-from", fingerprint([FRONTEND / name for name in BUILD_SOURCES]))
    if not stamp.fresh:
        node_packages()
        with step("Building the screens"):
            execute(["npm", "run", "--silent", "build"], cwd=FRONTEND)
        stamp.write()


def browser() -> str:
    """Return the path of a Chromium, installed first where there is none; empty for the one Playwright brought."""
    found = _system_browser()
    if found:
        return found
    apt, administrator = shutil.which("apt-get"), _as_administrator()
    if apt and administrator is not None:
        with step("Installing Chromium from Debian's packages"):
            try:
                execute([*administrator, apt, "update", "-qq"])
                execute([*administrator, apt, "install", "-y", "-qq", "chromium"])
            except SetupError:
                pass  # Ubuntu has it as a snap only, for example: Playwright brings its own
        found = _system_browser()
    if not found:
        with step("Installing Playwright's Chromium"):
            execute(["npx", "playwright", "install", "chromium"], cwd=FRONTEND)
    return found


def _system_browser() -> str:
    return next((path for path in map(shutil.which, BROWSERS) if path), "")


def _as_administrator() -> list[str] | None:
    """Return how to run a command as root: nothing before it, sudo, or None where neither works without a question."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None
