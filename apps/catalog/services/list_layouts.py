"""Layouts of a company's sheets: settled once by its buyers, forgotten by staff or with
the oldest.
"""

from collections.abc import Sequence
from datetime import datetime

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.lists.columns import Said, TabColumns
from apps.catalog.models import MAX_HEADINGS, ListLayout
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid

MAX_LAYOUTS = 500


def check_said(said: Sequence[Said]) -> None:
    """Check that rows can be read as somebody says.

    Raises:
        Invalid: no column names the product or holds the quantity, or two hold it.
    """
    if faults := [one.settled.fault for one in said if one.settled.fault]:
        raise Invalid(errors={"columns": faults[:1]})


@one_transaction
def settle_layouts(
    columns: Sequence[TabColumns], *, buyer: Buyer, said: Sequence[Said], now: datetime
) -> None:
    """Keep what the `columns` of a sheet's tabs hold, for the next sheets of the buyer's company
    that have them.

    What was kept of such tabs before is forgotten; beyond 500 the oldest goes.
    """
    Company.objects.select_for_update(no_key=True).only("pk").get(pk=buyer.company_id)
    for one in said:
        if one.tab >= len(columns):
            continue
        tab, is_order = columns[one.tab], one.settled.is_order
        settled = {
            "kinds": list(one.settled.kinds),
            "carton": one.settled.carton,
            "headings": tab.headings[:MAX_HEADINGS],
            "settled_by_id": buyer.id,
            "settled_at": now,
        }
        mark, other = (tab.mark, tab.mark_of_none) if is_order else (tab.mark_of_none, tab.mark)
        ListLayout.objects.update_or_create(
            company_id=buyer.company_id, fingerprint=mark, defaults=settled
        )
        if is_order:
            ListLayout.objects.filter(company_id=buyer.company_id, fingerprint=other).delete()
    kept = ListLayout.objects.filter(company_id=buyer.company_id).order_by("-settled_at", "-pk")
    for layout in kept[MAX_LAYOUTS:]:
        layout.delete()
