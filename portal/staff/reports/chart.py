"""Bars as SVG made by the server: no script, no style attribute; the table below a chart has every
figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

HEIGHT, TOP, FOOT, LEFT, RIGHT = 280, 24, 26, 52, 6
GRID_LINES = 5
COLOURS = 6
# Wide for a desk, narrow for a phone: text keeps its size, so that each is drawn for itself.
WIDTHS = (("wide", 1120, 14), ("narrow", 340, 6))
STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


class Shape(StrEnum):
    """How several series stand: on each other, beside each other, or on each other as parts of a
    hundred.
    """

    STACKED = "stacked"
    BESIDE = "beside"
    SHARE = "share"


@dataclass(frozen=True)
class Series:
    """A row of values, one for each bar, with its name and the number of its colour."""

    name: str
    values: Sequence[Decimal]
    colour: int = 0
    tones: Sequence[str] = ()


@dataclass(frozen=True)
class Chart:
    """Bars: the labels below them, and the series from the bottom up, or from the left."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    shape: Shape = Shape.STACKED
    drawings: list[dict[str, Any]] = field(default_factory=list)

    @property
    def has_legend(self) -> bool:
        """Return whether the colours need their names."""
        return len(self.series) > 1


def bar_chart(
    *, title: str, labels: Sequence[str], series: Sequence[Series], shape: Shape = Shape.STACKED
) -> Chart | None:
    """Return a chart of bars, drawn in each width; None where there is nothing above
    zero to draw.
    """
    values = [
        [max(one.values[place], Decimal(0)) for one in series] for place in range(len(labels))
    ]
    sums = [sum(bar, Decimal(0)) for bar in values]
    heights = [max(bar) for bar in values] if shape is Shape.BESIDE else sums
    top = _round_up(max(heights, default=Decimal(0)))
    if not top:
        return None
    if shape is Shape.SHARE:
        series, top = [_share(one, sums) for one in series], Decimal(100)
    chart = Chart(title, labels, series, shape)
    for name, width, most_labels in WIDTHS:
        chart.drawings.append(
            _drawn(chart, sums, top, name=name, width=width, most_labels=most_labels)
        )
    return chart


def _share(one: Series, sums: Sequence[Decimal]) -> Series:
    """Return a series as parts of a hundred of each bar."""
    values = zip(one.values, sums, strict=True)
    return replace(
        one, values=[value * 100 / whole if whole else Decimal(0) for value, whole in values]
    )


def _drawn(
    chart: Chart, sums: Sequence[Decimal], top: Decimal, *, name: str, width: int, most_labels: int
) -> dict[str, Any]:
    slot = (width - LEFT - RIGHT) / len(sums)
    bar = max(2.0, slot * 0.62)
    every = -(-len(sums) // most_labels)
    bars, texts = [], []
    draw, unit = (
        _beside if chart.shape is Shape.BESIDE else _stack,
        "%" if chart.shape is Shape.SHARE else "",
    )
    for place, whole in enumerate(sums):
        middle = LEFT + slot * (place + 0.5)
        bars += draw(chart.series, place, top, x=middle - bar / 2, width=bar)
        if place % every == 0:
            texts.append(_text(middle, HEIGHT - 8, chart.labels[place], "label"))
        if whole and slot > 30 and chart.shape is Shape.STACKED:
            texts.append(_text(middle, _y(whole, top) - 6, short(whole), "sum"))
    lines = [
        {
            "y": _px(_y(top * step / GRID_LINES, top)),
            "text": f"{short(top * step / GRID_LINES)}{unit}",
        }
        for step in range(GRID_LINES + 1)
    ]
    frame = {"left": LEFT, "right": width - RIGHT, "tick": LEFT - 8}
    return {
        "name": name,
        "width": width,
        "height": HEIGHT,
        "bars": bars,
        "texts": texts,
        "lines": lines,
        **frame,
    }


def _stack(
    series: Sequence[Series], place: int, top: Decimal, *, x: float, width: float
) -> list[dict[str, str]]:
    below, found = Decimal(0), []
    for one in series:
        value = max(one.values[place], Decimal(0))
        if not value:
            continue
        lower, upper = _y(below, top), _y(below + value, top)
        height = max(0.5, lower - upper - 1)  # a gap of 1 between the parts
        found.append(_bar(one, place, x=x, y=upper, width=width, height=height))
        below += value
    return found


def _beside(
    series: Sequence[Series], place: int, top: Decimal, *, x: float, width: float
) -> list[dict[str, str]]:
    step, floor = width / len(series), _y(Decimal(0), top)
    found = []
    for number, one in enumerate(series):
        if (value := one.values[place]) > 0:
            upper = _y(value, top)
            size = {"width": max(0.5, step - 1), "height": max(0.5, floor - upper)}
            found.append(_bar(one, place, x=x + number * step, y=upper, **size))
    return found


def _bar(one: Series, place: int, **box: float) -> dict[str, str]:
    tone = one.tones[place] if one.tones else f"c{one.colour}"
    return {**{name: _px(value) for name, value in box.items()}, "tone": tone}


def _text(x: float, y: float, text: str, kind: str) -> dict[str, str]:
    return {"x": _px(x), "y": _px(y), "text": text, "kind": kind}


def _y(value: Decimal, top: Decimal) -> float:
    return HEIGHT - FOOT - float(value / top) * (HEIGHT - FOOT - TOP)


def _px(value: float) -> str:
    return f"{value:.1f}"


def _round_up(value: Decimal) -> Decimal:
    """Return the next round number that five even steps of whole numbers lead to: 5, 10, 25, 50,
    100, 125 and so on.
    """
    if value <= 0:
        return Decimal(0)
    power = Decimal(10) ** max(0, (value / GRID_LINES).adjusted())
    fits = (step * power for step in STEPS if step * power * GRID_LINES >= value)
    return next(step for step in fits if step == int(step)) * GRID_LINES


def short(value: Decimal) -> str:
    """Return a figure as it stands in a chart: `950`, `12.5k`, `1.2M`."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            part = value / size
            return f"{part:.0f}{unit}" if part >= 100 or part == int(part) else f"{part:.1f}{unit}"
    return f"{value:.0f}"
