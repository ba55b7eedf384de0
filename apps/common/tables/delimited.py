"""Text with delimiters (CSV): its encoding and delimiter are found out, never assumed."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

DELIMITERS = ",;\t|"
# Western Europe's code page reads anything: it comes last.
ENCODINGS = ("utf-8", "cp949", "cp1252")
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Of Japan and China, where the letters that no text goes without are in it: Korea's reads them too.
EASTERN = {
    "cp932": re.compile("[\u3041-\u30fa]"),
    "gb18030": re.compile("[的一是在我你您有个们请订购货单数量产品商名称价格箱件盒瓶支谢要需号码]"),
}
LOOKED_AT = 30
RUN = re.compile(rb"[\xc0-\xff]{3,}")
LETTERS = (b"a", b"e", b"i", b"o", b"n", b"r", b"s", b"t")
ALEF = "ا".encode("cp1256")  # the commonest letter of Arabic


def decoded(content: bytes, *, encodings: Sequence[str] = ENCODINGS) -> str | None:
    """Return the text: UTF-16 where its marks or zeros are, else in the first encoding that fits;
    None if none does.
    """
    found = decoded_from(content, encodings=encodings)
    return found[0].removeprefix("\ufeff") if found else None


def decoded_from(content: bytes, *, encodings: Sequence[str] = ENCODINGS) -> tuple[str, str] | None:
    """Return the text with its mark if it begins with one, and the encoding that writes the same
    bytes again.
    """
    for encoding in _likely(content, encodings):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if all(map(_is_written, text)):
            return text, encoding
    return None


def _likely(content: bytes, encodings: Sequence[str]) -> Sequence[str]:
    """Return the encodings to try, in this order: by UTF-16's marks, by its zeros, else those that
    are given.
    """
    if content.startswith(UTF_16_MARKS):
        return ("utf-16-le",) if content.startswith(UTF_16_MARKS[0]) else ("utf-16-be",)
    if b"\x00" in content[:2000]:
        return ("utf-16-le", "utf-16-be") if content[1:2] == b"\x00" else ("utf-16-be", "utf-16-le")
    if encodings is not ENCODINGS:
        return encodings
    eastern = [
        encoding for encoding, letters in EASTERN.items() if _has(content, encoding, letters)
    ]
    return (ENCODINGS[0], *eastern, *ENCODINGS[1:-1], _of_runs(content), ENCODINGS[-1])


def _has(content: bytes, encoding: str, letters: re.Pattern[str]) -> bool:
    """Return whether of a text's foreign letters in an encoding a tenth are such, two at least."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return False
    found = len(letters.findall(text))
    return found > 1 and 10 * found >= sum(not sign.isascii() for sign in text)


def _is_written(char: str) -> bool:
    """Return whether a character stands in texts, and is no control."""
    return char.isprintable() or char in "\t\r\n\ufeff\xa0\u3000" or ord(char) > 127


def _of_runs(content: bytes) -> str:
    """Return the code page of a text whose words are of no Latin letters; Western Europe's where
    they are not many.
    """
    runs = RUN.findall(content)
    if 4 * sum(map(len, runs)) < sum(map(content.count, LETTERS)):
        return ENCODINGS[-1]
    return "cp1256" if 20 * content.count(ALEF) > sum(map(len, runs)) else "cp1251"


def delimiter_of(text: str) -> str:
    """Return the delimiter that parts most of the first lines into the same number of cells; a
    comma if none does.
    """

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            rows = [
                len(row) for _, row in islice(split(text, delimiter), LOOKED_AT) if len(row) > 1
            ]
        except csv.Error:
            return 0, 0
        width, times = Counter(rows).most_common(1)[0] if rows else (0, 0)
        return times, width

    return max(DELIMITERS, key=fit)


def split(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the number of the line that each ends on.

    Raises:
        csv.Error: it is not CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for row in reader:
        yield reader.line_num, row
