"""Compiles the Korean of the staff's pages, and lists what is missing: `python -m tools.texts`."""

import sys

import polib

from portal.ops.steps import say
from portal.ops.texts import ROOT, catalogues, compile_texts

SCRIPTS = ROOT / "frontend" / "staff" / "locale" / "ko.po"


def main() -> int:
    """Compile, list, and return how many texts are missing."""
    compile_texts()
    missing = 0
    for path in [*catalogues(), SCRIPTS]:
        for entry in polib.pofile(str(path)):
            if not entry.translated():
                missing += 1
                say(f"{path.relative_to(ROOT)}: {entry.msgid}")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
