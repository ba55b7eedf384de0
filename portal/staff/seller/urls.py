"""The address of the seller's settings."""

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.urls import path

from portal.staff.seller.page import paper, settings_page

CHANGE = "common.change_seller"

urlpatterns = [
    path(
        "settings/",
        admin.site.admin_view(permission_required(CHANGE, raise_exception=True)(settings_page)),
        name="settings",
    ),
    path(
        "settings/paper.pdf",
        admin.site.admin_view(permission_required(CHANGE, raise_exception=True)(paper)),
        name="paper",
    ),
]
