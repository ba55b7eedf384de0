"""Customers and their people: a row a person with its company, or a company alone."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.accounts.services.companies import share_text
from apps.catalog.models import Brand, ImportRow
from apps.catalog.selectors.imports import FAULTY, Held, held
from apps.catalog.sheet import FileRow
from apps.common.errors import NotFound
from apps.common.tables.cells import Cell, CellFault, cell_at, text_of
from apps.common.tables.headings import Table, find_columns, find_table
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text
from apps.moving.kinds.balances import AMOUNT, DEBT, EITHER, BalanceKind
from apps.moving.kinds.columns import (
    BRANDS,
    BUYER,
    COLUMNS,
    COMPANY,
    EMAIL,
    EXAMPLE,
    NOTE,
    PERSON,
    PHONE,
    SHARE,
)
from apps.moving.kinds.compare import Comparison
from apps.moving.kinds.customers import WRITTEN
from apps.moving.kinds.places import country_of
from apps.moving.services import people
from apps.moving.services.rows import Asked, RowKind

Result = ImportRow.Result
# What stands below a brand that is a column: whether the company sees it.
SEES = frozenset({"o", "○", "〇", "◯", "ㅇ", "●", "v", "✓", "✔", "y", "yes", "1", "예"})
SEES_NOT = frozenset({"", "x", "×", "✗", "-", "n", "no", "0", "아니오"})
LEAST_BRANDS = 2
TELLING = frozenset({EMAIL, "country", "address1", "business_type"})  # beside the company's name


class PeopleKind(RowKind):
    """Companies and people."""

    key = "people"
    label = _("Customers and their people")
    needs = ("accounts.add_company", "accounts.change_company", "accounts.change_user")
    sees = ("accounts.view_company", "accounts.view_user")
    thing, find, named_by = _("Customer"), _("Find a customer or person"), gettext_noop("Name")
    about = _(
        "One row for each person, with its company, or for a company alone. Below a company, rows "
        "may leave its columns empty. Only the company is required; a person needs name and "
        "e-mail address. Nobody is told anything: people come in by an invitation, which you send "
        "afterwards."
    )
    next_step = (_("Send the invitations"), "admin:accounts_user_changelist", "?invitation=none")
    columns = COLUMNS
    required = (COMPANY,)
    name_of_row = (EMAIL, COMPANY)
    titles: ClassVar = {name: column.title for name, column in COLUMNS.items()}
    example = EXAMPLE
    guards: ClassVar = {
        "near": held(
            "near",
            gettext_noop("%(count)s person with the mail domain of another company"),
            gettext_noop("%(count)s people with the mail domain of another company"),
        ),
        "person": held(
            "person",
            gettext_noop("%(count)s row with somebody who does not come in as written"),
            gettext_noop("%(count)s rows with somebody who does not come in as written"),
        ),
        "added": held(
            "added",
            gettext_noop("%(count)s new company without an address"),
            gettext_noop("%(count)s new companies without an address"),
        ),
        "written": WRITTEN,
        "share": held(
            "share",
            gettext_noop("%(count)s deposit share that is not clear"),
            gettext_noop("%(count)s deposit shares that are not clear"),
        ),
        "type": held(
            "type",
            gettext_noop("%(count)s business type that is not known"),
            gettext_noop("%(count)s business types that are not known"),
        ),
        "twice": Held(
            Q(result=Result.TWICE),
            gettext_noop("%(count)s person twice"),
            gettext_noop("%(count)s people twice"),
        ),
        "faulty": FAULTY,
    }
    words: ClassVar = {
        "near": _("Which company?"),
        "person": _("Somebody left out"),
        "added": _("New company"),
        "written": _("Read as another"),
        "share": _("Deposit share unclear"),
        "type": _("Business type unknown"),
    }

    def table_of(self, rows: Any, answers: Any = None) -> Table:
        """Return the table of companies or people.

        Raises:
            SpreadsheetRefused: beside the company nothing says that it is one of customers.
        """
        kept = list(rows)
        try:
            table = super().table_of(iter(kept))
        except SpreadsheetRefused:
            if not any(map(_heading_of, kept)):
                raise
            return self._below_headings(kept)
        if not TELLING & table.columns.keys() and any(map(_heading_of, kept)):
            return self._below_headings(kept)
        buyer = find_columns(table.head.cells, {PERSON: BUYER}).get(PERSON)
        if PERSON not in table.columns and buyer not in (None, table.columns[COMPANY]):
            table = table._replace(columns={**table.columns, PERSON: buyer})
        telling = TELLING & table.columns.keys()
        if not telling or (
            # Nobody is named: an address beside an amount says whose balance it is.
            telling == {EMAIL}
            and PERSON not in table.columns
            and find_columns(table.head.cells, BalanceKind().headings).keys()
            & {AMOUNT, DEBT, EITHER}
        ):
            raise SpreadsheetRefused(
                Text("Beside the company, neither e-mail addresses nor countries were found.")
            )
        return table if BRANDS in table.columns else _with_brands(table)

    def _below_headings(self, rows: list[Row]) -> Table:
        """Return the table of people whose companies stand above them."""
        names = {name: one.title for name, one in self.columns.items()}
        return find_table(iter(rows), self.headings, required=(PERSON, EMAIL), names=names)

    def row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        """Return what a row says; where companies stand above their people, what theirs say."""
        if COMPANY not in table.columns and (said := _heading_of(row) or _label_of(row)):
            return FileRow(row.number, said.get(COMPANY, ""), said, [])
        read = super().row(row, table, marks, answers)
        if not table.own or not (read.values or read.faults):
            return read
        said = {brand: _said(cell_at(row.cells, at)) for brand, at in table.own.items()}
        faults = [
            Text("“%(text)s” under %(brand)s is neither O nor X", text=text[:30], brand=brand)
            for brand, text in said.items()
            if text not in SEES | SEES_NOT
        ]
        sees = [brand for brand, text in said.items() if text in SEES]
        if not sees and not faults:
            faults = [Text("it is given none of the brands that stand as columns")]
        values = {**read.values, BRANDS: "; ".join(sees)}
        return read._replace(values=values, faults=[*read.faults, *faults])

    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Compare all rows with the customers and people that are there, and with each other."""
        Comparison(rows, asked).run()

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the company or person is not what the review showed."""
        return people.is_changed(row, undo=undo)

    def put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Write the company, then the person.

        Raises:
            PortalError: a service refuses it, or the row that adds the company was left out.
        """
        if "of" in row.made and not row.made.get("company"):
            first = row.source.rows.filter(number=row.made["of"], is_done=True).first()
            if first is None:
                raise NotFound
            row.made["company"] = first.made["company"]
        people.put(row, actor=actor, now=now)

    def put_back(self, row: ImportRow, *, actor: User, now: datetime) -> list[str]:
        """Put back what the row changed; what it added goes, unless something names it."""
        return people.put_back(row, actor=actor, now=now)

    def url_of(self, row: ImportRow) -> str:
        """Return the page of the person, or of the company."""
        for model in ("user", "company"):
            if pk := row.made.get(model):
                return reverse(f"admin:accounts_{model}_change", args=[pk])
        return ""

    def shown(self, name: str, value: Any) -> str:
        """Return a value as staff read it: a share in percent, a country in their language."""
        if name == SHARE and value:
            return str(share_text(Decimal(value)))
        if name in ("country", "ship_country") and value:
            return gettext(value)
        return super().shown(name, value)


HEADING = re.compile(r"[■◆●▶▷□◇★]\s*(.+)")
LABEL = re.compile(
    r"(주소|대표번호|전화|tel|phone|address)\s*[):：]\s*(.+)", re.IGNORECASE | re.DOTALL
)


def _alone(row: Row) -> str:
    texts = [cell for cell in row.cells if cell is not None]
    return texts[0] if len(texts) == 1 and isinstance(texts[0], str) else ""


def _heading_of(row: Row) -> dict[str, str]:
    """Return the company that stands above its people, with its place and what is noted of it:
    `■ Rose Ltd - Vietnam/Hanoi - (거래중지)`.
    """
    found = HEADING.fullmatch(_alone(row).strip())
    if found is None:
        return {}
    name, *parts = re.split(r"\s+-\s+", found[1])
    said = {COMPANY: name}
    for part in parts:
        country, _slash, city = part.partition("/")
        if city and country_of(country):
            said |= {"country": country, "city": city}
        else:
            said[NOTE] = part
    return said


def _label_of(row: Row) -> dict[str, str]:
    """Return what a row below a company's name says of it: its address or phone."""
    found = LABEL.fullmatch(_alone(row).strip())
    if found is None:
        return {}
    name = "address1" if found[1].lower() in ("주소", "address") else PHONE
    return {name: found[2]}


def _with_brands(table: Table) -> Table:
    """Return the table with its columns that are headed by brands, where there are several."""
    brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
    headed = {
        brand: index
        for index, cell in enumerate(table.head.cells)
        if (brand := brands.get(_said(cell)))
    }
    return table if len(headed) < LEAST_BRANDS else table._replace(own=headed)


def _said(cell: Cell) -> str:
    try:
        return text_of(cell).casefold()
    except CellFault:
        return "?"
