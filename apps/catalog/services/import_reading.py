"""Reads the file of an import into rows: what each would change, and which have to be looked at.

Rows are stored some hundreds at a time, each batch in a short transaction of its own: a process
that dies in the middle is followed by one that goes on behind the last row that was stored.
"""

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO, cast

from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Count, F, IntegerField, Max, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.catalog.guards import Guard
from apps.catalog.models import Import, ImportRow, rows_path, stored_path
from apps.catalog.services.import_kinds import (
    LEFT_OUT,
    WITH_PRICES,
    WITH_STOCK,
    ImportKind,
    Question,
    RowGuard,
    kind_of,
)
from apps.catalog.services.import_tables import TableKind
from apps.catalog.sheet import FileRow
from apps.common.db.transactions import one_transaction
from apps.common.tables.spreadsheets import SpreadsheetRefused

BATCH = 500
BATCH_SECONDS = 2
SLICE_SECONDS = 10
SLICE_ROWS = 10_000
TRIES = 5
MAX_KEY = 60
FAILED = _("This file could not be read, several times over. Please tell the administrator.")
FILE_MISSING = _("The file is no longer there. Send it again.")
Result = ImportRow.Result


class _Stopped(Exception):
    """The import was thrown away while it was read."""


def read_slice(*, source: Import, seconds: float = SLICE_SECONDS) -> None:
    """Read on for some seconds, and let the import wait for review once all rows are there.

    At least 10,000 rows are read, however slow the machine is.
    """
    if source.tries >= TRIES:  # it ended its reader again and again
        _refuse(source, FAILED)
        return
    Import.objects.filter(pk=source.pk).update(tries=F("tries") + 1)
    last = source.rows.aggregate(last=Max("number"))["last"] or 0
    kind = kind_of(source)
    try:
        with storages["private"].open(stored_path(source.storage_name)) as stored:
            rows = kind.rows(source, cast(BinaryIO, stored), after=last)
            if _store_rows(source, kind, rows, until=time.monotonic() + seconds):
                _finish(source_id=source.pk, now=timezone.now())
                _forget_rows(source)
    except FileNotFoundError:
        _refuse(source, FILE_MISSING)
    except SpreadsheetRefused as refusal:
        _refuse(source, refusal.text.stored())
    except _Stopped:
        return


def _forget_rows(source: Import) -> None:
    """Delete the rows that were kept. Where a process dies before, the sweep of leftovers does."""
    if isinstance(kind_of(source), TableKind):
        storages["private"].delete(rows_path(source.storage_name))


def _store_rows(source: Import, kind: ImportKind, rows: Iterator[FileRow], *, until: float) -> bool:
    """Store rows behind those that are there; return whether it came to the end before the time was
    over.
    """
    batch: list[FileRow] = []
    stored = 0
    started = time.monotonic()
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH or time.monotonic() - started > BATCH_SECONDS:
            _store(source=source, kind=kind, batch=batch)
            stored += len(batch)
            batch, started = [], time.monotonic()
            if started > until and stored >= SLICE_ROWS:
                return False
    _store(source=source, kind=kind, batch=batch)
    return True


@one_transaction
def _store(*, source: Import, kind: ImportKind, batch: list[FileRow]) -> None:
    rows = list(kind.compared(source, [row for row in batch if row.skip_reason is None]))
    rows += [
        ImportRow(
            source=source,
            number=row.number,
            sku=row.key[:MAX_KEY],
            result=Result.LEFT,
            made={},
            remark=row.skip_reason.stored(),
        )
        for row in batch
        if row.skip_reason is not None
    ]
    ImportRow.objects.bulk_create(rows)
    count = ImportRow.objects.filter(source=source).count()
    if not Import.objects.filter(pk=source.pk, state=Import.State.READING).update(
        rows_read=count, tries=0
    ):
        raise _Stopped


@one_transaction
def _finish(*, source_id: int, now: datetime) -> None:
    """Mark what stands twice, count, ask, and let the import wait for review."""
    source = Import.objects.select_for_update().get(pk=source_id)
    if source.state != Import.State.READING:
        return
    kind = kind_of(source)
    questions = list(kind.settle(source))
    keys, answers = {question.key for question in questions}, source.answers or {}
    questions += [
        Question(*one)  # an answer that settled its question can still be changed
        for one in source.counts.get("asked_before", ())
        if one[0] in answers.keys() - keys
    ]
    counts = counts_of(source.rows.all(), kind.guards)
    source.counts = {**counts, "questions": questions}
    source.state, source.read_at = Import.State.REVIEW, now
    source.save()


def counts_of(rows: QuerySet[ImportRow], guards: Mapping[str, RowGuard]) -> dict[str, Any]:
    """Return the figures of a review: rows by what they do, guards by how many rows each holds
    back. One statement.
    """
    new = Q(result=Result.NEW)
    by = {
        "changes": Q(result__in=(Result.CHANGED, Result.NEW)),
        "prices": WITH_PRICES,
        "stock": WITH_STOCK,
        "new": new,
        "same": Q(result=Result.SAME),
        "left_out": Q(result__in=LEFT_OUT),
        "left": Q(result=Result.LEFT),
        "unknown": Q(result=Result.UNKNOWN),
        "without_minimum": new & ~Q(new__has_key="minimum"),
        "without_stock": new & ~Q(new__has_key="on_hand"),
    }
    guarded = {f"guard_{name}": one.rows for name, one in guards.items()}
    promised = Cast(KeyTextTransform(Guard.PROMISED, "guards"), IntegerField())
    of = rows.order_by().aggregate(
        of_all=Count("pk"),
        short=Sum(promised, default=0),
        **{f"of_{name}": Count("pk", filter=one) for name, one in (by | guarded).items()},
    )
    return {
        **{name: of[f"of_{name}"] for name in by},
        "rows": of["of_all"],
        "pieces_short": of["short"],
        "guards": {name: of[f"of_guard_{name}"] for name in guards},
    }


def read_again(source: Import) -> None:
    """Have a file compared anew with what is there now: it is read from its beginning."""
    source.rows.all()._raw_delete(source.rows.db)
    counts = {"asked_before": source.counts.get("questions", [])}
    Import.objects.filter(pk=source.pk).update(
        state=Import.State.READING, rows_read=0, counts=counts, tries=0
    )


@one_transaction
def _refuse(source: Import, text: str) -> None:
    """Give up on a file: nothing of it stays but why, a text that is kept."""
    reading = Import.objects.filter(pk=source.pk, state=Import.State.READING)
    if reading.update(state=Import.State.REFUSED, remark=text):
        source.rows.all()._raw_delete(source.rows.db)
        transaction.on_commit(lambda: _forget_rows(source), robust=True)
