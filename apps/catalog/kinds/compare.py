"""What a row of a file would do to a product, and which guards it touches."""

from collections.abc import Mapping
from decimal import Decimal

from apps.catalog.guards import Guard, Named, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import ImportRow, Product
from apps.catalog.selectors import AskedPrices
from apps.catalog.sheet import (
    BRAND,
    NAME,
    NEEDED,
    ON_HAND,
    PRICES,
    TITLES,
    USRP,
    WHOLESALE,
    FileRow,
    Value,
    at_column,
    values_of,
)
from apps.common.printed import printing_faults
from apps.common.texts import Text, joined

MAX_SKU = 40
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
    if BRAND in values:
        brand = str(values[BRAND])
        values[BRAND] = brands.get(brand.casefold())  # as it is spelled here
        if values[BRAND] is None:
            faults.append(Text("Brand: “%(brand)s” does not exist, add it first", brand=brand[:40]))
    saved = {NAME: product.eng_name} if product else None
    for fault in printing_faults({NAME: values.get(NAME)}, kept=saved).get(NAME, ()):
        faults.append(at_column(TITLES[NAME], fault))
    if product is None and not faults:
        faults, made.result = _why_not_added(row, values)
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
    return made


def _why_not_added(row: FileRow, values: Mapping[str, Value]) -> tuple[list[Text], Result]:
    """Return why a row of an unknown SKU adds no product, none where it does, and what it is."""
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
