"""The address of the seller's settings."""

from django.contrib import admin
from django.urls import path

from apps.common.staff import requires
from portal.staff.seller.page import paper, settings_page

CHANGE = "common.change_seller"

urlpatterns = [
    path("settings/", admin.site.admin_view(requires(CHANGE, settings_page)), name="settings"),
    path("settings/paper.pdf", admin.site.admin_view(requires(CHANGE, paper)), name="paper"),
]
