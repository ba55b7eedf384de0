"""The page that every screen starts from: the front end's files, the configuration, nothing else."""

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from portal.web.accent import stylesheet_version
from portal.web.config import public_configuration

ENTRY = "src/app/main.tsx"
PRELOADED_FONTS = ("geist-latin-wght-normal.woff2", "fraunces-latin-wght-normal.woff2")


class NotBuilt(Exception):
    """The front end's build is not there."""


@dataclass(frozen=True)
class Page:
    """The page's bytes, and the tag that names them."""

    html: bytes
    etag: str


def _chunks(manifest: dict[str, Any], key: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return the entry and every chunk it cannot start without, by their keys."""
    if key not in found:
        found[key] = manifest[key]
        for imported in manifest[key].get("imports", ()):
            _chunks(manifest, imported, found)
    return found


@lru_cache(maxsize=1)
def _page(manifest_path: Path, built_at: int) -> Page:
    manifest = json.loads(manifest_path.read_text())
    chunks = _chunks(manifest, ENTRY, {})
    base = f"{settings.STATIC_URL}app/"
    html = render_to_string(
        "spa.html",
        {
            "config": public_configuration(),
            "accent": f"/accent.css?v={stylesheet_version(settings.PORTAL_ACCENT)}",
            "script": base + manifest[ENTRY]["file"],
            "modules": [base + chunk["file"] for key, chunk in chunks.items() if key != ENTRY],
            "styles": [base + name for name in dict.fromkeys(n for c in chunks.values() for n in c.get("css", ()))],
            "fonts": [base + chunk["file"] for key, chunk in manifest.items() if key.endswith(PRELOADED_FONTS)],
        },
    ).encode()
    return Page(html, f'"{sha256(html).hexdigest()[:16]}"')


def page() -> Page:
    """Return the page; made once for each build of the front end.

    Raises:
        NotBuilt: there is no build.
    """
    path = Path(settings.FRONTEND_DIST) / ".vite" / "manifest.json"
    try:
        return _page(path, path.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise NotBuilt from error
