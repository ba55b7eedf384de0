"""Applies an import, or puts back what it changed, in parts: nobody who orders or signs in waits
for more than one.

What somebody else changed since the review stops it before its first part, with nothing changed.
What changes while the parts go on is left alone and named. Each row says whether it is done
(`is_done`), so that whoever comes after a worker that died goes on with the others.
"""

import logging
import time
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.utils.translation import gettext_noop as _

from apps.catalog.models import Import, ImportRow
from apps.catalog.services.import_kinds import MAX_TOUCHED, kind_of, skus_of
from apps.catalog.services.import_reading import read_again
from apps.common.db.transactions import one_transaction
from apps.common.texts import Text, joined

logger = logging.getLogger("portal.imports")

SECONDS = 10  # then the other sweeps have their turn
REST_SECONDS = 0.1  # between two parts: SQLite's waiting writers look that often
TRIES = 5
FAILED = _("This failed several times. Please tell the administrator.")
State = Import.State


class _Conflict(Exception):
    """Somebody else changed what these rows are about, and nothing is written yet."""

    def __init__(self, rows: list[ImportRow]) -> None:
        super().__init__()
        self.rows = rows


def carry_out(*, source: Import, now: datetime) -> None:
    """Apply or undo an import as the person who asked for it, for some seconds at least a part; the
    next call goes on.

    Whatever stands in the way is told on its page.
    """
    if source.tries >= TRIES:
        _stop(source, Text(FAILED), now)
        return
    Import.objects.filter(pk=source.pk).update(tries=F("tries") + 1)
    until = time.monotonic() + SECONDS
    try:
        # once parts are written, no more
        if not source.rows_written and (touched := kind_of(source).touched(source, now)):
            raise _Conflict(touched)
        while _write_part(source, now):
            if time.monotonic() > until:
                return
            rest()
        _finish(source, now)
    except _Conflict as conflict:
        _tell_touched(source, conflict.rows)
    except PermissionDenied:
        who = source.doer.manager or source.doer
        _stop(source, Text("%(who)s may no longer import this.", who=who), now)


def rest() -> None:
    """Let those who wait for the database have it."""
    time.sleep(REST_SECONDS)


@one_transaction
def _write_part(busy: Import, now: datetime) -> bool:
    """Write the next rows; return whether there were any.

    Raises:
        _Conflict: this would be the first part, and somebody changed what its rows are about.
        PermissionDenied: who asked for it may not any more.
    """
    source = Import.objects.select_for_update().get(pk=busy.pk)
    if source.state != busy.state:
        return False
    kind = kind_of(source)
    if not source.doer.has_perms(("catalog.change_import", *kind.needs)):
        raise PermissionDenied
    part = kind.write(source, now)
    if part.touched and not source.rows_written:
        raise _Conflict(part.touched)
    source.rows_written, source.tries = F("rows_written") + part.done, 0
    source.save()
    return part.looked_at > 0


@one_transaction
def _finish(busy: Import, now: datetime) -> None:
    """End an import whose rows are all written or put back, but for those that somebody else
    changed meanwhile.
    """
    source = Import.objects.select_for_update().get(pk=busy.pk)
    if source.state != busy.state:
        return
    undo, actor = source.is_undoing, source.doer
    touched = list(source.rows.filter(is_touched=True).order_by("number")[: MAX_TOUCHED + 1])
    summary = kind_of(source).remarks(source)
    if touched and undo:
        summary.append(_not_undone(source, touched))
    elif touched:
        summary.append(Text("Left out, changed meanwhile: %(skus)s.", skus=skus_of(touched)))
    source.remark = joined(" ", summary).stored() if summary else ""
    if not undo:
        source.state, source.applied_at = State.APPLIED, now
    elif touched:
        source.state, source.undone_at = State.APPLIED, None
    else:
        source.state, source.undone_at = State.UNDONE, now
    source.save()
    rows = _rows(source.rows_written)
    texts = [Text("Undone: %(rows)s", rows=rows) if undo else Text("Applied: %(rows)s", rows=rows)]
    counts = {} if undo else source.counts
    if ticked := counts.get("ticked"):
        guards = kind_of(source).guards  # by a release before, maybe others
        checks = [guards[one].text(counts["guards"][one]) for one in ticked if one in guards]
        texts.append(Text("checked: %(checks)s", checks=joined(", ", checks)))
    if left_out := counts.get("left_out"):
        texts.append(Text("rows not imported: %(count)s", count=f"{left_out:,}"))
    text = joined("; ", texts).stored()
    LogEntry.objects.log_actions(actor.pk, [source], CHANGE, text, single_object=True)


def _rows(count: int) -> Text:
    return Text("1 row") if count == 1 else Text("%(count)s rows", count=f"{count:,}")


def _not_undone(source: Import, rows: list[ImportRow]) -> Text:
    text = Text("Not undone, changed or promised since: %(skus)s.", skus=skus_of(rows))
    instead = kind_of(source).instead
    return joined(" ", [text, Text(instead)]) if instead else text


@one_transaction
def _tell_touched(source: Import, rows: list[ImportRow]) -> None:
    if source.is_undoing:
        source.rows.filter(pk__in=[row.pk for row in rows]).update(is_touched=True)
        _revert(source, State.APPLIED, _not_undone(source, rows))
        return
    text = Text(
        "Nothing was applied: %(skus)s changed after the review. Look at it again.",
        skus=skus_of(rows),
    )
    _revert(source, State.READING, text)
    read_again(source)


@one_transaction
def _stop(source: Import, why: Text, now: datetime) -> None:
    """Give up: before the first part nothing was changed, after it the rows say which are done."""
    undo = source.is_undoing
    count = Import.objects.values_list("rows_written", flat=True).get(pk=source.pk)
    if not count:
        text = Text("%(why)s Nothing was changed.", why=why)
        _revert(source, State.APPLIED if undo else State.REVIEW, text)
        return
    if undo:
        text = Text("%(why)s %(rows)s put back, the rest is not.", why=why, rows=_rows(count))
    else:
        Import.objects.filter(pk=source.pk).update(applied_at=now)
        text = Text("%(why)s %(rows)s applied, the rest is not.", why=why, rows=_rows(count))
    _revert(source, State.APPLIED, text)


def _revert(source: Import, state: str, text: Text) -> None:
    busy = (State.APPLYING, State.UNDOING)
    Import.objects.filter(pk=source.pk, state__in=busy).update(
        state=state, remark=text.stored(), tries=0
    )
