"""Filters of staff's lists whose choices show counts."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList


class CountedFilter(admin.SimpleListFilter):
    """A filter whose choices show a count where there is one; that of the choice `late` is red."""

    any_label: ClassVar[str] = "Any"
    late: ClassVar[str] = "late"

    def counts(self) -> Mapping[str, int | None]:
        """Return the counts by choice, None where nothing is counted; that of the first choice under an empty name."""
        return {}

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the choices with their counts."""
        counts = self.counts()
        yield {
            "selected": self.value() is None,
            "query_string": changelist.get_query_string(remove=[str(self.parameter_name)]),
            "display": self.any_label,
            "count": counts.get(""),
        }
        for value, label in self.lookup_choices:
            yield {
                "selected": self.value() == str(value),
                "query_string": changelist.get_query_string({str(self.parameter_name): value}),
                "display": label,
                "count": counts.get(str(value), 0) if counts else None,
                "late": value == self.late,
            }
