"""The columns of a table that a bank sent: what each is read as, why, and how its rows read so;
they are kept by the headings, for the next file.
"""

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from django.utils.translation import gettext, gettext_lazy as _

from apps.accounts.models import User
from apps.common.permissions import needs
from apps.common.tables.cells import heading
from apps.common.texts import phrase
from apps.payments.bank.lines import (
    MAX_BYTES,
    StatementFile,
    StatementRefused,
)
from apps.payments.bank.register import look_ahead
from apps.payments.bank.table import Column, is_enough, open_table, read_table
from apps.payments.models import StatementLayout

DECIMAL_SIGNS = (
    ("", _("As the amounts show")),
    (".", _("Point: 1,234.50")),
    (",", _("Comma: 1.234,50")),
)
DAY_ORDERS = (
    ("", _("As the dates show")),
    ("day", _("Day first: 31/12")),
    ("month", _("Month first: 12/31")),
)


def packed(content: bytes) -> str:
    """Return a file as a hidden field of a form carries it: it is stored nowhere before staff say
    so.
    """
    return base64.b64encode(zlib.compress(content)).decode()


def unpacked(text: str) -> bytes:
    """Return the file of a hidden field, never more than a file may have.

    Raises:
        StatementRefused: it is none.
    """
    try:
        return zlib.decompressobj().decompress(base64.b64decode(text, validate=True), MAX_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise StatementRefused(gettext("The file did not arrive: choose it again.")) from error


@dataclass(frozen=True)
class ColumnRow:
    """A column of the file."""

    index: int
    heading: str
    first: str
    column: Column | None


class Naming:
    """A table with its columns named: as the form says, else as its layout was kept, else by its
    headings.

    Raises:
        StatementRefused: it is no table.
    """

    def __init__(
        self,
        content: bytes,
        *,
        currency: str = "",
        decimal: str = "",
        day_order: str = "",
        data: Mapping[str, str] | None = None,
    ):
        self.table = open_table(content)
        self.currency, self.decimal, self.day_order = currency, decimal, day_order
        if data is not None:
            names = [data.get(f"column-{place}", "") for place in range(len(self.table.headings))]
        else:
            layout = StatementLayout.objects.filter(digest=_digest(self.table.headings)).first()
            names = layout.columns if layout else []
        columns_by_place = {
            index: Column(name) for index, name in enumerate(names) if name in Column.values
        }
        if data is None and not columns_by_place:
            columns_by_place = {index: column for column, index in self.table.columns.items()}
        self.columns = {column: index for index, column in columns_by_place.items()}
        # The naming and what else was chosen, as the page showed it: storing is for what was seen
        parts = [
            f"{index}:{column.name}" for index, column in sorted(columns_by_place.items(), key=str)
        ]
        self.token = ",".join([*parts, currency, decimal, day_order])
        self.rows = list(self._rows(columns_by_place))
        self.unread = [row.heading for row in self.rows if row.column is None]
        # How the file reads, or why it cannot be read so
        self.file, self.fault = self._read([*columns_by_place.values()])

    def _rows(self, columns_by_place: Mapping[int, Column]) -> Iterator[ColumnRow]:
        """Yield the columns in the file's order."""
        for index, name in enumerate(self.table.headings):
            first = next(iter(self.table.cells(index)), "")[:80]
            if name or first or index in columns_by_place:
                heading = name or phrase("Column %(number)s", number=index + 1)
                yield ColumnRow(index, heading, first, columns_by_place.get(index))

    def _read(self, columns: list[Column]) -> tuple[StatementFile | None, str]:
        for column in Column:
            if columns.count(column) > 1:
                return None, phrase(
                    "Two columns are read as %(column)s: leave one of them out.",
                    column=column.label,
                )
        if not is_enough(self.columns):
            if Column.DATE in columns or Column.BOOKED in columns:
                return None, gettext("No column is read as the amount yet: choose it on the left.")
            return None, gettext("No column is read as the date yet: choose it on the left.")
        try:
            file = read_table(
                self.table,
                self.columns,
                currency=self.currency,
                decimal=self.decimal,
                day_first=self.day_order == "day" if self.day_order else None,
            )
        except StatementRefused as refused:
            return None, str(refused)
        return file, ""

    @cached_property
    def outlook(self) -> dict[str, int]:
        """Return what storing would do."""
        return look_ahead(self.file) if self.file else {}


@needs("payments.change_payment")
def keep_layout(
    *, headings: Sequence[str], columns: Mapping[Column, int], actor: User
) -> StatementLayout:
    """Keep how the columns of a table are named, in the place of what was kept for the same
    headings.
    """
    names_by_place = {index: column.name for column, index in columns.items()}
    names = [names_by_place.get(index, "") for index in range(len(headings))]
    return StatementLayout.objects.update_or_create(
        digest=_digest(headings), defaults={"columns": names}
    )[0]


def _digest(headings: Sequence[str]) -> str:
    return sha256("\n".join(heading(cell) for cell in headings).encode()).hexdigest()
