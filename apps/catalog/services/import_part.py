"""One part of an import: some rows written, or put back, in a short transaction of their own.

Every value must still be what the review showed, or what the import made it. Stock first, in the
order of the ids, as every order takes it; then the products, then the counters of their brands.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from apps.accounts.models import User
from apps.catalog.guards import Guard, wholesale_guards
from apps.catalog.models import (
    Brand,
    Import,
    ImportRow,
    Product,
    Running,
    StockChange,
    StockHold,
)
from apps.catalog.selectors import open_promotions
from apps.catalog.services import stock
from apps.catalog.sheet import BRAND, ON_HAND, PRICES, USRP, WHOLESALE, values_of
from apps.catalog.signals import naming_products

UNDONE_NEW: Mapping[str, Any] = {"is_running": Running.DISCONTINUED.value, ON_HAND: 0}
Result = ImportRow.Result
Values = Mapping[str, Any]


def value_before(row: ImportRow, *, undo: bool) -> Values:
    """Return what a row's product must have now."""
    before: Values = row.new if undo else row.old
    return before


def value_after(row: ImportRow, *, undo: bool) -> Values:
    """Return what shall be there. A product that was added and is named stays, as one that is not
    sold.
    """
    if undo and row.result == Result.NEW:
        return UNDONE_NEW
    after: Values = row.old if undo else row.new
    return after


def is_touched(row: ImportRow, product: Product, *, undo: bool) -> bool:
    """Return whether a product is not any more as it was when the row was read, or written; its
    stock apart.
    """
    current = values_of(product)
    return any(
        current[name] != value
        for name, value in value_before(row, undo=undo).items()
        if name != ON_HAND
    )


def is_mispriced(
    row: ImportRow, product: Product, promotions: Iterable[tuple[str, Decimal]]
) -> bool:
    """Return whether a guard names something about the wholesale price that nobody was shown: the
    USRP or what the product's promotions ask changed since the review.
    """
    if PRICES.isdisjoint(row.new):
        return False
    after: Values = {**values_of(product), **row.new}
    named = wholesale_guards(
        Decimal(after[WHOLESALE]),
        usrp=Decimal(after[USRP]),
        promotions=promotions if WHOLESALE in row.new else (),
    )
    seen = {Guard.ABOVE_USRP: row.is_above_usrp, Guard.PROMOTION: row.is_below_promotion}
    return any(not seen[one.guard] for one in named)


def is_recounted(row: ImportRow, shelf: stock.Shelf | None, *, undo: bool) -> bool:
    """Return whether a shelf is not what it was, or more is promised than will be there and nobody
    was shown that.
    """
    after = value_after(row, undo=undo)
    if ON_HAND not in after:
        return False
    if shelf is None or shelf.on_hand != value_before(row, undo=undo).get(ON_HAND, 0):
        return True
    more = shelf.allocated > after[ON_HAND] and after[ON_HAND] < shelf.on_hand
    return more and (undo or not row.short)


def is_changed(
    row: ImportRow,
    product: Product | None,
    shelf: stock.Shelf | None,
    promotions: Iterable[tuple[str, Decimal]],
    *,
    undo: bool,
) -> bool:
    """Return whether a row would do something else than the review showed, or than undoing may
    undo; `promotions` are the open ones of its product, by name and price.
    """
    return (
        product is None
        or is_touched(row, product, undo=undo)
        or is_recounted(row, shelf, undo=undo)
        or (not undo and is_mispriced(row, product, promotions))
    )


def _product_id(row: ImportRow) -> int:
    return row.product_id or 0  # a row about a product has one, and no product has 0


class Part:
    """Writes some rows of an import in the caller's transaction; `touched` are those that it left
    alone.
    """

    def __init__(self, source: Import, *, undo: bool, actor: User, now: datetime) -> None:
        self.source, self.undo, self.actor, self.now = source, undo, actor, now
        self.reason = f"{'Undone: import' if undo else 'Import'} {source.name}"
        self.brands = {brand.eng: brand for brand in Brand.objects.all()}
        self.touched: list[ImportRow] = []
        self.recounted: set[int] = set()  # brands that products leave, join or hide from

    def write(self, rows: Sequence[ImportRow]) -> None:
        """Write rows about products that are there: what the import changes, or back to what was
        before.
        """
        locked = stock.lock_shelves(product_ids=[_product_id(row) for row in rows])
        products = self._locked_products(rows)
        good = self._as_expected(rows, products, locked)
        unnamed = self._unnamed(rows)
        stay = [row for row in good if row.product_id not in unnamed]
        self._recount(
            {
                _product_id(row): self._after(row)[ON_HAND]
                for row in stay
                if ON_HAND in self._after(row)
            },
            locked,
        )
        self._set_all([(row, products[_product_id(row)]) for row in stay])
        self._delete([products[_product_id(row)] for row in good if row.product_id in unnamed])
        self._end(good)

    def add(self, rows: Sequence[ImportRow]) -> None:
        """Add the products of rows, with what lies on the shelf."""
        good = self._unknown(rows)
        products = [self._new_product(row) for row in good]
        Product.objects.bulk_create(products)
        stock.add_stock_rows(products)
        for product, row in zip(products, good, strict=True):
            row.product = product
        counted = {_product_id(row): row.new[ON_HAND] for row in good if row.new.get(ON_HAND)}
        self._recount(counted, stock.lock_shelves(product_ids=list(counted)))
        ImportRow.objects.bulk_update(good, ["product"])
        self._end(good)

    def _end(self, good: Sequence[ImportRow]) -> None:
        Brand.objects.recount_products(self.recounted)
        ImportRow.objects.filter(pk__in=[row.pk for row in good]).update(is_done=not self.undo)
        ImportRow.objects.filter(pk__in=[row.pk for row in self.touched]).update(is_touched=True)

    def _as_expected(
        self,
        rows: Sequence[ImportRow],
        products: Mapping[int, Product],
        locked: Mapping[int, stock.Shelf],
    ) -> list[ImportRow]:
        """Return the rows whose product and shelf are as the review showed them; the others are
        touched.
        """
        good: list[ImportRow] = []
        asked = open_promotions(product_ids=products.keys(), now=self.now)
        for row in rows:
            pk = _product_id(row)
            other = is_changed(
                row, products.get(pk), locked.get(pk), asked.get(pk, ()), undo=self.undo
            )
            (self.touched if other else good).append(row)
        return good

    def _unknown(self, rows: Sequence[ImportRow]) -> list[ImportRow]:
        """Return the rows whose SKU no product has yet; the others are touched."""
        known = set(
            Product.objects.filter(sku__in=[row.sku for row in rows]).values_list("sku", flat=True)
        )
        self.touched += [row for row in rows if row.sku in known]
        return [row for row in rows if row.sku not in known]

    def _unnamed(self, rows: Sequence[ImportRow]) -> set[int]:
        """Return which of the products that the import added are named by nothing: undoing deletes
        those.
        """
        added = {
            _product_id(row): row.sku for row in rows if self.undo and row.result == Result.NEW
        }
        if not added:
            return set()
        named = set(
            StockHold.objects.filter(product_id__in=added).values_list("product_id", flat=True)
        )
        since = self.source.read_at or self.source.created_at
        for _, found in naming_products.send(sender=Product, products=added, since=since):
            named |= cast(set[int], found)
        return added.keys() - named

    def _delete(self, products: Sequence[Product]) -> None:
        ids = [product.pk for product in products]
        self.recounted |= {product.brand_id for product in products}
        StockChange.objects.filter(product_id__in=ids).delete()
        Product.objects.filter(pk__in=ids).delete()

    def _recount(self, counted: dict[int, int], locked: Mapping[int, stock.Shelf]) -> None:
        if counted:
            stock.recount_many(
                counted=counted, locked=locked, reason=self.reason, actor=self.actor, now=self.now
            )

    def _new_product(self, row: ImportRow) -> Product:
        product = Product(sku=row.sku)
        self._set(product, row.new)
        product.set_list_keys()
        return product

    def _locked_products(self, rows: Sequence[ImportRow]) -> dict[int, Product]:
        locked = Product.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
        with_brands = locked.filter(pk__in=[row.product_id for row in rows]).select_related(
            "brand", "stock"
        )
        return {product.pk: product for product in with_brands}

    def _set_all(self, pairs: Sequence[tuple[ImportRow, Product]]) -> None:
        """Write the products in one statement; columns that no row changes stay out of it."""
        written, fields = [], set()
        for row, product in pairs:
            if names := self._after(row).keys() - {ON_HAND}:
                self._set(product, {name: self._after(row)[name] for name in names})
                written.append(product)
                fields |= names
        if not written:
            return
        columns = [*sorted(fields), "updated_at"]
        if fields & {"eng_name", BRAND}:
            for product in written:
                product.set_list_keys()
            columns += ["sort_key", "search_text"]
        Product.objects.bulk_create(
            written, update_conflicts=True, unique_fields=["id"], update_fields=columns
        )

    def _set(self, product: Product, values: Values) -> None:
        for name, value in values.items():
            if name == "is_running" and Running.HIDDEN in (product.is_running, value):
                self.recounted.add(product.brand_id or 0)
            if name == BRAND:
                left, product.brand = product.brand_id, self.brands[value]
                self.recounted |= {left, product.brand_id} - {None}
            elif name != ON_HAND:
                setattr(product, name, Decimal(value) if name in PRICES else value)

    def _after(self, row: ImportRow) -> Values:
        return value_after(row, undo=self.undo)
