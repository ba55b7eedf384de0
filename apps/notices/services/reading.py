"""What readers do with notices."""

from datetime import datetime

from apps.common.db.failures import unless_read_only
from apps.common.errors import NotFound
from apps.notices.models import Notice, NoticeRead
from apps.notices.selectors import Reader, get_notice


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
