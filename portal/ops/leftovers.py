"""Private files that no row names: a process died between a file and its row, or between a row's
end and its file's.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from django.core.files.storage import storages
from django.db.models import Model

from apps.accounts.models import Certificate
from apps.accounts.services import sign_up
from apps.catalog import models as catalog
from apps.catalog.models import Import
from apps.notices import models as notices
from apps.notices.models import NoticeFile
from apps.orders.intake import answer
from apps.orders.models import BuyerFile, OrderDocument, SentSheet

logger = logging.getLogger("portal.ops.leftovers")

FOLDERS: dict[str, type[Model]] = {
    sign_up.FOLDER: Certificate,
    OrderDocument.FOLDER: OrderDocument,
    BuyerFile.FOLDER: BuyerFile,
    answer.FOLDER: SentSheet,
    catalog.IMPORT_FOLDER: Import,
    notices.FOLDER: NoticeFile,
}
AGE = timedelta(days=1)  # by then what is being written has its row
AT_MOST = 100
AT_ONCE = 500
EXCERPT = 8  # characters of a name: a link's would open a file


def remove_leftovers(now: datetime) -> int:
    """Delete private files older than a day that no row names, at most 100 of them; return how many
    they were.

    Few are expected. A portal that was given another's storage by mistake does not empty it in one
    run.
    """
    storage, removed = storages["private"], 0
    for folder in FOLDERS:
        for path, written_at in islice(_unnamed(folder, before=now - AGE), AT_MOST - removed):
            storage.delete(path)
            removed += 1
            excerpt = f"{folder}/{path.rpartition('/')[2][:EXCERPT]}…"
            logger.warning(
                "removed %s of %s, which no row names",
                excerpt,
                written_at.isoformat(timespec="seconds"),
            )
    return removed


def _unnamed(folder: str, *, before: datetime) -> Iterator[tuple[str, datetime]]:
    """Yield path and time of the folder's files that were written before a moment and that no row
    names.

    The folder is listed before the rows are asked for: a row that comes meanwhile is seen.
    """
    storage = storages["private"]
    names: list[str] = []
    with suppress(FileNotFoundError):  # nothing was ever stored there
        names = storage.listdir(folder)[1]
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        rows = FOLDERS[folder]._default_manager.filter(storage_name__in=some)
        for name in set(some).difference(rows.values_list("storage_name", flat=True)):
            path = f"{folder}/{name}"
            with suppress(FileNotFoundError):  # taken away meanwhile
                written_at = storage.get_modified_time(path)
                if written_at < before:
                    yield path, written_at
