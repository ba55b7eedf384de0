"""Pages of foreign PDFs as pictures: nothing active of a PDF ever reaches a browser.

A process of its own draws them, with little memory and time: what makes the drawing fail takes
nothing else with it.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(__file__).with_name("pdf_page.py")
SECONDS = 10
WIDTH = 1240  # pixels: an A4 page at 150 dots an inch


@dataclass(frozen=True)
class Drawn:
    """How many pages a PDF has, and one of them as a PNG."""

    pages: int
    png: bytes


def draw_page(content: bytes, *, number: int) -> Drawn | None:
    """Return page `number` (from 1) of a PDF as a picture; with 0 only their count. None where it
    cannot be shown.
    """
    try:
        done = subprocess.run(  # noqa: S603 - our own program; the PDF is only its input
            [sys.executable, "-I", str(PROGRAM), str(number), str(WIDTH)],
            input=content,
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env={},
        )
        head, _, png = done.stdout.partition(b"\n")
        return Drawn(int(json.loads(head)["pages"]), png)
    except (subprocess.SubprocessError, OSError, ValueError):
        return None
