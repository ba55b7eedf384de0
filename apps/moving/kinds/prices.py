"""Prices that hold from a day on: everybody's, or those of a price group."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _, gettext_noop

from apps.accounts.models import PriceGroup, User
from apps.catalog.guards import price_guards, promotion_guards
from apps.catalog.models import ImportRow, PriceGroupItem, Product, ProductPrice
from apps.catalog.services.import_kinds import FAULTY, row_guards
from apps.catalog.services.set_prices import set_group_prices
from apps.catalog.sheet import COLUMNS, SKU, WHOLESALE, Column, read_text, with_headings
from apps.common.days import end_of, midnight
from apps.common.tables.headings import Table
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import Text
from apps.moving.kinds.columns import WORDS
from apps.moving.kinds.rows import Days, Questions, RowKind, day_of, hold, refuse

GROUP, PRICE, BEGINS, LAST = "group", "price", "begins", "last"
Result = ImportRow.Result

OF_PRICE = (*WORDS["prices"][PRICE], COLUMNS[WHOLESALE].title, *COLUMNS[WHOLESALE].also)
PRICES: Mapping[str, Column] = with_headings(
    {**WORDS["prices"], PRICE: OF_PRICE},
    {
        GROUP: Column(gettext_noop("Price group"), read_text(80), 20),
        SKU: COLUMNS[SKU],
        PRICE: Column(gettext_noop("Price ($)"), COLUMNS[WHOLESALE].read),
        BEGINS: Column(gettext_noop("Begins on"), day_of),
        LAST: Column(gettext_noop("Last day"), day_of),
    },
)


class PriceKind(RowKind):
    """What products cost from a day on, for everybody or for a price group."""

    key = "prices"
    label = _("Prices by day and group")
    needs = ("accounts.change_pricegroup", "catalog.change_product")
    sees = ("catalog.view_product",)
    page = "catalog.product"
    thing, find, name_column = _("Product"), _("Find a SKU"), "SKU"
    about = _(
        "One row for each price. Without a price group it is everybody's wholesale price from a "
        "day to come; with one it is what the group pays, from and until its days or always."
    )
    columns = PRICES
    required = (SKU, PRICE)
    name_of_row = (SKU,)
    titles = {name: PRICES[name].title for name in (GROUP, PRICE, BEGINS, LAST)}
    money = (PRICE,)
    guards = {
        **row_guards(
            unlikely=(
                gettext_noop("%(count)s unlikely price"),
                gettext_noop("%(count)s unlikely prices"),
                _("Unlikely"),
            )
        ),
        "faulty": FAULTY,
    }
    example = WORDS["examples"]["prices"]

    def checked(self, table: Table) -> Table:
        """Return the table of prices.

        Raises:
            SpreadsheetRefused: it has not the headings, or no group and no day: then it is a list
                of products.
        """
        if not {GROUP, BEGINS} & table.columns.keys():
            raise SpreadsheetRefused(Text("Neither a price group nor a day: a list of products."))
        return table

    def compare(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        """Find each row's product and group; one that stands twice for the same day is refused."""
        says = [dict(row.new) for row in rows]
        days = Days((BEGINS, LAST), questions, may_come=True)
        skus = {cells[SKU].upper() for cells in says if SKU in cells}
        products = Product.objects.in_bulk(skus, field_name="sku")
        groups = {group.name.casefold(): group for group in PriceGroup.objects.all()}
        rows_by_price: dict[tuple[Any, ...], ImportRow] = {}
        for row, cells in zip(rows, says, strict=True):
            row.new, group = {}, groups.get(cells.get(GROUP, "").casefold())
            if row.result == Result.FAULTY:
                continue
            product = products.get(cells.get(SKU, "").upper())
            if product is None:
                refuse(row, Text("no product has this SKU"))
            elif not days.settle(row, cells):
                continue
            elif fault := _fault(cells, group):
                refuse(row, fault)
            else:
                self._judge(row, cells, product, group)
                key = (product.pk, row.made["group"], cells.get(BEGINS))
                if (first := rows_by_price.setdefault(key, row)) is not row:
                    refuse(
                        row,
                        Text("it stands in row %(row)s too, for the same day", row=first.place),
                    )

    def _judge(
        self, row: ImportRow, cells: dict[str, Any], product: Product, group: PriceGroup | None
    ) -> None:
        row.made = {"product": product.pk, "group": group and group.pk, "name": product.eng_name}
        row.sku = product.sku
        row.new = {name: cells[name] for name in self.titles if cells.get(name)}
        price, wholesale = Decimal(cells[PRICE]), product.usd_supply
        row.old = _facts(self._there(row))
        row.result = Result.CHANGED if row.old else Result.NEW
        if row.old == {PRICE: row.new[PRICE], LAST: row.new.get(LAST)}:
            row.result, row.new = Result.SAME, {}
        warnings = (
            promotion_guards(price, wholesale=wholesale)
            if group
            else price_guards(old=wholesale, new=price)
        )
        for one in warnings if row.new else ():
            hold(row, "unlikely", Text(one.key, **one.values))

    def _there(self, row: ImportRow) -> PriceGroupItem | ProductPrice:
        """Return the price of the row's product, group and day; an unsaved one where there is
        none.
        """
        begins, group = row.new.get(BEGINS), row.made["group"]
        of: dict[str, Any] = {
            "product_id": row.made["product"],
            "starts_at": midnight(date.fromisoformat(begins)) if begins else None,
        }
        if group:
            item = PriceGroupItem(group_id=group, **of)
            return PriceGroupItem.objects.filter(group=group, **of).first() or item
        return ProductPrice.objects.filter(**of).first() or ProductPrice(**of)

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the price is not as the review showed it, or not as it was imported, or
        the product got another one since it would have begun.
        """
        there = self._there(row)
        if isinstance(there, ProductPrice):
            product = Product.objects.select_for_update(no_key=True).get(pk=there.product_id)
            if product.prices.filter(is_written=True, starts_at__gte=there.starts_at).exists():
                return True
        was = {PRICE: row.new[PRICE], LAST: row.new.get(LAST)} if undo else row.old
        return _facts(there) != was

    def apply_row(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Let the price hold from and until its days."""
        self._write(row, row.new[PRICE], row.new.get(LAST), actor)

    def undo_row(self, row: ImportRow, *, actor: User, now: datetime) -> dict[str, list[str]]:
        """Let the price be what it was, or none."""
        if row.old:
            self._write(row, row.old[PRICE], row.old[LAST], actor)
        else:
            self._there(row).delete()
        return {}

    def _write(self, row: ImportRow, price: str, last: str | None, actor: User) -> None:
        there = self._there(row)
        if isinstance(there, PriceGroupItem):
            ends_at = end_of(date.fromisoformat(last) if last else None)
            set_group_prices(
                group_id=there.group_id,
                prices={there.product_id: Decimal(price)},
                starts_at=there.starts_at,
                ends_at=ends_at,
                actor=actor,
            )
        else:
            there.price = Decimal(price)
            there.save()


def _fault(cells: dict[str, Any], group: PriceGroup | None) -> Text | None:
    """Return what is wrong with what a row says."""
    begins, last = (date.fromisoformat(cells[n]) if n in cells else None for n in (BEGINS, LAST))
    if PRICE not in cells:
        return Text("the price is missing")
    if cells.get(GROUP) and group is None:
        return Text("there is no price group “%(name)s”", name=cells[GROUP])
    if group is None and (begins is None or begins <= timezone.localdate()):
        return Text("without a group it needs a day to come; today's belong to products")
    if group is None and last:
        return Text("without a group it has no last day: the next price ends it")
    if begins and last and last < begins:
        return Text("its last day is before the first")
    return None


def _facts(there: PriceGroupItem | ProductPrice) -> dict[str, Any]:
    """Return what a row compares of a price; nothing of one that is not there."""
    if there._state.adding:
        return {}
    last = there.last_day if isinstance(there, PriceGroupItem) else None
    return {PRICE: str(there.price), LAST: last.isoformat() if last else None}
