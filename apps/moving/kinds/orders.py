"""Open orders of the system before: a row a line, the order's own columns on its first."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.catalog.models import ImportRow, Product
from apps.catalog.selectors.imports import FAULTY, held
from apps.catalog.services.import_tables import NO_ANSWERS
from apps.common.days import midnight
from apps.common.errors import NotFound
from apps.common.tables.headings import NoHeadings, Table
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text
from apps.moving.kinds.columns import COMPANY, WORDS
from apps.moving.kinds.compare_orders import Comparison
from apps.moving.kinds.customers import WRITTEN
from apps.moving.kinds.order_columns import (
    BALANCE,
    BALANCE_DAY,
    COLUMNS,
    DAY,
    DEPOSIT,
    DEPOSIT_DAY,
    FEE,
    GONE,
    NUMBER,
    PIECES,
    PO,
    PRICE,
    RECEIVED,
    REMARK,
    SKU,
    STATUS,
    TOTAL,
    VALUE,
)
from apps.moving.kinds.rows import Asked, RowKind
from apps.moving.services.orders import Received, enter_order, mark_of, remove_order
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.services.place import OldLine, OldOrder
from apps.orders.status import OrderStatus

OF_ORDERS = (NUMBER, COMPANY, STATUS)  # of a sheet without lines


class OrderKind(RowKind):
    """Open orders."""

    key = "orders"
    label = _("Open orders")
    needs = ("orders.change_order", "payments.change_payment")
    sees = ("orders.view_order",)
    thing, find, named_by = _("Order"), _("Find an order"), gettext_noop("Former number")
    about = _(
        "One row for each line of an order; rows below its first may leave the order's own columns "
        "empty. Each order enters at its status, with its lines, what it received and its former "
        "number. Its pieces are promised, no mail is sent, and a bank statement does not "
        "book this money again."
    )
    instead = gettext_noop("Cancel such orders on their own pages.")
    columns = COLUMNS
    required = (SKU, PIECES, PRICE)
    name_of_row = (NUMBER, SKU)
    titles: ClassVar = {name: one.title for name, one in COLUMNS.items() if name != NUMBER}
    money = (PRICE, VALUE, TOTAL, FEE, RECEIVED, DEPOSIT, BALANCE)
    counts = frozenset((PIECES, GONE))
    example: ClassVar = WORDS["examples"]["orders"]
    guards: ClassVar = {
        "short": held(
            "short",
            gettext_noop("%(count)s line beyond the shelf"),
            gettext_noop("%(count)s lines beyond the shelf"),
        ),
        "written": WRITTEN,
        "who": held(
            "who",
            gettext_noop("%(count)s order of a customer with several people"),
            gettext_noop("%(count)s orders of customers with several people"),
        ),
        "fee": held(
            "fee",
            gettext_noop("%(count)s shipping fee before the order is confirmed"),
            gettext_noop("%(count)s shipping fees before the orders are confirmed"),
        ),
        "faulty": FAULTY,
    }
    words: ClassVar = {
        "short": _("Beyond the shelf"),
        "written": _("Read as another"),
        "who": _("Whose order?"),
        "fee": _("Fee left out"),
    }

    def table_of(
        self,
        rows: Iterator[Row],
        answers: Mapping[str, str] = NO_ANSWERS,
        sheet: str = "",
        *,
        required: Collection[str] = (),
    ) -> Table:
        """Return the table of a sheet: of lines with their orders, or of orders without lines,
        which stand on another sheet.

        Raises:
            NoHeadings: it has the headings of neither.
            SpreadsheetRefused: its amounts are in another currency.
        """
        kept = list(rows)
        try:
            table = super().table_of(iter(kept), answers, sheet)
        except NoHeadings as refusal:
            try:
                table = super().table_of(iter(kept), answers, sheet, required=OF_ORDERS)
            except NoHeadings:
                raise refusal from None
            columns = dict(table.columns)
            if VALUE in columns:
                columns.setdefault(TOTAL, columns.pop(VALUE))
            return table._replace(columns=columns)
        if NUMBER not in table.columns and PO in table.columns:
            # Who numbers orders by the customer's own numbers has no others.
            columns = {NUMBER if name == PO else name: at for name, at in table.columns.items()}
            table = table._replace(columns=columns)
        if NUMBER not in table.columns:
            raise NoHeadings(Text("No column of order numbers: a row a line, as in the template."))
        return table

    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Put the rows of each order together and compare them with what is there."""
        Comparison(rows, asked).run()

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the former number is taken by now, or anybody touched the order."""
        if "of" in row.made:
            return False
        if not undo:
            return Order.objects.filter(former_number=row.made["number"]).exists()
        order = Order.objects.select_for_update().filter(pk=row.made["order"]).first()
        return order is None or mark_of(order) != row.made["mark"]

    def put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Enter the order of a first row; the rows below it came with it.

        Raises:
            PortalError: it cannot be entered, or the first row of this one was left out.
        """
        if "of" in row.made:
            if not row.source.rows.filter(number=row.made["of"], is_done=True).exists():
                raise NotFound
            return
        made = row.made
        ids = [line["product"] for line in made["lines"]]
        products = Product.objects.in_bulk(ids)
        user = User.objects.select_related("company").filter(pk=made["user"]).first()
        if len(products) != len(set(ids)):
            raise StaffRefusal(gettext("A product of this order was deleted meanwhile."))
        if user is None:
            raise StaffRefusal(gettext("Who ordered was deleted meanwhile."))
        deposit = made.get("agreed") or made.get(DEPOSIT)
        old = OldOrder(
            number=made["number"],
            user=user,
            placed_at=_moment(made.get(DAY), now),
            status=OrderStatus(made["status"]),
            lines=[
                OldLine(products[one["product"]], one["pieces"], Decimal(one["price"]))
                for one in made["lines"]
            ],
            deposit=Decimal(deposit) if deposit else None,
            shipping_fee=Decimal(made.get(FEE, "0")),
            po_number=made.get(PO, ""),
            remark=made.get(REMARK, ""),
        )
        money = []
        for name, day in ((DEPOSIT, DEPOSIT_DAY), (BALANCE, BALANCE_DAY)):
            if name in made:
                at = _moment(made.get(day) or made.get(DAY), now)
                money.append(Received(Decimal(made[name]), at, is_deposit=name == DEPOSIT))
        order = enter_order(old=old, money=money, may_be_short=made["short"], actor=actor, now=now)
        order.refresh_from_db()
        made["order"], made["mark"] = order.pk, mark_of(order)

    def put_back(self, row: ImportRow, *, actor: User, now: datetime) -> list[str]:
        """Delete the order of a first row."""
        if "of" not in row.made:
            remove_order(order_id=row.made.pop("order"), actor=actor)
            del row.made["mark"]
        return []

    def url_of(self, row: ImportRow) -> str:
        """Return the order's page."""
        pk = row.made.get("order")
        return reverse("admin:orders_order_change", args=[pk]) if pk else ""

    def shown(self, name: str, value: Any) -> str:
        """Return a value as staff read it: a status in words."""
        return OrderStatus(value).staff_label if name == STATUS else super().shown(name, value)


def _moment(day: str | None, now: datetime) -> datetime:
    """Return when a day began, or now for today and where none is said."""
    if day is None or day == timezone.localdate(now).isoformat():
        return now
    return midnight(date.fromisoformat(day))
