"""Drawn pictures of the demo products: which colours there are, and how the files are stored.

The pictures are served at `{image host}/{100|300}/{image}` (section 2, Product ordering; api.md,
product).
"""

import io
from collections.abc import Iterable
from functools import cache

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from PIL import Image

from portal.demo.canvas import Canvas
from portal.demo.catalogue import DemoProduct
from portal.demo.packshots import KINDS, Palette, Stage

FOLDER = "products"
SIZES = (100, 300)
"""Side of each variant in pixels; also the name of its folder."""

PALETTES: dict[str, Palette] = {
    "ivory": Palette(
        (246, 244, 240), (230, 225, 216), (247, 244, 238), (198, 166, 118), (92, 80, 66)
    ),
    "pearl": Palette(
        (244, 244, 243), (226, 227, 226), (214, 215, 214), (108, 108, 108), (52, 52, 52)
    ),
    "sage": Palette((236, 243, 234), (214, 228, 211), (158, 194, 160), (52, 54, 52), (38, 56, 42)),
    "moss": Palette(
        (239, 241, 230), (219, 223, 202), (116, 134, 88), (226, 214, 186), (244, 242, 228)
    ),
    "mint": Palette(
        (235, 246, 242), (208, 232, 224), (170, 220, 204), (250, 250, 248), (32, 86, 74)
    ),
    "peach": Palette(
        (253, 237, 229), (249, 217, 203), (244, 150, 118), (252, 248, 245), (116, 46, 22)
    ),
    "rose": Palette(
        (250, 236, 234), (243, 216, 213), (228, 166, 160), (198, 122, 116), (122, 54, 52)
    ),
    "berry": Palette(
        (249, 234, 239), (238, 206, 217), (176, 62, 96), (44, 38, 42), (255, 238, 242)
    ),
    "amber": Palette(
        (248, 238, 222), (238, 219, 188), (180, 104, 42), (40, 38, 36), (255, 242, 222)
    ),
    "honey": Palette(
        (253, 245, 226), (247, 228, 186), (240, 190, 92), (250, 248, 242), (112, 70, 8)
    ),
    "sand": Palette(
        (248, 241, 228), (236, 223, 200), (230, 210, 172), (176, 126, 78), (96, 66, 34)
    ),
    "clay": Palette(
        (248, 236, 229), (234, 208, 194), (196, 118, 88), (242, 230, 218), (255, 240, 230)
    ),
    "sky": Palette(
        (234, 242, 250), (210, 225, 240), (148, 192, 230), (250, 252, 254), (30, 70, 116)
    ),
    "sea": Palette(
        (231, 243, 244), (200, 224, 228), (58, 132, 146), (224, 232, 232), (232, 248, 250)
    ),
    "lilac": Palette(
        (243, 238, 250), (224, 215, 240), (188, 168, 226), (250, 248, 252), (72, 48, 122)
    ),
    "plum": Palette(
        (243, 235, 243), (224, 206, 224), (112, 62, 112), (214, 182, 140), (248, 234, 248)
    ),
    "slate": Palette(
        (236, 240, 243), (212, 219, 225), (70, 74, 80), (200, 204, 208), (238, 240, 242)
    ),
    "lemon": Palette(
        (252, 250, 228), (244, 239, 190), (248, 226, 96), (252, 252, 246), (96, 84, 6)
    ),
}

_SUPERSAMPLING = 2
_QUALITY = 78


def write_pictures(products: Iterable[DemoProduct], storage: Storage) -> int:
    """Store the picture of every product in both sizes; return how many files were written.

    A file that is there already is left alone, so a second call costs next to nothing.
    """
    written = 0
    for product in products:
        names = {size: f"{FOLDER}/{size}/{product.image}" for size in SIZES}
        for size in [size for size, name in names.items() if not storage.exists(name)]:
            encoded = _encoded(product.kind, product.palette, product.label)
            storage.save(names[size], ContentFile(encoded[size]))
            written += 1
    return written


def paint(kind: str, palette: str, label: str, pixels: int) -> Image.Image:
    """Return the picture of a packaging, so many pixels square, the same at every call.

    Raises:
        KeyError: there is no such kind (`packshots.KINDS`), palette (`PALETTES`) or label
            (`packshots.LABELS`).
    """
    colours = PALETTES[palette]
    canvas = Canvas(pixels, centre=colours.centre, edge=colours.edge)
    KINDS[kind](Stage(canvas=canvas, palette=colours, label=label))
    return canvas.image


@cache
def _encoded(kind: str, palette: str, label: str) -> dict[int, bytes]:
    """Return the JPEG file of each size; products of one line share it, so it is drawn once."""
    largest = max(SIZES) * _SUPERSAMPLING
    painting = paint(kind, palette, label, largest)
    files = {}
    for size in SIZES:
        buffer = io.BytesIO()
        painting.reduce(largest // size).save(buffer, "JPEG", quality=_QUALITY, optimize=True)
        files[size] = buffer.getvalue()
    return files
