"""Files of kinds that no certificate is, under names that say otherwise."""

import io
import zipfile
from collections.abc import Callable

from apps.accounts.rules import MAX_CERTIFICATE_BYTES
from apps.accounts.tests.hostile_uploads.documents import GOOD
from apps.accounts.tests.hostile_uploads.pictures import SIGNATURE, saved


def archive(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return content.getvalue()


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


def other_kinds() -> dict[str, Callable[[], bytes]]:
    """Return files that are not a certificate's kind, or whose name and content disagree."""
    return {
        "empty.pdf": lambda: b"",
        "page.pdf": lambda: b"<!doctype html><script>alert(1)</script>",
        "comment before the marker.pdf": lambda: b"<!--" + b" " * 196 + GOOD,
        "line before the marker.pdf": lambda: b"\n" + GOOD,
        "byte order mark before the marker.pdf": lambda: b"\xef\xbb\xbf" + GOOD,
        "archive before the marker.pdf": lambda: archive("a.txt") + GOOD,
        "form data.pdf": lambda: b"%FDF-1.2\n" + GOOD,
        "drawing.svg": lambda: SVG,
        "drawing.png": lambda: SVG,
        "archive.pdf": lambda: archive("a.txt"),
        "web.webp": lambda: saved("WEBP"),
        "half a marker.jpg": lambda: b"\xff\xd8",
        "half a marker.png": lambda: SIGNATURE[:4],
        "really a PNG.jpg": lambda: saved("PNG"),
        "really a JPEG.png": lambda: saved("JPEG"),
        "really a PDF.jpg": lambda: GOOD,
        "really a PNG.pdf": lambda: saved("PNG"),
        "certificate": lambda: GOOD,
        "certificate.pdf.exe": lambda: GOOD,
        "certificate.pdf.": lambda: GOOD,
        "certificate.pdf .html": lambda: GOOD,
        "certificate.pdf\0.exe": lambda: GOOD,
        "certificate\u202efdp.exe": lambda: GOOD,
        "certificate.pdf;.svg": lambda: GOOD,
    }


def too_large() -> dict[str, Callable[[], bytes]]:
    """Return files over 5 MB."""
    return {
        "one byte over 5 MB.pdf": lambda: GOOD + b"\n" * (MAX_CERTIFICATE_BYTES + 1 - len(GOOD)),
        "5.9 MB.jpg": lambda: saved("JPEG") + bytes(5_900_000),
        "7 MB.png": lambda: saved("PNG") + bytes(7_000_000),
    }
