"""What is neither a call nor admin: page shell, accent, pictures, errors, health, configuration,
documentation.
"""

import json
import re
from math import inf
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError
from django.test import Client, override_settings
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import make_staff
from apps.accounts.tests.staff import signed_in
from apps.common.models import BankAccount, Seller
from apps.common.seller import Current, remember
from apps.common.testing import ContractClient, selling
from apps.common.types import Json
from portal.models import SweepRun
from portal.ops.sweeps import SWEEPS
from portal.web import contract
from portal.web.accent import stylesheet_version
from portal.web.spa import WORKER_ENTRY

MANIFEST = {
    "_shared.js": {
        "file": "assets/shared-1.js",
        "css": ["assets/shared-1.css"],
        "imports": ["src/app/main.tsx"],
    },
    "_lazy.js": {"file": "assets/lazy-1.js", "css": ["assets/lazy-1.css"], "isDynamicEntry": True},
    "node_modules/x/geist-latin-wght-normal.woff2": {"file": "assets/geist-1.woff2"},
    "node_modules/x/geist-latin-ext-wght-normal.woff2": {"file": "assets/geist-ext-1.woff2"},
    "node_modules/x/fraunces-latin-wght-normal.woff2": {"file": "assets/fraunces-1.woff2"},
    "src/app/main.tsx": {
        "file": "assets/main-1.js",
        "isEntry": True,
        "css": ["assets/main-1.css"],
        "imports": ["_shared.js"],
        "dynamicImports": ["_lazy.js"],
    },
}


@pytest.fixture
def built(settings: Any, tmp_path: Path) -> Path:
    manifest = tmp_path / ".vite" / "manifest.json"
    manifest.parent.mkdir()
    manifest.write_text(json.dumps(MANIFEST))
    worker = {WORKER_ENTRY: {"file": "assets/worker-1.js", "isEntry": True}}
    (manifest.parent / "worker.json").write_text(json.dumps(worker))
    settings.FRONTEND_DIST = tmp_path
    return manifest


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((path, 200) for path in ("/", "/login", "/order", "/Order/", "/invoice/3", "/Setting")),
        *((path, 200) for path in ("/account/wallet", "/register/a.b.c")),
        *((path, 404) for path in ("/no/such/page", "/apix", "/adminx", "/invoice/7")),
        *((path, 404) for path in ("/order/x", "/login/x")),
    ],
)
def test_every_other_path_gets_the_page(
    built: Path, client: Client, path: str, status: int
) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Cache-Control"] == "no-cache"
    assert b'<div id="root"></div>' in response.content


def test_every_route_of_the_screens_is_known(built: Path, client: Client, settings: Any) -> None:
    router = (settings.BASE_DIR / "frontend/src/app/router.tsx").read_text()
    routes = re.findall(r'<Route path="(/[^"]*)"', router)
    assert len(routes) > 10
    for route in routes:
        assert client.get(re.sub(r":\w+", "1", route)).status_code == 200, route


def test_the_tab_has_an_icon_and_search_engines_keep_to_what_is_public(
    client: Client, settings: Any
) -> None:
    settings.PORTAL_TITLE = "Maren & Holt"
    answer = client.get("/favicon.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert b">M</text>" in answer.content
    assert client.get("/favicon.ico").content == answer.content
    assert "Disallow: /\n" in client.get("/robots.txt").content.decode()


def test_the_page_loads_the_entry_before_it_is_asked(built: Path, client: Client) -> None:
    html = client.get("/").content.decode()
    assert '<script type="module" src="/static/app/assets/main-1.js"></script>' in html
    loaded = re.findall(r'rel="modulepreload" href="([^"]+)"', html)
    assert loaded == ["/static/app/assets/shared-1.js"]
    assert re.findall(r'rel="stylesheet" href="/static/app/([^"]+)"', html) == [
        "assets/shared-1.css",
        "assets/main-1.css",  # behind what it imports, whose rules it may overrule
    ]
    assert sorted(re.findall(r'rel="preload" href="/static/app/assets/([^"]+)"', html)) == [
        "fraunces-1.woff2",
        "geist-1.woff2",
    ]
    assert html.index("/accent.css?v=") < html.index("main-1.css")
    assert "lazy" not in html
    assert "<style" not in html
    assert "<script>" not in html


@override_settings(
    PORTAL_TITLE="Silk </script><b> & Co", PORTAL_SUBTITLE="Wholesale", PORTAL_ACCENT="#7a2f5c"
)
def test_the_page_carries_the_configuration_without_a_flash(built: Path, client: Client) -> None:
    html = client.get("/").content.decode()
    assert "<title>Silk &lt;/script&gt;&lt;b&gt; &amp; Co · Wholesale</title>" in html
    text = re.search(r'<script id="portal-config" type="application/json">(.*?)</script>', html)
    assert text
    carried = json.loads(text[1])
    assert (carried["title"], carried["accent"]) == ("Silk </script><b> & Co", "#7a2f5c")
    assert "bank" not in carried
    accent = re.search(r'href="(/accent\.css\?v=\w+)"', html)
    assert accent
    assert b"--accent:#7a2f5c" in client.get(accent[1]).content


SYSTEM = {scheme: f"(prefers-color-scheme: {scheme})" for scheme in ("light", "dark")}


@pytest.mark.parametrize(
    ("cookie", "theme", "bars"),
    [
        (None, None, SYSTEM),
        ("dark", "dark", {"light": "not all", "dark": "all"}),
        ("light", "light", {"light": "all", "dark": "not all"}),
        ('"><script>', None, SYSTEM),
    ],
)
def test_the_page_comes_in_the_visitors_theme(
    built: Path, client: Client, cookie: str | None, theme: str | None, bars: dict[str, str]
) -> None:
    if cookie is not None:
        client.cookies["theme"] = cookie
    response = client.get("/")
    html = response.content.decode()
    match = re.search(r'<html lang="en"(?: data-theme="(\w+)")?>', html)
    assert match
    assert match[1] == theme
    metas = re.findall(
        r'name="theme-color" content="(#\w+)" media="([^"]+)" data-scheme="(\w+)"', html
    )
    assert {scheme: media for _, media, scheme in metas} == bars
    assert response["Vary"] == "Cookie"
    other = Client(headers={"If-None-Match": response["ETag"]}).get("/login")
    assert other.status_code == (200 if theme else 304)


def test_an_unchanged_page_is_not_sent_again_and_a_new_build_is(
    built: Path, client: Client
) -> None:
    first = client.get("/")
    assert client.get("/login", headers={"If-None-Match": first["ETag"]}).status_code == 304
    built.write_text(built.read_text().replace("main-1.js", "main-2.js"))
    assert b"main-2.js" in client.get("/", headers={"If-None-Match": first["ETag"]}).content


def test_without_a_build_the_page_says_so(settings: Any, tmp_path: Path, client: Client) -> None:
    settings.FRONTEND_DIST = tmp_path
    response = client.get("/")
    assert response.status_code == 503
    assert b"npm run build" in response.content


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_page_is_only_read(built: Path, method: str) -> None:
    assert getattr(Client(), method)("/order").status_code == 405


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/", "same-origin"),
        ("/register/secret", "no-referrer"),
        ("/checkout/success/A/1", "no-referrer"),
    ],
)
def test_headers_of_the_page(built: Path, client: Client, path: str, policy: str) -> None:
    response = client.get(path)
    assert response["Referrer-Policy"] == policy
    csp = response["Content-Security-Policy"]
    assert "script-src 'self'" in csp
    assert "style-src 'self'" in csp


def test_the_accent_stays_for_good_only_under_its_own_address(client: Client) -> None:
    assert client.get("/accent.css")["Cache-Control"] == "no-cache"
    assert client.get("/accent.css?v=old")["Cache-Control"] == "no-cache"
    response = client.get(f"/accent.css?v={stylesheet_version('#337ab7')}")
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["Content-Type"] == "text/css; charset=utf-8"


def test_product_pictures(settings: Any, tmp_path: Path, client: Client) -> None:
    settings.MEDIA_ROOT = tmp_path
    folder = tmp_path / "products" / "100"
    folder.mkdir(parents=True)
    (folder / "a.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "secret.txt").write_text("secret")
    response = client.get("/media/products/100/a.jpg")
    assert response.getvalue() == b"\xff\xd8\xff"
    assert response["Cache-Control"] == "public, max-age=2592000"
    outside = ("../secret.txt", "%2e%2e/secret.txt", "100/..%2f..%2fsecret.txt")
    for path in (*outside, "100/b.jpg", "100", "", "%00", "a" * 3000):
        assert client.get(f"/media/products/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["/static/none.js", "/media/none", "/files", "/files/none", "/media/"]
)
def test_missing_files_are_not_the_page(built: Path, client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_config_tells_a_stranger_no_bank(
    settings: Any, api: ContractClient, visitor: ContractClient
) -> None:
    for client in (visitor, ContractClient().sign_in("nonsense")):
        answer: Json = client.get("/api/config").json()
        assert answer["title"] == settings.PORTAL_TITLE
        assert (answer["paypal_fee_rate"], answer["deposit_rate"]) == (0.035, 1.0)
        assert "bank" not in answer
    assert api.get("/api/config").json()["bank"] == settings.BANK
    euro = BankAccount(**{**settings.BANK, "bank": "Euro Bank"}, label="Europe", currency="EUR")
    selling(banks=[euro, BankAccount(**settings.BANK), BankAccount(currency="KRW")])
    answer = api.get("/api/config").json()
    assert answer["bank"]["bank"] == "Euro Bank"
    assert [(one["label"], one["currency"]) for one in answer["banks"]] == [
        ("Europe", "EUR"),
        ("", "USD"),
    ]


def test_config_has_what_is_paypals_only_where_that_is_on(visitor: ContractClient) -> None:
    def config_of(**fields: Any) -> Json:
        remember(Current(Seller(**fields)), looked_at=inf)
        answer: Json = visitor.get("/api/config").json()
        return {name: answer[name] for name in answer if "paypal" in name}

    assert config_of() == {"paypal_fee_rate": 0.035}
    assert config_of(paypal_warning="3 % on top?") == {
        "paypal_fee_rate": 0.035,
        "paypal_warning": "3 % on top?",
    }
    assert config_of(paypal_warning="3 % on top?", paypal_on=False) == {}


def test_healthz_touches_nothing(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.fixture
def swept(db: None) -> None:
    now = timezone.now()
    SweepRun.objects.bulk_create(
        [SweepRun(name=name, started_at=now, succeeded_at=now) for name in SWEEPS]
    )


def test_readyz_while_all_is_well(swept: None, client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert set(response.json().values()) == {"ok"}
    assert "no-store" in response["Cache-Control"]


def test_readyz_names_what_is_degraded_and_stays_green(
    swept: None, settings: Any, client: Client
) -> None:
    SweepRun.objects.filter(name="payments").update(succeeded_at="2020-01-01T00:00:00Z")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    Email.objects.create(from_email="a@b.test", to=["c@d.test"], status=STATUS.queued)
    Email.objects.update(created="2020-01-01T00:00:00Z")
    response = client.get("/readyz")
    assert response.status_code == 200
    well = dict.fromkeys(("status", "database", "migrations", "storage"), "ok")
    assert response.json() == well | dict.fromkeys(("redis", "mail", "sweeps"), "degraded")


def test_readyz_without_a_database(
    db: None, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("secret")

    with monkeypatch.context() as patch:
        patch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", fail)
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "failed", "database": "failed", "migrations": "failed"}


def test_the_documentation_is_for_staff(db: None, client: Client) -> None:
    for path in ("/admin/schema", "/admin/docs"):
        assert client.get(path).status_code == 302
    client = signed_in(make_staff())
    assert b"openapi: 3.1.0" in client.get("/admin/schema").content
    page = client.get("/admin/docs")
    assert b'data-schema="/admin/schema"' in page.content
    assert "unsafe" not in page["Content-Security-Policy"]
    for path in ("/api/schema", "/api/docs"):
        assert client.get(path).status_code == 404


def test_the_exported_texts_and_limits_are_current(settings: Any, tmp_path: Path) -> None:
    folder = settings.BASE_DIR / "frontend" / "contract"
    assert json.loads((folder / "messages.json").read_text()) == contract.messages()
    assert json.loads((folder / "limits.json").read_text()) == contract.limits()
    page = (settings.BASE_DIR / "docs" / "settings.md").read_text()
    settings.BASE_DIR = tmp_path
    call_command("export_contract")
    assert (tmp_path / "docs" / "settings.md").read_text() == page
    written = json.loads((tmp_path / "frontend" / "contract" / "limits.json").read_text())
    assert written["page_size"] == 50
