"""Bars as SVG made by the server: no script, no style attribute; the table below a chart has every
figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

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
    """Bars: the labels below them, and the series from the bottom up, or from the left."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    drawings: list[dict[str, Any]] = field(default_factory=list)

    @property
    def has_legend(self) -> bool:
        """Return whether the colours need their names."""
        return len(self.series) > 1


def bar_chart(*, title: str, labels: Sequence[str], series: Sequence[Series]) -> Chart | None:
    """Return a chart of bars, drawn in each width; None where there is nothing above
    zero to draw.
    """
    sums = [
        sum((max(one.values[place], Decimal(0)) for one in series), Decimal(0))
        for place in range(len(labels))
    ]
    top = _round_up(max(sums, default=Decimal(0)))
    if not top:
        return None
    chart = Chart(title, labels, series)
    for name, width, most_labels in WIDTHS:
        chart.drawings.append(
            _drawn(chart, sums, top, name=name, width=width, most_labels=most_labels)
        )
    return chart


def _drawn(
    chart: Chart, sums: Sequence[Decimal], top: Decimal, *, name: str, width: int, most_labels: int
) -> dict[str, Any]:
    slot = (width - LEFT - RIGHT) / len(sums)
    bar = max(2.0, slot * 0.62)
    every = -(-len(sums) // most_labels)
    bars, texts = [], []
    for place, whole in enumerate(sums):
        middle = LEFT + slot * (place + 0.5)
        bars += _stack(chart.series, place, top, x=middle - bar / 2, width=bar)
        if place % every == 0:
            texts.append(_text(middle, HEIGHT - 8, chart.labels[place], "label"))
        if whole and slot > 30:
            texts.append(_text(middle, _y(whole, top) - 6, short(whole), "sum"))
    lines = [
        {
            "y": _px(_y(top * step / GRID_LINES, top)),
            "text": short(top * step / GRID_LINES),
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
