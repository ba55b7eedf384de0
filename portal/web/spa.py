"""The page that every screen starts from: the front end's files, the configuration,
nothing else.
"""

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

from django.template.loader import render_to_string
from PIL import Image

from apps.common.seller import seller
from portal.web.accent import DARK, LIGHT, fill, stylesheet_version
from portal.web.build import SCREENS, Build, current_build
from portal.web.config import public_configuration

ENTRY = "src/app/main.tsx"
PRELOADED_FONTS = ("geist-latin-wght-normal.woff2", "fraunces-latin-wght-normal.woff2")
THEMES = ("light", "dark")
SQUARE = 1.25  # a logo's longer side by its shorter one, at most, where there is room for a square
# The route table of the screens (section 2), for the status of the page alone: what else is asked
# for is not found.
KNOWN = re.compile(
    r"/(login|register(/[^/]+)?|invitation/[^/]+|policy|dashboard|order(/checkout-deposit/[^/]+)?"
    r"|invoice/[0-5]|notice|setting|account(/[^/]+)?"
    r"|checkout/(success|failure)/[^/]+/[^/]+)?/?",
    re.IGNORECASE,
)
ROBOTS = "User-agent: *\nAllow: /login\nAllow: /policy\nDisallow: /\n"


@dataclass(frozen=True)
class Page:
    """The page's bytes, and the tag that names them."""

    html: bytes
    etag: str


@lru_cache(maxsize=1 + len(THEMES))
def _page(build: Build, theme: str, version: int) -> Page:
    html = render_to_string(
        "spa.html",
        {
            "theme": theme,
            # The colour of the browser's bars for each scheme; the chosen theme's holds always.
            "bars": [
                {
                    "scheme": scheme,
                    "colour": mode.surface,
                    "media": {"": f"(prefers-color-scheme: {scheme})", scheme: "all"}.get(
                        theme, "not all"
                    ),
                }
                for scheme, mode in zip(THEMES, (LIGHT, DARK), strict=True)
            ],
            "config": public_configuration(),
            "accent": f"/accent.css?v={stylesheet_version(seller().accent)}",
            "files": build.files(ENTRY),
            "fonts": build.assets(PRELOADED_FONTS),
        },
    ).encode()
    return Page(html, f'"{sha256(html).hexdigest()[:16]}"')


def is_screen(path: str) -> bool:
    """Return whether a screen stands at this path; case and a final slash are ignored."""
    return KNOWN.fullmatch(path) is not None


@lru_cache(maxsize=1)
def icon(title: str, accent: str, logo: bytes) -> str:
    """Return the icon of the browser's tab: a logo that is about square, else the title's first
    letter on the accent.
    """
    about = {"letter": title[:1].upper(), "fill": fill(accent)}
    if logo:
        width, height = Image.open(BytesIO(logo)).size
        if max(width, height) <= SQUARE * min(width, height):
            about["logo"] = b64encode(logo).decode()
    return render_to_string("favicon.svg", about)


def page(theme: str) -> Page:
    """Return the page in the visitor's theme, else in their system's; made once for each build of
    the front end and each change of the seller.

    Raises:
        NotBuilt: there is no build.
    """
    return _page(current_build(SCREENS), theme if theme in THEMES else "", seller().version)
