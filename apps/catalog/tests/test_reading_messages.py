"""Three hundred messages written blind: what is called sure is right, and what is meant is found.

Found is what is read or among the products that are proposed; counted is what is found with its
right pieces, read or proposed; unasked is what is read right without any question.

A message's line is [words, SKU, pieces]; null is what a person cannot know either. Companies learn
from turn to turn as in the review: what is asked and answered is their own word, and what they
meant is their last order.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from apps.catalog.reading import Catalogue, Company, Reader, ReadLine, Row

MESSAGES = Path(__file__).parent / "messages"
LANGUAGES = ("en", "es", "ko", "ru")
Meant = list[Any]


def by_company() -> Iterator[list[dict[str, Any]]]:
    for language in LANGUAGES:
        messages = json.loads((MESSAGES / f"{language}.json").read_text())
        ordered = sorted(messages, key=lambda message: (message["company"], message["turn"]))
        for _, turns in groupby(ordered, key=lambda message: message["company"]):
            yield list(turns)


def matched(
    message: dict[str, Any], lines: list[ReadLine]
) -> Iterator[tuple[ReadLine, Meant | None]]:
    """Yield each line that was read with what was meant, sure ones first; None where
    nothing was.
    """
    left: list[Meant] = list(message["lines"])
    for line in sorted(lines, key=lambda line: not line.is_sure):
        shown = {line.sku} if line.sku else {one.sku for one in line.suggested}
        start = {id(meant): message["text"].find(meant[0]) for meant in left}
        right = (meant for meant in left if line.is_sure and meant[1:] == [line.sku, line.pieces])
        named = (meant for meant in left if not line.is_sure and meant[1] in shown)
        placed = (
            meant for meant in left
            if not line.is_sure and 0 <= start[id(meant)] < line.end and line.start < start[id(meant)] + len(meant[0])
        )  # fmt: skip
        found = next(right, None) or next(named, None) or next(placed, None)
        if found:
            left.remove(found)
        yield line, found


def figures() -> Counter[str]:
    catalogue = Catalogue(
        Row(*row) for row in json.loads((MESSAGES / "catalogue.json").read_text())
    )
    counts: Counter[str] = Counter()
    for turns in by_company():
        words: dict[str, str] = {}
        last: dict[str, int] = {}
        for message in turns:
            when = "first" if message["turn"] == 1 else "later" if message["turn"] > 2 else "second"
            counts[f"{when} meant"] += sum(meant[1] is not None for meant in message["lines"])
            for line, meant in matched(
                message, Reader(catalogue, Company(words, last)).read(message["text"]).lines
            ):
                counts["sure"] += line.is_sure
                counts["right"] += line.is_sure and meant is not None
                counts[f"{when} unasked"] += line.is_sure and meant is not None
                sku = meant and meant[1]
                is_found = bool(sku) and sku in {line.sku, *(one.sku for one in line.suggested)}
                counts[f"{when} found"] += is_found
                counts[f"{when} counted"] += (
                    is_found and meant is not None and meant[2] == (line.pieces or line.guess)
                )
                if sku and not line.sku:
                    words[(line.code or line.name).upper()[:60]] = sku
            last = {sku: pieces for _, sku, pieces in message["lines"] if sku and pieces} or last
    return counts


def test_what_is_sure_is_right_and_what_is_meant_is_found() -> None:
    counts = figures()
    assert counts["sure"] >= 1_160
    assert counts["right"] >= 0.995 * counts["sure"]
    assert counts["first found"] >= 0.98 * counts["first meant"]
    assert counts["later found"] >= 0.95 * counts["later meant"]
    assert counts["first counted"] >= 0.95 * counts["first meant"]
    assert counts["later counted"] >= 0.91 * counts["later meant"]
    assert counts["first unasked"] >= 0.85 * counts["first meant"]
    assert counts["later unasked"] >= 0.80 * counts["later meant"]
