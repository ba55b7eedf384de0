"""Imports of products, prices and stock, and of their pictures."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, groupby, islice
from typing import Any, BinaryIO, ClassVar

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.catalog.kinds import asked
from apps.catalog.kinds.brand_places import BrandPlaces, Sheet
from apps.catalog.kinds.compare import compared
from apps.catalog.kinds.dollars import LOOKED_AT, in_dollars
from apps.catalog.kinds.lines import (
    BRANDS_NAMED,
    detail_of,
    doubts,
    line_of,
    new_brands,
    thumbnails,
)
from apps.catalog.kinds.product_rows import ALONE, product_row, without_dittos
from apps.catalog.models import Brand, Import, ImportRow, Product
from apps.catalog.selectors import open_promotions
from apps.catalog.selectors.imports import PRODUCT_GUARDS
from apps.catalog.services import stock
from apps.catalog.services.import_brands import unknown_brands
from apps.catalog.services.import_kinds import (
    NO_ANSWERS,
    Head,
    ImportKind,
    Line,
    Question,
    TableKind,
    Written,
    sheet_of,
)
from apps.catalog.services.import_part import Part, is_changed
from apps.catalog.services.import_pictures import check_pictures, picture_rows
from apps.catalog.sheet import (
    BESIDE,
    BRAND,
    COLUMNS,
    COUNTS,
    HEADINGS,
    IMAGE,
    NAME,
    ON_HAND,
    PRICES,
    SKU,
    TITLES,
    USRP,
    WHOLESALE,
    FileRow,
    is_page_number,
    is_sold_out,
    shown,
    title_of,
)
from apps.common.tables.cells import cell_at, heading_key
from apps.common.tables.headings import HEADINGS_WITHIN, Table, find_table, is_number
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text
from apps.common.types import Label

PART = 250
SHADE = re.compile(r"[-–—•└ㄴ]\s*(?P<shade>\S.*)")
SIZE = re.compile(r"\s+[-–—/]\s*[\d.,]+\s*(g|ml|мл|г|ea)\s*$", re.IGNORECASE)  # `Lip Tint – 4g`
MOST_ASKED = 20_000  # rows that questions are found in
Result = ImportRow.Result


class OfProducts(ImportKind):
    """What a row does to the product that it names by its SKU."""

    needs, sees = ("catalog.change_product",), ("catalog.view_product",)
    titles = TITLES
    guards = PRODUCT_GUARDS
    thing, find = _("Product"), _("Find a SKU")
    note: ClassVar[Label] = _("Promised is never imported.")
    promise: ClassVar[Label] = _("Temporary orders keep their prices.")
    undo_note = _(
        "If anybody has changed a price, a name or a count since, or more is promised than would "
        "be left, nothing is undone and those rows are shown."
    )
    tabs: ClassVar = {
        "prices": (_("Prices"), Q(has_price=True)),
        "stock": (_("Stock"), Q(has_stock=True)),
    }
    heads: ClassVar[Sequence[Head]] = (
        Head(_("Wholesale $"), on_phone="right"),
        Head(_("On hand"), on_phone="third", phone_label=pgettext_lazy("phone", "on hand")),
        Head(_("Promised"), is_hint=True),
    )

    def named(self, term: str) -> Q:
        """Return the rows whose SKUs begin with a word, by the index."""
        return Q(sku__startswith=term.upper())

    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterator[ImportRow]:
        """Yield what rows would do to the products that they name."""
        brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        products = Product.objects.select_related("brand", "stock").in_bulk(
            {row.key for row in batch if row.key}, field_name="sku"
        )
        ids = [product.pk for product in products.values()]
        promotions = open_promotions(product_ids=ids, now=timezone.now())
        answer = (source.answers or {}).get(f"{asked.COLUMN} {USRP}")
        for row in batch:
            yield compared(
                source.pk,
                row,
                products.get(row.key),
                brands,
                promotions,
                without_usrp=answer == asked.ZERO,
            )

    def settle(self, source: Import) -> Iterable[Question]:
        """Mark the SKUs that stand twice: the last row wins, unless another was chosen."""
        keep = (source.answers or {}).get(asked.TWICE, asked.LAST)
        rows = source.rows.exclude(sku="").exclude(result=Result.LEFT)
        same = rows.filter(sku=OuterRef("sku"))
        after = Exists(same.filter(number__gt=OuterRef("number")))
        before = Exists(same.filter(number__lt=OuterRef("number")))
        loses = {asked.LAST: after, asked.FIRST: before}.get(keep, before | after)
        rows.filter(loses).update(
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
            guards="",
        )
        lost = source.rows.filter(result=Result.TWICE, sku=OuterRef("sku"))
        rows.exclude(result=Result.TWICE).filter(Exists(lost)).update(is_twice=True)
        _spell_alike(source.rows.filter(self.guards["brand"].rows))
        return ()

    def touched(self, source: Import, *, limit: int, undo: bool, now: datetime) -> list[ImportRow]:
        """Return rows whose products somebody changed since; looked at without a lock."""
        touched: list[ImportRow] = []
        rows_left, last = _to_change(source, undo=undo).order_by("product_id"), 0
        while rows := list(rows_left.filter(product_id__gt=last)[:PART]):
            last = rows[-1].product_id or 0
            products = Product.objects.select_related("brand", "stock").in_bulk(
                [row.product_id for row in rows]
            )
            promotions = open_promotions(product_ids=products.keys(), now=now)
            for row in rows:
                product, shelf = products.get(row.product_id or 0), None
                if product is not None and hasattr(product, "stock"):
                    shelf = stock.Shelf(product.stock.on_hand, product.stock.allocated)
                prices = promotions.get(row.product_id or 0, ())
                if is_changed(row, product, shelf, prices, undo=undo):
                    touched.append(row)
            if len(touched) >= limit:
                break
        return touched

    def write(
        self, source: Import, *, limit: int, undo: bool, actor: User, now: datetime
    ) -> Written:
        """Write the next rows: those about products that are there, then those that add some."""
        part = Part(source, undo=undo, actor=actor, now=now)
        if rows := list(_to_change(source, undo=undo).order_by("product_id")[:limit]):
            part.write(rows)
        elif not undo:
            new = source.rows.filter(result=Result.NEW, is_done=False, is_touched=False)
            if rows := list(new.order_by("number")[:limit]):
                part.add(rows)
        if undo and not rows:
            part.forget_brands()
        return Written(len(rows), len(rows) - len(part.touched), part.touched)

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows with the products as they are now."""
        ids = {row.product_id for row in rows if row.product_id}
        products = Product.objects.select_related("brand", "stock").in_bulk(ids)
        twice = {row.sku for row in rows if row.is_twice or row.result == Result.TWICE}
        numbers: dict[str, list[tuple[int, str]]] = {}
        if twice:
            same_sku = source.rows.filter(sku__in=twice).order_by("number")
            for same in same_sku.select_related("source"):
                numbers.setdefault(same.sku, []).append((same.number, same.place))
        for row in rows:
            same_rows = numbers.get(row.sku, [])[:4]
            others = ", ".join(place for number, place in same_rows if number != row.number)
            yield line_of(row, products.get(row.product_id or 0), others)

    def shown(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""
        return shown(name, value)

    def figures(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return how many prices, counts and products change."""
        return [
            (gettext("Prices changed"), counts["prices"]),
            (gettext("Counts changed"), counts["stock"]),
            (gettext("Products added"), counts["new"]),
        ]

    def undoing(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return what undoing does, in figures."""
        added = gettext(
            "Added products deleted; any in an order, a basket or a priced list stay, "
            "discontinued and out of stock"
        )
        figures = [
            (gettext("Prices put back"), counts["prices"]),
            (gettext("Counts put back"), counts["stock"]),
            (added, counts["new"]),
        ]
        return figures if counts["new"] else figures[:2]

    def detail(self, source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
        """Return which rows a guard holds back, or what becomes of them."""
        if guard == "brand":
            return new_brands(rows)
        if guard == "weightless":
            return gettext("0 g, so orders weigh too little until you add it")
        return doubts(rows) if guard == "doubtful" else detail_of(source, guard, rows, count)

    def answers(self, guard: str, rows: QuerySet[ImportRow]) -> Sequence[tuple[str, str]]:
        """Return the unknown brands with those of almost their names."""
        brands = unknown_brands(rows, limit=BRANDS_NAMED) if guard == "brand" else ()
        return [(one.name, one.near) for one in brands if one.near]


class ProductKind(OfProducts, TableKind):
    """Products, prices and stock: a row a SKU."""

    key = "table"
    label = _("Products, prices and stock")
    about = _(
        "One row for each product; only the SKU is required. An unknown SKU becomes a product "
        "where its row has name, brand and both prices. What is promised to orders is never "
        "imported."
    )
    columns = COLUMNS
    all_sheets = True
    required = name_of_row = (SKU,)
    not_compared = (SKU, IMAGE)
    money, counts = PRICES, COUNTS
    example: ClassVar = {
        SKU: "EXAMPLE-001",
        NAME: "Example Cream 50 ml (delete this row)",
        BRAND: "Example Brand",
        "is_running": "On sale",
        USRP: 24.00,
        WHOLESALE: 12.00,
        "minimum": 10,
        "is_special": "no",
        "weight_g": 120,
        "hs_code": "3304.99",
        "origin": "KR",
        "ean": "4006381333931",
        ON_HAND: 0,
    }

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, prices with their currency too."""
        return HEADINGS

    def table_of(self, rows: Iterator[Row], answers: Mapping[str, str] = NO_ANSWERS) -> Table:
        """Return the table of products in the rows of a file; `answers` say which columns hold
        what their headings do not.

        Raises:
            SpreadsheetRefused: they cannot be read, have no SKU column or nothing beside it, or
                prices in another currency.
        """
        chosen = asked.chosen_columns(answers)
        headings: dict[str, tuple[str, ...]] = {
            name: (chosen[name], *titles) if name in chosen else titles
            for name, titles in {**BESIDE, **HEADINGS}.items()
        }
        beginning: list[Row] = []

        def noted() -> Iterator[Row]:
            for row in rows:
                if len(beginning) < HEADINGS_WITHIN:
                    beginning.append(row)
                yield row

        table = find_table(noted(), headings, required=self.required, names=TITLES)
        first = table.heads[0].number
        above = [row.cells for row in beginning if row.number < first]
        table = in_dollars(table, above, chosen)
        table = _with_counted_stock(table)
        if table.columns.keys() & COLUMNS.keys() == {SKU}:
            raise SpreadsheetRefused(
                Text("Beside the SKU, no column was found that can be imported.")
            )
        return table

    def row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        """Return what a row says of the SKU that it names."""
        read = product_row(row, table, marks, answers)
        if read.left is None and not read.key and read.values.keys() == {NAME}:
            return FileRow(row.number, str(read.values[NAME]), {}, [], left=Text(ALONE))
        return read

    def look(self, row: Row, table: Table, seen: dict[str, tuple[str, int]]) -> None:
        """Note the name that shades below it lack (`- 01 Bare Grape`)."""
        name = cell_at(row.cells, table.columns.get(NAME))
        if is_page_number(row.cells):
            return
        titles = [cell_at(head.cells, table.columns.get(NAME)) for head in table.heads]
        if title_of(row.cells) or row.number < table.head.number:
            seen.clear()
        elif isinstance(name, str) and not (SHADE.match(name) or name in titles):
            seen[NAME] = (SIZE.sub("", " ".join(name.split())), row.number)

    def completed(self, read: FileRow, seen: Mapping[str, tuple[str, int]]) -> FileRow:
        """Return a shade with the name of the product above it."""
        shade = SHADE.fullmatch(str(read.values.get(NAME, "")))
        if not shade or NAME not in seen:
            return read
        parent, number = seen[NAME]
        name = f"{parent} {shade['shade']}"
        doubt = Text(
            "The name is put together with row %(row)s: “%(name)s”.",
            row=number % ImportRow.PER_SHEET,
            name=name,
        )
        return read._replace(values={**read.values, NAME: name}, doubts=[*read.doubts, doubt])

    def _rows(
        self, source: Import, again: Callable[[], Iterator[Row]], *, after: int
    ) -> Iterator[FileRow]:
        """Yield what each row says, with the brand that stands elsewhere for it; sheets that were
        chosen to be left out are.
        """
        answers, names = source.answers or {}, source.sheets or [""]
        repeated: set[int] = set()

        def read_rows() -> Iterator[Row]:
            return without_dittos(again(), repeated)

        out = [name for name in answers.get(asked.SHEETS, "").split("\n") if name]
        places = BrandPlaces(self._sheets(names, out, read_rows, answers), answers.get(BRAND, ""))
        facts = {"brands": places.choices(), "unread": places.unread(), "has": places.has()}
        Import.objects.filter(pk=source.pk).update(counts={"asks": facts})
        for row in super()._rows(source, read_rows, after=after):
            said = [Text("“〃” is read as what stands above it.")] if row.number in repeated else []
            read = row._replace(doubts=[*row.doubts, *said])
            place = read.number // ImportRow.PER_SHEET
            if names[place] in out:
                yield FileRow(read.number, read.key, {}, [], left=Text("a sheet that is left out"))
            elif read.left is None and place in places.sheets:
                yield places.sheets[place].completed(read)
            else:
                yield read

    def _sheets(
        self,
        names: Sequence[str],
        out: Collection[str],
        again: Callable[[], Iterator[Row]],
        answers: Mapping[str, str],
    ) -> dict[int, Sheet]:
        sheets: dict[int, Sheet] = {}
        for place, rows in groupby(again(), sheet_of):
            with suppress(SpreadsheetRefused):
                if names[place] not in out:
                    sheets[place] = Sheet(names[place], self.table_of(rows, answers))
        for row in again():
            if sheet := sheets.get(sheet_of(row)):
                sheet.see(row)
        return sheets

    def settle(self, source: Import) -> Iterable[Question]:
        """Mark the SKUs that stand twice and what could be meant otherwise; return what is
        asked.
        """
        asked.mark(self._asked_of(source), source.answers or {})
        super().settle(source)
        return asked.questions(source, self._asked_of(source))

    def _asked_of(self, source: Import) -> list[ImportRow]:
        return list(source.rows.exclude(result=Result.LEFT).order_by("number")[:MOST_ASKED])


class PictureKind(OfProducts):
    """Pictures: a ZIP of files, each named by its SKU."""

    key = "pictures"
    label = _("Pictures")
    extension = "zip"
    note: ClassVar[Label] = ""
    promise: ClassVar[Label] = ""
    tabs: ClassVar = {}
    heads = (Head(_("Pictures now"), is_number=False), Head(_("New pictures"), is_number=False))

    def check(self, file: BinaryIO) -> None:
        """Refuse an archive that cannot be taken.

        Raises:
            SpreadsheetRefused: its sentence says why.
        """
        check_pictures(file)

    def rows(self, source: Import, file: BinaryIO, *, after: int) -> Iterator[FileRow]:
        """Yield which SKU gets which pictures."""
        return picture_rows(file, after=after)

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows with the pictures that their products have, and get."""
        for line in super().lines(rows, source):
            yield line._replace(
                cells=[thumbnails(side.get(IMAGE, "")) for side in (line.row.old, line.row.new)],
                others=(),
            )

    def figures(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return how many products get other pictures."""
        return [(gettext("Products with new pictures"), counts["changes"])]

    def undoing(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return how many products get their former pictures."""
        return [(gettext("Pictures put back"), counts["changes"])]


def _with_counted_stock(table: Table) -> Table:
    """Return a table whose column “Avail.” is stock where it holds numbers alone."""
    place = table.columns.get(ON_HAND)
    title = cell_at(table.head.cells, place)
    if not isinstance(title, str) or heading_key(title) not in ("avail", "available"):
        return table
    looked_at = list(islice(table.rows, LOOKED_AT))
    below = (cell_at(row.cells, place) for row in looked_at if row.cells != table.head.cells)
    columns = dict(table.columns)
    if not all(cell is None or is_number(cell) or is_sold_out(cell) for cell in below):
        del columns[ON_HAND]
    return table._replace(columns=columns, rows=chain(looked_at, table.rows))


def _to_change(source: Import, *, undo: bool) -> QuerySet[ImportRow]:
    """Return the rows about products that are there; of an import that is undone, those that it
    added too.
    """
    results = (Result.CHANGED, Result.NEW) if undo else (Result.CHANGED,)
    return source.rows.filter(
        result__in=results, is_done=undo, is_touched=False, product__isnull=False
    )


def _spell_alike(rows: QuerySet[ImportRow]) -> None:
    """Let an unknown brand have one spelling: the first of the file."""
    spellings: dict[str, str] = {}
    by_first = rows.order_by().values_list("new__brand").annotate(first=Min("number"))
    for name, _number in sorted(by_first, key=lambda one: one[1]):
        first = spellings.setdefault(name.casefold(), name)
        if name == first:
            continue
        others = list(rows.filter(new__brand=name))
        for row in others:
            row.new[BRAND] = first
        ImportRow.objects.bulk_update(others, ["new"], batch_size=PART)
