"""Work on rows part by part: however many there are, no statement takes long and no transaction
holds others up.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

ROWS = 500


def parts_of(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    """Yield the rows part by part until there are none: the caller changes each part so that it is
    none of them.
    """
    while some := list(rows.order_by().values_list("pk", flat=True)[:ROWS]):
        yield rows.filter(pk__in=some)


def delete_in_parts(rows: QuerySet[Any]) -> int:
    """Delete rows, each part in a transaction of its own; return how many they were."""
    label = rows.model._meta.label
    return sum(part.delete()[1].get(label, 0) for part in parts_of(rows))
