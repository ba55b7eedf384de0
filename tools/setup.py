"""Makes what the portal and its tests need, and nothing that is there already."""

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT
from threading import Event

from portal.ops.steps import Stamp, fingerprint, say, step

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
DATA = Path(os.environ.get("PORTAL_DATA_DIR") or ROOT / "var")
NODE_AT_LEAST, NODE_KEPT = (20, 19), (22, 12)
BUILD_SOURCES = (
    *("src", "staff", "public", "contract", "index.html"),
    *("vite.config.ts", "tsconfig.json", "package-lock.json"),
)
# The shell draws no window: the same journeys take it a quarter less of the processor.
SHELL, BROWSERS = "chromium-headless-shell", ("chromium", "chromium-browser", "google-chrome")
CARRIED = FRONTEND / "node_modules" / ".cache" / "chromium"
UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();"

_under_way: set["subprocess.Popen[str]"] = set()
_stopping = Event()


class SetupError(Exception):
    """Something is missing that only the person at the terminal can supply; the text says what."""


def execute(
    command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> str:
    """Run a command quietly and return what it printed.

    It has a process group of its own: a Ctrl-C at the terminal is ours to pass on, or each program
    would print its own trace of it.

    Raises:
        SetupError: it failed; the text holds what it printed.
    """
    line = [str(part) for part in command]
    environment = {**os.environ, **(env or {})}
    with subprocess.Popen(
        line,
        cwd=cwd,
        env=environment,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        text=True,
        process_group=0,
    ) as program:
        _under_way.add(program)
        try:
            if _stopping.is_set():
                end(program)
            output, _ = program.communicate()
        except BaseException:
            end(program)
            raise
        finally:
            _under_way.discard(program)
    if program.returncode:
        raise SetupError(f"{' '.join(line)} failed:\n\n{output.strip()}")
    return output


def end(program: "subprocess.Popen[str]") -> None:
    """End a program and what it started; npm, which tidies up for as long as a minute, at once."""
    for number, seconds in ((signal.SIGTERM, 1), (signal.SIGKILL, 10)):
        with suppress(ProcessLookupError):
            os.killpg(program.pid, number)
        with suppress(subprocess.TimeoutExpired):
            program.wait(seconds)


def check_folders(*folders: Path) -> None:
    """Raise SetupError unless what is made can be written where it belongs."""
    for folder in folders:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        if not os.access(there, os.W_OK | os.X_OK):
            raise SetupError(f"{there} cannot be written: this user has no permission.")


@cache
def check_node() -> None:
    """Raise SetupError unless Node is there and new enough; say so of one that is
    mended no more.
    """
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise SetupError("Node 22 or 24 is needed (with npm), and none was found.")
    version = execute([node, "--version"]).strip()
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < NODE_AT_LEAST:
        raise SetupError(f"Node 22 or 24 is needed; this machine has {version}.")
    if numbers < NODE_KEPT:
        say(f"  Node {version} has ended and gets no more security fixes: Node 22 or 24 is meant.")


def python_packages(*, tests: bool = False) -> None:
    """Make the virtual environment and install the fixed versions, with those of the tests too."""
    if _python_stamps(tests=tests):
        with step("Installing the Python packages"):
            install_python_packages(tests=tests)


def _python_stamps(*, tests: bool) -> list[Stamp]:
    """Return what to write once everything wanted is installed; nothing where it is."""
    run, dev = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
    run_stamp = Stamp(VENV / "installed", fingerprint([run], also=sys.version))
    all_stamp = Stamp(VENV / "installed-tests", fingerprint([run, dev], also=sys.version))
    if all_stamp.fresh or (run_stamp.fresh and not tests):
        return []
    return [run_stamp, all_stamp] if tests else [run_stamp]


def install_python_packages(*, tests: bool = False) -> None:
    """Do so without a word; an environment that was left half-made, or filled half-way, is made
    anew.
    """
    stamps, unfinished = _python_stamps(tests=tests), VENV / "unfinished"
    if not stamps:
        return
    pip_there = [str(PYTHON), "-m", "pip", "--version"]  # an environment without it is half of one
    if (
        unfinished.exists()
        or not PYTHON.exists()
        or subprocess.run(pip_there, capture_output=True, check=False).returncode
    ):
        try:
            execute([sys.executable, "-m", "venv", "--clear", VENV])
        except SetupError as error:
            raise SetupError(
                f"{error}\n\nOn Debian and Ubuntu the package python3-venv is needed."
            ) from None
    unfinished.touch()
    requirements = ["-r", "requirements-dev.txt" if tests else "requirements.txt"]
    locked = ["install", "--quiet", "--require-hashes"]
    pip: list[str | Path] = [PYTHON, "-m", "pip", "--disable-pip-version-check", *locked]
    try:  # uv needs a fifth of pip's time
        execute([*pip, "--only-binary", ":all:", "-r", "requirements-uv.txt"])
        execute([VENV / "bin" / "uv", "pip", *locked, "--python", PYTHON, *requirements])
    except SetupError:  # on a system without a uv, or behind a mirror that only pip was told of
        execute([*pip, *requirements])
    for stamp in stamps:
        stamp.write()
    unfinished.unlink()


def install_beside(work: Callable[[], None], *, tests: bool = False) -> None:
    """Install the Python packages while some other work is done; what fails or is stopped ends
    both.
    """
    with ThreadPoolExecutor(1) as pool:
        packages = pool.submit(partial(install_python_packages, tests=tests))
        try:
            work()
            if not packages.done():
                with step("Installing the Python packages"):
                    packages.result()
            packages.result()
        except BaseException:
            _stopping.set()
            for program in tuple(_under_way):
                end(program)
            raise


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
    stamp = Stamp(
        FRONTEND / "dist" / ".made-from", fingerprint([FRONTEND / name for name in BUILD_SOURCES])
    )
    if not stamp.fresh:
        node_packages()
        with step("Building the screens"):
            execute(["npm", "run", "--silent", "build"], cwd=FRONTEND)
        stamp.write()


def browser() -> str:
    """Return the path of a Chromium: the one named, the machine's, or the one that comes with the
    front end's packages.

    Raises:
        SetupError: none of them is to be had.
    """
    configured = os.environ.get("CHROMIUM", "")
    if configured and not os.access(configured, os.X_OK):
        raise SetupError(f"CHROMIUM names no program: {configured}")
    if path := configured or shutil.which(SHELL):
        return path
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        return carried_browser()
    for path in filter(None, map(shutil.which, BROWSERS)):
        return path
    raise SetupError("No Chromium was found: CHROMIUM=/path/to/chromium make test names one.")


def carried_browser() -> str:
    """Unpack the browser of @sparticuz/chromium, with the libraries that a bare Debian lacks, and
    return its path.
    """
    node_packages()
    folder, program = CARRIED, CARRIED / "chromium.sh"
    stamp = Stamp(folder / ".made-from", fingerprint([FRONTEND / "package-lock.json"]))
    if not stamp.fresh:
        with step("Unpacking Chromium"):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            # Its package unpacks into TMPDIR, and the libraries only where it takes the machine for
            # one of Amazon's.
            execute(
                ["node", "--input-type=module", "--eval", UNPACK],
                cwd=FRONTEND,
                env={"TMPDIR": str(folder), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs22.x"},
            )
            # Its own list of fonts looks in Amazon's folders.
            (folder / "fonts" / "fonts.conf").write_text(f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/fonts-cache</cachedir></fontconfig>
""")
            program.write_text(f"""#!/bin/sh
export LD_LIBRARY_PATH='{folder}/al2023/lib' FONTCONFIG_PATH='{folder}/fonts'
exec '{folder}/chromium' --disable-dev-shm-usage "$@"
""")
            program.chmod(0o755)
        stamp.write()
    return str(program)
