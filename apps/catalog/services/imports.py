"""Imports: sent, decided on, discarded.

Reading, applying and undoing happen in the background (`import_reading.py`, `import_writing.py`):
the row says what is to be done, the `imports` sweep does it.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.core.files.storage import storages
from django.db import transaction
from django.utils.translation import gettext as _, ngettext

from apps.accounts.models import User
from apps.catalog.errors import ImportRefused
from apps.catalog.models import Import, stored_path
from apps.catalog.services.import_kinds import Question, kind_of, kinds_for
from apps.catalog.services.import_reading import read_again
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.nudge import nudge
from apps.common.permissions import needs
from apps.common.staff_lists import moment_text
from apps.common.storage.private import save_private
from apps.common.storage.uploads import UnsafeFile, check_virus, clean_name
from apps.common.texts import phrase

SWEEP = "imports"
State = Import.State
CORRECTED_WITHIN = timedelta(hours=12)


@needs("catalog.add_import")
def send_import(*, file: BinaryIO, name: str, actor: User, now: datetime, kind: str) -> Import:
    """Take in an open file of a kind; a ZIP is one of pictures, whatever is said.

    What can be told at once is refused here, the rest while it is read. Nothing changes
    yet.

    Raises:
        SpreadsheetRefused, ImportRefused: the file is not taken; the sentence says why.
        Unavailable: the virus scanner or the storage does not answer.
    """
    name = clean_name(name)
    extension = name.rpartition(".")[2].lower()
    kinds = {one.key: one for one in kinds_for(actor)}
    archives = [one for one in kinds.values() if extension == one.extension]
    import_kind = archives[0] if archives else kinds.get(kind)
    if import_kind is None or import_kind.extension not in ("", extension):
        raise ImportRefused(_("This file is not of that kind."))
    rows = import_kind.check(file, name)
    try:
        check_virus(file)
    except UnsafeFile as error:
        raise ImportRefused(_("The virus scanner refuses this file.")) from error
    storage_name = f"{uuid4().hex}.{extension}"
    file.seek(0)
    save_private(stored_path(storage_name), file)
    source = Import.objects.create(
        name=name,
        kind=import_kind.key,
        storage_name=storage_name,
        rows_expected=rows,
        created_by=actor,
        created_at=now,
        **_answered_before(name, import_kind.key, actor, now),
    )
    nudge(SWEEP)
    return source


def _answered_before(name: str, kind: str, actor: User, now: datetime) -> dict[str, Any]:
    """Return what somebody answered to the same file that was discarded in the last hours: it is
    sent again, corrected. Each answer stands on its page and can be changed.
    """
    discarded = Import.objects.filter(
        name=name,
        kind=kind,
        created_by=actor,
        state=State.DISCARDED,
        created_at__gt=now - CORRECTED_WITHIN,
    )
    before = discarded.order_by("-pk").first()
    if before is None or not before.answers:
        return {}
    questions = before.counts.get("questions", [])
    return {"answers": before.answers, "counts": {"asked_before": questions}}


@needs("catalog.change_import")
@one_transaction
def apply_import(*, import_id: int, ticked: Collection[str], actor: User) -> None:
    """Have what was shown applied, in parts and in the background; `ticked` are the guards that
    were looked at.

    Raises:
        NotFound: no such import.
        ImportRefused: it does not wait for review, a guard is not ticked, or nothing would change.
    """
    source = locked_import(import_id, actor)
    _expect(source, State.REVIEW)
    if not source.counts.get("changes"):
        raise ImportRefused(_("Nothing in this file differs from what is there."))
    answers = source.answers or {}
    if any(
        not question.default and answers.get(key) not in dict(question.choices)
        for key, question in questions_of(source).items()
    ):
        raise ImportRefused(_("Answer the questions first."))
    if missing := [
        name for name, count in source.counts["guards"].items() if count and name not in ticked
    ]:
        text = ngettext(
            "%(count)s check is not ticked.", "%(count)s checks are not ticked.", len(missing)
        )
        raise ImportRefused(text % {"count": len(missing)})
    looked_at = sorted(name for name in ticked if source.counts["guards"].get(name))
    source.applied_by, source.counts = actor, {**source.counts, "ticked": looked_at}
    _hand_over(source, State.APPLYING)


@needs("catalog.change_import")
@one_transaction
def answer_import(*, import_id: int, answers: Mapping[str, str], actor: User) -> None:
    """Keep what was chosen for questions of a file, and have it read anew with that.

    Raises:
        NotFound: no such import.
        ImportRefused: it does not wait for review, or something else is asked by now.
    """
    source = locked_import(import_id, actor)
    _expect(source, State.REVIEW)
    questions = questions_of(source)
    if not answers or any(
        value not in dict(questions[key].choices) if key in questions else True
        for key, value in answers.items()
    ):
        raise ImportRefused(_("The questions have changed. Look at the import again."))
    source.answers = {**(source.answers or {}), **answers}
    source.save()
    read_again(source)
    nudge(SWEEP)


def questions_of(source: Import) -> dict[str, Question]:
    """Return what is asked of an import, by key."""
    questions = (Question(*question) for question in source.counts.get("questions", ()))
    return {question.key: question for question in questions}


@needs("catalog.change_import")
@one_transaction
def undo_import(*, import_id: int, actor: User) -> None:
    """Have everything put back as it was before, in parts and in the background.

    Raises:
        NotFound: no such import.
        ImportRefused: it is not applied, or it is too old.
    """
    source = locked_import(import_id, actor)
    _expect(source, State.APPLIED)
    if not source.storage_name:
        raise ImportRefused(_("This import is so old that it cannot be undone."))
    source.rows.filter(is_touched=True).update(is_touched=False)
    source.undone_by = actor
    _hand_over(source, State.UNDOING)


@needs("catalog.change_import")
@one_transaction
def discard_import(*, import_id: int, actor: User) -> None:
    """Discard an import that is not applied; nothing was changed by it.

    Raises:
        NotFound: no such import.
        ImportRefused: it is applied, or about to be.
    """
    source = locked_import(import_id, actor)
    _expect(source, State.READING, State.REVIEW)
    source.state = State.DISCARDED
    source.save()
    source.rows.all()._raw_delete(source.rows.db)
    path = stored_path(source.storage_name)
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)


def locked_import(import_id: int, actor: User) -> Import:
    """Return an import that somebody may decide on, locked.

    Raises:
        NotFound: no such import.
        PermissionDenied: its kind needs rights that the actor has not.
    """
    source = row_or_404(Import.objects.select_for_update().filter(pk=import_id))
    if not actor.has_perms(kind_of(source).needs):
        raise PermissionDenied
    return source


def _hand_over(source: Import, state: Import.State) -> None:
    """Leave the rest of the work to the sweep, and wake it."""
    source.state, source.tries, source.rows_written, source.remark = state, 0, 0, ""
    source.save()
    nudge(SWEEP)


def _expect(source: Import, *states: str) -> None:
    if source.state in states:
        return
    who, at = source.created_by, source.created_at
    if source.state in (State.APPLYING, State.APPLIED):
        who, at = source.applied_by or who, source.applied_at or at
    elif source.state in (State.UNDOING, State.UNDONE):
        who, at = source.undone_by or who, source.undone_at or at
    raise ImportRefused(
        phrase(
            "Its status is “%(state)s” now (%(who)s, %(moment)s).",
            state=source.get_state_display(),
            who=who.manager or who,
            moment=moment_text(at),
        )
    )
