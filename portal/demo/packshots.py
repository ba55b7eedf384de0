"""How each kind of packaging looks: one function per kind, painting on a canvas of 100 by 100."""

from collections.abc import Callable
from dataclasses import dataclass

from portal.demo.canvas import (
    DUSK,
    LOWER_CORNERS,
    UPPER_CORNERS,
    WHITE,
    Canvas,
    Colour,
    cylinder,
    flat,
    foil,
    mix,
)


@dataclass(frozen=True)
class Palette:
    """The colours of one product line."""

    centre: Colour
    edge: Colour
    body: Colour
    cap: Colour
    ink: Colour


@dataclass(frozen=True)
class Stage:
    """What a kind paints with: the canvas, the line's colours and the brand's label."""

    canvas: Canvas
    palette: Palette
    label: str

    def ground(self, left: float, right: float, bottom: float = 93) -> None:
        """Throw the shadow of a thing that stands between left and right."""
        reach = 7
        tone = mix(self.palette.edge, DUSK, 0.55)
        self.canvas.shadow(
            (left - reach, bottom - 4, right + reach, bottom + 3), tone, opacity=0.42
        )
        self.canvas.shadow((left, bottom - 2.4, right, bottom + 1.6), tone, opacity=0.55)

    def print_label(self, x: float, y: float, width: float) -> None:
        """Print the brand's label, centred at x and y, on a face that is `width` wide."""
        _LABELS[self.label](self, x, y, width)


def _rule(stage: Stage, x: float, y: float, width: float, height: float, opacity: float) -> None:
    box = (x - width / 2, y, x + width / 2, y + height)
    stage.canvas.rounded(box, height / 2, flat(stage.palette.ink), opacity=opacity)


def _lines(stage: Stage, x: float, y: float, width: float) -> None:
    _rule(stage, x, y - 5, width * 0.46, 2.2, 0.85)
    for row in range(3):
        _rule(stage, x, y + 0.6 + row * 3.4, width * 0.32, 1.1, 0.5)


def _caption(stage: Stage, x: float, y: float, width: float) -> None:
    """Print two lines where a face is too low for any label."""
    _rule(stage, x, y, width * 0.46, 2.0, 0.85)
    _rule(stage, x, y + 4.2, width * 0.32, 1.1, 0.5)


def _emblem(stage: Stage, x: float, y: float, width: float) -> None:
    radius = min(width * 0.17, 5)
    stage.canvas.ring(
        (x - radius, y - radius - 6, x + radius, y + radius - 6),
        0.9,
        stage.palette.ink,
        opacity=0.75,
    )
    _caption(stage, x, y + 2.4, width)


def _plate(stage: Stage, x: float, y: float, width: float) -> None:
    half = width * 0.34
    paper = mix(stage.palette.centre, WHITE, 0.6)
    stage.canvas.rounded((x - half, y - 8, x + half, y + 9), 0.8, flat(paper), opacity=0.94)
    ink = DUSK
    for top, share, height, opacity in (
        (-4.8, 1.1, 2.0, 0.85),
        (0.2, 0.8, 1.1, 0.5),
        (3.6, 0.8, 1.1, 0.5),
    ):
        box = (x - half * share / 2, y + top, x + half * share / 2, y + top + height)
        stage.canvas.rounded(box, height / 2, flat(ink), opacity=opacity)


def _stack(stage: Stage, x: float, y: float, width: float) -> None:
    left = x - width * 0.28
    for top, share, height, opacity in (
        (-6, 0.5, 2.2, 0.85),
        (-2, 0.34, 2.2, 0.85),
        (3.4, 0.42, 1.1, 0.5),
        (6.4, 0.26, 1.1, 0.5),
    ):
        box = (left, y + top, left + width * share, y + top + height)
        stage.canvas.rounded(box, height / 2, flat(stage.palette.ink), opacity=opacity)


def _leaf(stage: Stage, x: float, y: float, width: float) -> None:
    span = min(width * 0.11, 4)
    top, low = y - 10, y - 1.4
    stage.canvas.polygon(
        [(x, top), (x + span, (top + low) / 2), (x, low), (x - span, (top + low) / 2)],
        flat(stage.palette.ink),
        opacity=0.7,
    )
    _caption(stage, x, y + 1.2, width)


_LABELS: dict[str, Callable[[Stage, float, float, float], None]] = {
    "lines": _lines,
    "emblem": _emblem,
    "plate": _plate,
    "stack": _stack,
    "leaf": _leaf,
}


def _jar(stage: Stage) -> None:
    stage.ground(22, 78)
    stage.canvas.rounded((22, 58, 78, 93), 11, cylinder(stage.palette.body), corners=LOWER_CORNERS)
    stage.canvas.rounded((22, 62, 78, 65), 0, cylinder(stage.palette.body), opacity=0.5)
    stage.canvas.gleam((26.5, 68, 29, 86))
    stage.canvas.rounded((20, 45, 80, 63), 4, cylinder(stage.palette.cap))
    stage.canvas.rounded((20, 59.5, 80, 60.3), 0, flat(DUSK), opacity=0.16)
    stage.print_label(50, 78, 50)


def _pot(stage: Stage) -> None:
    stage.ground(14, 86)
    stage.canvas.rounded((15, 66, 85, 93), 8, cylinder(stage.palette.body), corners=LOWER_CORNERS)
    stage.canvas.gleam((19.5, 74, 22, 87))
    stage.canvas.rounded((13, 54, 87, 70), 4.5, cylinder(stage.palette.cap))
    for x in range(17, 85, 4):
        stage.canvas.rounded((x, 60, x + 0.9, 69), 0.4, flat(DUSK), opacity=0.10)
    _caption(stage, 50, 79, 44)


def _dropper(stage: Stage) -> None:
    stage.ground(32, 68)
    stage.canvas.rounded((32, 43, 68, 93), 9, cylinder(stage.palette.body))
    stage.canvas.gleam((36, 54, 38.4, 86))
    stage.canvas.rounded((44.5, 11, 55.5, 36), 5.5, cylinder(stage.palette.cap))
    stage.canvas.rounded((41, 31, 59, 45), 1.6, cylinder(stage.palette.cap))
    stage.canvas.rounded((41, 31, 59, 32), 0.5, flat(WHITE), opacity=0.18)
    stage.print_label(50, 68, 36)


def _bottle(stage: Stage) -> None:
    stage.ground(30, 70)
    stage.canvas.rounded((44, 27, 56, 40), 1, cylinder(stage.palette.body))
    stage.canvas.rounded((30, 34, 70, 70), 17, cylinder(stage.palette.body), corners=UPPER_CORNERS)
    stage.canvas.rounded((30, 54, 70, 93), 6, cylinder(stage.palette.body), corners=LOWER_CORNERS)
    stage.canvas.gleam((34, 53, 36.4, 87))
    stage.canvas.rounded((40.5, 9, 59.5, 30), 2.4, cylinder(stage.palette.cap))
    stage.print_label(50, 66, 40)


def _pump(stage: Stage) -> None:
    stage.ground(30, 70)
    cap = cylinder(stage.palette.cap)
    stage.canvas.rounded((48, 13, 52, 26), 0.5, cap)
    stage.canvas.rounded((30, 9.5, 58, 13), 1.6, cap)
    stage.canvas.rounded((42, 7.5, 61, 15.5), 2.2, cap)
    stage.canvas.rounded((30, 31, 70, 93), 8, cylinder(stage.palette.body))
    stage.canvas.gleam((34, 42, 36.4, 86))
    stage.canvas.rounded((40, 23, 60, 33), 1.8, cap)
    stage.print_label(50, 63, 40)


def _tube(stage: Stage) -> None:
    stage.ground(38, 62)
    stage.canvas.polygon([(31, 12), (69, 12), (63, 80), (37, 80)], cylinder(stage.palette.body))
    stage.canvas.rounded(
        (30.5, 7.5, 69.5, 13.5), 0.8, cylinder(mix(stage.palette.body, DUSK, 0.10))
    )
    for x in range(33, 68, 3):
        stage.canvas.rounded((x, 8.3, x + 0.8, 12.8), 0.3, flat(WHITE), opacity=0.28)
    stage.canvas.polygon([(36.5, 18), (38.8, 18), (41.2, 73), (39.6, 73)], flat(WHITE), opacity=0.4)
    stage.canvas.rounded((36, 78, 64, 93), 2.2, cylinder(stage.palette.cap))
    stage.print_label(50, 44, 36)


def _pouch(stage: Stage) -> None:
    stage.ground(25, 75)
    stage.canvas.polygon(
        [
            (24, 16),
            (76, 16),
            (74.6, 36),
            (74.6, 74),
            (76.4, 93),
            (23.6, 93),
            (25.4, 74),
            (25.4, 36),
        ],
        foil(stage.palette.body),
    )
    stage.canvas.rounded((24, 16, 76, 23.5), 0.6, flat(stage.palette.cap), opacity=0.55)
    stage.canvas.ellipse((48.2, 18, 51.8, 21.6), flat(stage.palette.centre))
    stage.canvas.rounded((25, 87.5, 75, 88.3), 0, flat(DUSK), opacity=0.10)
    stage.canvas.ring((39, 33, 61, 55), 1, stage.palette.ink, opacity=0.45)
    _lines(stage, 50, 70, 44)


def _mask(stage: Stage) -> None:
    stage.ground(24, 76)
    stage.canvas.rounded((23, 11, 77, 93), 1.4, foil(stage.palette.body))
    for top in (11, 88.5):
        stage.canvas.rounded((23, top, 77, top + 4.5), 0.8, flat(DUSK), opacity=0.10)
    face = mix(stage.palette.centre, WHITE, 0.55)
    stage.canvas.ellipse((35, 22, 65, 60), flat(face), opacity=0.92)
    for left in (40, 52):
        stage.canvas.ellipse((left, 35, left + 8, 38.6), foil(stage.palette.body))
    stage.canvas.polygon([(50, 40), (52, 46.5), (48, 46.5)], flat(DUSK), opacity=0.08)
    stage.canvas.ellipse((45, 50, 55, 53.4), foil(stage.palette.body))
    stage.print_label(50, 75, 46)


def _compact(stage: Stage) -> None:
    stage.canvas.shadow((18, 82, 82, 99), mix(stage.palette.edge, DUSK, 0.55), opacity=0.5)
    stage.canvas.ellipse((16, 26, 84, 94), cylinder(mix(stage.palette.cap, DUSK, 0.12)))
    stage.canvas.ellipse((18, 26, 82, 90), cylinder(stage.palette.cap))
    stage.canvas.ellipse((21, 29, 79, 87), cylinder(stage.palette.body))
    stage.canvas.ring((24, 32, 76, 84), 0.7, WHITE, opacity=0.5)
    stage.print_label(50, 59, 52)


def _lipstick(stage: Stage) -> None:
    stage.ground(38, 62)
    stage.canvas.polygon(
        [(44, 52), (44, 25), (46, 19), (50, 15.5), (56, 23), (56, 52)], cylinder(stage.palette.body)
    )
    stage.canvas.polygon(
        [(44.6, 25), (46.4, 19.6), (50, 16.4), (54, 22), (49, 25)], flat(WHITE), opacity=0.22
    )
    stage.canvas.rounded(
        (41.5, 44, 58.5, 58), 1, cylinder(mix(stage.palette.centre, (214, 190, 150), 0.7))
    )
    stage.canvas.rounded((38, 56, 62, 93), 2, cylinder(stage.palette.cap))
    stage.canvas.gleam((41, 61, 42.8, 88), opacity=0.3)
    stage.canvas.rounded((45, 73, 55, 74.6), 0.8, flat(WHITE), opacity=0.55)


def _stick(stage: Stage) -> None:
    stage.ground(32, 68)
    stage.canvas.rounded(
        (35, 17, 65, 50),
        13,
        cylinder(mix(stage.palette.centre, WHITE, 0.55)),
        corners=UPPER_CORNERS,
    )
    stage.canvas.rounded((34, 42, 66, 50), 1, cylinder(stage.palette.cap))
    stage.canvas.rounded((32, 48, 68, 86), 2, cylinder(stage.palette.body))
    stage.canvas.gleam((35.6, 53, 37.8, 82))
    stage.canvas.rounded((33, 85, 67, 93), 2.4, cylinder(stage.palette.cap))
    stage.print_label(50, 66, 36)


def _mascara(stage: Stage) -> None:
    stage.ground(28, 44)
    stage.ground(56, 72)
    stage.canvas.rounded((29, 48, 43, 93), 3, cylinder(stage.palette.body))
    stage.canvas.rounded((29, 8, 43, 46), 4, cylinder(stage.palette.cap))
    stage.canvas.rounded((29.6, 45, 42.4, 49), 0.4, cylinder((222, 205, 175)))
    for y in range(54, 88, 3):
        half = 4.2 if 58 <= y <= 80 else 3.2
        stage.canvas.rounded(
            (64 - half, y, 64 + half, y + 1.8), 0.9, cylinder(mix(stage.palette.cap, DUSK, 0.4))
        )
    stage.canvas.rounded((63, 40, 65, 90), 1, cylinder(mix(stage.palette.cap, DUSK, 0.4)))
    stage.canvas.rounded((57, 8, 71, 46), 4, cylinder(stage.palette.cap))
    stage.canvas.rounded((33, 66, 39, 67.6), 0.8, flat(stage.palette.ink), opacity=0.8)
    stage.canvas.rounded((34, 70, 38, 71), 0.5, flat(stage.palette.ink), opacity=0.5)


def _spray(stage: Stage) -> None:
    stage.ground(34, 66)
    stage.canvas.rounded((34, 33, 66, 93), 7, cylinder(stage.palette.body))
    stage.canvas.gleam((37.4, 44, 39.6, 87))
    stage.canvas.rounded((46, 15, 54, 34), 1.5, cylinder(stage.palette.cap))
    stage.canvas.rounded(
        (38, 7, 62, 36), 3, cylinder(mix(stage.palette.centre, WHITE, 0.8)), opacity=0.82
    )
    stage.canvas.gleam((41, 11, 42.8, 32), opacity=0.6)
    stage.print_label(50, 64, 32)


def _soap(stage: Stage) -> None:
    stage.ground(16, 84)
    stage.canvas.rounded((15, 55, 85, 93), 15, cylinder(mix(stage.palette.body, DUSK, 0.14)))
    stage.canvas.rounded((15, 49, 85, 86), 15, cylinder(stage.palette.body))
    stage.canvas.rounded((22, 55, 78, 80), 10, flat(WHITE), opacity=0.16)
    for x, y, radius in ((70, 40, 5.5), (80, 33, 3.2), (62, 33, 2.4), (26, 43, 3.6)):
        bubble = (x - radius, y - radius, x + radius, y + radius)
        stage.canvas.ellipse(bubble, flat(WHITE), opacity=0.35)
        stage.canvas.ring(bubble, 0.6, WHITE, opacity=0.9)
    stage.print_label(50, 67, 48)


def _box(stage: Stage) -> None:
    stage.ground(26, 74)
    side = mix(stage.palette.body, DUSK, 0.22)
    stage.canvas.polygon([(62, 22), (75, 17), (75, 88), (62, 93)], flat(side))
    stage.canvas.polygon(
        [(25, 22), (38, 17), (75, 17), (62, 22)], flat(mix(stage.palette.body, WHITE, 0.45))
    )
    front = (
        (0.0, mix(stage.palette.body, WHITE, 0.22)),
        (1.0, mix(stage.palette.body, DUSK, 0.05)),
    )
    stage.canvas.rounded((25, 22, 62, 93), 0.4, front)
    stage.canvas.rounded((25, 80, 62, 86), 0, flat(stage.palette.cap), opacity=0.85)
    stage.canvas.polygon(
        [(62, 80), (75, 75), (75, 81), (62, 86)],
        flat(mix(stage.palette.cap, DUSK, 0.3)),
        opacity=0.85,
    )
    stage.print_label(43.5, 50, 37)


def _vial(stage: Stage) -> None:
    for left in (19, 41, 63):
        stage.ground(left + 1, left + 17)
        stage.canvas.rounded((left + 4, 30, left + 14, 45), 2, cylinder(stage.palette.body))
        stage.canvas.rounded((left, 40, left + 18, 93), 5, cylinder(stage.palette.body))
        stage.canvas.gleam((left + 2.6, 50, left + 4.2, 87))
        stage.canvas.rounded((left + 3, 23, left + 15, 36), 1.6, cylinder(stage.palette.cap))
        stage.canvas.rounded(
            (left + 4.5, 62, left + 13.5, 63.8), 0.9, flat(stage.palette.ink), opacity=0.85
        )
        for row in range(2):
            top = 67 + row * 3.2
            stage.canvas.rounded(
                (left + 6, top, left + 12, top + 1), 0.5, flat(stage.palette.ink), opacity=0.5
            )


def _eyes(stage: Stage) -> None:
    stage.ground(17, 83)
    stage.canvas.rounded((16, 26, 84, 93), 5, cylinder(stage.palette.cap))
    stage.canvas.rounded((20, 30, 80, 89), 2.4, flat(mix(stage.palette.cap, DUSK, 0.25)))
    tints = (
        mix(stage.palette.body, WHITE, 0.62),
        mix(stage.palette.body, WHITE, 0.30),
        mix(stage.palette.body, (214, 176, 120), 0.5),
        stage.palette.body,
        mix(stage.palette.body, (150, 86, 74), 0.5),
        mix(stage.palette.body, DUSK, 0.5),
    )
    for place, tint in enumerate(tints):
        left, top = 22.5 + (place % 3) * 18.8, 33 + (place // 3) * 27.6
        pan = (
            (0.0, mix(tint, WHITE, 0.14)),
            (0.4, mix(tint, WHITE, 0.3)),
            (1.0, mix(tint, DUSK, 0.10)),
        )
        stage.canvas.rounded((left, top, left + 17.2, top + 25.4), 2, pan)


def _refill(stage: Stage) -> None:
    stage.ground(24, 74)
    stage.canvas.rounded((61, 8, 71, 16), 1.4, cylinder(stage.palette.cap))
    stage.canvas.rounded((63, 15, 69, 24), 0.5, cylinder(stage.palette.body))
    stage.canvas.polygon(
        [
            (24, 20),
            (56, 20),
            (62, 22),
            (70, 22),
            (75, 34),
            (74, 74),
            (76, 90),
            (72, 93),
            (27, 93),
            (23, 90),
            (25, 74),
        ],
        foil(stage.palette.body),
    )
    stage.canvas.rounded((24.4, 20, 56, 25), 0.6, flat(DUSK), opacity=0.08)
    stage.canvas.polygon([(27, 93), (36, 84), (63, 84), (72, 93)], flat(DUSK), opacity=0.07)
    stage.print_label(49, 54, 46)


KINDS: dict[str, Callable[[Stage], None]] = {
    "jar": _jar,
    "pot": _pot,
    "dropper": _dropper,
    "bottle": _bottle,
    "pump": _pump,
    "tube": _tube,
    "pouch": _pouch,
    "mask": _mask,
    "compact": _compact,
    "lipstick": _lipstick,
    "stick": _stick,
    "mascara": _mascara,
    "spray": _spray,
    "soap": _soap,
    "box": _box,
    "vial": _vial,
    "eyes": _eyes,
    "refill": _refill,
}
LABELS = tuple(_LABELS)
