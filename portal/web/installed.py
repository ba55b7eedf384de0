"""The portal as an installed app: its manifest, its icons, and the script that keeps its own files
for offline.
"""

import json
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from apps.common.seller import seller
from portal.web.accent import LIGHT, fill, stylesheet_version
from portal.web.build import SCREENS, WORKER, current_build
from portal.web.spa import KNOWN, PRELOADED_FONTS, page

WORKER_ENTRY = "src/worker/worker.ts"
PLAIN, FULL = (
    7 / 32,
    0,
)  # the corners' radius as templates/favicon.svg has it; none where the system cuts the shape
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
    kept = {
        "files": [
            *sorted({*screens.code(), *screens.assets(PRELOADED_FONTS)}),
            f"/accent.css?v={stylesheet_version(seller().accent)}",
        ],
        "page": {"url": "/", "revision": page("").etag.strip('"')},
        "screens": KNOWN.pattern,
    }
    script = current_build(WORKER).files(WORKER_ENTRY).script
    known = json.dumps(kept, separators=(",", ":"))
    return f"self.portal={known};importScripts({json.dumps(script)});\n"
