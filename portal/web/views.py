"""What is neither a call nor admin: the page shell, the accent, pictures, files of notices (which
do not know the people), the API's page, and errors.
"""

import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.db import Error as DatabaseFailure
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    JsonResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.static import serve
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from apps.accounts.selectors import identify
from apps.common.db.failures import refusal_of
from apps.common.errors import SOMETHING_WENT_WRONG, Invalid, NotFound
from apps.common.http.api import server_error
from apps.common.http.renderers import json_response
from apps.common.seller import seller
from apps.common.storage.private import send_private
from apps.notices.selectors import get_linked_file, reader_of
from portal.web.accent import stylesheet, stylesheet_version
from portal.web.build import NOT_BUILT, NotBuilt
from portal.web.spa import ROBOTS, icon, icon_picture, is_screen, page, web_manifest, worker

YEAR, MONTH, DAY = 31_536_000, 2_592_000, 86_400
# Pages whose address holds something that must not travel to another site.
PRIVATE_PAGES = ("/register", "/invitation", "/checkout", "/order/checkout-deposit")
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Answer the page in the theme of the visitor's cookie, so that none flashes; the front end
    looks at the path.

    Where no screen stands, the same page says so with 404.
    """
    try:
        built = page(request.COOKIES.get("theme", ""))
    except NotBuilt:
        return _plain(NOT_BUILT, 503)
    unchanged = request.headers.get("If-None-Match") == built.etag
    status = 200 if is_screen(request.path) else 404
    response = HttpResponseNotModified() if unchanged else HttpResponse(built.html, status=status)
    response["ETag"] = built.etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Cookie"])
    if request.path.lower().startswith(PRIVATE_PAGES):
        response["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
@cache_control(public=True, max_age=DAY)
def favicon(request: HttpRequest) -> HttpResponse:
    """Answer the icon of the browser's tab."""
    now = seller()
    return HttpResponse(icon(now.title, now.accent, now.logo), content_type="image/svg+xml")


@require_safe
def logo(request: HttpRequest) -> HttpResponse:
    """Answer the seller's logo; for good under the address that names this very version."""
    now = seller()
    if not now.logo:
        raise Http404
    response = HttpResponse(now.logo, content_type="image/png")
    current = request.GET.get("v") == str(now.version)
    response["Cache-Control"] = f"public, max-age={YEAR}, immutable" if current else "no-cache"
    return response


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Answer what a browser asks to install the portal."""
    return JsonResponse(web_manifest(), content_type="application/manifest+json")


@require_safe
@cache_control(public=True, max_age=DAY)
def app_icon(request: HttpRequest, name: str) -> HttpResponse:
    """Answer an icon of the installed app."""
    try:
        png = icon_picture(name, seller().title, seller().accent)
    except KeyError as error:
        raise Http404 from error
    return HttpResponse(png, content_type="image/png")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Answer the service worker, which a browser asks for anew at each visit; it may act for the
    whole portal.
    """
    try:
        script = worker()
    except NotBuilt:
        return _plain(NOT_BUILT, 503)
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    response["Service-Worker-Allowed"] = "/"
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Answer what search engines may read: the sign-in and the policy."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
def accent_css(request: HttpRequest) -> HttpResponse:
    """Answer the accent's custom properties; for good under the address that names this very
    stylesheet.
    """
    response = HttpResponse(stylesheet(seller().accent), content_type="text/css; charset=utf-8")
    current = request.GET.get("v") == stylesheet_version(seller().accent)
    response["Cache-Control"] = f"public, max-age={YEAR}, immutable" if current else "no-cache"
    return response


@require_safe
def product_picture(request: HttpRequest, path: str) -> HttpResponseBase:
    """Answer a product picture of the local store."""
    try:
        response = serve(request, path, document_root=str(settings.MEDIA_ROOT / "products"))
    except (SuspiciousFileOperation, ValueError, OSError) as error:
        raise Http404 from error  # a name that cannot be a file's
    if isinstance(response, FileResponse):
        response["Cache-Control"] = f"public, max-age={MONTH}"
    return response


class AccessTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The raw token in the `x-access-token` header."""

    target_class = "apps.accounts.authentication.AccessTokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme's description."""
        return {"type": "apiKey", "in": "header", "name": "x-access-token"}


@require_safe
def api_docs(request: HttpRequest, schema: str = "schema") -> HttpResponse:
    """Answer the page that shows the OpenAPI document."""
    response = render(request, "docs.html", {"schema": reverse(schema)})
    response["Content-Security-Policy"] = DOCS_POLICY
    return response


@csrf_exempt
def unknown_call(request: HttpRequest) -> HttpResponse:
    """Answer a path under /api/ that is no call."""
    return json_response({"success": 0, "code": NotFound.code, "message": NotFound.message}, 404)


def _is_call(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django itself refused."""
    if _is_call(request):
        return json_response(
            {"success": 0, "code": Invalid.code, "message": SOMETHING_WENT_WRONG}, 400
        )
    return _plain(_("Bad request."), 400)


def not_found(request: HttpRequest, exception: Exception | Http404) -> HttpResponse:
    """Answer what is not there: under /api/ in JSON, else as a short text."""
    return unknown_call(request) if _is_call(request) else _plain("Not found.", 404)


def failure(request: HttpRequest) -> HttpResponse:
    """Answer a failure without any detail. A page says so where the database is only away or busy,
    as calls do.
    """
    if _is_call(request):
        return server_error(request)
    error = sys.exception()
    refused = refusal_of(error) if isinstance(error, DatabaseFailure) else None
    if refused is not None:
        response = _plain(_(str(refused)), refused.http_status)
        response["Retry-After"] = str(refused.retry_seconds)
        return response
    return _plain(f"{_(SOMETHING_WENT_WRONG)} ({getattr(request, 'request_id', '')})", 500)


@require_safe
def notice_file(request: HttpRequest, notice_id: int, name: str) -> HttpResponseBase:
    """Return a notice's file as a download, at `{file host}/notice/{notice id}/{signed name}`; bad,
    old and foreign links alike are 404, 503 while the storage is down.
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
