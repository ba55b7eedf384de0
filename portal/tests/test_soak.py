"""How `make soak` judges: a figure that is missed is said to be, and so is memory that grows."""

import pytest

from bench.soak import Minute, memory_verdicts, percentile, verdicts


def judged(*minutes: Minute) -> list[bool]:
    return [holds for _, holds in verdicts(minutes, [{1: 90.0}])]


def test_percentiles() -> None:
    times = [float(ms) for ms in range(100, 0, -1)]
    assert [percentile(times, part) for part in (50, 95, 99)] == [51, 96, 100]
    assert percentile([], 95) == 0


@pytest.mark.parametrize(
    ("minute", "expected"),
    [
        (Minute(reads=[20.0] * 99 + [900.0], writes=[700.0]), [True, True, True]),
        (Minute(reads=[20.0] * 90 + [400.0] * 10, writes=[700.0]), [True, False, True]),
        (Minute(reads=[20.0], writes=[801.0]), [True, True, False]),
        (Minute(reads=[20.0], writes=[20.0], errors=["Failed: 500"]), [False, True, True]),
    ],
)
def test_answers(minute: Minute, expected: list[bool]) -> None:
    assert judged(minute) == expected


@pytest.mark.parametrize(
    ("sizes", "flat"),
    [
        ([90.0] * 30, True),
        (
            [60.0] * 7 + [90.0 + 0.5 * (minute % 2) for minute in range(23)],
            True,
        ),  # grew while it warmed up
        ([90.0 + 0.1 * minute for minute in range(30)], True),
        ([90.0 + 0.5 * minute for minute in range(30)], False),
    ],
)
def test_memory(sizes: list[float], flat: bool) -> None:
    ((text, holds),) = memory_verdicts([{7: size} for size in sizes])
    assert holds is flat
    assert text.startswith("memory of 7: ")


def test_a_process_that_ended_is_not_judged() -> None:
    samples = [{1: 90.0, 2: 50.0 + minute} for minute in range(20)] + [{1: 90.0, 3: 80.0}]
    assert [text.partition(":")[0] for text, _ in memory_verdicts(samples)] == ["memory of 1"]
