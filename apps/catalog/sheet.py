"""The columns of the product spreadsheet: what is exported is what can be imported again.

A value travels as JSON holds it: text, whole number, yes or no; money as its digits.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from pycountry import countries

from apps.catalog.models import ImportRow, Product, Running
from apps.catalog.rules import ean_of
from apps.common.tables.cells import (
    Cell,
    CellFault,
    cell_at,
    column_mark,
    count_of,
    is_doubtful,
    is_nothing,
    mark_in,
    money_of,
    text_of,
)
from apps.common.texts import Text, in_english, joined

MAX_PRICE = Decimal("9999999999.99")
MAX_PIECES = 10_000_000
MAX_MINIMUM = 1_000_000
MAX_NAME = 200
HS_CODE = re.compile(r"[0-9][0-9.]{3,11}")
YES = frozenset({"yes", "y", "true", "1", "예", "네"})
NO = frozenset({"no", "n", "false", "0", "아니오", "아니요"})
# As Korean price lists write them.
RUNNING_ALSO: Mapping[int, tuple[str, ...]] = {
    Running.ON_SALE: ("판매중", "판매", "정상", "사용", "사용중"),
    Running.DISCONTINUED: (
        "단종",
        "판매종료",
        "판매중지",
        "중단",
        "미사용",
        "사용중지",
        "eol",
        "d/c",
    ),
    Running.CONTACT_US: ("문의", "별도문의"),
    Running.HIDDEN: ("숨김", "비공개", "출시예정", "출시전", "판매안함", "숨김-판매안함"),
}
NO_VALUE = frozenset(
    {"없음", "무", "미정", "미발급", "발급중", "해당없음", "tbd", "tba", "n/a", "na", "none", "нет"}
)
UNITS = re.compile(r"(?<=\d)\s*(개입?|ea|pcs|pieces|g|그램)\.?\s*$", re.IGNORECASE)
COUNTRIES = {
    **dict.fromkeys(
        (
            "대한민국",
            "한국",
            "국산",
            "korea",
            "south korea",
            "rok",
            "made in korea",
            "korea, rep.",
            "korea rep.",
        ),
        "KR",
    ),
    "중국": "CN",
    "일본": "JP",
    "미국": "US",
    "프랑스": "FR",
}
SOLD_OUT = frozenset({"품절", "일시품절", "재고없음", "sold out", "out of stock", "x", "нет"})
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


def without_unit(cell: str) -> str:
    """Return the number of a text that says of what it is: `120개`, `1,200 EA`, `80 g`."""
    return UNITS.sub("", cell)


def pieces_of(cell: Cell, mark: str = "") -> int | None:
    """Return the whole number of a cell, None for an empty one. `mark` as for `number_of`.

    Raises:
        CellFault: it is none, or of another thing (`2 box`).
    """
    bare = without_unit(cell) if isinstance(cell, str) else cell
    if isinstance(bare, str) and any(map(str.isalpha, bare)):
        raise CellFault(Text("“%(cell)s” is not a number", cell=text_of(cell)[:30]))
    return count_of(bare, mark)


def _price(cell: Cell, mark: str = "") -> str:
    number = money_of(cell, mark)
    if number is None or not 0 <= number <= MAX_PRICE:
        raise CellFault(Text("%(price)s cannot be a price", price=text_of(cell)[:30]))
    return str(number)


def _pieces(least: int, most: int) -> Callable[[Cell, str], int]:
    def read(cell: Cell, mark: str = "") -> int:
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

    return read


def is_sold_out(cell: Cell) -> bool:
    """Return whether a cell says that nothing is left."""
    return isinstance(cell, str) and text_of(cell).casefold() in SOLD_OUT


def _on_hand(cell: Cell, mark: str = "") -> int:
    return 0 if is_sold_out(cell) else _pieces(0, MAX_PIECES)(cell, mark)


def _name(cell: Cell) -> str:
    text = text_of(cell)
    if len(text) > MAX_NAME:
        raise CellFault(Text("the name is too long"))
    return text


def _running(cell: Cell) -> int:
    text = text_of(cell).casefold()
    for choice in Running:
        names = {str(choice.value), choice.name.casefold().replace("_", ""), *RUNNING_ALSO[choice]}
        if text.replace(" ", "") in names:
            return choice.value
    with in_english():
        states = joined(", ", [Text(str(label)) for label in Running.labels])
    raise CellFault(Text("“%(text)s” is none of %(states)s", text=text[:30], states=states))


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
    also: tuple[str, ...]
    read: Callable[..., Value]  # of a cell, and of numbers the mark that begins decimals
    width: int = 12
    takes: str = ""


DOLLARS_TAKEN = _("US dollars with at most two decimals")
COLUMNS: Mapping[str, Column] = {
    SKU: Column(
        _("SKU"),
        (
            *("item no", "item number", "item code", "품번", "품목코드", "품목번호", "자사코드"),
            *("상품코드", "상품번호", "제품코드", "제품번호", "코드", "code", "product code"),
            *("sku no", "sku code", "sku번호", "sku코드", "art no", "article no", "ref no"),
            *("item", "model no", "품목 코드", "관리코드", "세트코드", "артикул", "код"),
        ),
        text_of,
        16,
        _("text of at most 40 characters"),
    ),
    NAME: Column(
        _("Product"),
        (
            # The English one is meant where there is another beside it.
            *("english name", "영문명", "영문 상품명", "영문 제품명", "영문 품명", "상품명 영문"),
            *("제품명 영문", "품명 영문", "name en", "name eng", "product name en", "item name en"),
            *("name", "product name", "item name", "description", "product description"),
            *(
                "item description",
                "goods",
                "상품명",
                "제품명",
                "품명",
                "품목명",
                "상품",
                "품목",
                "세트명",
            ),
            *("наименование", "название"),
        ),
        _name,
        48,
        _("the name that buyers and papers show"),
    ),
    BRAND: Column(
        _("Brand"),
        ("brand name", "브랜드", "브랜드명", "бренд"),
        text_of,
        20,
        _("one that is not there yet is added once you tick it"),
    ),
    "is_running": Column(
        _("Sale"),
        ("status", "sale status", "판매상태", "상태", "사용", "사용여부", "사용구분"),
        _running,
        takes=_("On sale, Discontinued, Contact us, Hidden; or 판매중, 단종, 문의, 숨김"),
    ),
    USRP: Column(
        _("USRP ($)"),
        (
            *("usrp", "rrp", "msrp", "srp", "retail", "retail price", "소비자가", "소비자가격"),
            *("권장소비자가", "권장소비자가격", "희망소비자가", "희망소비자가격", "정가"),
            *("price rrp", "suggested retail price", "소매가", "ррц"),
        ),
        _price,
        takes=DOLLARS_TAKEN,
    ),
    WHOLESALE: Column(
        _("Wholesale ($)"),
        (
            *("wholesale", "wholesale price", "supply price"),
            *("공급가", "공급가격", "공급단가", "도매가", "도매가격", "도매단가"),
            *("수출가", "수출단가", "수출가격", "export", "export price", "dp"),
            *("distributor price",),
            *("fob", "fob price", "exw", "exw price", "출고단가", "단가", "unit price"),
            *("supply", "offer price", "net price", "price", "가격", "usd", "опт", "цена"),
        ),
        _price,
        13,
        DOLLARS_TAKEN,
    ),
    "minimum": Column(
        _("Minimum"),
        (
            *("moq", "min order", "minimum order", "최소수량", "최소주문", "최소주문수량"),
            *("최소주문량", "최소발주"),
        ),
        _pieces(1, MAX_MINIMUM),
        takes=_("whole pieces"),
    ),
    "is_special": Column(_("Special MOQ"), ("special", "특별 MOQ"), read_yes, takes=_("yes or no")),
    WEIGHT: Column(
        _("Weight (g)"),
        ("weight", "weight g", "중량", "중량 g", "무게", "무게 g", "개당중량 g", "단품중량 g"),
        _pieces(0, MAX_PIECES),
        takes=_("whole grams of one piece"),
    ),
    "hs_code": Column(
        _("HS code"),
        ("hs", "hscode", "hs no", "hs코드", "hs 코드", "세번부호"),
        _hs_code,
        takes=_("4 to 12 digits and points, as text"),
    ),
    "origin": Column(
        _("Origin"),
        ("country of origin", "coo", "c o", "원산지", "제조국"),
        _origin,
        8,
        _("a country: KR, Korea, 한국"),
    ),
    "ean": Column(
        _("EAN"),
        (
            *("ean code", "ean 13", "ean13", "barcode", "bar code", "gtin", "upc", "jan"),
            *("바코드", "바코드번호", "gtin 바코드", "штрихкод"),
        ),
        _ean,
        15,
        _("8 or 13 digits with their check digit"),
    ),
    ON_HAND: Column(
        _("On hand"),
        (
            *(
                "on hand pieces",
                "shelf",
                "counted",
                "stock",
                "stock qty",
                "inventory",
                "available",
                "avail",
            ),
            *("실재고", "실사수량", "현재고", "재고", "재고수량", "재고량", "가용재고"),
            "остаток",
        ),
        _on_hand,
        takes=_("pieces on the shelf; “품절” is 0"),
    ),
}
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
BESIDE: Mapping[str, tuple[str, ...]] = {
    REMARK: (
        "비고",
        "적요",
        "메모",
        "특이사항",
        "remark",
        "remarks",
        "note",
        "notes",
        "memo",
        "прим",
    )
}
TITLES = {name: column.title for name, column in COLUMNS.items()} | {IMAGE: _("Picture")}
COUNTS = frozenset({"minimum", WEIGHT, ON_HAND})
# Without these a product cannot be added.
NEEDED = (NAME, BRAND, USRP, WHOLESALE)


def is_page_number(cells: Sequence[Cell]) -> bool:
    """Return whether a row holds the number of a printed page and nothing else (`Page 1/9`)."""
    there = [cell for cell in cells if cell is not None]
    return len(there) == 1 and isinstance(there[0], str) and bool(PAGE.fullmatch(text_of(there[0])))


def title_of(cells: Sequence[Cell]) -> str:
    """Return the text of a row that holds nothing else, where a brand may stand above its products;
    empty for any other row.
    """
    there = [cell for cell in cells if cell is not None]
    is_title = len(there) == 1 and isinstance(there[0], str) and not is_page_number(cells)
    return text_of(there[0]) if is_title else ""


class FileRow(NamedTuple):
    """A row of a file: what it is named by (a product its SKU), what it says by column, and what is
    wrong with it; whether its SKU was a number cell; why it is none that is read; what of it could
    be meant otherwise; the brand that stands elsewhere for it, with what of that is to be asked;
    what is wrong with columns that it can be without.
    """

    number: int
    key: str
    values: Mapping[str, Value]
    faults: list[Text]
    is_number: bool = False
    left: Text | None = None
    doubts: Sequence[Text] = ()
    above: tuple[str, Text | None] | None = None
    lost: Sequence[Text] = ()


def marks_of(
    rows: Iterable[Sequence[Cell]],
    columns: Mapping[str, int],
    *,
    money: Collection[str] = PRICES,
    counts: Collection[str] = COUNTS,
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the mark that begins decimals in each column of numbers, as its cells say together,
    empty where each says it itself; with it, one text of each column of which they do not: `1,250`
    alone, or `6,40` among numbers with a point.
    """
    texts: dict[str, list[str]] = {name: [] for name in columns if name in (*money, *counts)}
    plain: Counter[str] = Counter()  # numbers of a workbook
    for cells in rows:
        for name, column in texts.items():
            if isinstance(cell := cell_at(cells, columns[name]), str):
                column.append(without_unit(cell))
            plain[name] += isinstance(cell, int | Decimal)
    amounts = [cell for name in texts.keys() & set(money) for cell in texts[name]]
    found = {
        name: _mark_of(
            column, plain[name], column_mark(column, is_whole=name in counts, witnesses=amounts)
        )
        for name, column in texts.items()
    }
    marks = {name: mark for name, (mark, _) in found.items()}
    return marks, {name: unsure for name, (_, unsure) in found.items() if unsure}


def _mark_of(texts: Sequence[str], numbers: int, mark: str | None) -> tuple[str, str]:
    """Return the mark of a column and a text that it leaves unclear, by what `column_mark` says
    of its texts and how many numbers a workbook holds beside them.
    """
    if mark is None:
        return "", next(filter(is_doubtful, texts))
    commas = [text for text in texts if mark_in(text) == ","]
    points = numbers + sum(mark_in(text) == "." for text in texts)
    if mark or not (commas and points):
        return mark, ""
    return (".", commas[0]) if points >= len(commas) else (",", "")


def read_values(
    cells: Sequence[Cell],
    columns: Mapping[str, int],
    marks: Mapping[str, str],
    of: Mapping[str, Column] = COLUMNS,
) -> tuple[dict[str, Value], dict[str, Text]]:
    """Return what a row says, by column; an empty cell says nothing. With it, what is wrong with
    which column. `marks` are those of its columns of numbers, `of` what they are.
    """
    values: dict[str, Value] = {}
    faults = {}
    for name, index in columns.items():
        cell = cell_at(cells, index)
        try:
            if isinstance(cell, str) and cell.strip() in DITTOS:
                raise CellFault(
                    Text("“%(cell)s” is not read: write what stands above it", cell=cell.strip())
                )
            if not is_nothing(cell):
                numbers = (marks[name],) if name in marks else ()
                values[name] = of[name].read(cell, *numbers)
        except CellFault as fault:
            faults[name] = at_column(of[name].title, fault)
    return values, faults


def at_column(title: str, fault: CellFault | str) -> Text:
    """Return what is wrong with a cell, after its column's heading."""
    said = fault.args[0] if isinstance(fault, CellFault) else fault
    return Text("%(column)s: %(fault)s", column=Text(title), fault=said)


def values_of(product: Product) -> dict[str, Value]:
    """Return a product as the spreadsheet has it; its stock and brand are read along."""
    return {
        NAME: product.eng_name,
        BRAND: product.brand.eng,
        IMAGE: " ".join(product.images),
        "is_running": product.is_running,
        USRP: str(product.usd_price),
        WHOLESALE: str(product.usd_supply),
        "minimum": product.minimum,
        "is_special": product.is_special,
        WEIGHT: product.weight_g,
        "hs_code": product.hs_code,
        "origin": product.origin,
        "ean": product.ean,
        ON_HAND: product.stock.on_hand if hasattr(product, "stock") else 0,
    }


def shown(name: str, value: Any) -> str:
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


def changes_of(row: ImportRow) -> str:
    """Return what an import's row changes, in words: each column, old → new."""
    return "; ".join(
        f"{gettext(title)} {shown(name, row.old[name])} → {shown(name, row.new[name])}"
        if name in row.old
        else f"{gettext(title)} {shown(name, row.new[name])}"
        for name, title in TITLES.items()
        if name in row.new
    )
