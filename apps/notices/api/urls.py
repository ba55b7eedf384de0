"""Addresses of the notices' calls."""

from apps.common.http.api import calls
from apps.notices.api import views

urlpatterns = calls(
    {
        "notice": views.NoticesView,
        "notice/detail/<str:notice_id>": views.NoticeView,
        "dashboard/notice/<str:notice_id>": views.DashboardNoticeView,
    }
)
