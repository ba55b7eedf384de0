"""Opening balances: what customers are owed from before they used the portal."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.catalog.kinds.dollars import CURRENCY
from apps.catalog.models import ImportRow
from apps.catalog.selectors.imports import FAULTY
from apps.catalog.services.import_tables import OUT
from apps.catalog.sheet import Column, with_headings
from apps.common.days import midnight
from apps.common.money import dollars
from apps.common.tables.cells import Cell, money_of
from apps.common.tables.headings import NoHeadings, Table
from apps.common.texts import Text
from apps.moving.kinds import currencies
from apps.moving.kinds.columns import (
    CODE,
    COLUMNS,
    COMPANY,
    EMAIL,
    ONE_EMAIL,
    WORDS,
    read_text,
)
from apps.moving.kinds.customers import WRITTEN, Customers
from apps.moving.kinds.days import Days, day_of
from apps.moving.kinds.rows import OUT_TEXT, Asked, RowKind, leave, leave_out, refuse
from apps.payments.models import WalletEntry
from apps.payments.services.wallet import open_wallet, take_back_opening

AMOUNT, DEBT, EITHER, DAY, NOTE, SIDE = "amount", "debt", "either", "day", "note", "side"
AMOUNTS = (AMOUNT, DEBT, EITHER)
OWED_TO_US = gettext_noop(
    "the customer owes this, a wallet holds what you owe: import it as an open order, Confirmed, "
    "of one piece of a product such as “Former balance” at this price"
)
SIDES = [
    (AMOUNT, Text(gettext_noop("What you owe the customer"))),
    (DEBT, Text(gettext_noop("What the customer owes you"))),
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
        CURRENCY: currencies.COLUMN,
        DAY: Column(gettext_noop("As of"), day_of),
        NOTE: Column(gettext_noop("Remark"), read_text(300), 30),
    },
)


class BalanceKind(RowKind):
    """Opening balances, one of each company."""

    key = "balances"
    label = _("Opening balances")
    needs = sees = ("payments.add_walletentry",)
    thing, find, named_by = _("Customer"), _("Find a customer"), gettext_noop("Company")
    about = _(
        "One row for each customer that you owe money, in US dollars. It is credited to the "
        "wallet, where it pays the next balance. What customers owe you comes with the open "
        "orders; where it has none, as an order of one piece of a product such as “Former "
        "balance”. No mail is sent."
    )
    columns = BALANCES
    required = (COMPANY,)
    name_of_row = (COMPANY, CODE, EMAIL)
    titles: ClassVar = {name: BALANCES[name].title for name in (AMOUNT, DAY, NOTE)}
    money = AMOUNTS
    guards: ClassVar = {"written": WRITTEN, "faulty": FAULTY}
    words: ClassVar = {"written": _("Read as another")}
    example: ClassVar = WORDS["examples"]["balances"]

    def checked(self, table: Table) -> Table:
        """Return the table of balances.

        Raises:
            NoHeadings: it has no amount.
        """
        if table.columns.keys().isdisjoint(AMOUNTS):
            raise NoHeadings(Text("No heading of a credit or balance was found."))
        return table

    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Find each row's company; one that stands twice, or has a balance, is not credited."""
        customers = Customers(rows, asked)
        days = Days((DAY,), asked)
        said_there = {row.new.get(CURRENCY) for row in rows}
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        opened = dict(openings.values_list("company_id", "amount"))
        seen: dict[int, list[ImportRow]] = defaultdict(list)
        for row in rows:
            said, row.new = row.new, {}
            if fault := currencies.currency_fault(said.get(CURRENCY), said_there):
                refuse(row, fault)
            if row.result != Result.SAME or not _is_credit(row, said, asked):
                continue
            if not (company := customers.find(row, said)) or not days.settle(row, said):
                continue
            seen[company.pk].append(row)
            row.made, row.sku = {"company": company.pk}, company.name[:60]
            row.result = Result.NEW
            row.new = {name: said[name] for name in self.titles if name in said}
            if (there := opened.get(company.pk)) == Decimal(said[AMOUNT]):
                row.result, row.new = Result.SAME, {}
            elif there is not None:
                amount = dollars(there)
                refuse(row, Text("its opening balance is %(amount)s already", amount=amount))
        for same in seen.values():
            if len(same) > 1:
                places = ", ".join(row.place for row in same)
                for row in same:
                    refuse(row, Text("this customer stands in the rows %(rows)s", rows=places))

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the customer has an opening balance by now, or none any more."""
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        there = openings.filter(company_id=row.made["company"])
        return not there.filter(pk=row.made["entry"]).exists() if undo else there.exists()

    def put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Credit the balance.

        Raises:
            PortalError: the wallet refuses it.
        """
        day = row.new.get(DAY)
        entry = open_wallet(
            company_id=row.made["company"],
            amount=Decimal(row.new[AMOUNT]),
            note=row.new.get(NOTE, ""),
            actor=actor,
            at=midnight(date.fromisoformat(day)) if day else now,
        )
        row.made["entry"] = entry.pk

    def put_back(self, row: ImportRow, *, actor: User, now: datetime) -> list[str]:
        """Take back a balance of which nothing was used."""
        if take_back_opening(entry_id=row.made["entry"], actor=actor):
            del row.made["entry"]
            return []
        return [gettext_noop("payments from the wallet")]

    def url_of(self, row: ImportRow) -> str:
        """Return the customer's wallet."""
        if pk := row.made.get("company"):
            return reverse("admin:accounts_company_change", args=[pk])
        return ""


def _is_credit(row: ImportRow, said: dict[str, Any], asked: Asked) -> bool:
    """Return whether a row is a credit, and set its amount; a debt is left out, what may be either
    is asked: for each word that says what it is, else for the whole file.
    """
    amounts = {name: Decimal(said[name]) for name in AMOUNTS if name in said}
    if amounts.get(AMOUNT) and amounts.get(DEBT):
        refuse(row, Text("it has a credit and a debt: keep the one that is its opening balance"))
        return False
    if amounts.get(EITHER):
        word = said.get(SIDE, "")
        text = Text(gettext_noop("What does a balance above zero mean?"))
        if word:
            text = Text("What does “%(word)s” mean for a balance?", word=word)
        answer = asked.answer(f"side:{word}", text, SIDES)
        if answer in ("", OUT):
            leave_out(row, answer)
            return False
        amounts[answer] = amounts[EITHER]
    credit = amounts.get(AMOUNT) or -amounts.get(DEBT, Decimal(0))
    if credit > 0:
        said[AMOUNT] = str(credit)
    elif not amounts:
        refuse(row, Text("no balance in US dollars"))
    else:
        leave(row, Text(OWED_TO_US if credit else "0.00 is no balance"))
    return credit > 0


gettext_noop("0.00 is no balance")
