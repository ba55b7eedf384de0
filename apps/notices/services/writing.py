"""What staff do with notices: text, window, audience and files in one step."""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.permissions import needs
from apps.common.rich_text import has_words, sanitised
from apps.common.storage.files import JPEG, LETTER, PDF, PNG, SPREADSHEET, TABLE, random_name
from apps.common.storage.uploads import CheckedFile, WrongKind, check_file, clean_name
from apps.notices.errors import NoticeRefused, StaleNotice
from apps.notices.models import Notice, NoticeAudience, NoticeFile
from apps.notices.selectors import EVERYBODY, Audience

logger = logging.getLogger("portal.notices")

MAX_FILE_BYTES = 20 * 1024 * 1024
MAX_FILES = 20
KINDS = (PDF, JPEG, PNG, SPREADSHEET, LETTER, TABLE)


@dataclass(frozen=True)
class NoticeFields:
    """What staff write of a notice. Without `published_at` it is a draft; the pop-up window has
    both ends or none.
    """

    title: str
    content: str
    published_at: datetime | None = None
    popup_from: datetime | None = None
    popup_until: datetime | None = None
    audience: Audience = field(default_factory=Audience)


@needs("notices.change_notice")
def save_notice(
    *,
    actor: Any,
    now: datetime,
    fields: NoticeFields,
    notice_id: int | None = None,
    version: int = 0,
    added: Sequence[UploadedFile] = (),
    removed: Collection[int] = (),
) -> Notice:
    """Save a notice, or make one where `notice_id` is None, with its audience and files: all of it
    or nothing.

    New files are stored before the transaction opens and taken away again if it fails; removed ones
    go after it.

    Raises:
        NoticeRefused: no title or text, a wrong window, an empty audience, a file that may not be
            stored, or a storage that does not answer.
        StaleNotice: somebody saved or deleted it since `version` was read.
    """
    _check(fields)
    checked = [_checked(upload) for upload in added]
    files: list[NoticeFile] = []
    try:
        for upload in checked:
            name, kind = random_name(upload.kind), upload.kind.content_type
            size = len(upload.content)
            file = NoticeFile(
                title=upload.given_name, storage_name=name, content_type=kind, size=size
            )
            files.append(file)  # before it is written: half a file goes too
            storages["private"].save(file.path, ContentFile(upload.content))
    except Exception as error:
        logger.exception("the storage refused a notice's file", extra={"event": "storage_failed"})
        _discard(file.path for file in files)
        text = _(
            "The files could not be stored, and nothing was saved. Please try again in a moment."
        )
        raise NoticeRefused(text, field="added") from error
    try:
        return _write(
            actor=actor,
            now=now,
            fields=fields,
            notice_id=notice_id,
            version=version,
            files=files,
            removed=removed,
        )
    except BaseException:
        _discard(file.path for file in files)
        raise


def _check(fields: NoticeFields) -> None:
    if not fields.title.strip():
        raise NoticeRefused(_("Write a title."), field="title")
    if not has_words(fields.content):
        raise NoticeRefused(_("Write the text."), field="content")
    start, end = fields.popup_from, fields.popup_until
    if (start is None) != (end is None):
        missing = "popup_until" if end is None else "popup_from"
        raise NoticeRefused(_("A popup needs a start and an end."), field=missing)
    if start and end and end <= start:
        raise NoticeRefused(_("This is before the start."), field="popup_until")
    if fields.audience.kind != EVERYBODY and not fields.audience.ids:
        raise NoticeRefused(_("Choose at least one."), field="audience")


def _checked(upload: UploadedFile) -> CheckedFile:
    name = clean_name(str(upload.name))
    if (upload.size or 0) > MAX_FILE_BYTES:
        raise NoticeRefused(too_large(name), field="added")
    try:
        return check_file(upload.read(), given_name=name, kinds=KINDS)
    except WrongKind as error:
        text = _("%(file)s: only PDF, JPEG, PNG, XLSX, DOCX and CSV files can be attached.")
        raise NoticeRefused(text % {"file": name}, field="added") from error
    except PortalError as error:
        raise NoticeRefused(f"{name}: {_(str(error))}", field="added") from error


def too_large(name: str) -> str:
    """Return what is said of a file that is too large."""
    return _("%(file)s is larger than 20 MB.") % {"file": name}


def _discard(paths: Iterable[str]) -> None:
    for path in paths:
        try:
            storages["private"].delete(path)
        except Exception:
            logger.exception(
                "a notice's file stays behind until the sweep takes it",
                extra={"event": "storage_failed"},
            )


@one_transaction
def _write(
    *,
    actor: Any,
    now: datetime,
    fields: NoticeFields,
    notice_id: int | None,
    version: int,
    files: Sequence[NoticeFile],
    removed: Collection[int],
) -> Notice:
    values = {
        "title": " ".join(fields.title.split()),
        "content": sanitised(fields.content),
        "published_at": fields.published_at,
        "popup_from": fields.popup_from,
        "popup_until": fields.popup_until,
        "for_everybody": fields.audience.kind == EVERYBODY,
        "changed_by": actor,
        "changed_at": now,
    }
    if notice_id is None:
        notice = Notice.objects.create(author=actor, **values)
    else:
        mine = Notice.objects.filter(pk=notice_id, version=version)
        if not mine.update(version=F("version") + 1, **values):
            raise _stale(notice_id)
        notice = Notice.objects.get(pk=notice_id)
        for gone in notice.files.filter(pk__in=removed):
            gone.delete()
    if notice.files.count() + len(files) > MAX_FILES:
        raise NoticeRefused(
            _("A notice has at most %(count)s files.") % {"count": MAX_FILES}, field="added"
        )
    for file in files:
        file.pk, file.notice = None, notice  # a repeated transaction makes new rows
    NoticeFile.objects.bulk_create(files)
    notice.audience.all().delete()
    NoticeAudience.objects.bulk_create(
        NoticeAudience(notice=notice, kind=fields.audience.kind, object_id=object_id)
        for object_id in sorted(fields.audience.ids)
    )
    return notice


def _stale(notice_id: int) -> StaleNotice:
    notice = Notice.objects.select_related("changed_by").filter(pk=notice_id).first()
    if notice is None:
        return StaleNotice(_("This notice was deleted meanwhile."))
    who = str(getattr(notice.changed_by, "manager", "") or _("Somebody"))
    text = _("%(who)s changed this notice at %(moment)s. Compare before you save again.")
    moment = f"{timezone.localtime(notice.changed_at or notice.created_at):%Y-%m-%d %H:%M}"
    return StaleNotice(text % {"who": who, "moment": moment})
