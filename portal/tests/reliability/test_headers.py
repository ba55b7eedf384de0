"""The headers of every kind of answer, errors and files too (design/reliability-and-security.md, 14
and 19.8).
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from apps.accounts.tests.factories import make_user
from apps.accounts.tests.staff import staff_client
from apps.common.errors import SOMETHING_WENT_WRONG
from apps.common.http import throttles
from apps.common.testing import ContractClient
from portal.tests.calls import token_of
from portal.tests.reliability.world import Side, make_side
from portal.web.spa import Page

pytestmark = pytest.mark.django_db

YEAR = 31_536_000
HTTPS: Any = {"HTTP_X_FORWARDED_PROTO": "https"}


def broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError("the secret of the failure")


@pytest.fixture
def side(settings: Any, tmp_path: Any) -> Side:
    """Return a company with everything, in a portal that is reached by https and has files of every
    kind.
    """
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = YEAR, True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.MEDIA_ROOT, settings.STATIC_ROOT = tmp_path / "media", tmp_path / "static"
    for path in (settings.MEDIA_ROOT / "products" / "a.jpg", settings.STATIC_ROOT / "a.js"):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"\xff\xd8\xff")
    settings.WHITENOISE_AUTOREFRESH, settings.WHITENOISE_USE_FINDERS = True, False
    return make_side("Own")


Ask = Callable[[Client, Side], Any]


def of_call(path: str, method: str = "get", body: str = "", **headers: str) -> Ask:
    return lambda client, side: getattr(client, method)(
        f"/api/{path.format(**side.ids)}",
        data=body,
        content_type="application/json",
        headers={"x-access-token": token_of(side.buyer), **headers},
    )


def at(path: str) -> Ask:
    return lambda client, side: client.get(path)


def staffs(path: str, group: str | None = None) -> Ask:
    return lambda client, side: _staff(group).get(f"/admin/{path}")


def file_link(client: Client, side: Side) -> str:
    answer = of_call("details/{confirmed}")(client, side).json()
    return str(answer["fileList"][0]["url"])


def throttled(client: Client, side: Side) -> Any:
    answers = [of_call("register/email-check", "post", "{}")(client, side) for _ in range(7)]
    return answers[-1]


CALLS: dict[str, tuple[int, Ask]] = {
    "a call": (200, of_call("notice")),
    "a call answered before the routing": (200, of_call("order/0")),
    "a price list": (200, of_call("excel/product-setting/{uuid}")),
    "a price list's file": (200, of_call("excel/product-setting/{uuid}?format=xlsx")),
    "a malformed call": (400, of_call("order/check", "post", "{")),
    "a call without a sign-in": (403, at("/api/notice")),
    "something unknown": (404, of_call("details/MHW-1")),
    "no call": (404, of_call("none")),
    "another method": (405, of_call("notice", "post")),
    "a large body": (413, of_call("order/check", "post", "x" * (1024 * 1024 + 1))),
    "another media type": (
        415,
        lambda client, side: client.post("/api/login", "x", content_type="text/plain"),
    ),
    "a call too often": (429, throttled),
    "a call that fails": (500, of_call("brand/{uuid}")),
}
PAGES: dict[str, tuple[int, Ask]] = {
    "a page": (200, at("/order")),
    "a page of a form": (200, at("/register/secret")),
    "a page posted to": (405, lambda client, side: client.post("/order")),
    "the accent": (200, at("/accent.css")),
    "the app's manifest": (200, at("/manifest.webmanifest")),
    "an icon": (200, at("/icons/icon-192.png")),
    "health": (200, at("/healthz")),
    "readiness": (200, at("/readyz")),
    "the staff's sign-in": (200, at("/admin/login/")),
    "a staff page": (200, staffs("orders/order/")),
    "a staff page of others": (403, staffs("orders/order/", "Approvers")),
    "no staff page": (404, staffs("none/")),
    "a staff page that fails": (500, staffs("catalog/brand/")),
    "a staff form from elsewhere": (
        403,
        lambda client, side: Client(True, **HTTPS).post("/admin/login/", {"username": "x"}),
    ),
    "too many fields": (
        400,
        lambda client, side: _staff().post(
            "/admin/orders/order/", dict.fromkeys(map(str, range(10_001)), 1)
        ),
    ),
    "too large a form of a stranger": (
        413,
        lambda client, side: client.post("/admin/login/", {"username": "x" * 70_000}),
    ),
}
FILES: dict[str, tuple[int, Ask]] = {
    "a document": (200, lambda client, side: client.get(file_link(client, side))),
    "no document": (404, at("/files/MHW-1/x")),
    "a static file": (200, at("/static/a.js")),
    "no static file": (404, at("/static/none.js")),
    "a picture": (200, at("/media/products/a.jpg")),
    "no picture": (404, at("/media/products/none.jpg")),
}
ALL = {**CALLS, **PAGES, **FILES}


def _staff(group: str | None = None) -> Client:
    client = staff_client(group)
    client.raise_request_exception = False
    client.defaults |= HTTPS
    return client


def answer_of(name: str, side: Side) -> Any:
    """Return an answer of a kind; what it changed is undone."""
    status, ask = ALL[name]
    cache.clear()
    throttles.USES.clear()
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr("apps.catalog.selectors.brand_list", broken)
        patch.setattr("portal.web.views.page", lambda theme: Page(b"<!doctype html>", '"1"'))
        if name == "a staff page that fails":
            patch.setattr("apps.catalog.admin.products.BrandAdmin.get_queryset", broken)
        response = ask(Client(raise_request_exception=False, **HTTPS), side)
        content = response.getvalue()
        transaction.set_rollback(True)
    assert response.status_code == status, (name, content[:300])
    assert b"secret of the failure" not in content, name
    return response


def test_what_every_answer_carries(side: Side, settings: Any) -> None:
    settings.THROTTLE_FACTOR = 1
    for name in ALL:
        answer = answer_of(name, side)
        headers, policy = answer.headers, answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, name
        assert "unsafe" not in policy, name
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["Referrer-Policy"] in ("same-origin", "no-referrer"), name
        assert headers["Permissions-Policy"], name
        assert headers["Strict-Transport-Security"] == f"max-age={YEAR}; includeSubDomains", name
        assert headers["X-Request-ID"], name
        assert not {"Server", "X-Powered-By", "Access-Control-Allow-Origin"} & set(headers), name
        if name in CALLS:
            check_call(name, answer)
        if name in PAGES:  # it is not framed and shares no window
            assert headers["Cross-Origin-Opener-Policy"] == "same-origin", name
        if name not in FILES:
            assert "frame-ancestors 'none'" in policy, name


def check_call(name: str, answer: Any) -> None:
    """No call is kept or sets a cookie."""
    assert "no-store" in answer.headers["Cache-Control"], name
    assert not answer.cookies, name
    if answer.status_code == 500:
        assert answer.json()["message"] == SOMETHING_WENT_WRONG


def test_a_private_file_is_a_download_that_nobody_keeps(side: Side) -> None:
    headers = answer_of("a document", side).headers
    assert headers["Content-Disposition"].startswith("attachment;")
    assert headers["Cache-Control"] == "private, no-store"
    assert "sandbox" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"


def test_only_staff_get_cookies_and_scripts_cannot_read_them(settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client = Client()
    assert not client.get("/order").cookies
    page = client.get("/admin/login/")
    assert set(page.cookies) == {settings.CSRF_COOKIE_NAME}
    user = make_user(is_staff=True, is_superuser=True, password="correct horse battery")
    body = {"username": user.email, "password": "correct horse battery"}
    signed_in = client.post("/admin/login/?next=/admin/", body)
    session = signed_in.cookies[settings.SESSION_COOKIE_NAME]
    assert (session["httponly"], session["samesite"], session["secure"]) == (True, "Lax", True)
    assert ContractClient().send("POST", "/api/login", body).cookies == {}
