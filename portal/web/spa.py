"""The page that every screen starts from: the front end's files, the configuration, nothing else."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from django.conf import settings
from django.template.loader import render_to_string

from portal.web.accent import stylesheet_version
from portal.web.build import SCREENS, Build, current_build
from portal.web.config import public_configuration

ENTRY = "src/app/main.tsx"
PRELOADED_FONTS = ("geist-latin-wght-normal.woff2", "fraunces-latin-wght-normal.woff2")


@dataclass(frozen=True)
class Page:
    """The page's bytes, and the tag that names them."""

    html: bytes
    etag: str


@lru_cache(maxsize=1)
def _page(build: Build) -> Page:
    html = render_to_string(
        "spa.html",
        {
            "config": public_configuration(),
            "accent": f"/accent.css?v={stylesheet_version(settings.PORTAL_ACCENT)}",
            "files": build.files(ENTRY),
            "fonts": build.assets(PRELOADED_FONTS),
        },
    ).encode()
    return Page(html, f'"{sha256(html).hexdigest()[:16]}"')


def page() -> Page:
    """Return the page; made once for each build of the front end.

    Raises:
        NotBuilt: there is no build.
    """
    return _page(current_build(SCREENS))
