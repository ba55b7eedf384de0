"""What a bank's remittance text says: invoice codes however they are typed, and names as banks
write them.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from apps.common.tables.cells import heading

DATE_DIGITS, NUMBER_DIGITS = 6, range(4, 10)
FORMS = """
inc incorporated llc ltd limited co company corp corporation gmbh ag kg sarl sas sa srl spa bv nv ab
as oy aps fze fzco plc pty sp zoo z o kk the and und et y e
"""
COMPANY_FORMS = frozenset(FORMS.split())
TELLING = 5
LETTERS_WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe"}
)


def codes_in(text: str, *, prefix: str) -> Iterator[str]:
    """Yield the invoice codes that a text may name, whatever its case, spaces and dashes, each
    once.

    Where further digits follow after a gap, the shorter and the longer number are both possible.
    """
    gap = r"[\W_]*"
    spaced = gap.join(re.escape(char) for char in prefix.upper() if char.isalnum())
    seen = set[str]()
    for match in re.finditer(rf"{spaced}{gap}((?:\d{gap}){{{DATE_DIGITS},20}})", text.upper()):
        for day, number in _numbers(match[1]):
            code = f"{prefix.upper()}-{day}-{number}"
            if code not in seen:
                seen.add(code)
                yield code


def _numbers(run: str) -> Iterator[tuple[str, str]]:
    """Yield the days and numbers that digits with gaps may be: none ends inside a group
    of digits.
    """
    places = [index for index, char in enumerate(run) if char.isdigit()]
    digits = "".join(run[index] for index in places)
    for size in NUMBER_DIGITS:
        end = DATE_DIGITS + size
        if end > len(digits):
            break
        goes_on = end < len(digits) and places[end] == places[end - 1] + 1
        if not goes_on:
            yield digits[:DATE_DIGITS], digits[DATE_DIGITS:end]


@lru_cache(maxsize=20_000)
def name_words(name: str) -> frozenset[str]:
    """Return what tells a name apart: its words without accents, case, punctuation and company
    forms.
    """
    plain = name.casefold().translate(LETTERS_WITHOUT_ACCENT).replace("'", "")
    words = frozenset(heading(plain).split())
    return words - COMPANY_FORMS or words


def same_name(one: str, other: str) -> bool:
    """Return whether two names are the same one, or one of them is the other cut short or with a
    word more.

    A single common word is enough only where it is long.
    """
    first, second = name_words(one), name_words(other)
    common = first & second
    if not common or common not in (first, second):
        return False
    return len(common) > 1 or first == second or max(map(len, common)) >= TELLING
