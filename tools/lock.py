"""`make lock`: writes each requirements*.txt from its .in, with the hashes of every platform, and
NOTICE.
"""

import sys

from portal.ops.steps import say, step
from tools.setup import PYTHON, ROOT, VENV, SetupError, execute, install_beside, node_packages

HEADER = "# Written by `make lock`.\n"
LOCKS: dict[str, tuple[str, ...]] = {
    "requirements": (),
    "requirements-dev": ("-c", "requirements.txt"),
    "requirements-uv": ("-c", "requirements-dev.txt"),
}


def main() -> int:
    """Write them and return an exit code; what is fixed already stays at its version as long as it
    fits.
    """
    try:
        install_beside(lambda: None, tests=True)
        with step("Writing the lock files"):
            for name, constraints in LOCKS.items():
                write(name, *constraints)
        install_beside(node_packages, tests=True)
        with step("Noting the licences"):
            execute([PYTHON, "-m", "tools.notice"])
    except SetupError as error:
        say(f"\n{error}")
        return 1
    return 0


def write(name: str, *constraints: str) -> None:
    """Write one."""
    lock = ROOT / f"{name}.txt"
    options = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header"]
    options += ["--quiet", *constraints, f"{name}.in", "--output-file", str(lock)]
    execute([VENV / "bin" / "uv", "pip", "compile", *options])
    lock.write_text(HEADER + lock.read_text())


if __name__ == "__main__":
    sys.exit(main())
