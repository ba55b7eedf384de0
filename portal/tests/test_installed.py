"""The portal as an installed app: manifest, icons and service worker."""

import json
import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from portal.tests.test_views import MANIFEST, built  # noqa: F401 - a fixture

CODE = [f"{chunk}-1.{kind}" for chunk in ("lazy", "main", "shared") for kind in ("css", "js")]


def _kept(client: Client) -> Any:
    script = client.get("/sw.js").content.decode()
    match = re.match(r"self\.portal=(.*);importScripts\(", script)
    assert match
    return json.loads(match[1])


def test_a_browser_can_install_it(client: Client, settings: Any) -> None:
    settings.PORTAL_TITLE = "Maren & Holt"
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["display"], manifest["start_url"]) == (
        "Maren & Holt",
        "standalone",
        "/",
    )
    icons = {(icon["sizes"], icon["purpose"]): icon["src"] for icon in manifest["icons"]}
    assert set(icons) == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for (sizes, _), src in icons.items():
        assert "{}x{}".format(*_picture(client, src).size) == sizes


@pytest.mark.parametrize(
    ("name", "corner"), [("icon-192", 0), ("maskable-512", 255), ("apple-touch-icon", 255)]
)
def test_an_icon_is_small_and_has_the_accent_and_the_letter(
    client: Client, settings: Any, name: str, corner: int
) -> None:
    settings.PORTAL_TITLE, settings.PORTAL_ACCENT = "매런", "#337ab7"
    answer = client.get(f"/icons/{name}.png")
    assert answer["Content-Type"] == "image/png"
    assert len(answer.content) < 12_000
    raw = _picture(client, f"/icons/{name}.png").convert("RGBA").tobytes()
    pixels = [tuple(raw[at : at + 4]) for at in range(0, len(raw), 4)]
    assert pixels[0][3] == corner
    assert Counter(pixels).most_common(1)[0][0] == (0x33, 0x7A, 0xB7, 255)
    assert (255, 255, 255, 255) in pixels


def _picture(client: Client, path: str) -> Image.Image:
    return Image.open(BytesIO(client.get(path).content))


def test_there_is_no_other_icon(client: Client) -> None:
    assert client.get("/icons/other.png").status_code == 404


def test_the_worker_keeps_the_apps_own_files_and_the_page_and_nothing_else(
    built: Path,  # noqa: F811
    client: Client,
) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert answer["Service-Worker-Allowed"] == "/"
    assert answer.content.decode().endswith('importScripts("/static/app/assets/worker-1.js");\n')
    cached = _kept(client)
    accent, *files = sorted(cached["files"])
    assert accent.startswith("/accent.css?v=")
    assert files == [
        f"/static/app/assets/{name}"
        for name in sorted([*CODE, "fraunces-1.woff2", "geist-1.woff2"])
    ]
    assert cached["page"]["url"] == "/"
    for path, is_screen in {
        "/": True,
        "/Order/": True,
        "/invoice/2": True,
        "/admin/": False,
        "/files/a/b": False,
    }.items():
        assert bool(re.fullmatch(cached["screens"], path, re.IGNORECASE)) is is_screen, path


def test_the_worker_is_another_one_when_the_page_is(
    built: Path,  # noqa: F811
    client: Client,
    settings: Any,
) -> None:
    settings.PORTAL_ACCENT = "#337ab7"
    before = _kept(client)["page"]["revision"]
    assert _kept(client)["page"]["revision"] == before
    built.write_text(json.dumps(MANIFEST).replace("main-1", "main-2"))
    assert _kept(client)["page"]["revision"] != before


def test_without_a_build_there_is_no_worker(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.FRONTEND_DIST = tmp_path
    assert client.get("/sw.js").status_code == 503
