"""Runs Python of the virtual environment with the arguments given, made first where it
is missing.
"""

import subprocess
import sys

from portal.ops.steps import say
from tools.setup import PYTHON, ROOT, SetupError, python_packages


def main(arguments: list[str]) -> int:
    """Run it and return its exit code."""
    try:
        python_packages()
    except SetupError as error:
        say(f"\n{error}")
        return 1
    return subprocess.run([PYTHON, *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
