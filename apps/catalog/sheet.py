"""The columns of the product spreadsheet: what is exported is what can be imported again.

A value travels as JSON holds it: text, whole number, yes or no; money as its digits.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_noop as _
from pycountry import countries

from apps.catalog.models import ImportRow, Product, Running
from apps.catalog.rules import ean_of
from apps.common.tables.cells import (
    Cell,
    CellFault,
    cell_at,
    column_mark,
    count_of,
    currency_in,
    is_doubtful,
    is_nothing,
    mark_in,
    money_of,
    number_of,
    text_of,
)
from apps.common.tables.headings import Table
from apps.common.texts import Text, in_english, joined

MAX_PRICE = Decimal("9999999999.99")
MAX_PIECES = 10_000_000
MAX_MINIMUM = 1_000_000
HS_CODE = re.compile(r"[0-9][0-9.]{3,11}")
YES = frozenset({"yes", "y", "true", "1", "예", "네"})
NO = frozenset({"no", "n", "false", "0", "아니오", "아니요"})
WORDS: Mapping[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
ALSO: Mapping[str, list[str]] = WORDS["headings"]
# As price lists write them.
RUNNING_ALSO = {state.value: WORDS["states"][state.name] for state in Running}
NO_VALUE = frozenset(WORDS["nothing"])
UNIT = re.compile(r"([\d.,\s]*\d)\s*([^\W\d_]+)\.?")
PIECES = frozenset({"개", "개입", "ea", "pc", "pcs", "piece", "pieces", "шт", "g", "그램"})
GRAMS = {
    **dict.fromkeys(("g", "gr", "gram", "grams", "그램"), Decimal(1)),
    **dict.fromkeys(("kg", "kgs", "킬로", "킬로그램"), Decimal(1000)),
    **dict.fromkeys(("lb", "lbs", "파운드"), Decimal("453.59237")),
    **dict.fromkeys(("oz", "온스"), Decimal("28.349523")),
}
COUNTRIES = {name: code for code, names in WORDS["countries"].items() for name in names}
SOLD_OUT = frozenset(WORDS["sold_out"])
BEFORE_EAN = re.compile(r"^(ean|gtin|barcode|바코드|штрихкод)[\s:.\-]*", re.IGNORECASE)
PAGE = re.compile(
    r"(page|페이지|стр\.?|p\.)\s*\d+(\s*(/|of)\s*\d+)?|\d+\s*/\s*\d+\s*(쪽|페이지)?"
    r"|[-–—]\s*\d+\s*[-–—]|(\d+\s*)?(쪽|페이지)",
    re.IGNORECASE,
)
DITTOS = frozenset({"〃", "″", '"', "ditto", "상동"})
CUT_SHORT = re.compile(r"880[0-9]{9}")  # a Korean EAN that lost a digit, no UPC
Value = str | int | bool | None
SKU, NAME, BRAND, IMAGE, ON_HAND = "sku", "eng_name", "brand", "image", "on_hand"
USRP, WHOLESALE, WEIGHT = "usd_price", "usd_supply", "weight_g"


def _parts(cell: Cell) -> tuple[str, str]:
    """Return the number of a text that says of what it is (`120개`, `2 box`, `0.26kg`), and that in
    small letters.
    """
    match = UNIT.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return (match[1].strip(), match[2].casefold()) if match else ("", "")


def pieces_of(cell: Cell, mark: str = "") -> int | None:
    """Return the whole number of a cell, None for an empty one. `mark` as for `number_of`.

    Raises:
        CellFault: it is none, or of another thing (`2 box`).
    """
    number, unit = _parts(cell)
    bare = number if unit in PIECES else cell
    if isinstance(bare, str) and any(map(str.isalpha, bare)):
        raise CellFault(Text("“%(cell)s” is not a number", cell=text_of(cell)[:30]))
    return count_of(bare, mark)


def _price(cell: Cell, mark: str = "") -> str:
    number = money_of(cell, mark)
    if number is None or not 0 <= number <= MAX_PRICE:
        raise CellFault(Text("%(price)s cannot be a price", price=text_of(cell)[:30]))
    return str(number)


def _pieces(least: int, most: int) -> Callable[[Cell, str], int]:
    def parse(cell: Cell, mark: str = "") -> int:
        count = pieces_of(cell, mark)
        assert count is not None
        if not least <= count <= most:
            raise CellFault(
                Text(
                    "%(count)s is not between %(least)s and %(most)s",
                    count=str(count)[:40],
                    least=least,
                    most=f"{most:,}",
                )
            )
        return count

    return parse


def _weight(cell: Cell, mark: str = "") -> int:
    """Return the grams of a cell: `80 g`, `0.26kg`."""
    number, unit = _parts(cell)
    if unit in GRAMS and (weight := number_of(number, mark)) is not None:
        cell = int((weight * GRAMS[unit]).to_integral_value(ROUND_HALF_UP))
    return _pieces(0, MAX_PIECES)(cell, mark)


def is_sold_out(cell: Cell) -> bool:
    """Return whether a cell says that nothing is left."""
    return isinstance(cell, str) and text_of(cell).casefold() in SOLD_OUT


def _on_hand(cell: Cell, mark: str = "") -> int:
    return 0 if is_sold_out(cell) else _pieces(0, MAX_PIECES)(cell, mark)


def read_text(most: int) -> Callable[[Cell], str]:
    """Return how a text of so many characters is read."""

    def parse(cell: Cell) -> str:
        text = text_of(cell)
        if len(text) > most:
            raise CellFault(Text("longer than %(count)s characters", count=most))
        return text

    return parse


def _running(cell: Cell) -> int:
    text = text_of(cell).casefold()
    for choice in Running:
        names = {str(choice.value), choice.name.casefold().replace("_", ""), *RUNNING_ALSO[choice]}
        if text.replace(" ", "") in names:
            return choice.value
    with in_english():
        states = joined(", ", [Text(str(label)) for label in Running.labels])
    raise CellFault(Text("“%(text)s” is not one of %(states)s", text=text[:30], states=states))


def read_yes(cell: Cell) -> bool:
    """Return whether a cell says yes.

    Raises:
        CellFault: it says neither yes nor no.
    """
    text = text_of(cell).casefold()
    if text not in YES | NO:
        raise CellFault(Text("“%(text)s” is neither yes nor no", text=text[:30]))
    return text in YES


def _hs_code(cell: Cell) -> str:
    text = text_of(cell).replace(" ", "").replace("-", ".")
    if not HS_CODE.fullmatch(text):
        raise CellFault(Text("“%(text)s” is not an HS code", text=text[:30]))
    if isinstance(cell, Decimal):
        raise CellFault(
            Text(
                "%(text)s is a number, which loses zeros: format the column as text",
                text=text[:30],
            )
        )
    return text


def _ean(cell: Cell) -> str:
    text = BEFORE_EAN.sub("", text_of(cell).lstrip("'")).removesuffix(".0")
    ean = ean_of(text)
    if ean is None or CUT_SHORT.fullmatch(text):
        raise CellFault(Text("“%(text)s” is not an EAN", text=text[:30]))
    return ean


def _origin(cell: Cell) -> str:
    text = text_of(cell)
    try:
        country = countries.lookup(COUNTRIES.get(text.casefold(), text))
    except LookupError as error:
        raise CellFault(Text("“%(text)s” is not a country", text=text[:30])) from error
    return str(country.alpha_2)


@dataclass(frozen=True)
class Column:
    """A column: its heading in an English export, the headings that are taken (the Korean export's
    among them), how a cell is read, how wide it is shown; what it takes, for the page.
    """

    title: str
    read: Callable[..., Value]  # of a cell, and of numbers the mark that begins decimals
    width: int = 12
    takes: str = ""
    also: Sequence[str] = ()


def with_headings(also: Mapping[str, Sequence[str]], of: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns with the headings that a table of words has for them."""
    return {name: replace(one, also=also.get(name, one.also)) for name, one in of.items()}


DOLLARS_TAKEN = _("US dollars with at most two decimals")
COLUMNS: Mapping[str, Column] = with_headings(
    ALSO,
    {
        SKU: Column(
            _("SKU"),
            text_of,
            16,
            _("text of at most 40 characters"),
        ),
        NAME: Column(
            _("Product"),
            read_text(200),
            48,
            _("the name that buyers and papers show"),
        ),
        BRAND: Column(
            _("Brand"),
            text_of,
            20,
            _("one that is not there yet is added once you tick it"),
        ),
        "is_running": Column(
            _("Sale"),
            _running,
            takes=_("On sale, Discontinued, Contact us, Hidden; or 판매중, 단종, 문의, 숨김"),
        ),
        USRP: Column(
            _("USRP ($)"),
            _price,
            takes=DOLLARS_TAKEN,
        ),
        WHOLESALE: Column(
            _("Wholesale ($)"),
            _price,
            13,
            DOLLARS_TAKEN,
        ),
        "minimum": Column(
            _("Minimum"),
            _pieces(1, MAX_MINIMUM),
            takes=_("whole pieces"),
        ),
        "is_special": Column(_("Special MOQ"), read_yes, takes=_("yes or no")),
        WEIGHT: Column(
            _("Weight (g)"),
            _weight,
            takes=_("whole grams of one piece"),
        ),
        "hs_code": Column(
            _("HS code"),
            _hs_code,
            takes=_("4 to 12 digits and points, as text"),
        ),
        "origin": Column(
            _("Origin"),
            _origin,
            8,
            _("a country: KR, Korea, 한국"),
        ),
        "ean": Column(
            _("EAN"),
            _ean,
            15,
            _("8 or 13 digits with their check digit"),
        ),
        ON_HAND: Column(
            _("On hand"),
            _on_hand,
            takes=_("pieces on the shelf; “품절” is 0"),
        ),
    },
)
PRICES = frozenset({USRP, WHOLESALE})
UNIT_WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(PRICES, ("usd", "us", "달러", "불")),
    **dict.fromkeys(("minimum", ON_HAND), ("ea", "개", "pcs")),
}
HEADINGS = {
    name: (
        column.title,
        *column.also,
        *(f"{also} {unit}" for also in column.also for unit in UNIT_WORDS.get(name, ())),
    )
    for name, column in COLUMNS.items()
}
# A column that says something of others, and is not imported itself.
REMARK = "remark"
BESIDE: Mapping[str, tuple[str, ...]] = {REMARK: tuple(ALSO[REMARK])}
TITLES = {name: column.title for name, column in COLUMNS.items()} | {IMAGE: _("Picture")}
COUNTS = frozenset({"minimum", WEIGHT, ON_HAND})
# Without these a product cannot be added.
NEEDED = (NAME, BRAND, USRP, WHOLESALE)


def is_page_number(text: str) -> bool:
    """Return whether a text is the number of a printed page and nothing else (`Page 1/9`)."""
    return PAGE.fullmatch(text) is not None


def only_text(cells: Sequence[Cell]) -> str:
    """Return the text of a row that holds nothing else, where a brand may stand above its products;
    empty for any other row.
    """
    there = [cell for cell in cells if cell is not None]
    return text_of(there[0]) if len(there) == 1 and isinstance(there[0], str) else ""


class FileRow(NamedTuple):
    """A row of a file: what it is named by (a product its SKU), what it says by column, and what is
    wrong with it; whether its SKU was a number cell; why it is none that is read; what of it could
    be meant otherwise; the brand of a row above; what is wrong with columns that it can be without.
    """

    number: int
    key: str
    values: Mapping[str, Value]
    faults: list[Text]
    is_number: bool = False
    skip_reason: Text | None = None
    doubts: Sequence[Text] = ()
    above: str = ""
    lost: Sequence[Text] = ()


def marks_of(
    rows: Iterable[Sequence[Cell]],
    columns: Mapping[str, int],
    *,
    money: Collection[str],
    counts: Collection[str],
) -> dict[str, tuple[str, str]]:
    """Return how the numbers of columns are written, as their cells say together: the mark that
    begins decimals, empty where each cell says it itself; one text where its cells do not say it:
    `1,250` alone, or `6,40` among numbers with a point. An amount in another currency is refused
    however it is read, so it is none that is asked.
    """
    texts: dict[str, list[str]] = {name: [] for name in columns if name in (*money, *counts)}
    to_take: dict[str, list[str]] = {name: [] for name in texts}
    plain: Counter[str] = Counter()  # numbers of a workbook
    whole = set(counts)
    for cells in rows:
        for name, column in texts.items():
            if isinstance(cell := cell_at(cells, columns[name]), str):
                number, unit = _parts(cell)
                column.append(number or cell)
                if name in counts or currency_in(cell) in ("", "USD"):
                    to_take[name].append(number or cell)
                if GRAMS.get(unit, 1) != 1:
                    whole.discard(name)
            plain[name] += isinstance(cell, int | Decimal)
    amounts = [cell for name in texts.keys() & set(money) for cell in texts[name]]
    return {
        name: _mark_of(
            column,
            to_take[name],
            plain[name],
            column_mark(column, is_whole=name in whole, witnesses=amounts),
        )
        for name, column in texts.items()
    }


def _mark_of(
    texts: Sequence[str], to_take: Sequence[str], numbers: int, mark: str | None
) -> tuple[str, str]:
    """Return the mark of a column and a text that it leaves unclear, by what `column_mark` says
    of its texts and how many numbers a workbook holds beside them; the text is one of those
    `to_take`.
    """
    if mark is None:
        return "", next(filter(is_doubtful, to_take), "")
    commas = sum(mark_in(text) == "," for text in texts)
    points = numbers + sum(mark_in(text) == "." for text in texts)
    if mark or not (commas and points):
        return mark, ""
    if points < commas:
        return ",", ""
    return ".", next((text for text in to_take if mark_in(text) == ","), "")


def read_values(
    cells: Sequence[Cell], table: Table, of: Mapping[str, Column]
) -> tuple[dict[str, Value], dict[str, Text]]:
    """Return what a row says, by column; an empty cell says nothing. With it, what is wrong with
    which column.
    """
    values: dict[str, Value] = {}
    faults = {}
    for name, index in table.columns.items():
        if name not in of:
            continue
        cell = cell_at(cells, index)
        try:
            if isinstance(cell, str) and cell.strip() in DITTOS:
                raise CellFault(
                    Text("“%(cell)s” is not read: write what stands above it", cell=cell.strip())
                )
            if not is_nothing(cell):
                numbers = (table.marks[name],) if name in table.marks else ()
                values[name] = of[name].read(cell, *numbers)
        except CellFault as fault:
            faults[name] = at_column(of[name].title, fault)
    return values, faults


def at_column(title: str, fault: CellFault | Text | str) -> Text:
    """Return what is wrong with a cell, after its column's heading."""
    reason = fault.args[0] if isinstance(fault, CellFault) else fault
    return Text("%(column)s: %(fault)s", column=Text(title), fault=reason)


def values_of(product: Product) -> dict[str, Value]:
    """Return a product as the spreadsheet has it; its stock and brand are read along."""
    return {
        **{name: getattr(product, name) for name in COLUMNS.keys() - {SKU, ON_HAND}},
        **{name: str(getattr(product, name)) for name in PRICES},
        BRAND: product.brand.eng,
        IMAGE: " ".join(product.images),
        ON_HAND: product.stock.on_hand if hasattr(product, "stock") else 0,
    }


def value_text(name: str, value: Any) -> str:
    """Return a value as staff read it; a dash for nothing."""
    if name == "is_running" and value is not None:
        return str(Running(value).label)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int):
        return f"{value:,}"
    if name in PRICES and value is not None:
        return f"{Decimal(value):,.2f}"
    return str(value) if value not in ("", None) else "–"


def changes_of(
    row: ImportRow,
    titles: Mapping[str, str] = TITLES,
    display: Callable[[str, Any], str] = value_text,
) -> list[str]:
    """Return what an import's row changes, in words: each column, old → new."""
    return [
        f"{gettext(title)} {display(name, row.old[name])} → {display(name, row.new[name])}"
        if name in row.old
        else f"{gettext(title)} {display(name, row.new[name])}"
        for name, title in titles.items()
        if name in row.new
    ]
