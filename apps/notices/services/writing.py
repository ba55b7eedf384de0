"""What staff do with notices, text, window, audience and files in one step; and what readers do."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db.models import F
from django.utils.translation import gettext as _

from apps.common.db.failures import unless_read_only
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, PortalError, Unavailable
from apps.common.permissions import needs
from apps.common.rich_text import has_words, sanitised
from apps.common.staff_lists import moment_text
from apps.common.storage.files import JPEG, LETTER, PDF, PNG, SPREADSHEET, TABLE, random_name
from apps.common.storage.private import saved_private
from apps.common.storage.uploads import CheckedFile, WrongKind, check_file, clean_name
from apps.common.texts import phrase
from apps.notices.errors import NoticeRefused, StaleNotice
from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead
from apps.notices.selectors import EVERYBODY, Audience, Reader, get_notice

MAX_FILES = 20
KINDS = (PDF, JPEG, PNG, SPREADSHEET, LETTER, TABLE)


@needs("notices.change_notice")
def save_notice(
    *,
    actor: Any,
    now: datetime,
    fields: Mapping[str, Any],
    audience: Audience,
    notice_id: int | None = None,
    version: int = 0,
    added: Sequence[UploadedFile] = (),
    removed: Collection[int] = (),
) -> Notice:
    """Save a notice, or make one where `notice_id` is None, with its audience and files: all of it
    or nothing. `fields` are its title, content, moment of publication (None: a draft), and the
    pop-up window, both ends or none.

    New files are stored before the transaction opens and taken away again if it fails; removed ones
    go after it.

    Raises:
        NoticeRefused: no text, a wrong window, an empty audience, a file that may not be stored, or
            a storage that does not answer.
        StaleNotice: somebody saved or deleted it since `version` was read.
    """
    _check(fields, audience)
    values = {
        **fields,
        "title": " ".join(fields["title"].split()),
        "content": sanitised(fields["content"]),
        "for_everybody": audience.kind == EVERYBODY,
        "changed_by": actor,
        "changed_at": now,
    }
    checked = [_checked(upload) for upload in added]
    files = [
        NoticeFile(
            title=one.given_name,
            storage_name=random_name(one.kind),
            content_type=one.kind.content_type,
            size=len(one.content),
        )
        for one in checked
    ]

    @one_transaction
    def write() -> Notice:
        if notice_id is None:
            notice = Notice.objects.create(author=actor, **values)
        else:
            mine = Notice.objects.filter(pk=notice_id, version=version)
            if not mine.update(version=F("version") + 1, **values):
                raise _stale(notice_id)
            notice = Notice.objects.get(pk=notice_id)
            for old_file in notice.files.filter(pk__in=removed):
                old_file.delete()
        if notice.files.count() + len(files) > MAX_FILES:
            raise NoticeRefused(
                phrase("A notice has at most %(count)s files.", count=MAX_FILES), field="added"
            )
        for file in files:
            file.pk, file.notice = None, notice  # a repeated transaction makes new rows
        NoticeFile.objects.bulk_create(files)
        notice.audience.all().delete()
        NoticeAudience.objects.bulk_create(
            NoticeAudience(notice=notice, kind=audience.kind, object_id=object_id)
            for object_id in sorted(audience.ids)
        )
        return notice

    with ExitStack() as stored:
        try:
            for file, one in zip(files, checked, strict=True):
                stored.enter_context(saved_private(file.path, one.content))
        except Unavailable as error:
            text = _(
                "The files could not be stored, and nothing was saved. Please try again in a "
                "moment."
            )
            raise NoticeRefused(text, field="added") from error
        return write()


def _check(fields: Mapping[str, Any], audience: Audience) -> None:
    if not has_words(fields["content"]):
        raise NoticeRefused(_("Write the text."), field="content")
    start, end = fields["popup_from"], fields["popup_until"]
    if start and end and end <= start:
        raise NoticeRefused(_("This is before the start."), field="popup_until")
    if audience.kind != EVERYBODY and not audience.ids:
        raise NoticeRefused(_("Choose at least one."), field="audience")


def _checked(upload: UploadedFile) -> CheckedFile:
    name = clean_name(str(upload.name))
    try:
        return check_file(upload.read(), given_name=name, kinds=KINDS)
    except WrongKind as error:
        text = _("%(file)s: only PDF, JPEG, PNG, XLSX, DOCX and CSV files can be attached.")
        raise NoticeRefused(text % {"file": name}, field="added") from error
    except PortalError as error:
        raise NoticeRefused(f"{name}: {_(str(error))}", field="added") from error


def _stale(notice_id: int) -> StaleNotice:
    notice = Notice.objects.select_related("changed_by").filter(pk=notice_id).first()
    if notice is None:
        return StaleNotice(_("This notice was deleted meanwhile."))
    who = str(getattr(notice.changed_by, "manager", "") or _("Somebody"))
    text = _("%(who)s changed this notice at %(moment)s. Compare before you save again.")
    moment = moment_text(notice.changed_at or notice.created_at)
    return StaleNotice(text % {"who": who, "moment": moment})


def open_notice(*, notice_id: int, reader: Reader, now: datetime) -> Notice:
    """Return a notice and keep when this reader first opened it (section 2, Notice screen).

    Raises:
        NotFound: unknown, not published, or meant for others.
    """
    notice = get_notice(notice_id=notice_id, company_id=reader.company_id, now=now)
    if notice is None:
        raise NotFound
    with unless_read_only():
        first = NoticeRead(notice_id=notice_id, user_id=reader.id, at=now)
        NoticeRead.objects.bulk_create([first], ignore_conflicts=True)
    return notice
