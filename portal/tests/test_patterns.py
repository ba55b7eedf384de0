"""No pattern that is looked for in what strangers send takes more than its share of time: each
meets long texts made of what such patterns stumble over.
"""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from apps.catalog import rules
from apps.common import logs
from apps.common.storage import inspector, uploads
from apps.common.tables import cells, delimited, sheet_reader, sheet_writer
from portal.staff import refusals

LENGTH = 200_000
GUARD_SECONDS = 60  # only against hanging: a quadratic pattern needs minutes
PARTS = (
    *" a0A.-'\"</@\n",
    *("<row ", "eyJ", "-eyJ", "eyJa.", "password ", "token=", "a ", "0 ", "0,"),
    *("_x", "_x0", "[", "[h", "1 obj", "1 ", "\0"),
    *("<a'", " r=", " spans ", " ref=", "A1", "..", "..\\", "0 a", "$ ", "A-000000-", "#0"),
)
LOOKED_FOR = {
    "logs": logs.SECRETS,
    "escapes of a sheet": sheet_reader.ESCAPED,
    "texts in formats of numbers": sheet_reader.LITERAL,
    "tags of a sheet": sheet_writer.TAG,
    "spans of a row": sheet_writer.SPANS,
    "extent of a sheet": sheet_writer.EXTENT,
    "code pages": delimited.RUN,
    "currencies": cells.CURRENCIES,
    "dollars": cells.DOLLAR,
    "what stands behind dollars": cells.FAR_FROM_DOLLAR,
    "active parts of a PDF": inspector.ACTIVE_BYTES,
    "names in a PDF": inspector.HEXADECIMAL,
    "objects in a PDF": inspector.OBJECT,
    "paths in an archive": uploads.OUTSIDE,
    "labels of EANs": rules.EAN_LABEL,
    "codes in an address": refusals.CODE,
}


@pytest.fixture
def guard() -> Iterator[None]:
    """End a test that hangs in a pattern."""

    def give_up(*_: object) -> None:
        pytest.fail("the pattern did not come to an end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(GUARD_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", LOOKED_FOR)
def test_a_pattern_takes_time_by_the_length_of_its_text(name: str, guard: None) -> None:
    pattern: Any = LOOKED_FOR[name]
    for part in PARTS:
        text = part * (LENGTH // len(part))
        for _ in pattern.finditer(text.encode() if isinstance(pattern.pattern, bytes) else text):
            pass
