"""Applies an import, or puts back what it changed: in one transaction, all of it or nothing.

Every value must still be what the review showed, or what the import made it; what somebody else changed meanwhile
stops the whole. Stock first, in the order of the ids, as every order takes it; then the products.
"""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.catalog.models import Brand, Import, ImportRow, Product, Running
from apps.catalog.services import stock
from apps.catalog.sheet import BRAND, ON_HAND, PRICES, TITLES, shown, values_of
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs

logger = logging.getLogger("portal.imports")

CHUNK = 500
MAX_TOUCHED = 1_000
SHOWN_TOUCHED = 5
TRIES = 5
MAX_REMARK = 300
FAILED = "This failed several times; nothing was changed. Please tell the administrator."
NOT_ALLOWED = "{who} may not change the catalogue any more; nothing was changed."
UNDONE_NEW: Mapping[str, Any] = {"is_running": Running.DISCONTINUED.value, ON_HAND: 0}
Result, State = ImportRow.Result, Import.State
Values = Mapping[str, Any]


class _Conflict(Exception):
    """Somebody else changed what these rows (by their ids) are about."""

    def __init__(self, rows: list[ImportRow]) -> None:
        super().__init__()
        self.rows = rows


def carry_out(*, source: Import, now: datetime) -> None:
    """Apply or undo an import as the person who asked for it; whatever stands in the way is told on its page."""
    undo = source.state == State.UNDOING
    actor = source.undone_by if undo else source.applied_by
    assert actor is not None
    if source.tries >= TRIES:
        _revert(source, State.APPLIED if undo else State.REVIEW, FAILED)
        return
    Import.objects.filter(pk=source.pk).update(tries=source.tries + 1)
    try:
        _write_all(import_id=source.pk, undo=undo, actor=actor, now=now)
    except _Conflict as touched:
        _tell_touched(source, touched.rows, undo=undo)
    except PermissionDenied:
        text = NOT_ALLOWED.format(who=actor.manager or actor)
        _revert(source, State.APPLIED if undo else State.REVIEW, text)


@needs("catalog.change_import")
@needs("catalog.change_product")
@one_transaction
def _write_all(*, import_id: int, undo: bool, actor: User, now: datetime) -> None:
    source = Import.objects.select_for_update().get(pk=import_id)
    if source.state != (State.UNDOING if undo else State.APPLYING):
        return
    writer = _Writer(source, undo=undo, actor=actor, now=now)
    writer.write_stock()
    if not undo:
        writer.add_products()
    writer.write_products()
    if writer.touched:
        raise _Conflict(writer.touched)
    Brand.objects.recount_products(writer.recounted)
    if undo:
        source.state, source.undone_at = State.UNDONE, now
    else:
        source.state, source.applied_at = State.APPLIED, now
    source.save(update_fields=["state", "undone_at", "applied_at"])


class _Writer:
    """Writes the rows of one import, some hundreds at a time, and collects those that somebody else touched."""

    def __init__(self, source: Import, *, undo: bool, actor: User, now: datetime) -> None:
        self.source, self.undo, self.actor, self.now = source, undo, actor, now
        self.verb = "Undone: import" if undo else "Import"
        self.product_kind = ContentType.objects.get_for_model(Product).pk
        self.brands = {brand.eng: brand for brand in Brand.objects.all()}
        self.touched: list[ImportRow] = []
        self.recounted: set[int] = set()  # brands that products leave or join

    def write_stock(self) -> None:
        """Set what lies on the shelf; the promises stay."""
        for chunk in self._chunks(self._standing()):
            rows = {row.product_id or 0: row for row in chunk if ON_HAND in self._after(row)}
            locked = stock.lock_shelves(product_ids=list(rows))
            counted = {}
            for product_id, row in rows.items():
                before, after, shelf = self._before(row), self._after(row), locked.get(product_id)
                if shelf is None or shelf.on_hand != before.get(ON_HAND, 0) or self._breaks_promises(row, after, shelf):
                    self._touch(row)
                else:
                    counted[product_id] = after[ON_HAND]
            self._recount(counted, locked)

    def _breaks_promises(self, row: ImportRow, after: Values, shelf: stock.Shelf) -> bool:
        """Return whether more is promised than will be there, and nobody was shown that."""
        more = shelf.allocated > after[ON_HAND] and after[ON_HAND] < shelf.on_hand
        return more and (self.undo or not row.short)

    def _recount(self, counted: dict[int, int], locked: Mapping[int, stock.Shelf]) -> None:
        if counted and not self.touched:
            reason = f"{self.verb} {self.source.name}"
            stock.recount_many(counted=counted, locked=locked, reason=reason, actor=self.actor, now=self.now)

    def add_products(self) -> None:
        """Add the products that are not there yet."""
        last = 0
        new = self.source.rows.filter(result=Result.NEW)
        while rows := list(new.filter(number__gt=last).order_by("number")[:CHUNK]):
            last = rows[-1].number
            known = Product.objects.filter(sku__in=[row.sku for row in rows]).values_list("sku", flat=True)
            for sku in known:
                self._touch(next(row for row in rows if row.sku == sku))
            if self.touched:
                continue
            self._add(rows)

    def _add(self, rows: list[ImportRow]) -> None:
        """Add the products of some rows, with what lies on the shelf, and write their history."""
        products = [self._new_product(row) for row in rows]
        Product.objects.bulk_create(products)
        stock.add_stock_rows(products)
        for product, row in zip(products, rows, strict=True):
            row.product = product
        counted = {row.product_id or 0: row.new[ON_HAND] for row in rows if row.new.get(ON_HAND)}
        self._recount(counted, stock.lock_shelves(product_ids=list(counted)))
        ImportRow.objects.bulk_update(rows, ["product"], batch_size=CHUNK)
        self._log(rows, ADDITION)

    def _new_product(self, row: ImportRow) -> Product:
        product = Product(sku=row.sku)
        self._set(product, row.new)
        product.set_list_keys()
        return product

    def write_products(self) -> None:
        """Set what the rows say of products, and write each product's history."""
        for rows in self._chunks(self._standing()):
            products = self._locked_products(rows)
            written, fields = [], set()
            for row in rows:
                product = products.get(row.product_id or 0)
                if product is None or self._is_touched(row, product):
                    self._touch(row)
                elif names := self._after(row).keys() - {ON_HAND}:
                    self._set(product, {name: self._after(row)[name] for name in names})
                    written.append(product)
                    fields |= names
            if self.touched:
                continue
            self._save(written, fields)
            self._log(rows, CHANGE)

    def _is_touched(self, row: ImportRow, product: Product) -> bool:
        """Return whether a product is not any more as it was when the row was read, or written."""
        current = values_of(product)
        return any(current[name] != value for name, value in self._before(row).items() if name != ON_HAND)

    def _locked_products(self, rows: list[ImportRow]) -> dict[int, Product]:
        locked = Product.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
        with_brands = locked.filter(pk__in=[row.product_id for row in rows]).select_related("brand", "stock")
        return {product.pk: product for product in with_brands}

    def _save(self, products: list[Product], fields: set[str]) -> None:
        """Write the products in one statement; columns that no row changes stay out of it."""
        if not products:
            return
        columns = [*sorted(fields), "updated_at"]
        if fields & {"eng_name", BRAND}:
            for product in products:
                product.set_list_keys()
            columns += ["sort_key", "search_text"]
        Product.objects.bulk_create(products, update_conflicts=True, unique_fields=["id"], update_fields=columns)

    def _set(self, product: Product, values: Values) -> None:
        for name, value in values.items():
            if name == BRAND:
                left, product.brand = product.brand_id, self.brands[value]
                self.recounted |= {left, product.brand_id} - {None}
            elif name != ON_HAND:
                setattr(product, name, Decimal(value) if name in PRICES else value)

    def _standing(self) -> QuerySet[ImportRow]:
        """Return the rows about products that are there: of an import that is undone, those that it added too."""
        results = (Result.CHANGED, Result.NEW) if self.undo else (Result.CHANGED,)
        return self.source.rows.filter(result__in=results)

    def _chunks(self, rows: QuerySet[ImportRow]) -> Iterator[list[ImportRow]]:
        last = 0
        while chunk := list(rows.filter(product_id__gt=last).order_by("product_id")[:CHUNK]):
            yield chunk
            last = chunk[-1].product_id or 0

    def _before(self, row: ImportRow) -> Values:
        """Return what must be there now."""
        before: Values = row.new if self.undo else row.old
        return before

    def _after(self, row: ImportRow) -> Values:
        """Return what shall be there. A product that was added stays, as one that is not sold: history names it."""
        if self.undo and row.result == Result.NEW:
            return UNDONE_NEW
        after: Values = row.old if self.undo else row.new
        return after

    def _touch(self, row: ImportRow) -> None:
        if len(self.touched) < MAX_TOUCHED and row not in self.touched:
            self.touched.append(row)

    def _log(self, rows: list[ImportRow], flag: int) -> None:
        LogEntry.objects.bulk_create(
            [
                LogEntry(
                    action_time=self.now,
                    user_id=self.actor.pk,
                    content_type_id=self.product_kind,
                    object_id=str(row.product_id),
                    object_repr=row.sku,
                    action_flag=flag,
                    change_message=f"{self.verb} {self.source.name}: {self._told(row)}",
                )
                for row in rows
            ]
        )

    def _told(self, row: ImportRow) -> str:
        before, after = self._before(row), self._after(row)
        return "; ".join(
            f"{title} {shown(name, before.get(name))} → {shown(name, after[name])}"
            if before
            else f"{title} {shown(name, after[name])}"
            for name, title in TITLES.items()
            if name in after
        )


@one_transaction
def _tell_touched(source: Import, rows: list[ImportRow], *, undo: bool) -> None:
    skus = ", ".join(row.sku for row in rows[:SHOWN_TOUCHED])
    more = len(rows) - SHOWN_TOUCHED
    named = f"{skus} and {more} more" if more > 0 else skus
    if undo:
        source.rows.filter(pk__in=[row.pk for row in rows]).update(is_touched=True)
        _revert(source, State.APPLIED, f"Not undone, changed since: {named}.")
        return
    # What is there now is compared anew: the file is read again.
    source.rows.all()._raw_delete(source.rows.db)
    Import.objects.filter(pk=source.pk).update(rows_read=0, counts={})
    _revert(source, State.READING, f"Nothing was applied: {named} changed after the review. Look at it again.")


def _revert(source: Import, state: str, text: str) -> None:
    busy = (State.APPLYING, State.UNDOING)
    Import.objects.filter(pk=source.pk, state__in=busy).update(state=state, remark=text[:MAX_REMARK], tries=0)
