"""Text with delimiters (CSV): its encoding and delimiter are found out, never assumed."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from unicodedata import category

DELIMITERS = ",;\t|"
UTF_8, UTF_16_MARKS = "utf-8", (b"\xff\xfe", b"\xfe\xff")
# The code pages that are tried, each with letters that nearly every list, order and statement in it
# has; of those that fit as well as others the first is meant.
LETTERS = {
    "cp1252": "àáâãäåæçèéêëìíîïñòóôõöøùúûüÿßœšž",
    "cp1254": "çğıöşüâîû",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäßăâîşđľĺŕôç",
    "cp1251": "оеаинтсрвлкмдпушіь",
    "cp1253": "ατοιενρσκηπόίάέ",
    "cp1256": "اليمونرتبةعدسكج",
    "cp949": "이다에의는로하을가고지서한은기으년대사시를리도인스일상품번호주문수량제명단금액비합계"
    "코드박개입갯요청확부탁립니감크림세럼토너마팩정납공급거래처입출총구매매입자재전화안녕원"
    "品番號數量商名價格備考合計",
    "cp932": "のにるたとはしいをでてがなれからさっりすあもこまうくよきんめおけそつだやえどわちみせ"
    "ーンスルトリイアラックドシレジタフロカテマィグバムプオコデニウメサビナブャエュチキズダ"
    "パミ商品番号数量個注文発送納期単価金額合計備考名称型番箱入本円税株式会社御中様願表化粧水液保湿",
    "gb18030": "的一是在我你您有个们请订购货单数量产品商名称价格箱件盒瓶支谢要需号码型件不了人这中"
    "来上大为和国地到以说时就出会可也对生能下自之年发用行家多编条总额合计备注规毫升克霜水乳液面膜",
    "big5": "的一是在我你您有個們請訂購貨單數量產品商名稱價格箱件盒瓶支謝要需號碼不了人這中來上大為"
    "和國地到以說時就出會可也對生能下自之年發用行家多型編條總額合計備註規毫升克霜水乳液面膜",
}
LATIN = ("cp1252", "cp1250", "cp1254")
EASTERN = ("cp949", "cp932", "gb18030", "big5")
# How many of the foreign letters are a code page's commonest, at least, and beside others' share.
FEWEST_EASTERN, FEWEST, CLEARLY = Fraction(1, 8), Fraction(3, 5), Fraction(5, 4)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
LINES_LOOKED_AT, LOOKED_AT = 400, 20_000  # lines with foreign letters, and their signs
RUN = re.compile(r"[^\x00-\x7f]{3,}")
WORD = re.compile(r"[^\W\d_]+")
# What stands between words in texts of all languages.
SIGNS = frozenset(
    "–—‘’‚“”„«»…•·°×±§©®™€£¥№½¼¾²³´¨ªº¡¿、。，．：；（）「」【】・～￥★●○■□◆▶→※\xa0\u3000"
)


def decoded(content: bytes) -> str | None:
    """Return the text: UTF-16 where its marks or zeros are, else in the likeliest encoding; None if
    none fits, or two do alike.
    """
    result = decoded_from(content)
    return result[0].removeprefix("\ufeff") if result else None


def decoded_from(content: bytes) -> tuple[str, str] | None:
    """Return the text with its mark if it begins with one, and the encoding that writes the same
    bytes again.
    """
    for encoding in _likely(content) or (UTF_8, *_likely_page(content)):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # All its characters stand in texts, none is a control.
        if all(one.isprintable() or one in "\t\r\n" or ord(one) > 127 for one in text):
            return text, encoding
    return None


def _likely(content: bytes) -> Sequence[str]:
    """Return which UTF-16 a text is in by its marks, or by its zeros; none where it is in none."""
    if content.startswith(UTF_16_MARKS):
        return ("utf-16-le",) if content.startswith(UTF_16_MARKS[0]) else ("utf-16-be",)
    if b"\x00" in content[:2000]:
        return ("utf-16-le", "utf-16-be") if content[1:2] == b"\x00" else ("utf-16-be", "utf-16-le")
    return ()


def _likely_page(content: bytes) -> Sequence[str]:
    """Return the code page whose letters and words a text has; none where no one fits best, as
    nobody sees afterwards that a text was read in a wrong one.
    """
    foreign = (line for line in content.splitlines() if not line.isascii())
    sample = b"\n".join(islice(foreign, LINES_LOOKED_AT))
    fits: dict[str, Fraction] = {}
    for encoding in LETTERS:
        with suppress(UnicodeDecodeError):
            fits[encoding] = _fit(sample.decode(encoding)[:LOOKED_AT], encoding)
    best = max(fits, key=lambda one: fits[one], default="")
    others = [fit for one, fit in fits.items() if one != best and {one, best} - {*LATIN}]
    least = FEWEST_EASTERN if best in EASTERN else FEWEST
    is_sure = fits.get(best, 0) >= max(least, CLEARLY * max(others, default=Fraction(0)))
    return (best,) if is_sure else ()


def _fit(text: str, encoding: str) -> Fraction:
    """Return how many of a text's foreign signs are the commonest letters of a code page, in words
    as it has them: Latin words have plain letters too, the others have none as a rule, and none has
    capitals in it. Signs that no font has are of no text.
    """
    if any(category(char) in ("Co", "Cn") for char in text):
        return Fraction(0)
    fitting = 0
    for word in WORD.findall(RUN.sub("", text) if encoding in LATIN else text):
        foreign = [char for char in word.lower() if not char.isascii()]
        is_latin = len(foreign) == 1 or 2 * len(foreign) <= len(word)
        is_cased = word[1:] in (word[1:].lower(), word[1:].upper())
        is_sign = len(word) == 1 and word > "\u2e80"
        if is_cased and (is_sign or is_latin == (encoding in LATIN)):
            fitting += sum(char in LETTERS[encoding] for char in foreign)
    signs = sum(not char.isascii() and char not in SIGNS for char in text)
    return Fraction(fitting, signs) if signs else Fraction(encoding == "cp1252")


def delimiter_of(text: str) -> str:
    """Return the delimiter that parts most lines into the same number of cells; a comma if none
    does. Where another parts the half of them, a comma between digits begins decimals.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if any(2 * sum(sign in line for line in lines) >= len(lines) for sign in DELIMITERS[1:]):
        text = DECIMAL_COMMA.sub(".", text)

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            rows = [len(row) for _, row in split(text, delimiter) if len(row) > 1]
        except csv.Error:
            return 0, 0
        width, times = Counter(rows).most_common(1)[0] if rows else (0, 0)
        return times, width

    return max(DELIMITERS, key=fit)


def rows_of(text: str) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """Return the delimiter, the one that the first line names (`sep=;`) before any other, and the
    rows as `split` does.
    """
    first, _, rest = text.partition("\n")
    first = first.strip()
    if len(first) != 5 or not first.lower().startswith("sep="):
        delimiter = delimiter_of(text)
        return delimiter, split(text, delimiter)
    return first[-1], ((number + 1, row) for number, row in split(rest, first[-1]))


def split(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the number of the line that each ends on.

    Raises:
        csv.Error: it is not CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for row in reader:
        yield reader.line_num, row


def plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
