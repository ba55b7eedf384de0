"""Writes NOTICE: the packages that the image carries, with their licences. `make lock` does, `make
check` compares.

.venv/bin/python -m tools.notice [--check]
"""

import json
import re
import sys
from pathlib import Path

from tools.setup import FRONTEND, ROOT, VENV, execute

NOTICE = ROOT / "NOTICE"
LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==", re.M)
LEFT_OUT = {"setuptools"}  # deploy/prune.py
# What the package itself says in its licence file alone.
KNOWN = {"paypal-server-sdk": "PayPal SDK License"}
HEAD = """Wholesale ordering portal
MIT licence, in the file LICENSE.

The image also carries the packages below. It runs on Python and Debian, whose licences lie in its
/usr/local/lib and /usr/share/doc. Written by `make lock`.

Server: each licence's text lies in /opt/portal/lib/python3.13/site-packages, in the package's
.dist-info folder. The fonts of documents (Fraunces, Geist, Pretendard: OFL-1.1) have theirs in
apps/common/fonts.

"""
SCREENS = """

Screens: bundled into /srv/portal/static-collected/app; the texts follow.

"""


def python_licences() -> list[str]:
    """Return a line for each package of requirements.txt that is installed on Linux."""
    names = set(LOCKED.findall((ROOT / "requirements.txt").read_text())) - LEFT_OUT
    options = ("--from=mixed", "--format=json", "--packages")
    listed = [
        (one["Name"], one["Version"], one["License"])
        for one in json.loads(execute([VENV / "bin" / "pip-licenses", *options, *sorted(names)]))
    ]
    lines = (f"{name} {version}: {KNOWN.get(name, it)}" for name, version, it in listed)
    return sorted(lines, key=str.casefold)


def screen_packages() -> dict[Path, str]:
    """Return the folders of what the screens are bundled from, each with a line."""
    locked = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    lines = {}
    for path, entry in locked.items():
        folder = FRONTEND / path
        # Optional packages of other systems are not there.
        if path and not entry.get("dev") and "/@types/" not in path and folder.is_dir():
            about = json.loads((folder / "package.json").read_text())
            lines[folder] = f"{about['name']} {entry['version']}: {about['license']}"
    return lines


def texts(folders: dict[Path, str]) -> str:
    """Return each licence's text once, under the packages that it is the text of."""
    names_by_text: dict[str, list[str]] = {}
    for folder, line in folders.items():
        for file in sorted(folder.iterdir()):
            if file.is_file() and re.match(r"(licen[cs]e|copying)", file.name, re.I):
                names_by_text.setdefault(file.read_text().strip(), []).append(
                    line.partition(": ")[0]
                )
    rule = "-" * 80
    return "".join(
        f"\n{rule}\n{', '.join(names)}\n\n{text}\n" for text, names in names_by_text.items()
    )


def notice() -> str:
    """Return the whole of it."""
    screens = screen_packages()
    lines = "\n".join(sorted(set(screens.values())))
    return HEAD + "\n".join(python_licences()) + SCREENS + lines + "\n" + texts(screens)


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
