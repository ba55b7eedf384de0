"""Files of notices, at `{file host}/notice/{notice id}/{signed name}`: links that die by
themselves.

Composed here because they need to know who may come in, and notices do not know the people.
"""

import logging

from django.core.files.storage import storages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.accounts.selectors import identify
from apps.common.storage.files import download, unavailable
from apps.notices.selectors import get_linked_file, reader_of

logger = logging.getLogger("portal.notices")


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
    try:
        content = storages["private"].open(file.path)
    except FileNotFoundError as error:
        raise Http404 from error
    except OSError:
        logger.exception(
            "the storage does not answer for a notice's file", extra={"event": "storage_failed"}
        )
        return unavailable()
    return download(
        content, title=file.title, storage_name=file.storage_name, content_type=file.content_type
    )
