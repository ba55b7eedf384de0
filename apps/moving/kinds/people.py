"""Customers and their people: a row a person with its company, or a company alone."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.accounts.services.companies import share_text
from apps.catalog.models import Import, ImportRow
from apps.catalog.selectors.imports import FAULTY, Held, held
from apps.common.errors import row_or_404
from apps.common.tables.headings import Table
from apps.moving.kinds.columns import (
    BRANDS,
    CODE,
    COLUMNS,
    COMPANY,
    EMAIL,
    PERSON,
    SHARE,
    WORDS,
)
from apps.moving.kinds.compare import MOST_NAMED, Comparison
from apps.moving.kinds.customers import WRITTEN
from apps.moving.kinds.rows import EMPTY, Asked, RowKind
from apps.moving.services import people

Result = ImportRow.Result


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
        "e-mail address. No mail is sent: people come in by an invitation, which you send "
        "afterwards."
    )
    next_step = (_("Send the invitations"), "admin:accounts_user_changelist", "?invitation=none")
    columns = COLUMNS
    required = (COMPANY,)
    optional = frozenset(COLUMNS) - {COMPANY, CODE, EMAIL, PERSON, BRANDS}
    name_of_row = (EMAIL, COMPANY)
    titles: ClassVar = {name: column.title for name, column in COLUMNS.items()}
    example: ClassVar = WORDS["examples"]["people"]
    guards: ClassVar = {
        "near": held(
            "near",
            gettext_noop("%(count)s person with the mail domain of another company"),
            gettext_noop("%(count)s people with the mail domain of another company"),
        ),
        "person": held(
            "person",
            gettext_noop("%(count)s row with somebody who is not imported as written"),
            gettext_noop("%(count)s rows with somebody who is not imported as written"),
        ),
        "added": held(
            "added",
            gettext_noop("%(count)s new company without an address"),
            gettext_noop("%(count)s new companies without an address"),
        ),
        "written": WRITTEN,
        "empty": EMPTY,
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
        "empty": _("Left empty"),
    }

    def checked(self, table: Table) -> Table:
        """Return a table whose only column of addresses is that of their first line, and without
        names of people where none has an e-mail address: they are the seller's own.
        """
        columns = dict(table.columns)
        if "address1" not in columns and "address2" in columns:
            columns["address1"] = columns.pop("address2")
        if EMAIL not in columns:
            columns.pop(PERSON, None)
        return table._replace(columns=columns)

    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Compare all rows with the customers and people that are there, and with each other."""
        Comparison(rows, asked).run()

    def detail(self, source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
        """Return which rows a guard holds back: new companies by their names."""
        if guard != "added":
            return super().detail(source, guard, rows, count)
        names = ", ".join(row.made["name"] for row in rows.order_by("number")[:MOST_NAMED])
        return gettext("%(skus)s and more") % {"skus": names} if count > MOST_NAMED else names

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the company or person is not what the review showed."""
        return people.is_changed(row, undo=undo)

    def put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Write the company, then the person.

        Raises:
            PortalError: a service refuses it, or the row that adds the company was left out.
        """
        if "of" in row.made and not row.made.get("company"):
            first = row_or_404(row.source.rows.filter(number=row.made["of"], is_done=True))
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
