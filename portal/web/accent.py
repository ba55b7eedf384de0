"""The accent colour: derived in OKLCH from one configured hex, so that each use of it can be read
(ui.md, 2).
"""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256

from coloraide import Color

DEFAULT = "#337ab7"
HEX = re.compile(r"#[0-9a-f]{6}")
WHITE, INK = "#ffffff", "#1d1b18"
TEXT_CONTRAST, INK_CONTRAST, GRAPHIC_CONTRAST = 4.5, 5.0, 3.1
STEP, HOVER, ACTIVE = 0.01, 0.055, 0.10


@dataclass(frozen=True)
class Mode:
    """Light or dark: the grounds that the accent stands on, and where its text goes from there."""

    bg: str
    surface: str
    soft: float
    towards: float


LIGHT = Mode(bg="#f6f5f2", surface="#ffffff", soft=0.09, towards=-STEP)
DARK = Mode(bg="#131211", surface="#1b1a18", soft=0.20, towards=STEP)


@dataclass(frozen=True)
class Fill:
    """Primary buttons: the fill, its states, and the text on it."""

    accent: str
    accent_hover: str
    accent_active: str
    on_accent: str


@dataclass(frozen=True)
class Shades:
    """The accent on the ground of one mode: soft fill, text and links, lines and columns."""

    accent_soft: str
    accent_ink: str
    accent_graphic: str


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours."""
    return Color(one).contrast(other, method="wcag21")


def _hex(colour: Color) -> str:
    return str(colour.convert("srgb").clip().to_string(hex=True))


def _lighter(colour: str, by: float) -> str:
    """Return the colour with another lightness; exactly black and white at the ends, or these never
    move.
    """
    moved = Color(colour).convert("oklch")
    lightness = moved["lightness"] + by
    if not 0 < lightness < 1:
        return "#000000" if lightness <= 0 else WHITE
    return _hex(moved.set("lightness", lightness))


def _moved_until(colour: str, step: float, good: Callable[[str], bool]) -> str:
    """Return the colour moved by as many steps of lightness as it takes, or the end that it
    reaches.
    """
    ends = "#000000" if step < 0 else WHITE
    moves = (_lighter(colour, step * count) for count in range(round(1 / STEP) + 1))
    return next((moved for moved in moves if moved == ends or good(moved)), ends)


@cache
def fill(configured: str) -> Fill:
    """Return the fill for a configured hex; an invalid one falls back to the default."""
    accent = configured.strip().lower()
    if not HEX.fullmatch(accent):
        accent = DEFAULT
    on_accent = next(
        (text for text in (WHITE, INK) if contrast(text, accent) >= TEXT_CONTRAST), None
    )
    if on_accent is None:
        on_accent = WHITE
        accent = _moved_until(accent, -STEP, lambda moved: contrast(WHITE, moved) >= TEXT_CONTRAST)

    def darker(by: float) -> str:
        state = _lighter(accent, -by)
        return state if contrast(on_accent, state) >= TEXT_CONTRAST else accent

    return Fill(accent, darker(HOVER), darker(ACTIVE), on_accent)


@cache
def shades(accent: str, mode: Mode) -> Shades:
    """Return the accent's shades on the ground of a mode."""
    soft = _hex(Color(mode.surface).mix(accent, mode.soft, space="srgb"))
    ink = _moved_until(accent, mode.towards, lambda moved: contrast(moved, soft) >= INK_CONTRAST)
    graphic = _moved_until(
        accent,
        mode.towards,
        lambda moved: (
            min(contrast(moved, mode.bg), contrast(moved, mode.surface)) >= GRAPHIC_CONTRAST
        ),
    )
    return Shades(soft, ink, graphic)


@cache
def stylesheet(configured: str, *, accent: str = "accent") -> str:
    """Return the stylesheet that sets the accent's custom properties; `color-scheme` decides
    between light and dark. On staff's pages it is called `brand`: Django's `--accent` is another.
    """
    base = asdict(fill(configured))
    light, dark = (asdict(shades(base["accent"], mode)) for mode in (LIGHT, DARK))
    values = {accent: base.pop("accent"), **base}
    values |= {name: f"light-dark({light[name]},{dark[name]})" for name in light}
    return (
        ":root{"
        + "".join(f"--{name.replace('_', '-')}:{value};" for name, value in values.items())
        + "}\n"
    )


@cache
def stylesheet_version(configured: str) -> str:
    """Return the text that changes with the stylesheet, for its address."""
    return sha256(stylesheet(configured).encode()).hexdigest()[:12]
