"""Compiles the Korean of the staff's pages (`*.po`), without GNU gettext. `python -m
portal.ops.texts`.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = ("apps/*/locale", "portal/locale")


def catalogues() -> list[Path]:
    """Return every catalogue of the server."""
    paths = (ROOT.glob(f"{folder}/*/LC_MESSAGES/*.po") for folder in CATALOGUES)
    return sorted(path for found in paths for path in found)


def compile_texts() -> None:
    """Write what Django reads, of each catalogue that is newer than it."""
    for path in catalogues():
        made = path.with_suffix(".mo")
        if made.exists() and made.stat().st_mtime_ns >= path.stat().st_mtime_ns:
            continue
        import polib  # here: the image has all compiled

        whole = path.with_suffix(f".{os.getpid()}")
        polib.pofile(str(path)).save_as_mofile(str(whole))
        whole.rename(made)


if __name__ == "__main__":
    compile_texts()
