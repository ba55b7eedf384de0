"""What the lists of staff share: figures with separators, and which columns a row keeps on a phone
(admin-2.md, 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.db import DataError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import localize
from django.utils.html import format_html
from django.utils.translation import gettext

from apps.common import lists
from apps.common.types import Label


@dataclass(frozen=True)
class PhoneRow:
    """The columns of a list that its two-line rows show on a phone; the first column is always the
    row's name.

    `under` stands below the name, `right` at its right (lateness, an amount), `next` below that
    (what is done next), `third` in a line of its own. The columns in `labelled` show their heading
    before the figure.
    """

    under: str = ""
    right: str = ""
    next: str = ""
    third: str = ""
    labelled: tuple[str, ...] = ()

    def place_of(self, column: str) -> str:
        """Return where a column stands in a row on a phone; nothing for one that is left out."""
        places = {self.under: "under", self.right: "right", self.next: "next", self.third: "third"}
        return places.get(column, "")


class Figure(NamedTuple):
    """A figure at the head of a page, with what it says; a hint may lead to what is counted."""

    label: Label
    value: str
    hint: Label = ""
    url: str = ""
    tone: str = ""


class SortedWhileCounted(ChangeList):
    """A list that is sorted by any column as long as all its rows are counted; a longer one stands
    in its own order.

    Whoever wants it sorted narrows it by a filter or a search: sorting a million rows takes
    seconds.
    """

    def get_ordering(self, request: HttpRequest, queryset: QuerySet) -> list[Any]:
        """Return what the list is sorted by. One statement more where a column was asked for."""
        if ORDER_VAR in self.params and not self.query:
            beyond = queryset.order_by().values("pk")[lists.MOST_COUNTED : lists.MOST_COUNTED + 1]
            if beyond.exists():
                del self.params[ORDER_VAR]
        return list(super().get_ordering(request, queryset))

    def get_filters(self, request: HttpRequest) -> Any:
        """Find the filters; beyond the first three, one that is not used is folded."""
        filters = super().get_filters(request)
        for spec in filters[0][3:]:
            spec.is_folded = True  # type: ignore[attr-defined]
        return filters

    def get_results(self, request: HttpRequest) -> None:
        """Find the rows of the page; a list that is too long does not offer its columns
        to sort by.

        Raises:
            IncorrectLookupParameters: the address asks for a number that no database has.
        """
        try:
            super().get_results(request)
        except (OverflowError, DataError) as error:
            if not self.params:
                raise
            raise IncorrectLookupParameters(error) from error
        if getattr(self.paginator, "is_capped", False):
            self.sortable_by = ()


def figure_text(value: Decimal | int | None) -> str:
    """Return a figure as staff read it: `1,277`, `− 100.00`, and `–` for none."""
    if value is None:
        return "–"
    text = f"{abs(value):,.2f}" if isinstance(value, Decimal) else f"{abs(value):,}"
    return f"− {text}" if value < 0 else text


def signed(value: Decimal | int) -> str:
    """Return a figure that is added or taken away: `+ 178.60`, `− 20`, `0`."""
    return f"+ {figure_text(value)}" if value > 0 else figure_text(value)


def moment_text(moment: datetime) -> str:
    """Return a moment in the seller's time: `2025-11-20 14:12`."""
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"


def day_of(moment: datetime) -> str:
    """Return the day of a moment in the seller's time: `2025-11-20`."""
    return f"{timezone.localtime(moment):%Y-%m-%d}"


def short_moment(moment: datetime) -> str:
    """Return a moment in the seller's time as lists show it: `11-20 14:12`, of another year
    `2025-11-20 14:12`.
    """
    local = timezone.localtime(moment)
    is_this_year = local.year == timezone.localdate().year
    return f"{local:%m-%d %H:%M}" if is_this_year else moment_text(moment)


def column(
    path: str,
    description: Label,
    *,
    ordering: str | None = "",
    show: Callable[[Any], Any] | None = None,
) -> Callable[..., Any]:
    """Return a column with what stands at `path` (`stock__on_hand`) of a row, as `show` makes it; a
    moment as it stands in tables. It is sorted by that path, by another `ordering`, or not at all
    (None).
    """

    def cell(_: admin.ModelAdmin, row: Any) -> Any:
        for name in path.split("__"):
            row = getattr(row, name, None)
        if show:
            return show(row)
        value = row() if callable(row) else row
        if isinstance(value, datetime):
            value = timezone.localtime(value)
        return localize(value) if value else "–"

    return admin.display(
        cell, description=description, ordering=path if ordering == "" else ordering
    )


def figure(
    path: str, description: Label, *, ordering: str | None = "", is_signed: bool = False
) -> Callable[..., str]:
    """Return a `column` that shows a figure, right-aligned. Zero and none are pale."""

    def show(value: Any) -> str:
        text = signed(value) if is_signed else figure_text(value)
        return text if value else format_html('<span class="none">{}</span>', text)

    figure_column = column(path, description, ordering=ordering, show=show)
    figure_column.is_figure = True  # type: ignore[attr-defined]
    return figure_column


def who(user: Any) -> str:
    """Return who did something: a person by name, else the portal."""
    return str(user.manager) if user else gettext("the portal")


def by(field: str, description: Label) -> Callable[..., str]:
    """Return a column with who did something."""
    return admin.display(lambda _, row: who(getattr(row, field)), description=description)


def tag(word: Label, tone: str) -> str:
    """Return a word as a tag of a tone."""
    return format_html('<span class="tag {}">{}</span>', tone, word)


def two_lines(first: object, second: object) -> str:
    """Return a cell of two lines, the second of them small."""
    return format_html('{}<span class="second">{}</span>', first, second)


def titled(title: Label) -> type[admin.FieldListFilter]:
    """Return a filter of a field under the trade's word for it."""

    class Titled(admin.FieldListFilter):
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            titled_filter = admin.FieldListFilter.create(*args, **kwargs)
            titled_filter.title = title
            return titled_filter

    return Titled
