"""Says on the terminal what is being done and how long it took, and knows what was made from which
sources: work whose sources did not change is not done again. Standard library only.
"""

import hashlib
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

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


def fingerprint(sources: Iterable[Path], *, also: str = "") -> str:
    """Return a hash of the files' names and contents, folders read whole; `also` is anything else
    that matters.
    """
    digest = hashlib.sha256(also.encode())
    for source in sources:
        files = (
            sorted(path for path in source.rglob("*") if path.is_file())
            if source.is_dir()
            else [source]
        )
        for path in files:
            if path.exists():
                digest.update(f"\0{path.relative_to(source.parent)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


class Stamp:
    """A file beside what was made, holding the fingerprint of what it was made from."""

    def __init__(self, path: Path, now: str) -> None:
        self.path = path
        self.now = now

    @property
    def fresh(self) -> bool:
        """Return whether what was made still fits its sources."""
        return self.path.is_file() and self.path.read_text() == self.now

    def write(self) -> None:
        """Note that it was made from the sources as they are now."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.now)
