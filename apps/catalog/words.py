"""Words of product names, and what somebody may have meant who typed one letter wrongly. Pure
functions.
"""

import re
from collections.abc import Iterable

SHORTEST = 3
LONGEST = 40
WORD = re.compile(rf"[^\W\d_]{{{SHORTEST},{LONGEST}}}")
LETTERS = "abcdefghijklmnopqrstuvwxyzàâäåçèéêëíîïñóôöøúûü"
SKU_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case: letters alone, at least three; numbers would be
    without end.
    """
    return set(WORD.findall(text.lower()))


def one_letter_off(word: str, letters: Iterable[str] = LETTERS) -> set[str]:
    """Return all that comes of a word by one letter too many, missing, wrong, or changed with its
    neighbour.
    """
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    fewer = {head + tail[1:] for head, tail in parts[:-1]}
    turned = {head + tail[1] + tail[0] + tail[2:] for head, tail in parts[:-2]}
    other = {head + letter + tail[1:] for head, tail in parts[:-1] for letter in letters}
    more = {head + letter + tail for head, tail in parts for letter in letters}
    return (fewer | turned | other | more) - {word}
