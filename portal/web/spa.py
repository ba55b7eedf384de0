"""The page that every screen starts from: the front end's files, the configuration, nothing else."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from django.conf import settings
from django.template.loader import render_to_string

from portal.web.accent import DARK, LIGHT, stylesheet_version
from portal.web.build import SCREENS, Build, current_build
from portal.web.config import public_configuration

ENTRY = "src/app/main.tsx"
PRELOADED_FONTS = ("geist-latin-wght-normal.woff2", "fraunces-latin-wght-normal.woff2")
THEMES = ("light", "dark")


@dataclass(frozen=True)
class Page:
    """The page's bytes, and the tag that names them."""

    html: bytes
    etag: str


@lru_cache(maxsize=1 + len(THEMES))
def _page(build: Build, theme: str) -> Page:
    html = render_to_string(
        "spa.html",
        {
            "theme": theme,
            "bars": _bars(theme),
            "config": public_configuration(),
            "accent": f"/accent.css?v={stylesheet_version(settings.PORTAL_ACCENT)}",
            "files": build.files(ENTRY),
            "fonts": build.assets(PRELOADED_FONTS),
        },
    ).encode()
    return Page(html, f'"{sha256(html).hexdigest()[:16]}"')


def _bars(theme: str) -> list[dict[str, str]]:
    """Return the colour of the browser's bars for each scheme, and when it holds; the chosen theme's holds always."""
    return [
        {
            "scheme": scheme,
            "colour": mode.surface,
            "media": {"": f"(prefers-color-scheme: {scheme})", scheme: "all"}.get(theme, "not all"),
        }
        for scheme, mode in zip(THEMES, (LIGHT, DARK), strict=True)
    ]


def page(theme: str) -> Page:
    """Return the page in the visitor's theme, else in their system's; made once for each build of the front end.

    Raises:
        NotBuilt: there is no build.
    """
    return _page(current_build(SCREENS), theme if theme in THEMES else "")
