"""The accent colour: derived in OKLCH from one configured hex, so that each use of it can be read
(ui.md, 2).
"""

import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256

DEFAULT = "#337ab7"
HEX = re.compile(r"#[0-9a-f]{6}")
WHITE, INK = "#ffffff", "#1d1b18"
TEXT_CONTRAST, INK_CONTRAST, GRAPHIC_CONTRAST = 4.5, 5.0, 3.1
STEP, HOVER, ACTIVE = 0.01, 0.055, 0.10

Oklch = tuple[float, float, float]


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


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(colour: str) -> list[float]:
    shares = (channel / 255 for channel in _channels(colour))
    return [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    ]


def _hex(linear: list[float]) -> str:
    def channel(share: float) -> int:
        share = min(1.0, max(0.0, share))
        curved = share * 12.92 if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055
        return round(curved * 255)

    return "#" + "".join(f"{channel(share):02x}" for share in linear)


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours."""
    lights = []
    for colour in (one, other):
        red, green, blue = _linear(colour)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(lights) / min(lights)


def _to_oklch(colour: str) -> Oklch:
    red, green, blue = _linear(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    return lightness, math.hypot(a, b), math.atan2(b, a)


def _from_oklch(colour: Oklch) -> str:
    lightness, chroma, hue = colour
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return _hex(
        [
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        ]
    )


def _at(colour: str, lightness: float) -> str:
    """Return the colour at another lightness; exactly black and white at the ends, or these never
    move.
    """
    if lightness <= 0:
        return "#000000"
    if lightness >= 1:
        return WHITE
    _, chroma, hue = _to_oklch(colour)
    return _from_oklch((lightness, chroma, hue))


def _moved_until(colour: str, step: float, good: Callable[[str], bool]) -> str:
    lightness = _to_oklch(colour)[0]
    moved, end = colour, 1.0 if step > 0 else 0.0
    while not good(moved) and lightness != end:
        lightness = min(1.0, max(0.0, lightness + step))
        moved = _at(colour, lightness)
    return moved


def _mixed(colour: str, ground: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(share * one + (1 - share) * other):02x}" for one, other in pairs)


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
        state = _at(accent, _to_oklch(accent)[0] - by)
        return state if contrast(on_accent, state) >= TEXT_CONTRAST else accent

    return Fill(accent, darker(HOVER), darker(ACTIVE), on_accent)


@cache
def shades(accent: str, mode: Mode) -> Shades:
    """Return the accent's shades on the ground of a mode."""
    soft = _mixed(accent, mode.surface, mode.soft)
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
def stylesheet(configured: str) -> str:
    """Return the stylesheet that sets the accent's custom properties; `color-scheme` decides
    between light and dark.
    """
    base = fill(configured)
    light, dark = (asdict(shades(base.accent, mode)) for mode in (LIGHT, DARK))
    values = asdict(base) | {name: f"light-dark({light[name]},{dark[name]})" for name in light}
    return (
        ":root{"
        + "".join(f"--{name.replace('_', '-')}:{value};" for name, value in values.items())
        + "}\n"
    )


@cache
def stylesheet_version(configured: str) -> str:
    """Return the text that changes with the stylesheet, for its address."""
    return sha256(stylesheet(configured).encode()).hexdigest()[:12]
