"""Where the brands of a list stand: in a column, as titles between its rows, above its headings, or
as the names of its sheets.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from apps.catalog.models import ImportRow
from apps.catalog.sheet import BRAND, FileRow, is_page_number, title_of
from apps.common.tables.cells import cell_at, stored_value, text_of
from apps.common.tables.headings import Table, is_number
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text

MARKS = "[]【】<>■▶▷●○◆□★※ "
BEFORE = re.compile(r"^(브랜드|brand)\s*[:：]\s*", re.IGNORECASE)
# A list's own title, behind the brand: `COSRX 수출단가표 2026`.
LIST = re.compile(
    r"\s*(20\d\d\S*\s*)*(하반기|상반기)?\s*(수출|도매|유통|제품|상품)?\s*"
    r"(단가표|가격표|단가|리스트|price\s*list)(?![a-z]).*$",
    re.IGNORECASE,
)
HANGUL = re.compile(r"[가-힣]")
TWICE = re.compile(r"(?P<first>[^()/|]+?)\s*[(/|]\s*(?P<second>[^()/|]+?)\s*(?:\)\s*(?P<rest>.*))?")
KOREAN_FIRST = re.compile(r"[가-힣][가-힣0-9 ]*\s(?P<latin>[A-Za-z][^가-힣]*)")
LATIN_FIRST = re.compile(r"(?P<latin>[A-Za-z][^가-힣]*?)\s[가-힣].*")
IN_NAME = re.compile(r"[\[【](?P<brand>[^\]】]{2,40})[\]】]\s*\S")
# Titles of kinds of products, which are no brands.
SORTS = re.compile(
    r"스킨|기초|마스크|패드|팩|선케어|클렌징|메이크업|색조|바디|헤어|립|기획|세트|신제품|신상품|추천|기타"
    r"|\b(skin|mask|pad|sun|cleans|make|body|hair|lip|set|new|best|etc|total)",
    re.IGNORECASE,
)
IN_CARTONS = re.compile(
    r"(?:moq|min\.?|minimum|최소)\D{0,3}(\d+)\s*(?:ctns?|cartons?|box(?:es)?|박스|카톤)[^0-9]*",
    re.IGNORECASE,
)
COMING = re.compile(r"출시\s*예정|입점\s*예정|coming\s*soon|pre-?launch", re.IGNORECASE)
BETWEEN, ABOVE, SHEET = "between", "above", "sheet"
EXAMPLES = 4


class Named(NamedTuple):
    """A brand as its text names it, and what the text says behind it."""

    brand: str
    rest: str = ""


def named(text: str) -> Named:
    """Return the brand in a text: in Latin letters where it stands in both (`아누아(Anua)`)."""
    text = LIST.sub("", BEFORE.sub("", text.strip(MARKS))).strip(MARKS)
    if both := TWICE.fullmatch(text):
        first, second, rest = both["first"], both["second"], both["rest"] or ""
        if bool(HANGUL.search(first)) != bool(HANGUL.search(second)):
            return Named(second if HANGUL.search(first) else first, rest.strip("()* "))
    if both := KOREAN_FIRST.fullmatch(text) or LATIN_FIRST.fullmatch(text):
        return Named(both["latin"])
    return Named(text)


class Sheet:
    """What a sheet says of brands."""

    def __init__(self, name: str, table: Table) -> None:
        self.name, self.table = name, table
        self.own: list[tuple[int, str]] = []  # cells of the column, where they change
        self.repeats = False
        self.titles: list[tuple[int, str]] = []  # texts alone with products below
        self.above: list[tuple[int, str]] = []  # texts alone above the headings
        self.source: tuple[str, int] = ("", 0)
        self.unread: dict[str, str] = {}  # headings that are not read, with an example

    def see(self, row: Row) -> None:
        """Note what a row says."""
        columns = self.table.columns
        if is_page_number(row.cells):
            return
        if title := title_of(row.cells):
            is_below = row.number > self.table.head.number
            if not is_number(title):
                (self.titles if is_below else self.above).append((row.number, title))
        elif row.number > self.table.head.number:
            self._note_unread(row)
            cell = cell_at(row.cells, columns.get(BRAND))
            if isinstance(cell, str) and (brand := text_of(cell)):
                is_next = bool(self.own) and self.own[-1][1] == brand
                self.repeats |= is_next
                self.own += [] if is_next else [(row.number, brand)]

    def _note_unread(self, row: Row) -> None:
        if len(self.unread) == len(self.table.head.cells):
            return
        read = self.table.columns.values()
        for index, cell in enumerate(self.table.head.cells):
            example = cell_at(row.cells, index)
            if isinstance(cell, str) and index not in read and example is not None:
                self.unread.setdefault(text_of(cell), str(stored_value(example))[:20])

    @property
    def has_titles(self) -> bool:
        """Return whether titles between its rows are brands."""
        return bool(self.titles) and not all(SORTS.search(title) for _, title in self.titles)

    def _brands(self) -> list[tuple[int, str]]:
        """Return the texts that are brands, with the rows below which they hold."""
        where, number = self.source
        if self.own:
            return self.own
        if where == BETWEEN or (not where and self.has_titles):
            return self.titles
        if where == ABOVE:
            return [one for one in self.above if one[0] % ImportRow.PER_SHEET == number]
        return [(0, self.name)] if where == SHEET else []

    def completed(self, read: FileRow) -> FileRow:
        """Return a row with the brand that it has from elsewhere, the row that says it and what of
        that is to be asked; with the minimum in cartons that stands behind a brand.
        """
        coming = next((one for one in self.above if COMING.search(one[1])), None)
        if coming:  # are they sold yet?
            place = coming[0] % ImportRow.PER_SHEET
            said = Text("Row %(row)s says too: “%(rest)s”.", row=place, rest=coming[1])
            read = read._replace(doubts=[*read.doubts, said])
        titles = self._brands()
        at = bisect_right(titles, read.number, key=lambda one: one[0]) - 1
        if at < 0:
            return read
        place, text = titles[at][0] % ImportRow.PER_SHEET, named(titles[at][1])
        doubt, boxes = None, IN_CARTONS.fullmatch(text.rest)
        if boxes and read.carton:
            minimum = {"minimum": int(boxes[1]) * read.carton}
            read = read._replace(values={**minimum, **read.values})
        if self.own and self.repeats:
            doubt = Text("Brand “%(brand)s”, as in row %(row)s.", brand=text.brand, row=place)
        elif text.rest and not (boxes and read.carton):
            doubt = Text("Row %(row)s says too: “%(rest)s”.", row=place, rest=text.rest)
        return read._replace(above=(text.brand, place, doubt))


class BrandPlaces:
    """Where the brands of a file stand, sheet by sheet; `answer` is what was chosen."""

    def __init__(self, sheets: Mapping[int, Sheet], answer: str) -> None:
        self.sheets = sheets
        where, _, number = answer.partition(" ")
        self.unnamed = [sheet for sheet in sheets.values() if not (sheet.own or sheet.has_titles)]
        for sheet in self.unnamed:
            sheet.source = where, int(number or 0)
        if not answer and len(places := self.choices()) == 1 and len(self.unnamed) > 1:
            only = next(iter(places)).split()
            for sheet in self.unnamed:
                sheet.source = only[0], int(only[1]) if only[1:] else 0

    def has(self) -> dict[int, list[str]]:
        """Return which columns each sheet has."""
        return {place: list(sheet.table.columns) for place, sheet in self.sheets.items()}

    def unread(self) -> list[tuple[str, str]]:
        """Return the headings that are not read, with an example of what stands below."""
        found: dict[str, str] = {}
        for sheet in self.sheets.values():
            found = {**sheet.unread, **found}
        return list(found.items())

    def choices(self) -> dict[str, list[str]]:
        """Return where the brands of sheets that do not name them may stand, with the brands."""
        found: dict[str, list[str]] = {}
        if not self.unnamed:
            return found
        for number, _ in self.unnamed[0].above:
            row = number % ImportRow.PER_SHEET
            texts = [_text_at(sheet.above, row) for sheet in self.unnamed]
            if all(texts) and len(set(texts)) == len(texts):
                found[f"{ABOVE} {row}"] = texts
        if names := [named(sheet.name).brand for sheet in self.unnamed if sheet.name]:
            found[SHEET] = names
        if all(sheet.titles for sheet in self.unnamed):
            found[BETWEEN] = _unique(t for sheet in self.unnamed for _, t in sheet.titles)
        return found


def _text_at(above: Sequence[tuple[int, str]], row: int) -> str:
    texts = (text for number, text in above if number % ImportRow.PER_SHEET == row)
    return named(next(texts, "")).brand


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(named(text).brand for text in texts))
