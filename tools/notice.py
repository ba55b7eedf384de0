"""Writes NOTICE: the packages that the image carries, with their licences. `make lock` does, `make
check` compares.

.venv/bin/python -m tools.notice [--check]
"""

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTICE, FRONTEND = ROOT / "NOTICE", ROOT / "frontend"
LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.M)
LEFT_OUT = {"setuptools"}  # deploy/prune.py
# What the package itself says in its licence file alone.
KNOWN = {"paypal-server-sdk": "PayPal SDK License"}
HEAD = """Wholesale ordering portal
MIT licence, in the file LICENSE.

The image also carries the packages below. It runs on Python and Debian, whose licences lie in its /usr/local/lib and
/usr/share/doc. Written by `make lock`.

"""
SERVER = """Server: each licence's text lies in /opt/portal/lib/python3.13/site-packages, in the package's .dist-info
folder. The fonts of documents (Fraunces, Geist, Pretendard: OFL-1.1) have theirs in apps/common/fonts.

"""
SCREENS = """
Screens: bundled into /srv/portal/static-collected/app; the texts follow.

"""


def python_licences() -> list[str]:
    """Return a line for each package of requirements.txt that is installed on Linux."""
    lines = []
    for name, version in LOCKED.findall((ROOT / "requirements.txt").read_text()):
        try:
            about = distribution(name).metadata
        except PackageNotFoundError:  # for other systems, or an older Python
            continue
        classified = [
            line.rpartition(" :: ")[2]
            for line in about.get_all("Classifier", [])
            if line.startswith("License")
        ]
        expression, free = (
            about.get_all(field, [""])[0] for field in ("License-Expression", "License")
        )
        said = expression or "; ".join(classified) or free.partition("\n")[0]
        licence = KNOWN.get(name) or said
        if not licence:
            raise SystemExit(
                f"{name} names no licence: look at its files, and add it to tools/notice.py."
            )
        if name not in LEFT_OUT:
            lines.append(f"{name} {version}: {licence}")
    return lines


def screen_packages() -> dict[Path, str]:
    """Return the folders of what the screens are bundled from, each with a line."""
    locked = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    used = {
        FRONTEND / path: entry
        for path, entry in locked.items()
        if path and not entry.get("dev") and "/@types/" not in path
    }
    lines = {}
    for folder, entry in used.items():
        if folder.is_dir():  # optional packages of other systems are not
            about = json.loads((folder / "package.json").read_text())
            lines[folder] = f"{about['name']} {entry['version']}: {about['license']}"
    return lines


def texts(folders: dict[Path, str]) -> str:
    """Return each licence's text once, under the packages that it is the text of."""
    named: dict[str, list[str]] = {}
    for folder, line in folders.items():
        for file in sorted(folder.iterdir()):
            if file.is_file() and re.match(r"(licen[cs]e|copying)", file.name, re.I):
                named.setdefault(file.read_text().strip(), []).append(line.partition(": ")[0])
    rule = "-" * 80
    return "".join(f"\n{rule}\n{', '.join(names)}\n\n{text}\n" for text, names in named.items())


def notice() -> str:
    """Return the whole of it."""
    screens = screen_packages()
    lists = (
        SERVER
        + "\n".join(python_licences())
        + "\n"
        + SCREENS
        + "\n".join(sorted(set(screens.values())))
        + "\n"
    )
    return HEAD + lists + texts(screens)


def main(*arguments: str) -> int:
    """Write it, or say whether it is as it should be."""
    if "--check" not in arguments:
        NOTICE.write_text(notice())
    elif NOTICE.read_text() != notice():
        sys.stdout.write("NOTICE is not what the lock files say: make lock\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
