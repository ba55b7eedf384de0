"""A small drawing surface for the demo's product pictures: shaded shapes on a tinted ground.

Coordinates run from 0 to 100 on both axes, whatever the size in pixels, with the origin at the top
left.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFilter

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
Point = tuple[float, float]
Shade = tuple[tuple[float, Colour], ...]
"""Colours from left to right of a shape, each with its place from 0 to 1; the first at 0 and the last at 1."""

WHITE: Colour = (255, 255, 255)
DUSK: Colour = (58, 46, 38)
EVERY_CORNER = (True, True, True, True)
UPPER_CORNERS = (True, True, False, False)
LOWER_CORNERS = (False, False, True, True)

_GRADIENT_STEPS = 96
_GROUND_PIXELS = 128


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return the first colour with `share` (0 to 1) of the second in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def flat(colour: Colour) -> Shade:
    """Return one colour from edge to edge."""
    return ((0.0, colour), (1.0, colour))


def cylinder(colour: Colour) -> Shade:
    """Return the light on a round, satin body: from the left, falling off to the right."""
    return (
        (0.0, mix(colour, DUSK, 0.20)),
        (0.10, mix(colour, DUSK, 0.06)),
        (0.30, mix(colour, WHITE, 0.42)),
        (0.52, mix(colour, WHITE, 0.06)),
        (0.80, mix(colour, DUSK, 0.14)),
        (1.0, mix(colour, DUSK, 0.30)),
    )


def foil(colour: Colour) -> Shade:
    """Return the light on a soft flat pouch: a bright fold on either side."""
    return (
        (0.0, mix(colour, DUSK, 0.16)),
        (0.08, mix(colour, WHITE, 0.18)),
        (0.22, colour),
        (0.45, mix(colour, WHITE, 0.30)),
        (0.78, colour),
        (0.90, mix(colour, DUSK, 0.10)),
        (1.0, mix(colour, DUSK, 0.20)),
    )


@lru_cache(maxsize=512)
def _row(shade: Shade) -> Image.Image:
    pixels: list[int] = []
    for (start, left), (end, right) in pairwise(shade):
        steps = round((end - start) * _GRADIENT_STEPS)
        for step in range(steps):
            pixels += mix(left, right, step / steps)
    return Image.frombytes("RGB", (len(pixels) // 3, 1), bytes(pixels))


class Canvas:
    """A square picture under construction; every shape is painted over those before it."""

    def __init__(self, pixels: int, *, centre: Colour, edge: Colour) -> None:
        """Start from a ground that is `centre` in the middle and falls off to `edge`."""
        self._scale = pixels / 100
        fall_off = Image.radial_gradient("L").resize((_GROUND_PIXELS, _GROUND_PIXELS))
        side = (_GROUND_PIXELS, _GROUND_PIXELS)
        ground = Image.composite(
            Image.new("RGB", side, edge), Image.new("RGB", side, centre), fall_off
        )
        self.image = ground.resize((pixels, pixels), Image.Resampling.BICUBIC)

    def rounded(
        self,
        box: Box,
        radius: float,
        shade: Shade,
        *,
        corners: tuple[bool, bool, bool, bool] = EVERY_CORNER,
        opacity: float = 1.0,
    ) -> None:
        """Paint a rectangle; `corners` (clockwise from the top left) says which are rounded."""

        def outline(pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
            pen.rounded_rectangle(
                (0, 0, width - 1, height - 1), radius * self._scale, fill=255, corners=corners
            )

        self._paint(box, shade, opacity, outline)

    def ellipse(self, box: Box, shade: Shade, *, opacity: float = 1.0) -> None:
        """Paint an ellipse that fills the box."""

        def outline(pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
            pen.ellipse((0, 0, width - 1, height - 1), fill=255)

        self._paint(box, shade, opacity, outline)

    def ring(self, box: Box, thickness: float, colour: Colour, *, opacity: float = 1.0) -> None:
        """Paint the outline of an ellipse."""

        def outline(pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
            pen.ellipse(
                (0, 0, width - 1, height - 1),
                outline=255,
                width=max(1, round(thickness * self._scale)),
            )

        self._paint(box, flat(colour), opacity, outline)

    def polygon(self, points: Sequence[Point], shade: Shade, *, opacity: float = 1.0) -> None:
        """Paint a straight-edged shape."""
        across, down = [x for x, _ in points], [y for _, y in points]
        box = (min(across), min(down), max(across), max(down))
        corners = [((x - box[0]) * self._scale, (y - box[1]) * self._scale) for x, y in points]

        def outline(pen: ImageDraw.ImageDraw, _width: int, _height: int) -> None:
            pen.polygon(corners, fill=255)

        self._paint(box, shade, opacity, outline)

    def gleam(self, box: Box, *, opacity: float = 0.45) -> None:
        """Paint the narrow reflection of a window on a glossy body."""
        self.rounded(box, (box[2] - box[0]) / 2, flat(WHITE), opacity=opacity)

    def shadow(self, box: Box, colour: Colour, *, opacity: float = 0.30) -> None:
        """Paint the soft shadow that a thing throws on the ground."""
        blur = 1.8
        reach = 3 * blur
        left, top, right, bottom = box
        coarse = Image.new("L", (round(right - left + 2 * reach), round(bottom - top + 2 * reach)))
        ImageDraw.Draw(coarse).ellipse(
            (reach, reach, reach + right - left, reach + bottom - top), fill=round(255 * opacity)
        )
        soft = coarse.filter(ImageFilter.GaussianBlur(blur))
        full = soft.resize(
            (round(soft.width * self._scale), round(soft.height * self._scale)),
            Image.Resampling.BILINEAR,
        )
        self.image.paste(
            colour, (round((left - reach) * self._scale), round((top - reach) * self._scale)), full
        )

    def _paint(
        self,
        box: Box,
        shade: Shade,
        opacity: float,
        outline: Callable[[ImageDraw.ImageDraw, int, int], None],
    ) -> None:
        left, top, right, bottom = (round(value * self._scale) for value in box)
        width, height = max(right - left, 1), max(bottom - top, 1)
        mask = Image.new("L", (width, height))
        outline(ImageDraw.Draw(mask), width, height)
        if opacity < 1:
            mask = mask.point([round(level * opacity) for level in range(256)])
        paint = _row(shade).resize((width, height), Image.Resampling.BILINEAR)
        self.image.paste(paint, (left, top), mask)
