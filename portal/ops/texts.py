"""Compiles the Korean of the staff's pages (`*.po`), without GNU gettext. `python -m
portal.ops.texts`.
"""

import os
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = [path for folder in ("apps", "portal") for path in (ROOT / folder).rglob("*.po")]


def compile_texts() -> None:
    """Write what Django reads, of each catalogue that is newer than it."""
    for path in CATALOGUES:
        compiled = path.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < path.stat().st_mtime:
            whole = path.with_suffix(f".{os.getpid()}")
            polib.pofile(path).save_as_mofile(whole)
            whole.rename(compiled)


if __name__ == "__main__":
    compile_texts()
