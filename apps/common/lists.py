"""Staff's lists stay as quick as their rows grow: they count up to a bound, and look for a word
index by index.
"""

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.utils.functional import cached_property

MOST_COUNTED = 10_000
MAX_MATCHES = 10_000  # more rows than this are met soon, whatever way a search goes


class CappedPaginator(Paginator):
    """Pages of a list that is counted and leafed through up to 10,000 rows; the rest is found by
    filters and search.
    """

    object_list: QuerySet

    @cached_property
    def _counted(self) -> int:
        return int(self.object_list.order_by()[: MOST_COUNTED + 1].count())

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most 10,000."""
        return min(self._counted, MOST_COUNTED)

    @property
    def is_capped(self) -> bool:
        """Return whether there are more rows than are counted."""
        return self._counted > MOST_COUNTED


def any_of(rows: QuerySet, *conditions: Q) -> QuerySet:
    """Return the rows for which one of the conditions holds; of each, alone, no row comes twice.

    Each is looked for by its own index, and what is found is sorted then: where they stand in one
    OR, or beside an order, PostgreSQL goes through the whole table for a word that few rows have.
    One statement.
    """
    plain = rows.model._default_manager.order_by()
    first, *others = [
        plain.filter(condition).values_list("pk", flat=True) for condition in conditions
    ]
    ids = list((first.union(*others, all=True) if others else first)[: MAX_MATCHES + 1])
    if len(ids) <= MAX_MATCHES:
        return rows.filter(pk__in=set(ids))
    return rows.filter(Q(*conditions, _connector=Q.OR))
