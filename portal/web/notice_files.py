"""Files of notices, at `{file host}/notice/{notice id}/{signed name}`: links that die by
themselves.

Composed here because they need to know who may come in, and notices do not know the people.
"""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.accounts.selectors import identify
from apps.common.storage.private import send_private
from apps.notices.selectors import get_linked_file, reader_of


@require_safe
def notice_file(request: HttpRequest, notice_id: int, name: str) -> HttpResponseBase:
    """Return a notice's file as a download; bad, old and foreign links alike are 404, 503 while the
    storage is down.
    """
    uuid = reader_of(name)
    reader = identify(uuid) if uuid else None
    file = (
        get_linked_file(notice_id=notice_id, name=name, reader=reader, now=timezone.now())
        if reader
        else None
    )
    if file is None:
        raise Http404
    return send_private(
        file.path, title=file.title, storage_name=file.storage_name, content_type=file.content_type
    )
