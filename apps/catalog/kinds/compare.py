"""What a row of a list of products says of the SKU that it names, what it would do to the product,
and which guards it touches.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from apps.catalog.guards import GuardWarning, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import ImportRow, Product, Running
from apps.catalog.selectors import PromotionPrices
from apps.catalog.sheet import (
    BRAND,
    COLUMNS,
    IMAGE,
    MAX_PRICE,
    NAME,
    NEEDED,
    NO_VALUE,
    ON_HAND,
    PRICES,
    REMARK,
    RUNNING_ALSO,
    SKU,
    TITLES,
    USRP,
    WEIGHT,
    WHOLESALE,
    FileRow,
    Value,
    at_column,
    is_sold_out,
    only_text,
    read_values,
    values_of,
)
from apps.common.printed import unprinted
from apps.common.tables.cells import (
    CROSSED_OUT,
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    sku_of,
    text_or_none,
)
from apps.common.tables.headings import Table
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text, joined

ZERO = "zero"  # the answer that adds products without a USRP at 0.00
ABOVE = "above"  # the question, and the answer, that gives rows the brand of the row above
MAX_SKU, MAX_BRAND = 40, 80
MAX_STORED_SKU = 60
Result = ImportRow.Result
ALONE = _("a text alone: no product")
STATE = "is_running"
COMPARED = {name: one for name, one in COLUMNS.items() if name != SKU}
IN_KILOS = re.compile(r"\bkg\W*$", re.IGNORECASE)  # a heading
# What remarks and names say of products that are not made any more.
DISCONTINUED = re.compile(
    r"단종|판매\s*(종료|중지|중단)|discontinued|\beol\b|end of life", re.IGNORECASE
)


def product_row(row: Row, table: Table) -> FileRow:
    """Return what a row says."""
    columns = table.columns
    if title := only_text(row.cells):
        return FileRow(row.number, title, {}, [], skip_reason=Text(ALONE))
    doubts: list[Text] = []
    cells = _with_values(row, table, doubts)
    values, faults = read_values(cells, table, COMPARED)
    remark = text_or_none(cell_at(row.cells, columns.get(REMARK)))
    note = remark.casefold().replace(" ", "")
    state = next((one for one, names in RUNNING_ALSO.items() if note in names), None)
    if state is not None:
        values[STATE] = int(state)
    elif discontinued := DISCONTINUED.search(f"{remark} {values.get(NAME, '')}"):
        values.setdefault(STATE, Running.DISCONTINUED.value)
        doubts.append(Text("“%(text)s”: it is taken as discontinued.", text=discontinued[0]))
    try:
        sku = sku_of(cell_at(row.cells, columns[SKU]))
    except CellFault as unread:
        return FileRow(row.number, "", {}, [at_column("SKU", unread)])
    if not sku and values.keys() == {NAME}:
        return FileRow(row.number, str(values[NAME]), {}, [], skip_reason=Text(ALONE))
    return FileRow(
        row.number,
        sku,
        values,
        [faults[name] for name in NEEDED if name in faults],
        isinstance(cell_at(row.cells, columns[SKU]), int),
        doubts=doubts,
        lost=[fault for name, fault in faults.items() if name not in NEEDED],
    )


def with_brand(file_row: FileRow, section: dict[str, str]) -> FileRow:
    """Return a row with the brand of the cell above it in its column, which a merged one leaves
    empty; `section` is what the rows of its sheet said so far.
    """
    if own := str(file_row.values.get(BRAND, "")):
        section[BRAND] = own
    elif file_row.skip_reason is None and BRAND in section:
        return file_row._replace(above=section[BRAND])
    return file_row


def _with_values(row: Row, table: Table, doubts: list[Text]) -> list[Cell]:
    """Return a row's cells with what formulas showed when the file was saved, to be looked at,
    without what stands for nothing, and “품절” as the state of what is on sale
    with nothing on hand.
    """
    columns = table.columns
    cells = list(row.cells) + [None] * (max(columns.values()) + 1 - len(row.cells))
    for name, index in columns.items():
        cell = cells[index]
        if isinstance(cell, Unreadable) and name in COLUMNS:
            if isinstance(cell.stored, int | Decimal) and cell.text != CROSSED_OUT:
                cells[index] = cell.stored
                doubts.append(Text(_FORMULA, column=Text(TITLES[name])))
        elif name == ON_HAND and is_sold_out(cell):
            cells[index] = 0
        elif name not in (SKU, NAME, BRAND) and text_or_none(cell).casefold() in NO_VALUE:
            cells[index] = None
    weight = columns.get(WEIGHT)
    if weight is not None and IN_KILOS.search(str(table.head.cells[weight])):
        cell = cells[weight]
        if isinstance(cell, int | Decimal):
            cells[weight] = round(cell * 1000)
        elif isinstance(cell, str) and cell.strip()[-1:].isdecimal():
            cells[weight] = f"{cell} kg"
    state, on_hand = columns.get(STATE), cell_at(cells, columns.get(ON_HAND))
    if state is not None and is_sold_out(cells[state]) and on_hand == 0:
        cells[state] = Running.ON_SALE.value
    return cells


_FORMULA = _("%(column)s comes from a formula.")


def compared(
    source_id: int,
    row: FileRow,
    product: Product | None,
    brands: Mapping[str, str],
    promotion_prices: PromotionPrices,
    answers: Mapping[str, str],
) -> ImportRow:
    """Return what a row would do to the product that it names, and which guards it touches;
    `promotion_prices` are those of open promotions, `answers` those to former questions.
    """
    import_row = ImportRow(
        source_id=source_id,
        number=row.number,
        sku=row.key[:MAX_STORED_SKU],
        product=product,
        made={},
    )
    values, doubts = dict(row.values), list(row.doubts)
    if product is None and values:
        _complete(import_row, row, values, answers)
    faults = [*_faults(row, product), *_read_brand(values, brands)]
    if product is None and not faults:
        faults = _why_not_added(import_row, row, values, doubts)
    elif faults:
        import_row.result = Result.FAULTY
    if faults:
        import_row.remark = joined("; ", faults).stored()
        return import_row
    current = values_of(product) if product else {}
    import_row.new = {name: value for name, value in values.items() if value != current.get(name)}
    import_row.old = {name: current[name] for name in import_row.new} if product else {}
    if product:
        import_row.result = Result.CHANGED if import_row.new else Result.SAME
    for one in _measured(
        import_row, product, {**current, **import_row.new}, promotion_prices, row.values
    ):
        import_row.guards[one.guard] = max(one.size, import_row.guards.get(one.guard, 0))
    if import_row.new:
        asks = _plain_guards(import_row, product, brands, doubts)
        import_row.guards |= {name: 1 for name, is_so in asks if is_so}
        import_row.remark = joined(" ", doubts).stored() if doubts else ""
    return import_row


def _complete(
    import_row: ImportRow, row: FileRow, values: dict[str, Value], answers: Mapping[str, str]
) -> None:
    """Give the values of a new product what was answered for those without it."""
    if row.above and BRAND not in values:
        import_row.made[ABOVE] = row.above
        if answers.get(ABOVE) == ABOVE:
            values[BRAND] = row.above
    if answers.get(USRP) == ZERO:
        values.setdefault(USRP, "0.00")


def _faults(row: FileRow, product: Product | None) -> list[Text]:
    """Return why a row cannot be read: a new product can be without some of its columns."""
    saved = {NAME: product.eng_name} if product else None
    name = unprinted({NAME: row.values.get(NAME)}, stored=saved).get(NAME)
    return [
        *row.faults,
        *(row.lost if product else ()),
        *([] if row.key else [Text("SKU: it is missing")]),
        *([at_column(TITLES[NAME], name)] if name else []),
    ]


def _read_brand(values: dict[str, Value], brands: Mapping[str, str]) -> list[Text]:
    """Give the values the brand as it is spelled here; return why one cannot be added."""
    if BRAND not in values:
        return []
    brand = str(values[BRAND])
    values[BRAND] = brands.get(brand.casefold(), brand)
    if brand.casefold() in brands:
        return []
    if len(brand) > MAX_BRAND:
        return [Text("Brand: longer than 80 characters")]
    fault = unprinted({BRAND: brand}).get(BRAND)
    return [at_column(TITLES[BRAND], fault)] if fault else []


def _plain_guards(
    import_row: ImportRow,
    product: Product | None,
    brands: Mapping[str, str],
    doubts: Sequence[Text],
) -> Iterator[tuple[str, bool]]:
    """Yield the guards that have no measure, and whether the row touches them."""
    yield "brand", BRAND in import_row.new and str(import_row.new[BRAND]).casefold() not in brands
    yield "doubtful", bool(doubts)
    yield "weightless", product is None and not import_row.new[WEIGHT]
    if product and IMAGE in import_row.new:
        yield "fewer", len(str(import_row.new[IMAGE]).split()) < len(product.images)


def _why_not_added(
    import_row: ImportRow, row: FileRow, values: dict[str, Value], doubts: list[Text]
) -> list[Text]:
    """Return why a row of an unknown SKU adds no product, none where it does, and set what it is;
    give one that does a weight, and note what of it is doubtful.
    """
    import_row.result = Result.UNKNOWN
    if not values:
        return [Text("No product has this SKU")]
    if len(row.key) > MAX_SKU:
        import_row.result = Result.FAULTY
        return [Text("SKU: longer than 40 characters")]
    lacks = [name for name in NEEDED if name not in values]
    missing = [Text(TITLES[name]) for name in lacks]
    if lacks:
        import_row.made["lacks"] = lacks
    if missing:
        columns = joined(", ", missing)
        if not row.is_number:
            return [Text("To add it as a product: %(columns)s", columns=columns)]
        text = Text(
            "The SKU is a number: are zeros in front of it lost? "
            "To add it as a product: %(columns)s",
            columns=columns,
        )
        return [text]
    if row.is_number:
        doubts.append(Text("The SKU is a number: are zeros in front of it lost?"))
    doubts += [Text("%(fault)s: left empty.", fault=fault) for fault in row.lost]
    values.setdefault(WEIGHT, 0)
    import_row.result = Result.NEW
    return []


def _measured(
    import_row: ImportRow,
    product: Product | None,
    after: Mapping[str, Value],
    promotion_prices: PromotionPrices,
    row_values: Mapping[str, Value],
) -> list[GuardWarning]:
    """Return what guards of prices and counts name; `after` is the whole product as the row makes
    it, `row_values` those of the row itself.
    """
    warnings: list[GuardWarning] = []
    prices = PRICES & import_row.new.keys() & row_values.keys()
    if prices:
        has_promotions = product is not None and WHOLESALE in prices
        has_usrp = product is not None or USRP in row_values
        warnings += wholesale_guards(
            Decimal(str(after[WHOLESALE])),
            usrp=Decimal(str(after[USRP])) if has_usrp else MAX_PRICE,
            promotions=promotion_prices.get(import_row.product_id or 0, ())
            if has_promotions
            else (),
        )
    for name in prices:
        old = Decimal(import_row.old[name]) if product else None
        warnings += price_guards(old=old, new=Decimal(import_row.new[name]))
    if ON_HAND in import_row.new and hasattr(product, "stock"):
        promised = product.stock.allocated  # type: ignore[union-attr]
        warnings += stock_guards(
            old=import_row.old[ON_HAND], new=import_row.new[ON_HAND], promised=promised
        )
    return warnings
