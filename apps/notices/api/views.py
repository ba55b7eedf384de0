"""The notices' calls. The two that open one differ only in the address that the screens know."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call, path_number
from apps.notices import selectors
from apps.notices.api import serializers as shapes
from apps.notices.services.writing import open_notice

NOTICE_ID = path_number("notice_id")


class ReaderRequest(HttpRequest):
    """A signed-in call, as far as this app knows the caller. For annotations."""

    user: selectors.Reader  # type: ignore[assignment]


class NoticesView(PortalView):
    """The notices."""

    @call("notices", answer=shapes.NoticeList)
    def get(self, request: ReaderRequest) -> HttpResponse:
        """Return every notice meant for the caller, newest first."""
        notices = selectors.notice_list(company_id=request.user.company_id, now=timezone.now())
        return ok(notice=notices)


def _opened(request: ReaderRequest, notice_id: str) -> HttpResponse:
    number, now = id_or_404(notice_id), timezone.now()
    text = open_notice(notice_id=number, reader=request.user, now=now)
    notice = {
        "noticeDetailTitle": text.title,
        "noticeDetailContent": text.content,
        "fileList": selectors.notice_files(notice_id=number, reader=request.user, now=now),
    }
    return ok(notice=notice)


class NoticeView(PortalView):
    """A notice, opened from the list."""

    @call("notice", answer=shapes.OpenedNotice, parameters=[NOTICE_ID])
    def post(self, request: ReaderRequest, notice_id: str) -> HttpResponse:
        """Return the notice and remember that the caller has read it."""
        return _opened(request, notice_id)


class DashboardNoticeView(PortalView):
    """A notice, opened from the dashboard."""

    @call("dashboard_notice", answer=shapes.OpenedNotice, parameters=[NOTICE_ID])
    def post(self, request: ReaderRequest, notice_id: str) -> HttpResponse:
        """Return the notice and remember that the caller has read it."""
        return _opened(request, notice_id)
