"""A buyer's list, read with what is known of the company: the products that it sees, its own codes
and its layouts.
"""

from collections.abc import Collection, Sequence
from functools import partial

from apps.accounts.selectors import Buyer
from apps.catalog.lists.columns import Said, Settled
from apps.catalog.lists.order_list import NOBODY, OrderList, Progress, read_order_list
from apps.catalog.models import ListLayout
from apps.catalog.selectors.codes import skus_of_codes


def read_list(
    *,
    buyer: Buyer,
    content: bytes,
    name: str,
    said: Sequence[Said] = (),
    progress: Progress = NOBODY,
) -> OrderList:
    """Return the lines of a list that the buyer sent, and why each other row is none. At most eight
    statements.

    Raises:
        SpreadsheetRefused: as `read_order_list`.
    """
    find, remembered = partial(skus_of_codes, buyer), partial(settled_layouts, buyer)
    return read_order_list(
        content, name=name, find=find, remembered=remembered, said=said, progress=progress
    )


def settled_layouts(buyer: Buyer, marks: Collection[str]) -> dict[str, Settled]:
    """Return the layouts of the buyer's company by their fingerprints. One statement."""
    found = ListLayout.objects.filter(company_id=buyer.company_id, fingerprint__in=marks)
    rows = found.values_list("fingerprint", "kinds", "carton")
    return {mark: Settled(tuple(kinds), carton) for mark, kinds, carton in rows}
