"""What a row of a file would do to a product, and which guards it touches."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from apps.catalog.guards import Guard, Named, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import ImportRow, Product
from apps.catalog.selectors import AskedPrices
from apps.catalog.sheet import (
    BRAND,
    IMAGE,
    MAX_PRICE,
    NAME,
    NEEDED,
    ON_HAND,
    PRICES,
    TITLES,
    USRP,
    WEIGHT,
    WHOLESALE,
    FileRow,
    Value,
    at_column,
    values_of,
)
from apps.common.printed import unprinted
from apps.common.texts import Text, joined

ZERO = "zero"  # the answer that adds products without a USRP at 0.00
ABOVE = "above"  # the question, and the answer, that gives rows the brand of the row above
MAX_SKU, MAX_BRAND = 40, 80
MAX_STORED_SKU = 60
Result = ImportRow.Result


def compared(
    source_id: int,
    row: FileRow,
    product: Product | None,
    brands: Mapping[str, str],
    asked: AskedPrices,
    answers: Mapping[str, str],
) -> ImportRow:
    """Return what a row would do to the product that it names, and which guards it touches; `asked`
    is what open promotions ask for products, `answers` what was answered.
    """
    made = ImportRow(
        source_id=source_id,
        number=row.number,
        sku=row.key[:MAX_STORED_SKU],
        product=product,
        made={},
    )
    values, doubts = dict(row.values), list(row.doubts)
    if product is None and values:
        _complete(made, row, values, answers)
    faults = [*_faults(row, product), *_read_brand(values, brands)]
    if product is None and not faults:
        faults = _why_not_added(made, row, values, doubts)
    elif faults:
        made.result = Result.FAULTY
    if faults:
        made.remark = joined("; ", faults).stored()
        return made
    current = values_of(product) if product else {}
    made.new = {name: value for name, value in values.items() if value != current.get(name)}
    made.old = {name: current[name] for name in made.new} if product else {}
    if product:
        made.result = Result.CHANGED if made.new else Result.SAME
        made.has_price, made.has_stock = not PRICES.isdisjoint(made.new), ON_HAND in made.new
    _note_guards(made, product, {**current, **made.new}, asked, row.values)
    if made.new:
        names = [name for name, is_so in _to_ask(made, product, brands, doubts) if is_so]
        made.guards = f",{','.join(names)}," if names else ""
        made.remark = joined(" ", doubts).stored() if doubts else ""
    return made


def _complete(
    made: ImportRow, row: FileRow, values: dict[str, Value], answers: Mapping[str, str]
) -> None:
    """Give the values of a new product what was answered for those without it."""
    if row.above and BRAND not in values:
        made.made[ABOVE] = row.above
        if answers.get(ABOVE) == ABOVE:
            values[BRAND] = row.above
    if answers.get(USRP) == ZERO:
        values.setdefault(USRP, "0.00")


def _faults(row: FileRow, product: Product | None) -> list[Text]:
    """Return why a row cannot be read: a new product can be without some of its columns."""
    saved = {NAME: product.eng_name} if product else None
    name = unprinted({NAME: row.values.get(NAME)}, kept=saved).get(NAME)
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


def _to_ask(
    made: ImportRow, product: Product | None, brands: Mapping[str, str], doubts: Sequence[Text]
) -> Iterator[tuple[str, bool]]:
    """Yield the guards that have no measure, and whether the row touches them."""
    yield "brand", BRAND in made.new and str(made.new[BRAND]).casefold() not in brands
    yield "doubtful", bool(doubts)
    yield "weightless", product is None and not made.new[WEIGHT]
    if product and IMAGE in made.new:
        yield "fewer", len(str(made.new[IMAGE]).split()) < len(product.images)


def _why_not_added(
    made: ImportRow, row: FileRow, values: dict[str, Value], doubts: list[Text]
) -> list[Text]:
    """Return why a row of an unknown SKU adds no product, none where it does, and set what it is;
    give one that does a weight, and note what of it is doubtful.
    """
    made.result = Result.UNKNOWN
    if not values:
        return [Text("No product has this SKU")]
    if len(row.key) > MAX_SKU:
        made.result = Result.FAULTY
        return [Text("SKU: longer than 40 characters")]
    lacks = [name for name in NEEDED if name not in values]
    missing = [Text(TITLES[name]) for name in lacks]
    if lacks:
        made.made["lacks"] = lacks
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
    made.result = Result.NEW
    return []


def _note_guards(
    made: ImportRow,
    product: Product | None,
    after: Mapping[str, Value],
    asked: AskedPrices,
    given: Mapping[str, Value],
) -> None:
    """Keep the guards that a row touches, each with its largest measure; `after` is the whole
    product as the row makes it, `given` what the row says itself.
    """
    found: list[Named] = []
    prices = PRICES & made.new.keys() & given.keys()
    if prices:
        is_asked = product is not None and WHOLESALE in prices
        has_usrp = product is not None or USRP in given
        found += wholesale_guards(
            Decimal(str(after[WHOLESALE])),
            usrp=Decimal(str(after[USRP])) if has_usrp else MAX_PRICE,
            promotions=asked.get(made.product_id or 0, ()) if is_asked else (),
        )
    for name in prices:
        old = Decimal(made.old[name]) if product else None
        found += price_guards(old=old, new=Decimal(made.new[name]))
    if made.has_stock and hasattr(product, "stock"):
        promised = product.stock.allocated  # type: ignore[union-attr]
        found += stock_guards(old=made.old[ON_HAND], new=made.new[ON_HAND], promised=promised)
    sizes: dict[Guard, int] = {}
    for one in found:
        sizes[one.guard] = max(one.size, sizes.get(one.guard, 0))
    made.price_drop, made.price_rise = sizes.get(Guard.DROP, 0), sizes.get(Guard.RISE, 0)
    made.stock_fall, made.short = sizes.get(Guard.FALL, 0), sizes.get(Guard.PROMISED, 0)
    made.is_free, made.is_above_usrp = Guard.FREE in sizes, Guard.ABOVE_USRP in sizes
    made.is_below_promotion = Guard.PROMOTION in sizes
