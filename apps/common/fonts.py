"""The fonts of the documents, the portal's own; what they lack, a wider one has (fonts/OFL.txt, the
licence).
"""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from unicodedata import category, normalize
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FOLDER = Path(__file__).parent / "fonts"
BODY, BOLD, DISPLAY = "Geist-Regular", "Geist-SemiBold", "Fraunces-SemiBold"
WIDE = "Pretendard-Regular"  # Hangul, kana, Greek, Cyrillic and every accent
MISSING = "□"
INVISIBLE = ("Cc", "Cf")
PICTURE_OR_TEXT = "\ufe0e\ufe0f"  # behind a sign: in colours or not


@cache
def _glyphs(font: str) -> frozenset[int]:
    """Return the characters that a font has; registers it at the first use in the process."""
    loaded = TTFont(font, FOLDER / f"{font}.ttf")
    pdfmetrics.registerFont(loaded)
    return frozenset(loaded.face.charToGlyph)


def register() -> None:
    """Make the fonts known to ReportLab."""
    for font in (BODY, BOLD, DISPLAY, WIDE):
        _glyphs(font)


def runs(words: str, font: str) -> Iterator[tuple[str, str]]:
    """Yield a text, composed and on one line, as pieces with the font of each; what no font has is
    a box.

    Invisible characters that only steer a text's direction or joining are left out.
    """

    def font_of(char: str) -> str:
        return font if ord(char) in _glyphs(font) else WIDE

    composed = normalize("NFC", " ".join(words.split()))
    line = filter(_is_visible, composed)
    for name, chars in groupby(line, font_of):
        glyphs = _glyphs(name)
        yield name, "".join(char if ord(char) in glyphs else MISSING for char in chars)


def unprintable(text: str) -> str:
    """Return the characters of a text that a document would print as a box, each once."""
    composed = "" if text.isascii() else normalize("NFC", text)
    visible = (char for char in composed if _is_visible(char) and not char.isspace())
    # The wide font is loaded only for what the others lack: it is the largest.
    lacked = (
        char
        for char in dict.fromkeys(visible)
        if not all(ord(char) in _glyphs(font) for font in (BODY, BOLD, DISPLAY))
    )
    return "".join(char for char in lacked if ord(char) not in _glyphs(WIDE))


def _is_visible(char: str) -> bool:
    return category(char) not in INVISIBLE and char not in PICTURE_OR_TEXT


def marked_up(words: str, font: str) -> str:
    """Return a text as the markup of a ReportLab paragraph in this font."""
    return "".join(
        escape(part) if name == font else f'<font name="{name}">{escape(part)}</font>'
        for name, part in runs(words, font)
    )
