"""What a row of a file would do to a product, and which guards it touches."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from apps.catalog.guards import Guard, Named, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import ImportRow, Product
from apps.catalog.selectors import AskedPrices
from apps.catalog.sheet import (
    BRAND,
    IMAGE,
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
from apps.common.printed import printing_faults
from apps.common.texts import Text, joined

MAX_SKU, MAX_BRAND = 40, 80
MAX_STORED_SKU = 60
Result = ImportRow.Result


def compared(
    source_id: int,
    row: FileRow,
    product: Product | None,
    brands: Mapping[str, str],
    asked: AskedPrices,
) -> ImportRow:
    """Return what a row would do to the product that it names, and which guards it touches; `asked`
    is what open promotions ask for products.
    """
    made = ImportRow(
        source_id=source_id, number=row.number, sku=row.key[:MAX_STORED_SKU], product=product
    )
    faults, values = list(row.faults), dict(row.values)
    if not row.key:
        faults.append(Text("SKU: it is missing"))
    doubts = _read_brand(values, row, product, brands, faults)
    saved = {NAME: product.eng_name} if product else None
    for fault in printing_faults({NAME: values.get(NAME)}, kept=saved).get(NAME, ()):
        faults.append(at_column(TITLES[NAME], fault))
    if product is None and not faults:
        faults, made.result = _why_not_added(row, values, doubts)
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
    _note_guards(made, product, {**current, **made.new}, asked)
    if made.new:
        names = [name for name, is_so in _to_ask(made, product, brands, doubts) if is_so]
        made.guards = f",{','.join(names)}," if names else ""
        made.remark = joined(" ", doubts).stored() if doubts else ""
    return made


def _read_brand(
    values: dict[str, Value],
    row: FileRow,
    product: Product | None,
    brands: Mapping[str, str],
    faults: list[Text],
) -> list[Text]:
    """Give the values the brand as it is spelled here, of a new product that names none the one
    above it; note its faults, and return what of the row could be meant otherwise.
    """
    doubts = list(row.doubts)
    if product is None and row.above and values and BRAND not in values:
        values[BRAND], number = row.above
        doubts.append(Text("Brand “%(brand)s”, as in row %(row)s.", brand=row.above[0], row=number))
    if BRAND in values:
        brand = str(values[BRAND])
        values[BRAND] = brands.get(brand.casefold(), brand)
        faults += _brand_faults(brand) if brand.casefold() not in brands else []
    return doubts


def _to_ask(
    made: ImportRow, product: Product | None, brands: Mapping[str, str], doubts: Sequence[Text]
) -> Iterator[tuple[str, bool]]:
    """Yield the guards that have no measure, and whether the row touches them."""
    yield "brand", BRAND in made.new and str(made.new[BRAND]).casefold() not in brands
    yield "doubtful", bool(doubts)
    yield "weightless", product is None and not made.new[WEIGHT]
    if product and IMAGE in made.new:
        yield "fewer", len(str(made.new[IMAGE]).split()) < len(product.images)


def _brand_faults(brand: str) -> list[Text]:
    """Return why a brand that is not there cannot be added."""
    if len(brand) > MAX_BRAND:
        return [Text("Brand: longer than 80 characters")]
    faults = printing_faults({BRAND: brand}).get(BRAND, ())
    return [at_column(TITLES[BRAND], fault) for fault in faults]


def _why_not_added(
    row: FileRow, values: dict[str, Value], doubts: list[Text]
) -> tuple[list[Text], Result]:
    """Return why a row of an unknown SKU adds no product, none where it does, and what it is; give
    one that does a weight, and note what of it is doubtful.
    """
    missing = [Text(TITLES[name]) for name in NEEDED if name not in values]
    if not values:
        return [Text("No product has this SKU")], Result.UNKNOWN
    if len(row.key) > MAX_SKU:
        return [Text("SKU: longer than 40 characters")], Result.FAULTY
    if missing:
        columns = joined(", ", missing)
        if not row.is_number:
            return [Text("To add it as a product: %(columns)s", columns=columns)], Result.UNKNOWN
        text = Text(
            "The SKU is a number: are zeros in front of it lost? "
            "To add it as a product: %(columns)s",
            columns=columns,
        )
        return [text], Result.UNKNOWN
    if row.is_number:
        doubts.append(Text("The SKU is a number: are zeros in front of it lost?"))
    values.setdefault(WEIGHT, 0)
    return [], Result.NEW


def _note_guards(
    made: ImportRow, product: Product | None, after: Mapping[str, Value], asked: AskedPrices
) -> None:
    """Keep the guards that a row touches, each with its largest measure; `after` is the whole
    product as the row makes it.
    """
    named: list[Named] = []
    prices = PRICES & made.new.keys()
    if prices:
        is_asked = product is not None and WHOLESALE in prices
        named += wholesale_guards(
            Decimal(str(after[WHOLESALE])),
            usrp=Decimal(str(after[USRP])),
            promotions=asked.get(made.product_id or 0, ()) if is_asked else (),
        )
    for name in prices:
        old = Decimal(made.old[name]) if product else None
        named += price_guards(old=old, new=Decimal(made.new[name]))
    if made.has_stock and hasattr(product, "stock"):
        promised = product.stock.allocated  # type: ignore[union-attr]
        named += stock_guards(old=made.old[ON_HAND], new=made.new[ON_HAND], promised=promised)
    sizes: dict[Guard, int] = {}
    for one in named:
        sizes[one.guard] = max(one.size, sizes.get(one.guard, 0))
    made.price_drop, made.price_rise = sizes.get(Guard.DROP, 0), sizes.get(Guard.RISE, 0)
    made.stock_fall, made.short = sizes.get(Guard.FALL, 0), sizes.get(Guard.PROMISED, 0)
    made.is_free, made.is_above_usrp = Guard.FREE in sizes, Guard.ABOVE_USRP in sizes
    made.is_below_promotion = Guard.PROMOTION in sizes
