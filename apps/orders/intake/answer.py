"""Stage six: a sheet that a buyer orders from is kept as he sent it, and given back with columns
that say what became of it.
"""

import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.common.storage.files import SPREADSHEET, TABLE, FileKind, random_name
from apps.common.storage.private import read_private, save_private
from apps.common.storage.uploads import check_virus, clean_name
from apps.common.tables.answered import with_columns
from apps.orders.intake.answers import answers_of_basket, answers_of_order
from apps.orders.intake.lists import NO_FILE, Sent, read_list
from apps.orders.intake.words import PRICE
from apps.orders.models import ListInHand, Order, SentSheet
from apps.orders.models.lists import SheetAnswer

FOLDER = "sent-sheets"
KINDS: dict[str, FileKind] = {
    "xlsx": SPREADSHEET,
    "csv": TABLE,
    "tsv": FileKind("tsv", TABLE.content_type),
}
KEPT = timedelta(days=90)
KEPT_FOR_A_BUYER = 20
FORGOTTEN_AT_ONCE = 500
MAX_WHY = 200


def stored_path(storage_name: str) -> str:
    """Return where the private storage keeps a buyer's sheet."""
    return f"{FOLDER}/{storage_name}"


def keep_sheet(
    *,
    buyer: Buyer,
    file: File | None,
    uuid: UUID | None,
    answers: Sequence[SheetAnswer],
    now: datetime,
) -> bytes:
    """Keep a sheet whose lines went into the basket, and return it with its columns: a list in hand
    by its `uuid`, or the file where that could not be kept.

    `answers` come from the review's lines; what each row asks for is read from the sheet once more.

    Raises:
        NotFound: neither a file nor the buyer's list of this uuid.
        Invalid: an answer for a row that asks for nothing, or a file that is no sheet.
        SpreadsheetRefused: the sheet cannot be read, or there is no room at its right.
        UnsafeFile, Unavailable: it is infected; the storage or the virus scanner does not answer.
    """
    listed = ListInHand.objects.filter(user_id=buyer.id, uuid=uuid).first() if uuid else None
    if listed is not None:
        name, content, sent = listed.name, bytes(listed.content), Sent(listed.tab, listed.columns)
    elif file is not None:
        name, content, sent = clean_name(file.name or ""), file.read(), Sent()
    elif uuid:
        raise NotFound
    else:
        raise Invalid(errors=NO_FILE)
    kind = KINDS.get(name.rpartition(".")[2].lower())
    if kind is None:
        raise Invalid(errors={"list": ["Only .xlsx and .csv files can be given back."]})
    read = read_list(buyer=buyer, content=content, name=name, sent=sent)
    table = read.table
    check_virus(io.BytesIO(content))
    left: dict[int, int | None] = {line.row: line.amount.count for line in read.lines}
    completed: list[SheetAnswer] = []
    for answer in answers:
        pieces = [left.pop(row, None) for row in answer["rows"]]
        if not pieces or None in pieces:
            raise Invalid(errors={"answers": ["A row that is not in this sheet."]})
        asked = [count or 0 for count in pieces]
        completed.append({**answer, "why": answer["why"][:MAX_WHY], "asked": asked})
    sheet = SentSheet(
        user_id=buyer.id,
        storage_name=random_name(kind),
        given_name=name,
        content_type=kind.content_type,
        heads=[(table.tab.name, table.head, next(iter(table.columns(PRICE)), -1) + 1)],
        answers=completed,
        sent_at=now,
    )
    answered = with_columns(
        content, name=name, added=answers_of_basket(buyer=buyer, sheet=sheet, now=now)
    )
    save_private(stored_path(sheet.storage_name), content)
    try:
        _save(sheet)
    except BaseException:
        storages["private"].delete(stored_path(sheet.storage_name))
        raise
    return answered


@one_transaction
def _save(sheet: SentSheet) -> None:
    """Keep a sheet, and of its buyer's others the newest alone."""
    User.objects.select_for_update().get(pk=sheet.user_id)
    sheet.pk = None  # a repeat writes it once more
    sheet.save(force_insert=True)
    others = SentSheet.objects.filter(user_id=sheet.user_id).order_by("-pk")
    for other in others[KEPT_FOR_A_BUYER:]:
        drop_sheet(other)


def drop_sheet(sheet: SentSheet) -> None:
    """Delete the row of a sheet, and its file after the commit."""
    path = stored_path(sheet.storage_name)
    sheet.delete()
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)


def answered_sheet(*, sheet: SentSheet, order: Order, now: datetime) -> bytes:
    """Return the sheet of an order with columns that say how each of its rows stands now.

    Raises:
        NotFound: it is gone.
        StorageUnavailable: the storage does not answer.
        SpreadsheetRefused: it cannot be read any more.
    """
    content = read_private(stored_path(sheet.storage_name))
    return with_columns(
        content, name=sheet.given_name, added=answers_of_order(sheet=sheet, order=order, now=now)
    )


def forget_sheets(now: datetime) -> int:
    """Delete the sheets that were kept long enough; return how many they were."""
    old = list(SentSheet.objects.filter(sent_at__lt=now - KEPT)[:FORGOTTEN_AT_ONCE])
    for sheet in old:
        with transaction.atomic():
            drop_sheet(sheet)
    return len(old)
