"""Run as a program of its own by `apps.common.pdf`: one page of the PDF on standard input becomes a
PNG.

Writes one line of JSON (`{"pages": 2}`), and after it the picture, to standard output. Knows
nothing of the portal.
"""

import json
import sys

import pypdfium2

MOST_PIXELS = 12_000_000
MEMORY_BYTES = 1024 * 1024 * 1024
SECONDS = 10  # of the processor


def limit() -> None:
    """Give this process little memory and time, and no file to write."""
    try:
        import resource
    except ImportError:  # on Windows the caller's own time limit remains
        return
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def main(number: int, width: int) -> int:
    """Draw page `number` (from 1; 0 only counts the pages) `width` pixels wide."""
    limit()
    document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps({"pages": len(document)}).encode() + b"\n")
    if number:
        page = document[number - 1]
        page_width, page_height = page.get_size()
        scale = min(width / page_width, (MOST_PIXELS / (page_width * page_height)) ** 0.5)
        page.render(scale=scale).to_pil().convert("RGB").save(sys.stdout.buffer, format="PNG")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
