"""Addresses of the notices' calls."""

from django.urls import path

from apps.notices.api import views

urlpatterns = [
    path("notice", views.NoticesView.as_view()),
    path("notice/detail/<str:notice_id>", views.NoticeView.as_view()),
    path("dashboard/notice/<str:notice_id>", views.DashboardNoticeView.as_view()),
]
