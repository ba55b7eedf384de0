"""Reads the file of an import into rows: what each would change, and which have to be looked at.

Rows are stored some hundreds at a time, each batch in a short transaction of its own: a process
that dies in the middle is followed by one that goes on behind the last row that was stored.
"""

import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import BinaryIO, cast

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.catalog.guards import Guard, Named, price_guards, stock_guards, wholesale_guards
from apps.catalog.models import Brand, Import, ImportRow, Product, rows_path, stored_path
from apps.catalog.selectors import AskedPrices, open_promotions
from apps.catalog.selectors.imports import counts_of
from apps.catalog.services.import_pictures import check_pictures, picture_rows
from apps.catalog.sheet import (
    BRAND,
    HEADINGS,
    NAME,
    NEEDED,
    ON_HAND,
    PRICES,
    SKU,
    TITLES,
    USRP,
    WHOLESALE,
    FileRow,
    Value,
    at_column,
    foreign_price,
    marks_of,
    read_values,
    values_of,
)
from apps.common.db.transactions import one_transaction
from apps.common.printed import printing_faults
from apps.common.tables.cells import CellFault, cell_at, sku_of
from apps.common.tables.spreadsheets import (
    Row,
    SpreadsheetRefused,
    Table,
    find_table,
    json_of_row,
    read_rows,
    row_of_json,
)
from apps.common.texts import Text, joined

BATCH = 500
BATCH_SECONDS = 2
SLICE_SECONDS = 10
SLICE_ROWS = 10_000
MAX_SKU = 40
MAX_STORED_SKU = 60
FAILED = _("This file could not be read, several times over. Please tell the administrator.")
GONE = _("The file is not there any more. Send it again.")
Result = ImportRow.Result


class _Stopped(Exception):
    """The import was thrown away while it was read."""


def check_first_rows(file: BinaryIO, *, name: str, kind: str) -> None:
    """Refuse a file that cannot be what it should, as far as its beginning tells.

    Raises:
        SpreadsheetRefused: its sentence says why.
    """
    if kind == Import.Kind.PICTURES:
        check_pictures(file)
        return
    table = table_of(read_rows(file, name=name))
    if set(table.columns) == {SKU}:
        raise SpreadsheetRefused(Text("Beside the SKU, no column was found that can be imported."))
    next(table.rows, None)


def table_of(rows: Iterator[Row]) -> Table:
    """Return the table of products in the rows of a file.

    Raises:
        SpreadsheetRefused: they cannot be read, have no SKU column, or prices in another currency.
    """
    table = find_table(rows, HEADINGS, required=(SKU,), names=TITLES)
    if foreign := foreign_price(table.head.cells, table.columns):
        raise SpreadsheetRefused(
            Text("“%(heading)s” is not in US dollars, as prices here are.", heading=foreign)
        )
    return table


def read_slice(*, source: Import, seconds: float = SLICE_SECONDS) -> None:
    """Read on for some seconds, and let the import wait for review once all rows are there.

    At least 10,000 rows are read, however slow the machine is.
    """
    last = source.rows.aggregate(last=Max("number"))["last"] or 0
    try:
        with storages["private"].open(stored_path(source.storage_name)) as stored:
            file = cast(BinaryIO, stored)
            if source.kind == Import.Kind.PICTURES:
                rows = picture_rows(file, after=last)
            else:
                rows = _table_rows(source, file, after=last)
            if _store_rows(source, rows, until=time.monotonic() + seconds):
                _finish(source_id=source.pk, now=timezone.now())
                _forget_rows(source)
    except FileNotFoundError:
        _refuse(source, GONE)
    except SpreadsheetRefused as refusal:
        _refuse(source, refusal.text.stored())
    except _Stopped:
        return


def _table_rows(source: Import, file: BinaryIO, *, after: int) -> Iterator[FileRow]:
    """Yield what each row says. The first slice unpacks the whole file; the others go on in the
    rows that it kept.
    """
    storage, path = storages["private"], rows_path(source.storage_name)
    if not storage.exists(path):
        with tempfile.TemporaryFile() as unpacked:
            unpacked.writelines(map(json_of_row, read_rows(file, name=source.name)))
            unpacked.seek(0)
            storage.save(path, File(unpacked))
    with storage.open(path) as lines:
        table = table_of(map(row_of_json, lines))
        read = set(table.columns.values())
        unread = [
            str(cell)
            for index, cell in enumerate(table.head.cells)
            if index not in read and cell is not None
        ]
        Import.objects.filter(pk=source.pk).update(unread=", ".join(unread)[:200])
        marks = marks_of((row.cells for row in table.rows), table.columns)
        lines.seek(0)
        yield from _file_rows(table_of(map(row_of_json, lines)), marks, after=after)


def _forget_rows(source: Import) -> None:
    """Delete the rows that were kept. Where a process dies before, the sweep of leftovers does."""
    if source.kind == Import.Kind.TABLE:
        storages["private"].delete(rows_path(source.storage_name))


def _store_rows(source: Import, rows: Iterator[FileRow], *, until: float) -> bool:
    """Store rows behind those that are there; return whether it came to the end before the time was
    over.
    """
    brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
    batch: list[FileRow] = []
    stored = 0
    started = time.monotonic()
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH or time.monotonic() - started > BATCH_SECONDS:
            _store(source_id=source.pk, batch=batch, brands=brands)
            stored += len(batch)
            batch, started = [], time.monotonic()
            if started > until and stored >= SLICE_ROWS:
                return False
    _store(source_id=source.pk, batch=batch, brands=brands)
    return True


def _file_rows(table: Table, marks: Mapping[str, str], *, after: int) -> Iterator[FileRow]:
    for row in table.rows:
        if row.number <= after:
            continue
        values, faults = read_values(row.cells, table.columns, marks)
        cell = cell_at(row.cells, table.columns[SKU])
        try:
            sku = sku_of(cell)
        except CellFault as fault:
            yield FileRow(row.number, "", {}, [at_column("SKU", fault)])
            continue
        if sku or values or faults:
            yield FileRow(row.number, sku, values, faults, isinstance(cell, int))


@one_transaction
def _store(*, source_id: int, batch: list[FileRow], brands: Mapping[str, str]) -> None:
    products = Product.objects.select_related("brand", "stock").in_bulk(
        {row.sku for row in batch if row.sku}, field_name="sku"
    )
    ids = [product.pk for product in products.values()]
    asked = open_promotions(product_ids=ids, now=timezone.now())
    ImportRow.objects.bulk_create(
        _compared(source_id, row, products.get(row.sku), brands, asked) for row in batch
    )
    read = ImportRow.objects.filter(source_id=source_id).count()
    if not Import.objects.filter(pk=source_id, state=Import.State.READING).update(
        rows_read=read, tries=0
    ):
        raise _Stopped


def _compared(
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
        source_id=source_id, number=row.number, sku=row.sku[:MAX_STORED_SKU], product=product
    )
    faults, values = list(row.faults), dict(row.values)
    if not row.sku:
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
    if len(row.sku) > MAX_SKU:
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


@one_transaction
def _finish(*, source_id: int, now: datetime) -> None:
    """Mark the SKUs that stand twice (the last row wins), count, and let the import wait for
    review.
    """
    source = Import.objects.select_for_update().get(pk=source_id)
    if source.state != Import.State.READING:
        return
    rows = source.rows.exclude(sku="")
    same = ImportRow.objects.filter(source_id=source_id, sku=OuterRef("sku"))
    rows.filter(Exists(same.filter(number__gt=OuterRef("number")))).update(
        result=Result.TWICE,
        has_price=False,
        has_stock=False,
        price_drop=0,
        price_rise=0,
        short=0,
        stock_fall=0,
        is_free=False,
        is_above_usrp=False,
        is_below_promotion=False,
    )
    rows.exclude(result=Result.TWICE).filter(
        Exists(same.filter(number__lt=OuterRef("number")))
    ).update(is_twice=True)
    source.counts = counts_of(source.rows.all())
    source.state, source.read_at = Import.State.REVIEW, now
    source.save(update_fields=["counts", "state", "read_at"])


def give_up(source: Import) -> None:
    """Refuse a file that ended its reader again and again."""
    _refuse(source, FAILED)


@one_transaction
def _refuse(source: Import, text: str) -> None:
    """Give up on a file: nothing of it stays but why, a text that is kept."""
    states = (Import.State.READING,)
    if Import.objects.filter(pk=source.pk, state__in=states).update(
        state=Import.State.REFUSED, remark=text
    ):
        source.rows.all()._raw_delete(source.rows.db)
        transaction.on_commit(lambda: _forget_rows(source), robust=True)
