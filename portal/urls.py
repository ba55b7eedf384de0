"""Every address: the calls under /api/, the staff's admin, files, health, and the page shell for
the rest.
"""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from apps.orders.api.files import order_document
from portal.ops import health
from portal.web import views
from portal.web.config import ConfigView, PolicyView
from portal.web.dashboard import DashboardView
from portal.web.views import notice_file

_schema, _docs = SpectacularAPIView.as_view(), views.api_docs
if settings.DEBUG:
    documentation = [
        path("api/schema", _schema, name="schema"),
        path("api/docs", _docs, name="docs"),
    ]
else:
    documentation = [
        path(f"{settings.ADMIN_PATH}schema", admin.site.admin_view(_schema), name="schema"),
        path(f"{settings.ADMIN_PATH}docs", admin.site.admin_view(_docs), name="docs"),
    ]

calls: list[URLPattern | URLResolver] = [
    # An address is compared with one pattern after the other: what is asked most comes first, here
    # and in the apps.
    path("dashboard", DashboardView.as_view()),
    path("", include("apps.catalog.api.urls")),
    path("", include("apps.orders.api.urls")),
    path("", include("apps.payments.api.urls")),
    path("config", ConfigView.as_view()),
    path("policy", PolicyView.as_view()),
    path("", include("apps.accounts.api.urls")),
    path("", include("apps.notices.api.urls")),
]

urlpatterns = [
    *documentation,
    path("api/", include(calls)),
    re_path(r"^api(?:/.*)?$", views.unknown_call, name="unknown-call"),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("accent.css", views.accent_css, name="accent"),
    path("logo.png", views.logo),
    path("favicon.svg", views.favicon),
    path(
        "favicon.ico", views.favicon
    ),  # what browsers ask for beside pages that name none, as the staff's do
    path("manifest.webmanifest", views.manifest),
    path("icons/<slug:name>.png", views.app_icon),
    path("sw.js", views.service_worker),
    path("robots.txt", views.robots),
    path("files/notice/<int:notice_id>/<str:name>", notice_file),
    path("files/<str:invoice_code>/<str:name>", order_document),
    path("media/products/<path:path>", views.product_picture),
    re_path(r"^(?!(?:static|media|files)(?:/|$)).*$", views.shell, name="page"),
]
handler400 = "portal.web.views.bad_request"
handler403 = "portal.staff.refusals.forbidden"
handler404 = "portal.staff.refusals.not_found"
handler500 = "portal.web.views.failure"
