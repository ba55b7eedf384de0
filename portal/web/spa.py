"""The page that every screen starts from, with the front end's files and the configuration; and the
portal as an installed app: its manifest, its icons, the script that keeps its own files.
"""

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.template.loader import render_to_string
from PIL import Image, ImageDraw, ImageFont

from apps.common.seller import seller
from portal.web.accent import DARK, LIGHT, fill, stylesheet_version
from portal.web.build import SCREENS, WORKER, Build, current_build
from portal.web.config import public_configuration

ENTRY = "src/app/main.tsx"
PRELOADED_FONTS = ("geist-latin-wght-normal.woff2", "fraunces-latin-wght-normal.woff2")
THEMES = ("light", "dark")
SQUARE = 1.25  # a logo's longer side by its shorter one, at most, where there is room for a square
# The route table of the screens (section 2), for the status of the page alone: what else is asked
# for is not found.
ADDRESSES = re.compile(
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
    return ADDRESSES.fullmatch(path) is not None


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


WORKER_ENTRY = "src/worker/worker.ts"
# The corners' radius as templates/favicon.svg has it; none where the system cuts the shape.
PLAIN, FULL = (
    7 / 32,
    0,
)
ICONS = {
    "icon-192": (192, PLAIN),
    "icon-512": (512, PLAIN),
    "maskable-512": (512, FULL),
    "apple-touch-icon": (180, FULL),
}
FINER = 4


def web_manifest() -> dict[str, Any]:
    """Return what a browser asks to install the portal."""
    return {
        "id": "/",
        "name": seller().title,
        "short_name": seller().title,
        "description": seller().subtitle or seller().title,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT.bg,
        "theme_color": LIGHT.surface,
        "icons": [
            _icon("icon-192", "any"),
            _icon("icon-512", "any"),
            _icon("maskable-512", "maskable"),
        ],
    }


def _icon(name: str, purpose: str) -> dict[str, str]:
    size = ICONS[name][0]
    return {
        "src": f"/icons/{name}.png",
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@lru_cache(maxsize=len(ICONS))
def icon_picture(name: str, title: str, accent: str) -> bytes:
    """Return an icon of ICONS as PNG: templates/favicon.svg for systems that take no SVG.

    Raises:
        KeyError: there is none of that name.
    """
    # Here, because the documents' fonts take ReportLab along, which a server may never need.
    from apps.common.fonts import DISPLAY, FOLDER, runs

    size, radius = ICONS[name]
    side, colours = size * FINER, fill(accent)
    picture = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle((0, 0, side - 1, side - 1), round(side * radius), colours.accent)
    for font, letter in runs(title[:1].upper(), DISPLAY):
        letters = ImageFont.truetype(str(FOLDER / f"{font}.ttf"), side * 20 // 32)
        pen.text((side / 2, side * 23 / 32), letter, colours.on_accent, letters, anchor="ms")
    file = BytesIO()
    picture.resize((size, size), Image.Resampling.BOX).save(file, "PNG", optimize=True)
    return file.getvalue()


def worker() -> str:
    """Return the service worker: what it keeps, and Workbox, which keeps it
    (frontend/src/worker/worker.ts).

    It is another script for each release and each change of the page, by which a browser sees that
    something is new.

    Raises:
        NotBuilt: there is no build.
    """
    screens = current_build(SCREENS)
    manifest = {
        "files": [
            *sorted({*screens.code(), *screens.assets(PRELOADED_FONTS)}),
            f"/accent.css?v={stylesheet_version(seller().accent)}",
        ],
        "page": {"url": "/", "revision": page("").etag.strip('"')},
        "screens": ADDRESSES.pattern,
    }
    script = current_build(WORKER).files(WORKER_ENTRY).script
    manifest_json = json.dumps(manifest, separators=(",", ":"))
    return f"self.portal={manifest_json};importScripts({json.dumps(script)});\n"
