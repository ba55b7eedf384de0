"""What was made from which sources: work whose sources did not change is not done again. Standard
library only.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path


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
