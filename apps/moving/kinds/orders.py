"""Open orders of the system before: a row a line, the order's own columns on its first."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop

from apps.accounts.models import User
from apps.catalog.models import Brand, ImportRow, Product, Running, Stock
from apps.catalog.services.import_kinds import FAULTY, row_guards
from apps.common.days import midnight
from apps.common.errors import NotFound
from apps.common.permissions import needs
from apps.common.tables.headings import NoHeadings, Table
from apps.common.texts import Text
from apps.moving.kinds.columns import COMPANY, WORDS
from apps.moving.kinds.compare_orders import Comparison
from apps.moving.kinds.customers import NAME_GUARDS
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
from apps.moving.kinds.rows import Questions, RowKind
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.services.documents import issue_proforma
from apps.orders.services.place import OldLine, OldOrder, move_in, take_out
from apps.orders.status import OrderStatus
from apps.payments.models import Payment
from apps.payments.services.receive import move_money_in, take_money_out

FORMER_BALANCE, DEBT_NUMBER = "FORMER-BALANCE", "BALANCE-"
PLENTY = 100_000  # pieces on the shelf: one for each customer who owes something
Money = tuple[Payment.Kind, Decimal, datetime]  # as what, US dollars, when it came


class OrderKind(RowKind):
    """Open orders."""

    key = "orders"
    label = _("Open orders")
    needs = ("orders.change_order", "payments.change_payment")
    sees = ("orders.view_order",)
    page = "orders.order"
    thing, find, name_column = _("Order"), _("Find an order"), gettext_noop("Former number")
    about = _(
        "One row for each line of an order; rows below its first may leave the order's own columns "
        "empty. Each order enters at its status, with its lines, what it received and its former "
        "number. Its pieces are promised, no mail is sent, and a bank statement does not "
        "book this money again."
    )
    instead = gettext_noop("Cancel such orders on their own pages.")
    columns = COLUMNS
    required, or_required = (SKU, PIECES, PRICE), (NUMBER, COMPANY, STATUS)
    name_of_row = (NUMBER, SKU)
    titles = {name: one.title for name, one in COLUMNS.items() if name != NUMBER}
    money = (PRICE, VALUE, TOTAL, FEE, RECEIVED, DEPOSIT, BALANCE)
    counts = frozenset((PIECES, GONE))
    example = WORDS["examples"]["orders"]
    guards = {
        **row_guards(
            short=(
                gettext_noop("%(count)s line beyond the shelf"),
                gettext_noop("%(count)s lines beyond the shelf"),
                _("Beyond the shelf"),
            ),
        ),
        **NAME_GUARDS,
        **row_guards(
            who=(
                gettext_noop("%(count)s order of a customer with several people"),
                gettext_noop("%(count)s orders of customers with several people"),
                _("Whose order?"),
            ),
            fee=(
                gettext_noop("%(count)s shipping fee before the order is confirmed"),
                gettext_noop("%(count)s shipping fees before the orders are confirmed"),
                _("Fee left out"),
            ),
        ),
        "faulty": FAULTY,
    }

    def checked(self, table: Table) -> Table:
        """Return the table of a sheet: of lines with their orders, or of orders without lines,
        which stand on another sheet.

        Raises:
            NoHeadings: it has no numbers of orders.
        """
        columns = dict(table.columns)
        if not {SKU, PIECES} <= columns.keys():
            if VALUE in columns:
                columns.setdefault(TOTAL, columns.pop(VALUE))
        elif NUMBER not in columns and PO in columns:
            # Who numbers orders by the customer's own numbers has no others.
            columns[NUMBER] = columns.pop(PO)
        if NUMBER not in columns:
            raise NoHeadings(Text("No column of order numbers: a row a line, as in the template."))
        return table._replace(columns=columns)

    def compare(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        """Put the rows of each order together and compare them with what is there."""
        Comparison(rows, questions).run()

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the former number is taken by now, or anybody touched the order."""
        if "of" in row.made:
            return False
        if not undo:
            return Order.objects.filter(former_number=row.made["number"]).exists()
        order = Order.objects.select_for_update().filter(pk=row.made["order"]).first()
        return order is None or mark_of(order) != row.made["mark"]

    def apply_row(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Enter the order of a first row; the rows below it came with it.

        Raises:
            PortalError: it cannot be entered, or the first row of this one was left out.
        """
        if "of" in row.made:
            if not row.source.rows.filter(number=row.made["of"], is_done=True).exists():
                raise NotFound
            return
        facts = row.made
        ids = [line["product"] for line in facts["lines"]]
        products = Product.objects.in_bulk(ids)
        user = User.objects.select_related("company").filter(pk=facts["user"]).first()
        if len(products) != len(set(ids)):
            raise StaffRefusal(gettext("A product of this order was deleted meanwhile."))
        if user is None:
            raise StaffRefusal(gettext("Who ordered was deleted meanwhile."))
        deposit = facts.get("agreed") or facts.get(DEPOSIT)
        old = OldOrder(
            number=facts["number"],
            user=user,
            placed_at=_moment(facts.get(DAY), now),
            status=OrderStatus(facts["status"]),
            lines=[
                OldLine(products[one["product"]], one["pieces"], Decimal(one["price"]))
                for one in facts["lines"]
            ],
            deposit=Decimal(deposit) if deposit else None,
            shipping_fee=Decimal(facts.get(FEE, "0")),
            po_number=facts.get(PO, ""),
            remark=facts.get(REMARK, ""),
        )
        money = []
        kinds = Payment.Kind
        for kind, name, day in (
            (kinds.DEPOSIT, DEPOSIT, DEPOSIT_DAY),
            (kinds.BALANCE, BALANCE, BALANCE_DAY),
        ):
            if name in facts:
                at = _moment(facts.get(day) or facts.get(DAY), now)
                money.append((kind, Decimal(facts[name]), at))
        order = enter_order(old=old, money=money, may_be_short=facts["short"], actor=actor, now=now)
        order.refresh_from_db()
        facts["order"], facts["mark"] = order.pk, mark_of(order)

    def undo_row(self, row: ImportRow, *, actor: User, now: datetime) -> dict[str, list[str]]:
        """Delete the order of a first row."""
        if "of" not in row.made:
            remove_order(order_id=row.made.pop("order"), actor=actor)
            del row.made["mark"]
        return {}

    def value_text(self, name: str, value: Any) -> str:
        """Return a value as staff read it: a status in words."""
        return OrderStatus(value).staff_label if name == STATUS else super().value_text(name, value)


def _moment(day: str | None, now: datetime) -> datetime:
    """Return when a day began, or now for today and where none is said."""
    if day is None or day == timezone.localdate(now).isoformat():
        return now
    return midnight(date.fromisoformat(day))


def mark_of(order: Order) -> list[str]:
    """Return what changes with anything that is done to an order or with its money."""
    counts = order.version, order.events.count(), order.payments.count(), order.documents.count()
    return [*map(str, counts), f"{order.received:.2f}", order.po_number, order.ship_address1]


@needs("orders.change_order")
def enter_order(
    *, old: OldOrder, money: list[Money], may_be_short: bool, actor: User, now: datetime
) -> Order:
    """Enter an order with what it received, in the caller's transaction; from Confirmed on its
    proforma invoice is issued.

    Raises:
        OutOfStock: see `move_in`.
    """
    order = move_in(old=old, may_be_short=may_be_short, actor=actor, now=now)
    for kind, amount, at in money:
        move_money_in(order=order, amount=amount, kind=kind, at=at, actor=actor)
    if old.status.is_priced:
        issue_proforma(order=order, now=now)
    return order


@needs("orders.change_order")
def enter_debt(
    *, user: User, amount: Decimal, at: datetime, remark: str, actor: User, now: datetime
) -> Order:
    """Enter what a company owes from before as an order, Confirmed, of one piece of a hidden
    product at this price in US dollars, in the caller's transaction.
    """
    old = OldOrder(
        number=debt_number(user.company_id),
        user=user,
        placed_at=at,
        status=OrderStatus.CONFIRMED,
        lines=[OldLine(_former_balance(), 1, amount)],
        deposit=None,
        shipping_fee=Decimal(0),
        po_number="",
        remark=remark,
    )
    return enter_order(old=old, money=[], may_be_short=True, actor=actor, now=now)


def debt_number(company_id: int | None) -> str:
    """Return the former number of the order that holds what a company owes from before."""
    return f"{DEBT_NUMBER}{company_id}"


def _former_balance() -> Product:
    """Return the product that stands for debts of before; it is added with the first of them."""
    if product := Product.objects.filter(sku=FORMER_BALANCE).first():
        return product
    product = Product.objects.create(
        sku=FORMER_BALANCE,
        eng_name="Former balance",
        brand=Brand.objects.get_or_create(eng="Former balance")[0],
        is_running=Running.HIDDEN,
        usd_price=0,
        usd_supply=0,
        weight_g=0,
    )
    Stock.objects.update_or_create(product=product, defaults={"on_hand": PLENTY})
    return product


def forget_former_balance() -> None:
    """Delete the product that stands for debts of before, once no order holds it."""
    product = Product.objects.filter(sku=FORMER_BALANCE, order_lines=None).first()
    if product:
        product.delete()
        Brand.objects.filter(pk=product.brand_id, products=None).delete()


@needs("orders.change_order")
def remove_order(*, order_id: int, actor: User) -> None:
    """Delete an order that moved in, with its money, in the caller's transaction."""
    order = Order.objects.select_for_update().get(pk=order_id)
    take_money_out(order=order, actor=actor)
    take_out(order=order, actor=actor)
