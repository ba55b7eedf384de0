"""Opening balances: what customers are owed from before they used the portal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow
from apps.catalog.selectors.imports import FAULTY
from apps.catalog.sheet import Column
from apps.common.days import midnight
from apps.common.money import dollars
from apps.common.tables.cells import (
    Cell,
    CellFault,
    currency_in,
    money_of,
    text_of,
)
from apps.common.tables.headings import Table, find_columns
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text
from apps.moving.kinds.columns import COLUMNS, COMPANY, EMAIL, read_text
from apps.moving.kinds.customers import WRITTEN, Customers
from apps.moving.kinds.days import day_of
from apps.moving.services.rows import RowKind, refuse
from apps.payments.models import WalletEntry
from apps.payments.services.wallet import open_wallet, take_back_opening

AMOUNT, CURRENCY, DAY, NOTE = "amount", "currency", "day", "note"
DOLLARS = frozenset({"달러", "미국달러", "미달러", "미화"})
Result = ImportRow.Result


def _amount(cell: Cell, mark: str = "") -> str:
    amount = money_of(cell, mark)
    if amount is None or amount < 0:
        raise CellFault(Text("what a customer owes is no credit; it belongs to an open order"))
    if not amount:
        raise CellFault(Text("0.00 is no balance"))
    return str(amount)


def _currency(cell: Cell) -> str:
    text = text_of(cell)
    if currency_in(text) != "USD" and text.replace(" ", "") not in DOLLARS:
        raise CellFault(Text("“%(cell)s” is not in US dollars", cell=text[:30]))
    return "USD"


BALANCES: Mapping[str, Column] = {
    COMPANY: COLUMNS[COMPANY],
    EMAIL: COLUMNS[EMAIL],
    AMOUNT: Column(
        gettext_noop("Balance ($)"),
        ("balance", "credit", "credit balance", "wallet", "amount", "amount owed", "owed",
         "we owe", "opening balance", "balance usd", "잔액", "예치금", "예치금 잔액", "선수금",
         "선수금 잔액", "적립금", "환불 예정액", "미사용 금액", "금액", "기초 잔액"),
        _amount,
    ),
    CURRENCY: Column(
        gettext_noop("Currency"), ("cur", "ccy", "통화", "화폐", "통화 단위"), _currency
    ),
    DAY: Column(
        gettext_noop("As of"),
        ("date", "balance date", "기준일", "일자", "날짜", "발생일", "기준 일자"),
        day_of,
    ),
    NOTE: Column(
        gettext_noop("Remark"), ("note", "memo", "remarks", "비고", "메모", "적요", "사유"),
        read_text(300),
        30,
    ),
}  # fmt: skip


class BalanceKind(RowKind):
    """Opening balances, one of each company."""

    key = "balances"
    label = _("Opening balances")
    needs = sees = ("payments.add_walletentry",)
    thing, find, named_by = _("Customer"), _("Find a customer"), gettext_noop("Company")
    about = _(
        "One row for each customer that you owe money, in US dollars. It is credited to the "
        "wallet, where it pays the next balance. Nobody is told anything."
    )
    columns = BALANCES
    required = (COMPANY, AMOUNT)
    name_of_row = (COMPANY, EMAIL)
    titles: ClassVar = {name: BALANCES[name].title for name in (AMOUNT, DAY, NOTE)}
    money = (AMOUNT,)
    guards: ClassVar = {"written": WRITTEN, "faulty": FAULTY}
    words: ClassVar = {"written": _("Read as another")}
    example: ClassVar = {
        COMPANY: "Example Beauty LLC (delete this row)",
        AMOUNT: 320.5,
        CURRENCY: "USD",
        DAY: "2026-11-30",
        NOTE: "Overpaid order",
    }

    def table_of(self, rows: Iterator[Row]) -> Table:
        """Return the table of balances.

        Raises:
            SpreadsheetRefused: it has not the headings, or addresses: those are of customers.
        """
        table = super().table_of(rows)
        if find_columns(table.head.cells, {"address": COLUMNS["address1"].also}):
            raise SpreadsheetRefused(Text("Addresses belong to customers, not to balances."))
        return table

    def compare(self, rows: Sequence[ImportRow]) -> None:
        """Find each row's company; one that stands twice, or has a balance, is not credited."""
        customers = Customers(rows)
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        opened = dict(openings.values_list("company_id", "amount"))
        seen: dict[int, list[ImportRow]] = defaultdict(list)
        for row in rows:
            said, row.new = row.new, {}
            if row.result != Result.FAULTY and (company := customers.find(row, said)):
                self._look(row, company, said, opened)
                seen[company.pk].append(row)
        for same in seen.values():
            if len(same) > 1:
                places = ", ".join(row.place for row in same)
                for row in same:
                    refuse(row, Text("this customer stands in the rows %(rows)s", rows=places))

    def _look(
        self, row: ImportRow, company: Company, said: dict[str, Any], opened: dict[int, Decimal]
    ) -> None:
        row.made, row.sku = {"company": company.pk}, company.name[:60]
        row.result, row.new = Result.NEW, {name: said[name] for name in self.titles if name in said}
        if AMOUNT not in said:
            refuse(row, Text("the balance is missing"))
        elif DAY in said and date.fromisoformat(said[DAY]) > timezone.localdate():
            refuse(row, Text("%(day)s is not yet", day=said[DAY]))
        elif company.pk in opened:
            if opened[company.pk] == Decimal(said[AMOUNT]):
                row.result, row.new = Result.SAME, {}
            else:
                amount = dollars(opened[company.pk])
                refuse(row, Text("its opening balance is %(amount)s already", amount=amount))

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
        return [str(_("payments from the wallet"))]

    def url_of(self, row: ImportRow) -> str:
        """Return the customer's wallet."""
        if pk := row.made.get("company"):
            return reverse("admin:accounts_company_change", args=[pk])
        return ""
