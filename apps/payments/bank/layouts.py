"""Layouts of bank files: how staff named their columns, kept by the headings until somebody drops
them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from apps.accounts.models import User
from apps.common.errors import NotFound
from apps.common.permissions import needs
from apps.common.tables.cells import heading
from apps.payments.bank.headings import Column
from apps.payments.bank.lines import clean
from apps.payments.models import StatementLayout

MAX_NAME = 80


def layout_of(headings: Sequence[str]) -> StatementLayout | None:
    """Return the layout that was kept for a table with these headings, if there is one."""
    return StatementLayout.objects.filter(digest=_digest(headings)).first()


def columns_of(layout: StatementLayout) -> dict[Column, int]:
    """Return which column of a layout is what."""
    return {
        Column[name]: index
        for index, name in enumerate(layout.columns)
        if name in Column.__members__
    }


@needs("payments.change_payment")
def keep_layout(
    *, name: str, headings: Sequence[str], columns: Mapping[Column, int], actor: User, now: datetime
) -> StatementLayout:
    """Keep how the columns of a table are named, in the place of what was kept for the same
    headings.
    """
    named = {index: column.name for column, index in columns.items()}
    fields = {
        "name": clean(name)[:MAX_NAME] or "Without a name",
        "headings": list(headings),
        "columns": [named.get(index, "") for index in range(len(headings))],
        "kept_at": now,
        "kept_by": actor,
    }
    return StatementLayout.objects.update_or_create(digest=_digest(headings), defaults=fields)[0]


@needs("payments.change_payment")
def drop_layout(*, layout_id: int, actor: User, now: datetime) -> None:
    """Forget a layout; files with its headings are read by the known headings again.

    Raises:
        NotFound: there is no such layout.
    """
    if not StatementLayout.objects.filter(pk=layout_id).delete()[0]:
        raise NotFound


def _digest(headings: Sequence[str]) -> str:
    return sha256("\n".join(heading(cell) for cell in headings).encode()).hexdigest()
