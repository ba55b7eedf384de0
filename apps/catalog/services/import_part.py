"""One part of an import: some rows written, or put back, in a short transaction of their own.

Every value must still be what the review showed, or what the import made it. Stock first, in the
order of the ids, as every order takes it; then the products, then the counters of their brands.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.admin.models import ADDITION, LogEntry
from django.utils.translation import gettext_noop as _

from apps.catalog.guards import Guard, wholesale_guards
from apps.catalog.models import (
    Brand,
    Import,
    ImportRow,
    Product,
    ProductPrice,
    Running,
    StockChange,
    StockHold,
)
from apps.catalog.models.products import list_key
from apps.catalog.selectors import open_promotions
from apps.catalog.services import stock
from apps.catalog.sheet import BRAND, IMAGE, ON_HAND, PRICES, USRP, WHOLESALE, values_of
from apps.catalog.signals import naming_products
from apps.common.texts import Text

UNDONE_NEW: Mapping[str, Any] = {"is_running": Running.DISCONTINUED.value, ON_HAND: 0}
Result = ImportRow.Result
Values = Mapping[str, Any]


def value_after(row: ImportRow, undo: bool) -> Values:
    """Return what shall be there. A product that was added and is named stays, as one that is not
    sold.
    """
    if undo and row.result == Result.NEW:
        return UNDONE_NEW
    after: Values = row.old if undo else row.new
    return after


def is_changed(
    row: ImportRow,
    product: Product | None,
    promotions: Iterable[tuple[str, Decimal]],
    undo: bool,
) -> bool:
    """Return whether a row would do something else than the review showed, or than undoing may
    undo; `promotions` are the open ones of its product, by name and price.
    """
    if product is None:
        return True
    before: Values = row.new if undo else row.old
    after, current = value_after(row, undo), values_of(product)
    if any(current[name] != value for name, value in before.items() if name != ON_HAND):
        return True
    if ON_HAND in after:
        shelf = getattr(product, "stock", None)
        if shelf is None or shelf.on_hand != before.get(ON_HAND, 0):
            return True
        is_short = shelf.allocated > after[ON_HAND] and after[ON_HAND] < shelf.on_hand
        if is_short and (undo or Guard.PROMISED not in row.guards):  # and nobody was shown that
            return True
    return not undo and _is_mispriced(row, {**current, **row.new}, promotions)


def _is_mispriced(row: ImportRow, after: Values, promotions: Iterable[tuple[str, Decimal]]) -> bool:
    """Return whether a guard names something about the wholesale price that nobody was shown: the
    USRP or what the product's promotions ask changed since the review.
    """
    if PRICES.isdisjoint(row.new):
        return False
    warnings = wholesale_guards(
        Decimal(after[WHOLESALE]),
        usrp=Decimal(after[USRP]),
        promotions=promotions if WHOLESALE in row.new else (),
    )
    return any(one.guard not in row.guards for one in warnings)


class Part:
    """Writes some rows of an import in the caller's transaction; `touched` are those that it left
    alone.
    """

    def __init__(self, source: Import, now: datetime) -> None:
        self.source, self.undo, self.actor, self.now = source, source.is_undoing, source.doer, now
        key = _("Undone: import %(name)s") if self.undo else _("Import %(name)s")
        self.reason = Text(key, name=source.name).stored()
        self.brands = {brand.eng: brand for brand in Brand.objects.all()}
        self.brand_keys = {brand.list_key for brand in self.brands.values()}
        self.touched: list[ImportRow] = []
        self.recounted: set[int] = set()  # brands that products leave, join or hide from

    def write(self, rows: Sequence[ImportRow]) -> None:
        """Write rows about products that are there: what the import changes, or back to what was
        before.
        """
        ids = [row.product_id or 0 for row in rows]
        stock.lock_shelves(product_ids=ids)
        locked = Product.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
        products = {
            product.pk: product
            for product in locked.filter(pk__in=ids).select_related("brand", "stock")
        }
        promotions = open_promotions(product_ids=products.keys(), now=self.now)
        good: list[tuple[ImportRow, Product]] = []
        for row, pk in zip(rows, ids, strict=True):
            product = products.get(pk)
            is_other = is_changed(row, product, promotions.get(pk, ()), self.undo)
            if is_other or product is None or not self._has_brand(row):
                self.touched.append(row)
            else:
                good.append((row, product))
        unnamed = self._unnamed(rows)
        stay = [(row, product) for row, product in good if product.pk not in unnamed]
        after = {product.pk: value_after(row, self.undo) for row, product in stay}
        counted = {pk: values[ON_HAND] for pk, values in after.items() if ON_HAND in values}
        self._recount(counted)
        self._set_all(after, products)
        deletable = [product for _, product in good if product.pk in unnamed]
        self.recounted |= {product.brand_id for product in deletable}
        StockChange.objects.filter(product__in=deletable).delete()
        Product.objects.filter(pk__in=[product.pk for product in deletable]).delete()
        self._end([row for row, _ in good])

    def add(self, rows: Sequence[ImportRow]) -> None:
        """Add the products of rows whose SKU no product has yet, with what lies on the shelf; the
        other rows are touched.
        """
        skus = [row.sku for row in rows]
        existing = set(Product.objects.filter(sku__in=skus).values_list("sku", flat=True))
        good = [row for row in rows if row.sku not in existing and self._has_brand(row)]
        self.touched += [row for row in rows if row not in good]
        products = [Product(sku=row.sku) for row in good]
        for product, row in zip(products, good, strict=True):
            self._set(product, row.new)
            product.set_list_keys()
        Product.objects.bulk_create(products)
        stock.add_stock_rows(products)
        for product, row in zip(products, good, strict=True):
            row.product = product
        counted = {row.product_id or 0: row.new[ON_HAND] for row in good if row.new.get(ON_HAND)}
        stock.lock_shelves(product_ids=list(counted))
        self._recount(counted)
        ImportRow.objects.bulk_update(good, ["product"])
        self._end(good)

    def forget_brands(self) -> None:
        """Delete the brands that the import added, but for those that something uses by now."""
        rows = self.source.rows.filter(made__brand__isnull=False)
        brands = Brand.objects.filter(pk__in=list(rows.values_list("made__brand", flat=True)))
        # Who gives one a product has done so, or waits.
        list(brands.order_by("pk").select_for_update())
        brands.filter(products=None, company_access=None).delete()

    def _has_brand(self, row: ImportRow) -> bool:
        """Return whether the brand that a row shall have is there; one that was shown as unknown is
        added, unless there is one of that name by now, spelled otherwise.
        """
        name = value_after(row, self.undo).get(BRAND)
        if name is None or name in self.brands:
            return True
        if self.undo or "brand" not in row.guards or list_key(name) in self.brand_keys:
            return False
        brand = self.brands[name] = Brand.objects.create(eng=name)
        self.brand_keys.add(brand.list_key)
        row.made = {"brand": brand.pk}
        ImportRow.objects.filter(pk=row.pk).update(made=row.made)
        LogEntry.objects.log_actions(
            self.actor.pk, [brand], ADDITION, self.reason, single_object=True
        )
        return True

    def _end(self, good: Sequence[ImportRow]) -> None:
        Brand.objects.recount_products(self.recounted)
        ImportRow.objects.filter(pk__in=[row.pk for row in good]).update(is_done=not self.undo)
        ImportRow.objects.filter(pk__in=[row.pk for row in self.touched]).update(is_touched=True)

    def _unnamed(self, rows: Sequence[ImportRow]) -> set[int]:
        """Return which of the products that the import added are named by nothing: undoing deletes
        those.
        """
        added = {row.product_id or 0: row.sku for row in rows if row.result == Result.NEW}
        if not (self.undo and added):
            return set()
        since = self.source.read_at or self.source.created_at
        answers: Any = naming_products.send(sender=Product, products=added, since=since)
        holds = StockHold.objects.filter(product_id__in=added)
        product_ids = holds.values_list("product_id", flat=True)
        return added.keys() - {*product_ids}.union(*(ids for _receiver, ids in answers))

    def _recount(self, counted: dict[int, int]) -> None:
        if counted:
            stock.recount_many(counted=counted, reason=self.reason, actor=self.actor, now=self.now)

    def _set_all(self, after: Mapping[int, Values], products: Mapping[int, Product]) -> None:
        """Write the products in one statement; columns that no row changes stay out of it."""
        changed, fields = [], set()
        prices = {pk: products[pk].usd_supply for pk in after if WHOLESALE in after[pk]}
        for pk, values in after.items():
            if names := values.keys() - {ON_HAND}:
                self._set(products[pk], {name: values[name] for name in names})
                changed.append(products[pk])
                fields |= names
        if not changed:
            return
        columns = [*sorted(fields), "updated_at", *(["more_images"] if IMAGE in fields else [])]
        if fields & {"eng_name", BRAND}:
            for product in changed:
                product.set_list_keys()
            columns += ["sort_key", "search_text"]
        Product.objects.bulk_create(
            changed, update_conflicts=True, unique_fields=["id"], update_fields=columns
        )
        ProductPrice.objects.keep(
            {pk: (former, products[pk].usd_supply) for pk, former in prices.items()}, now=self.now
        )

    def _set(self, product: Product, values: Values) -> None:
        for name, value in values.items():
            if name == "is_running" and Running.HIDDEN in (product.is_running, value):
                self.recounted.add(product.brand_id or 0)
            if name == BRAND:
                former, product.brand = product.brand_id, self.brands[value]
                self.recounted |= {former, product.brand_id} - {None}
            elif name == IMAGE:
                product.images = value.split()
            elif name != ON_HAND:
                setattr(product, name, Decimal(value) if name in PRICES else value)
