"""Pictures of the demo products, by their packaging; served at `{image host}/{100|300}/{image}`
(section 2, Product ordering; api.md, product).
"""

import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from PIL import Image

PICTURES = Path(__file__).parent / "pictures"
SIZES = (100, 300)
"""Side of each variant in pixels; also the name of its folder."""


def write_pictures(products: Iterable[SimpleNamespace], storage: Storage) -> int:
    """Store the picture of every product in both sizes; return how many files were written.

    A file that is there already is left alone, so a second call costs next to nothing.
    """
    written = 0
    for product in products:
        for size in SIZES:
            name = f"products/{size}/{product.image}"
            if not storage.exists(name):
                storage.save(name, ContentFile(_content(product.picture, size)))
                written += 1
    return written


@cache
def _content(picture: str, size: int) -> bytes:
    with Image.open(PICTURES / f"{picture}.jpg") as image:
        buffer = io.BytesIO()
        image.resize((size, size)).save(buffer, "JPEG", quality=80, optimize=True)
        return buffer.getvalue()
