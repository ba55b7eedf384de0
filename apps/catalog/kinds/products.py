"""Imports of products, prices and stock, and of their pictures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO, ClassVar

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from apps.catalog.kinds import review
from apps.catalog.kinds.compare import compared, product_row, with_brand
from apps.catalog.kinds.review import thumbnails
from apps.catalog.models import Brand, Import, ImportRow, Product
from apps.catalog.selectors import open_promotions
from apps.catalog.services.import_kinds import (
    MAX_NAMED,
    MAX_TOUCHED,
    WITH_PRICES,
    WITH_STOCK,
    Head,
    ImportKind,
    Line,
    Question,
    WriteResult,
)
from apps.catalog.services.import_part import Part, is_changed
from apps.catalog.services.import_pictures import check_pictures, picture_rows
from apps.catalog.services.import_tables import (
    NO_ANSWERS,
    TableKind,
    sheet_of,
)
from apps.catalog.sheet import (
    BESIDE,
    BRAND,
    COLUMNS,
    COUNTS,
    HEADINGS,
    IMAGE,
    NAME,
    PRICES,
    SKU,
    TITLES,
    WORDS,
    FileRow,
    changes_of,
    value_text,
)
from apps.common.tables.headings import NoHeadings, Table
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text, phrase, read
from apps.common.types import Label

MAX_QUESTION_ROWS = 20_000  # rows that questions are found in
MAY_NOT = "?stock_free__exact=0&is_staff__exact=0"  # order beyond stock
Result = ImportRow.Result


class OfProducts(ImportKind):
    """What a row does to the product that it names by its SKU."""

    needs, sees = ("catalog.change_product",), ("catalog.view_product",)
    titles = TITLES
    guards = review.PRODUCT_GUARDS
    thing, find = _("Product"), _("Find a SKU")
    new_row = Result.NEW.label
    note: ClassVar[Label] = _("Promised is never imported.")
    promise: ClassVar[Label] = _("Temporary orders keep their prices.")
    undo_note = _(
        "If anybody has changed a price, a name or a count since, or more is promised than would "
        "be left, nothing is undone and those rows are shown."
    )
    tabs = {
        "prices": (_("Prices"), WITH_PRICES),
        "stock": (_("Stock"), WITH_STOCK),
    }
    heads: ClassVar[Sequence[Head]] = (
        Head(_("Wholesale $"), on_phone="right"),
        Head(_("On hand"), on_phone="third", phone_label=pgettext_lazy("phone", "on hand")),
        Head(_("Promised"), is_hint=True),
    )

    def search_condition(self, term: str) -> Q:
        """Return the rows whose SKUs begin with a word, by the index."""
        return Q(sku__startswith=term.upper())

    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterator[ImportRow]:
        """Yield what rows would do to the products that they name."""
        brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        brands |= review.brand_answers(source.answers)
        products = Product.objects.select_related("brand", "stock").in_bulk(
            {row.key for row in batch if row.key}, field_name="sku"
        )
        ids = [product.pk for product in products.values()]
        promotions = open_promotions(product_ids=ids, now=timezone.now())
        answers = source.answers or NO_ANSWERS
        for row in batch:
            product = products.get(row.key)
            yield compared(source.pk, row, product, brands, promotions, answers)

    def settle(self, source: Import) -> Iterable[Question]:
        """Mark the SKUs that stand twice."""
        self.mark_twice(source)
        return ()

    def mark_twice(self, source: Import) -> None:
        """Mark the SKUs that stand twice: the last row counts, unless another was chosen."""
        keep = (source.answers or {}).get(review.TWICE, review.LAST)
        rows = source.rows.exclude(sku="").exclude(result=Result.LEFT)
        same = rows.filter(sku=OuterRef("sku"))
        after = Exists(same.filter(number__gt=OuterRef("number")))
        before = Exists(same.filter(number__lt=OuterRef("number")))
        loses = {review.LAST: after, review.FIRST: before}.get(keep, before | after)
        rows.filter(loses).update(result=Result.TWICE, guards={})
        lost = source.rows.filter(result=Result.TWICE, sku=OuterRef("sku"))
        rows.exclude(result=Result.TWICE).filter(Exists(lost)).update(is_twice=True)
        _spell_alike(source.rows.filter(self.guards["brand"].rows))

    def touched(self, source: Import, now: datetime) -> list[ImportRow]:
        """Return rows whose products somebody changed since; looked at without a lock."""
        touched: list[ImportRow] = []
        rows_left = _to_change(source).order_by("product_id")
        rows_left, last = rows_left.select_related("product__brand", "product__stock"), 0
        while rows := list(rows_left.filter(product_id__gt=last)[: self.part]):
            last = rows[-1].product_id or 0
            prices = open_promotions(product_ids=[row.product_id or 0 for row in rows], now=now)
            for row in rows:
                promotions = prices.get(row.product_id or 0, ())
                if is_changed(row, row.product, promotions, source.is_undoing):
                    touched.append(row)
            if len(touched) >= MAX_TOUCHED:
                break
        return touched

    def write(self, source: Import, now: datetime) -> WriteResult:
        """Write the next rows: those about products that are there, then those that add some."""
        part = Part(source, now)
        if rows := list(_to_change(source).order_by("product_id")[: self.part]):
            part.write(rows)
        elif source.is_undoing:
            part.forget_brands()
        else:
            new = source.rows.filter(result=Result.NEW, is_done=False, is_touched=False)
            if rows := list(new.order_by("number")[: self.part]):
                part.add(rows)
        return WriteResult(len(rows), len(rows) - len(part.touched), part.touched)

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows with the products as they are now."""
        twice = {row.sku for row in rows if row.is_twice or row.result == Result.TWICE}
        numbers: dict[str, list[tuple[int, str]]] = {}
        if twice:
            same_sku = source.rows.filter(sku__in=twice).order_by("number")
            for same in same_sku.select_related("source"):
                numbers.setdefault(same.sku, []).append((same.number, same.place))
        for row in rows:
            same_rows = numbers.get(row.sku, [])[:4]
            others = ", ".join(place for number, place in same_rows if number != row.number)
            fault, product = self.fault_of(row), row.product
            if row.result == Result.TWICE:
                fault = phrase("Left out: also row %(rows)s", rows=others)
            elif row.is_twice and not fault:
                fault = phrase("Twice: also row %(rows)s", rows=others)
            name = product.eng_name if product else str(row.new.get(NAME, "–"))
            page = "admin:catalog_product_change"
            url = reverse(page, args=[product.pk]) if product else ""
            line = self.line_of(row, fault, name, url, changes_of(row, review.OTHERS))
            yield line._replace(cells=review.cells_of(row))

    def value_text(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""
        return value_text(name, value)

    def figures(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return how many prices, counts and products change."""
        figures = [
            (gettext("Prices changed"), counts["prices"]),
            (gettext("Counts changed"), counts["stock"]),
            (gettext("Products added"), counts["new"]),
        ]
        if count := counts.get("without_minimum"):
            default = Product._meta.get_field("minimum").default
            text = gettext("of them without a minimum, which becomes %(count)s")
            figures.append((text % {"count": default}, count))
        return figures

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
        if guard == "weightless":
            return gettext("0 g, so orders weigh too little until you add it")
        if guard == "doubtful":
            remarks = rows.order_by("number").values_list("remark", flat=True)[:MAX_NAMED]
            return " ".join(dict.fromkeys(map(read, remarks)))
        return review.detail_of(source, guard, rows, count)


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
    required = name_of_row = (SKU,)
    not_compared = (SKU, IMAGE)
    money, counts, by_figures = PRICES, COUNTS, True
    example = WORDS["example"]

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, prices with their currency too."""
        return {**BESIDE, **HEADINGS}

    def checked(self, table: Table) -> Table:
        """Return the table of products.

        Raises:
            NoHeadings: it has nothing beside its SKU column.
        """
        if table.columns.keys() & COLUMNS.keys() == {SKU}:
            raise NoHeadings(Text("Beside the SKU, no column was found that can be imported."))
        return table

    def row(self, row: Row, table: Table) -> FileRow:
        """Return what a row says of the SKU that it names."""
        return product_row(row, table)

    def completed(self, file_row: FileRow, section: dict[str, str], source: Import) -> FileRow:
        """Return a row with the brand above it; one of a sheet that was not chosen is left out."""
        sheet = (source.answers or {}).get(review.SHEETS, review.ALL)
        is_out = sheet != review.ALL and (source.sheets or [sheet])[sheet_of(file_row)] != sheet
        if is_out and file_row.skip_reason is None:
            return FileRow(
                file_row.number, file_row.key, {}, [], skip_reason=Text("a sheet that is left out")
            )
        return with_brand(file_row, section)

    def advice(self, source: Import) -> tuple[str, Label, str] | None:
        """Return what becomes of new products without a count."""
        count = source.counts.get("without_stock")
        if not count:
            return None
        text = phrase(
            "New products without a count: %(count)s. Buyers see them as “Sold out”. If you "
            "make to order, let people order beyond stock, each on their page or by that "
            "column of your table of customers; else send your counts.",
            count=f"{count:,}",
        )
        people = reverse("admin:accounts_user_changelist") + MAY_NOT
        return text, _("People who may not"), people

    def settle(self, source: Import) -> Iterator[Question]:
        """Mark the SKUs that stand twice and what could be meant otherwise; yield what is asked."""
        rows = list(source.rows.exclude(result=Result.LEFT).order_by("number")[:MAX_QUESTION_ROWS])
        for row in rows:
            row.source = source
        review.mark(rows)
        self.mark_twice(source)
        rows = list(source.rows.exclude(result=Result.LEFT).order_by("number")[:MAX_QUESTION_ROWS])
        yield from review.questions(source, rows)
        yield from review.brand_questions(source)
        yield from self.column_questions(source)


class PictureKind(OfProducts):
    """Pictures: a ZIP of files, each named by its SKU."""

    key = "pictures"
    label = _("Pictures")
    extension = "zip"
    note: ClassVar[Label] = ""
    promise: ClassVar[Label] = ""
    tabs = {}
    heads = (Head(_("Pictures now"), is_number=False), Head(_("New pictures"), is_number=False))

    def check(self, file: BinaryIO, name: str) -> int:
        """Refuse an archive that cannot be taken; how many products it is about is not known yet.

        Raises:
            SpreadsheetRefused: its sentence says why.
        """
        check_pictures(file)
        return 0

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


def _to_change(source: Import) -> QuerySet[ImportRow]:
    """Return the rows about products that are there; of an import that is undone, those that it
    added too.
    """
    undo = source.is_undoing
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
        ImportRow.objects.bulk_update(others, ["new"], batch_size=500)
