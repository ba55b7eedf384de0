"""Bars as SVG made by the server: no script, no style attribute; the table below a chart has every
figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from unicodedata import east_asian_width

from apps.common.money import ZERO
from apps.common.staff import Context

HEIGHT, TOP, FOOT, LEFT, RIGHT = 280, 24, 26, 52, 6
GRID_LINES = 5
COLOURS = 6
# Wide for a desk, narrow for a phone: text keeps its size, so that each is drawn for itself.
WIDTHS = (("wide", 1120, 14), ("narrow", 340, 6))
STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


@dataclass(frozen=True)
class Series:
    """A row of values, one for each bar, with its name and the number of its colour."""

    name: str
    values: Sequence[Decimal]
    colour: int = 0
    tones: Sequence[str] = ()


@dataclass(frozen=True)
class Chart:
    """Bars: the series from the bottom up, and what is drawn of them in each width."""

    title: str
    series: Sequence[Series]
    drawings: list[Context]


def bar_chart(*, title: str, labels: Sequence[str], series: Sequence[Series]) -> Chart | None:
    """Return a chart of bars, drawn in each width; None where there is nothing above
    zero to draw.
    """
    stacks = [[max(one.values[place], ZERO) for one in series] for place in range(len(labels))]
    top = _round_up(max((sum(stack, ZERO) for stack in stacks), default=ZERO))
    if not top:
        return None
    return Chart(title, series, [_drawn(labels, series, stacks, top, *size) for size in WIDTHS])


def _drawn(
    labels: Sequence[str],
    series: Sequence[Series],
    stacks: Sequence[Sequence[Decimal]],
    top: Decimal,
    name: str,
    width: int,
    most_labels: int,
) -> Context:
    scale, slot = (HEIGHT - FOOT - TOP) / top, (width - LEFT - RIGHT) / len(labels)
    bar, every = max(2.0, slot * 0.62), -(-len(labels) // most_labels)
    bars, texts = [], []
    for place, stack in enumerate(stacks):
        middle, y = LEFT + slot * (place + 0.5), Decimal(HEIGHT - FOOT)
        for one, value in zip(series, stack, strict=True):
            if value:
                y -= value * scale
                height = max(Decimal("0.5"), value * scale - 1)  # a gap of 1 between the parts
                tone = one.tones[place] if one.tones else f"c{one.colour}"
                box = {"x": middle - bar / 2, "y": y, "width": bar, "height": height}
                bars.append({**box, "tone": tone})
        if place % every == 0:
            label = fitting(labels[place], slot * every)
            texts.append({"x": middle, "y": HEIGHT - 8, "text": label, "kind": "label"})
        if any(stack) and slot > 30:
            whole = short(sum(stack, ZERO))
            texts.append({"x": middle, "y": y - 6, "text": whole, "kind": "sum"})
    lines = [top * step / GRID_LINES for step in range(GRID_LINES + 1)]
    return {
        "name": name,
        "width": width,
        "height": HEIGHT,
        "bars": bars,
        "texts": texts,
        "lines": [{"y": HEIGHT - FOOT - line * scale, "text": short(line)} for line in lines],
        "left": LEFT,
        "right": width - RIGHT,
        "tick": LEFT - 8,
    }


def fitting(label: str, room: float) -> str:
    """Return a label, cut where it is wider than its room in pixels; Hangul takes more of it, and
    figures less than letters.
    """
    letters = ((east_asian_width(one) == "W", one.isalpha()) for one in label)
    widths = accumulate(11 if is_wide else 6 if is_letter else 4 for is_wide, is_letter in letters)
    fits = sum(width <= room - 4 for width in widths)
    return label if fits == len(label) else f"{label[: max(fits - 1, 1)]}…"


def _round_up(value: Decimal) -> Decimal:
    """Return the next round number that five even steps of whole numbers lead to: 5, 10, 25, 50,
    100, 125 and so on; zero of zero.
    """
    power = Decimal(10) ** max(0, (value / GRID_LINES).adjusted())
    fits = (step * power for step in STEPS if step * power * GRID_LINES >= value)
    return next(step for step in fits if step == int(step)) * GRID_LINES if value else ZERO


def short(value: Decimal) -> str:
    """Return a figure as it stands in a chart: `950`, `12.5k`, `1.2M`."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            part = value / size
            return f"{part:.0f}{unit}" if part >= 100 or part == int(part) else f"{part:.1f}{unit}"
    return f"{value:.0f}"
