"""Opening balances: what customers are owed from before they used the portal."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.models import Company, User
from apps.catalog.kinds.dollars import IN_DOLLARS
from apps.catalog.models import ImportRow
from apps.catalog.selectors.imports import FAULTY
from apps.catalog.sheet import Column, FileRow
from apps.common.days import midnight
from apps.common.money import ZERO, dollars
from apps.common.tables.cells import (
    Cell,
    CellFault,
    cell_at,
    currency_in,
    heading_key,
    money_of,
    text_of,
)
from apps.common.tables.headings import Table, find_columns
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    CODE,
    COLUMNS,
    COMPANY,
    CURRENCY,
    CURRENCY_COLUMN,
    DOLLAR,
    EMAIL,
    ONE_EMAIL,
    OTHER,
    currency_of,
    read_text,
)
from apps.moving.kinds.currencies import MISSING, foreign_line, not_in_dollars, with_currency
from apps.moving.kinds.customers import WRITTEN, Customers
from apps.moving.kinds.days import Days, day_of
from apps.moving.kinds.sides import THEY_OWE, UNSAID, WE_OWE, legend_side, side_in
from apps.moving.services.rows import (
    OUT,
    OUT_TEXT,
    UNCLEAR,
    Asked,
    RowKind,
    leave,
    leave_out,
    refuse,
    sheet_name,
    sheets_of,
)
from apps.payments.models import WalletEntry
from apps.payments.services.wallet import open_wallet, take_back_opening

AMOUNT, DAY, NOTE, SIDE = "amount", "day", "note", "side"
DEBT, EITHER, IN, SPENT, FOREIGN = "debt", "either", "in", "spent", "foreign"
AMOUNTS = (AMOUNT, DEBT, EITHER)
HEADED, ABOVE = "headed", "above"  # the headings of the amounts, the lines above all headings
EACH = "each"
OWED_TO_US = gettext_noop(
    "it is what the customer owes: it comes with the open orders, a wallet holds what you owe"
)
MOVEMENT = gettext_noop("a movement: the last balance of the customer counts")
ACCOUNT = gettext_noop("the name above an account")
Result = ImportRow.Result


def _amount(cell: Cell, mark: str = "") -> str:
    return str(money_of(cell, mark))


BALANCES: Mapping[str, Column] = {
    COMPANY: COLUMNS[COMPANY],
    CODE: COLUMNS[CODE],
    EMAIL: ONE_EMAIL,
    AMOUNT: Column(
        gettext_noop("Credit ($)"),
        ("credit", "credit balance", "wallet", "we owe", "예치금", "예치금 잔액", "선수금",
         "선수금 잔액", "적립금", "환불 예정액", "미사용 금액", "줄 돈", "선입금"),
        _amount,
    ),
    DEBT: Column(
        gettext_noop("Owed by the customer ($)"),
        ("receivable", "receivables", "outstanding", "balance due", "owes us", "미수금", "미수",
         "미수잔액", "미수금 잔액", "미수금액", "외상", "외상매출금", "받을 돈"),
        _amount,
    ),
    EITHER: Column(
        gettext_noop("Balance ($)"),
        ("balance", "amount", "amount owed", "owed", "opening balance", "balance usd", "잔액",
         "금액", "기초 잔액"),
        _amount,
    ),
    FOREIGN: Column(gettext_noop("Another currency"), (), read_text(40)),
    SIDE: Column(
        gettext_noop("Credit or debt"), ("type", "kind", "구분", "종류", "유형"), read_text(60)
    ),
    IN: Column(gettext_noop("Received ($)"), ("in", "입금", "입금액"), _amount),
    SPENT: Column(
        gettext_noop("Used ($)"), ("out", "차감", "출고 차감", "출금", "사용", "사용액"), _amount
    ),
    CURRENCY: replace(CURRENCY_COLUMN, read=currency_of),
    DAY: Column(
        gettext_noop("As of"),
        ("date", "balance date", "기준일", "일자", "날짜", "발생일", "기준 일자", "최종일자",
         "최종거래"),
        day_of,
    ),
    NOTE: Column(
        gettext_noop("Remark"),
        ("note", "memo", "remarks", "비고", "메모", "적요", "사유", "발생사유", "내용"),
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
        "wallet, where it pays the next balance. What customers owe you comes with the open "
        "orders. Nobody is told anything."
    )
    columns = BALANCES
    required = (COMPANY,)
    name_of_row = (COMPANY, CODE, EMAIL)
    titles: ClassVar = {name: BALANCES[name].title for name in (AMOUNT, DAY, NOTE)}
    money = (AMOUNT, DEBT, EITHER, IN, SPENT)
    guards: ClassVar = {"written": WRITTEN, "faulty": FAULTY}
    words: ClassVar = {"written": _("Read as another")}
    example: ClassVar = {
        COMPANY: "Example Beauty LLC (delete this row)",
        AMOUNT: 320.5,
        CURRENCY: "USD",
        DAY: "2026-11-30",
        NOTE: "Overpaid order",
    }

    def table_of(self, rows: Iterator[Row], answers: Any = None) -> Table:
        """Return the table of balances: a row a customer, or an account below each one's name.

        Raises:
            SpreadsheetRefused: it has not the headings, or addresses: those are of customers.
        """
        kept = list(rows)
        try:
            table = super().table_of(iter(kept))
        except SpreadsheetRefused as refusal:
            table = _account(kept, self.headings) or _raise(refusal)
        below = next((row for row in kept if row.number > table.head.number), None)
        if below is not None and (currencies := _currencies(below)):
            table = _by_currency(table, below, currencies, self.headings)
        columns = _in_dollars(table, self.headings)
        table = with_currency(table._replace(columns=columns), self.required)
        columns = dict(table.columns)
        if not {AMOUNT, DEBT, EITHER} & columns.keys():
            raise SpreadsheetRefused(Text("No heading of a credit or balance was found."))
        if find_columns(table.head.cells, {"address": COLUMNS["address1"].also}):
            raise SpreadsheetRefused(Text("Addresses belong to customers, not to balances."))
        return table._replace(columns=columns)

    def row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        """Return what a row says; the name above an account is none."""
        if COMPANY not in table.columns and (name := _account_of(row)):
            return FileRow(row.number, name, {}, [], left=Text(ACCOUNT))
        return super().row(row, table, marks, answers)

    def look(self, row: Row, table: Table, seen: dict[str, tuple[str, int]]) -> None:
        """Note what stands above the headings, and whose account the rows below are."""
        heads = (cell_at(table.head.cells, table.columns.get(name)) for name in AMOUNTS)
        seen.setdefault(HEADED, (_line(heads), row.number))
        if row.number < min(head.number for head in table.heads):
            seen[ABOVE] = f"{seen.get(ABOVE, ('',))[0]}\n{_line(row.cells)}", row.number
        if COMPANY not in table.columns and (name := _account_of(row)):
            seen[COMPANY] = name, row.number

    def completed(self, read: FileRow, seen: Mapping[str, tuple[str, int]]) -> FileRow:
        """Return a row with what stands above it, that of an account with its customer."""
        if read.left is not None:
            return read
        around = {name: seen[name][0] for name in (HEADED, ABOVE) if name in seen}
        read = read._replace(values={**read.values, **around})
        if COMPANY not in seen or COMPANY in read.values:
            return read
        name = seen[COMPANY][0]
        return read._replace(key=name, values={COMPANY: name, **read.values})

    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Find each row's company; one that stands twice, or has a balance, is not credited."""
        customers = Customers(rows, asked)
        days = Days(
            [row.new[DAY] for row in rows if DAY in row.new], asked, today=timezone.localdate()
        )
        openings = WalletEntry.objects.filter(kind=WalletEntry.Kind.OPENING)
        opened = dict(openings.values_list("company_id", "amount"))
        seen: dict[int, list[ImportRow]] = defaultdict(list)
        for sheet in sheets_of(rows):
            kept = list(sheet)
            _refuse_foreign(kept)
            has_sides = any(SIDE in row.new for row in kept)
            side = EACH if has_sides else _side_of(kept)
            _keep_last(kept, asked)
            for row in kept:
                said, row.new = row.new, {}
                if row.result != Result.SAME or not _is_credit(row, said, side, asked):
                    continue
                if company := customers.find(row, said):
                    self._look(row, company, said, opened, days)
                    seen[company.pk].append(row)
        for same in seen.values():
            if len(same) > 1:
                places = ", ".join(row.place for row in same)
                for row in same:
                    refuse(row, Text("this customer stands in the rows %(rows)s", rows=places))

    def _look(
        self,
        row: ImportRow,
        company: Company,
        said: dict[str, Any],
        opened: dict[int, Decimal],
        days: Days,
    ) -> None:
        if said.get(DAY, "").startswith(UNCLEAR):
            try:
                said[DAY] = days.read(said[DAY])
            except CellFault as fault:
                refuse(row, fault.args[0])
                return
            if not said[DAY]:
                leave_out(row, "")
                return
        row.made, row.sku = {"company": company.pk}, company.name[:60]
        row.result, row.new = Result.NEW, {name: said[name] for name in self.titles if name in said}
        if DAY in said and date.fromisoformat(said[DAY]) > timezone.localdate():
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
        return [gettext_noop("payments from the wallet")]

    def url_of(self, row: ImportRow) -> str:
        """Return the customer's wallet."""
        if pk := row.made.get("company"):
            return reverse("admin:accounts_company_change", args=[pk])
        return ""


def _raise(refusal: SpreadsheetRefused) -> Table:
    raise refusal


def _currencies(row: Row) -> dict[int, str]:
    """Return the currencies that a second row of headings says alone (`₩`, `$`); none for another
    row.
    """
    texts = {index: cell for index, cell in enumerate(row.cells) if cell is not None}
    found = {index: currency_in(text) for index, text in texts.items() if isinstance(text, str)}
    return found if len(found) == len(texts) and all(found.values()) else {}


def _by_currency(
    table: Table, below: Row, currencies: Mapping[int, str], headings: Mapping[str, Sequence[str]]
) -> Table:
    """Return a table whose amounts have a column for each currency, those in dollars read."""
    columns = {name: at for name, at in table.columns.items() if at not in currencies}
    over: Cell = None
    for index in range(len(below.cells)):
        over = cell_at(table.head.cells, index) or over
        if name := next(iter(find_columns([over], headings)), ""):
            if currencies.get(index) == "USD":
                columns.setdefault(name, index)
            elif index in currencies:
                columns.setdefault(FOREIGN, index)
    rows = (row for row in table.rows if row.number > below.number)
    return Table(columns, rows, Row(below.number, table.head.cells), [table.head, below])


def _in_dollars(table: Table, headings: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the columns, of several amounts of one side that in dollars; one that names another
    currency is not read.
    """
    columns = dict(table.columns)
    for index, cell in enumerate(table.head.cells):
        if not isinstance(cell, str) or currency_in(cell) in ("", "USD"):
            continue
        for name in (AMOUNT, DEBT, EITHER):
            if columns.get(name) == index:
                del columns[name]
    for index, cell in enumerate(table.head.cells):
        if isinstance(cell, str) and currency_in(cell) == "USD":
            words = heading_key(re.sub(r"[($₩].*", "", cell))
            for name in (AMOUNT, DEBT, EITHER):
                if words in map(heading_key, headings[name]):
                    columns.setdefault(name, index)
    return columns


def _account(rows: Sequence[Row], headings: Mapping[str, Sequence[str]]) -> Table | None:
    """Return the table of accounts, each below the name of its customer, with its movements."""
    for place, row in enumerate(rows):
        columns = find_columns(row.cells, headings)
        if {EITHER, IN, SPENT} <= columns.keys() and COMPANY not in columns:
            return Table(columns, iter(rows[place + 1 :]), row, [row])
    return None


def _account_of(row: Row) -> str:
    """Return the customer that a row names alone: `[KZ-02] Lumi World LLP`."""
    texts = [cell for cell in row.cells if cell is not None]
    if len(texts) != 1 or not isinstance(texts[0], str):
        return ""
    return re.sub(r"^\s*([\[【(].*?[\]】)]|[■◆●▶▷·*-])\s*", "", text_of(texts[0]))


def _keep_last(rows: Sequence[ImportRow], asked: Asked) -> None:
    """Of an account leave only the last balance; one that does not follow from its movements is
    asked.
    """
    accounts: dict[str, list[ImportRow]] = defaultdict(list)
    for row in rows:
        if row.result == Result.SAME and (IN in row.new or SPENT in row.new):
            accounts[row.new.get(COMPANY, "")].append(row)
    for account in accounts.values():
        total = ZERO
        for row in account:
            total += Decimal(row.new.get(IN, "0")) - Decimal(row.new.get(SPENT, "0"))
            if row is not account[-1]:
                leave(row, Text(MOVEMENT))
        last = account[-1]
        said = last.new.get(EITHER)
        if said is None or Decimal(said) != total:
            name = last.new.get(COMPANY, "")
            text = Text("The movements of “%(name)s” make %(sum)s, its last balance is another. "
                        "Which is right?", name=name, sum=dollars(total))  # fmt: skip
            sums = dict.fromkeys([str(total), *([said] if said else [])])
            choices = [*((one, Text(one)) for one in sums), (OUT, Text(OUT_TEXT))]
            answer = asked.answer(f"sum:{last.number}", text, choices)
            if answer in ("", OUT):
                leave_out(last, answer)
            else:
                last.new[EITHER] = answer


def _line(cells: Iterable[Cell]) -> str:
    return " ".join(" ".join(cell.split()) for cell in cells if isinstance(cell, str))[:300]


def _refuse_foreign(rows: Sequence[ImportRow]) -> None:
    """Refuse the rows that another currency is said of: by themselves, or above them, or by the
    name of their sheet. Beside other currencies a row must say its own.
    """
    currencies = {row.new[CURRENCY] for row in rows if CURRENCY in row.new}
    for row in rows:
        said = row.new.get(CURRENCY, "")
        lines = [*row.new.get(ABOVE, "").split("\n"), sheet_name(row)]
        if said and said != DOLLAR:
            refuse(row, not_in_dollars(said))
        elif not said and currencies - {DOLLAR}:
            refuse(row, Text(MISSING, column=Text(CURRENCY_COLUMN.title)))
        elif said or IN_DOLLARS.search(row.new.get(HEADED, "")):
            continue
        elif line := foreign_line(lines):
            refuse(row, Text(OTHER, cell=line[:60]))


def _side_of(rows: Sequence[ImportRow]) -> str:
    """Return what is above zero on a sheet, credits or debts: as its legend or heading says, else
    its title or name, where nothing is below zero.
    """
    if not rows:
        return ""
    headed, above = (rows[0].new.get(name, "") for name in (HEADED, ABOVE))
    if side := legend_side([headed, *above.split("\n")]):
        return "" if side == UNSAID else side
    if side := side_in(headed):
        return side
    if any(Decimal(row.new.get(EITHER, "0")) < 0 for row in rows):
        return ""
    return side_in(above) or side_in(sheet_name(rows[0]))


def _is_credit(row: ImportRow, said: dict[str, Any], side: str, asked: Asked) -> bool:
    """Return whether a row is a credit, and set its amount; a debt is left out, what may be either
    is asked.
    """
    if said.get(AMOUNT) and said.get(DEBT) and Decimal(said[AMOUNT]) and Decimal(said[DEBT]):
        name = said.get(COMPANY, "")
        text = Text("“%(name)s” has a credit and a debt. What is its opening balance?", name=name)
        choices = [(WE_OWE, Text("the credit of %(sum)s", sum=dollars(Decimal(said[AMOUNT])))),
                   (OUT, Text("none: it is settled otherwise"))]  # fmt: skip
        answer = asked.answer(f"both:{row.number}", text, choices)
        if answer != WE_OWE:
            leave_out(row, answer)
            return False
        del said[DEBT]
    if EITHER in said:
        answer = _answer(row, said, side, asked)
        if answer in ("", OUT):
            leave_out(row, answer)
            return False
        said[AMOUNT if answer == WE_OWE else DEBT] = said.pop(EITHER)
    if AMOUNT in said and Decimal(said[AMOUNT]) > 0:
        return True
    if AMOUNT not in said and DEBT not in said and FOREIGN in said:
        refuse(row, Text("“%(cell)s” is not in US dollars", cell=said[FOREIGN]))
    elif AMOUNT not in said and DEBT not in said:
        refuse(row, Text("no balance in US dollars"))
    elif AMOUNT in said and Decimal(said[AMOUNT]) == 0:
        leave(row, Text("0.00 is no balance"))
    elif DEBT in said and Decimal(said[DEBT]) < 0:
        said[AMOUNT] = str(-Decimal(said[DEBT]))
        return True
    else:
        leave(row, Text(OWED_TO_US))
    return False


def _answer(row: ImportRow, said: dict[str, Any], side: str, asked: Asked) -> str:
    """Return which side a balance is on: as its row, its sheet, or the answer says."""
    word = said.get(SIDE, "")
    told = side_in(word) if word else side
    if told not in ("", EACH):
        return told
    choices = [
        (WE_OWE, Text(gettext_noop("What you owe the customer"))),
        (THEY_OWE, Text(gettext_noop("What the customer owes you"))),
        (OUT, Text(OUT_TEXT)),
    ]
    if word:
        text = Text("What are balances that are called “%(word)s”?", word=word)
        return asked.answer(f"side:{word}", text, choices)
    if side == EACH:
        name, sum_ = said.get(COMPANY, ""), said[EITHER]
        text = Text("What is the balance of “%(name)s”, %(sum)s?", name=name, sum=sum_)
        return asked.answer(f"side:{row.number}", text, choices)
    text = Text(gettext_noop("What are balances above zero?"))
    return asked.answer("side", text, choices)
