"""Opening balances: what customers are owed, and owe, from before they used the portal."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _, gettext_noop

from apps.accounts.models import User
from apps.catalog.models import ImportRow
from apps.catalog.services.dollars import CURRENCY
from apps.catalog.services.import_kinds import FAULTY
from apps.catalog.services.import_tables import OUT
from apps.catalog.sheet import Column, read_text, with_headings
from apps.common.days import midnight
from apps.common.errors import row_or_404
from apps.common.money import dollars
from apps.common.tables.cells import Cell, money_of
from apps.common.tables.headings import NoHeadings, Table
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    CODE,
    COLUMNS,
    COMPANY,
    CURRENCY_COLUMN,
    EMAIL,
    ONE_EMAIL,
    WORDS,
    currency_fault,
)
from apps.moving.kinds.customers import NAME_GUARDS, Customers
from apps.moving.kinds.orders import (
    DEBT_NUMBER,
    debt_number,
    enter_debt,
    forget_former_balance,
    mark_of,
    remove_order,
)
from apps.moving.kinds.rows import (
    OUT_TEXT,
    Days,
    Questions,
    RowKind,
    day_of,
    leave,
    leave_out,
    refuse,
)
from apps.orders.models import Order
from apps.payments.models import WalletEntry
from apps.payments.services.wallet import open_wallet, take_back_opening

AMOUNT, DEBT, EITHER, DAY, NOTE, SIDE = "amount", "debt", "either", "day", "note", "side"
AMOUNTS = (AMOUNT, DEBT, EITHER)
DEBTS = [
    (DEBT, Text("As an order, Confirmed, of one piece of “Former balance”")),
    (OUT, Text("Not at all, it is in the open orders: leave these rows out")),
]
SIDES = [
    (AMOUNT, Text("What you owe the customer")),
    (DEBT, Text("What the customer owes you")),
    (OUT, Text(OUT_TEXT)),
]
Result = ImportRow.Result


def _amount(cell: Cell, mark: str = "") -> str:
    return str(money_of(cell, mark))


BALANCES: Mapping[str, Column] = with_headings(
    WORDS["balances"],
    {
        COMPANY: COLUMNS[COMPANY],
        CODE: COLUMNS[CODE],
        EMAIL: ONE_EMAIL,
        AMOUNT: Column(gettext_noop("Credit ($)"), _amount),
        DEBT: Column(gettext_noop("Owed by the customer ($)"), _amount),
        EITHER: Column(gettext_noop("Balance ($)"), _amount),
        SIDE: Column(gettext_noop("Credit or debt"), read_text(60)),
        CURRENCY: CURRENCY_COLUMN,
        DAY: Column(gettext_noop("As of"), day_of),
        NOTE: Column(gettext_noop("Remark"), read_text(300), 30),
    },
)


class BalanceKind(RowKind):
    """Opening balances, one of each company."""

    key = "balances"
    label = _("Opening balances")
    needs = sees = ("payments.add_walletentry", "orders.change_order")
    page = "accounts.company"
    thing, find, name_column = _("Customer"), _("Find a customer"), gettext_noop("Company")
    about = _(
        "One row for each customer, in US dollars. What you owe is credited to the wallet, where "
        "it pays the next balance. What the customer owes beside its open orders becomes an "
        "order of one piece of “Former balance”. No mail is sent."
    )
    columns = BALANCES
    required = (COMPANY,)
    name_of_row = (COMPANY, CODE, EMAIL)
    titles = {name: BALANCES[name].title for name in (AMOUNT, DEBT, DAY, NOTE)}
    money = AMOUNTS
    guards = {**NAME_GUARDS, "faulty": FAULTY}
    example = WORDS["examples"]["balances"]

    def checked(self, table: Table) -> Table:
        """Return the table of balances.

        Raises:
            NoHeadings: it has no amount.
        """
        if table.columns.keys().isdisjoint(AMOUNTS):
            raise NoHeadings(Text("No heading of a credit or balance was found."))
        return table

    def compare(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        """Find each row's company; one that stands twice, or has a balance, is not credited."""
        customers = Customers(rows, questions)
        days = Days((DAY,), questions)
        currencies = {row.new.get(CURRENCY) for row in rows}
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        opened = dict(openings.values_list("company_id", "amount"))
        debts = Order.objects.filter(former_number__startswith=DEBT_NUMBER)
        debt_totals = dict(debts.values_list("company_id", "total"))
        rows_by_company: dict[int, list[ImportRow]] = defaultdict(list)
        for row in rows:
            cells, row.new = row.new, {}
            if fault := currency_fault(cells.get(CURRENCY), currencies):
                refuse(row, fault)
            if row.result != Result.SAME or not (side := _side(row, cells, questions)):
                continue
            if not (company := customers.find(row, cells)) or not days.settle(row, cells):
                continue
            rows_by_company[company.pk].append(row)
            row.made, row.sku = {"company": company.pk}, company.name[:60]
            if side == DEBT and (people := customers.people_for(row, company, cells)):
                row.made["user"] = people[0].pk
            self._set_result(
                row, cells, side, (debt_totals if side == DEBT else opened).get(company.pk)
            )
        for same in rows_by_company.values():
            if len(same) > 1:
                places = ", ".join(row.place for row in same)
                for row in same:
                    refuse(row, Text("this customer stands in the rows %(rows)s", rows=places))

    def _set_result(
        self, row: ImportRow, cells: dict[str, Any], side: str, there: Decimal | None
    ) -> None:
        """Set what a row becomes beside the balance of its side that is there."""
        if there not in (None, Decimal(cells[side])):
            amount = dollars(there or Decimal(0))
            refuse(row, Text("its opening balance is %(amount)s already", amount=amount))
        elif there is None and row.result == Result.SAME:
            row.result = Result.NEW
            row.new = {name: cells[name] for name in (side, DAY, NOTE) if name in cells}

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the customer has an opening balance by now, or none any more; of a debt,
        whether anybody touched its order.
        """
        if "user" in row.made:
            number = debt_number(row.made["company"])
            order = Order.objects.select_for_update().filter(former_number=number).first()
            if undo:
                return order is None or mark_of(order) != row.made["mark"]
            return order is not None
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        there = openings.filter(company_id=row.made["company"])
        return not there.filter(pk=row.made["entry"]).exists() if undo else there.exists()

    def apply_row(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Credit the balance, or enter the debt as an order.

        Raises:
            PortalError: it is refused.
        """
        day = row.new.get(DAY)
        at = midnight(date.fromisoformat(day)) if day else now
        if "user" in row.made:
            user = row_or_404(User.objects.select_related("company").filter(pk=row.made["user"]))
            order = enter_debt(
                user=user,
                amount=Decimal(row.new[DEBT]),
                at=at,
                remark=row.new.get(NOTE, ""),
                actor=actor,
                now=now,
            )
            order.refresh_from_db()
            row.made |= {"order": order.pk, "mark": mark_of(order)}
            return
        entry = open_wallet(
            company_id=row.made["company"],
            amount=Decimal(row.new[AMOUNT]),
            note=row.new.get(NOTE, ""),
            actor=actor,
            at=at,
        )
        row.made["entry"] = entry.pk

    def undo_row(self, row: ImportRow, *, actor: User, now: datetime) -> dict[str, list[str]]:
        """Take back a balance of which nothing was used, or the order of a debt."""
        if "user" in row.made:
            remove_order(order_id=row.made.pop("order"), actor=actor)
            forget_former_balance()
            del row.made["mark"]
            return {}
        if take_back_opening(entry_id=row.made["entry"], actor=actor):
            del row.made["entry"]
            return {}
        return {row.sku: [gettext_noop("payments from the wallet")]}


def _side(row: ImportRow, cells: dict[str, Any], questions: Questions) -> str:
    """Return whether a row is a credit or a debt, and set its amount; empty for one that is left
    out. What may be either is asked: for each word that says what it is, else for the whole file;
    so is whether debts come in.
    """
    amounts = {name: Decimal(cells[name]) for name in AMOUNTS if name in cells}
    if amounts.get(AMOUNT) and amounts.get(DEBT):
        refuse(row, Text("it has a credit and a debt: keep the one that is its opening balance"))
        return ""
    if amounts.get(EITHER):
        word = cells.get(SIDE, "")
        text = Text("What does a balance above zero mean?")
        if word:
            text = Text("What does “%(word)s” mean for a balance?", word=word)
        answer = questions.answer(f"side:{word}", text, SIDES)
        if answer in ("", OUT):
            leave_out(row, answer)
            return ""
        amounts[answer] = amounts[EITHER]
    credit = amounts.get(AMOUNT) or -amounts.get(DEBT, Decimal(0))
    if credit > 0:
        cells[AMOUNT] = str(credit)
        return AMOUNT
    if not amounts:
        refuse(row, Text("no balance in US dollars"))
    elif not credit:
        leave(row, Text("0.00 is no balance"))
    else:
        text = Text("How does what customers owe you come in?")
        answer = questions.answer("debts", text, DEBTS)
        if answer == DEBT:
            cells[DEBT] = str(-credit)
            return DEBT
        leave_out(row, answer)
    return ""
