"""Says on the terminal what is being done and how long it took. Standard library only."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

WIDTH = 60


def say(text: str = "") -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@contextmanager
def step(text: str) -> Iterator[None]:
    """Print what is done now, and after it the seconds that it took."""
    sys.stdout.write(f"  {text} ".ljust(WIDTH, "."))
    sys.stdout.flush()
    started = time.monotonic()
    try:
        yield
    except BaseException as error:
        say(" stopped" if isinstance(error, KeyboardInterrupt) else " failed")
        raise
    say(f" {time.monotonic() - started:.1f} s")
