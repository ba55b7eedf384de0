"""Periodic work on imports, prices and the catalogue's changes. Safe to repeat;
`portal/ops/sweeps.py` says when each runs.
"""

import logging
from datetime import datetime, timedelta
from functools import reduce
from operator import xor

from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.catalog.models import CatalogChange, Import, ImportRow, Product, ProductPrice, stored_path
from apps.catalog.services.import_reading import read_slice
from apps.catalog.services.import_writing import carry_out

logger = logging.getLogger("portal.imports")

State = Import.State
BUSY = (State.READING, State.APPLYING, State.UNDOING)
UNDO_WITHIN = timedelta(days=90)
KEEP_REFUSED = timedelta(days=7)
PRICES_AT_ONCE = 1000


def work_on_imports(now: datetime) -> int:
    """Read, apply and undo what waits for it, the oldest first and each for some seconds; return
    how many.

    One whose worker died is taken up again where it was; one that ends its worker again and again
    is given up.
    """
    waiting = list(Import.objects.filter(state__in=BUSY).order_by("id"))
    for source in waiting:
        if source.state == State.READING:
            read_slice(source=source)
        else:
            carry_out(source=source, now=timezone.now())
    return len(waiting)


def forget_imports(now: datetime) -> int:
    """Delete the files of imports that cannot be undone any more, or were refused; return how many
    rows with them.

    The rows that changed something stay: they are the history of their products.
    """
    refused = Q(state=State.REFUSED, created_at__lt=now - KEEP_REFUSED)
    settled = Q(state__in=(State.APPLIED, State.UNDONE), applied_at__lt=now - UNDO_WITHIN)
    total = 0
    for source in Import.objects.filter(refused | settled).exclude(storage_name=""):
        storages["private"].delete(stored_path(source.storage_name))
        changed = Q(
            result__in=(ImportRow.Result.CHANGED, ImportRow.Result.NEW),
            source__applied_at__isnull=False,
        )
        total += ImportRow.objects.exclude(changed).filter(source=source).delete()[0]
        Import.objects.filter(pk=source.pk).update(storage_name="")
    return total


@transaction.atomic
def fold_changes(now: datetime) -> int:
    """Put the changes of the catalogue so far into one row, which stands for the same state; return
    how many they were.

    Nobody sees fewer of them meanwhile, and what others are about to commit stays. SQLite has none.
    """
    marks = dict(CatalogChange.objects.values_list("pk", "mark"))
    if len(marks) < 2:
        return 0
    CatalogChange.objects.create(mark=reduce(xor, marks.values()))
    CatalogChange.objects.filter(pk__in=marks).delete()
    return len(marks)


@transaction.atomic
def write_begun_prices(now: datetime) -> int:
    """Write wholesale prices that have begun into their products, some at once; return how many.

    They hold from their moment on also without (`selectors/prices.py`).
    """
    begun = ProductPrice.objects.filter(is_written=False, starts_at__lte=now)
    ids = list(begun.order_by("starts_at").values_list("product", flat=True)[:PRICES_AT_ONCE])
    locked = Product.objects.select_for_update(no_key=True).order_by("pk").in_bulk(ids)
    rows = list(begun.filter(product__in=ids).order_by("starts_at"))
    for row in rows:
        locked[row.product_id].usd_supply = row.price
    begun.filter(pk__in=[row.pk for row in rows]).update(is_written=True)
    for product in locked.values():
        product.updated_at = now
    Product.objects.bulk_update(locked.values(), ["usd_supply", "updated_at"])
    return len(rows)
