"""Pictures of products: looked at, and written anew in the sizes of lists and of the viewer."""

import io
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from PIL import Image, ImageOps

from apps.accounts.models import User
from apps.catalog.errors import PicturesChanged, TooManyPictures
from apps.catalog.models import Product
from apps.common.errors import row_or_404
from apps.common.permissions import needs
from apps.common.storage.files import JPEG, PNG, WEBP, FileKind
from apps.common.storage.private import save_private
from apps.common.storage.uploads import CheckedFile, UnsafeFile, WrongKind, check_file
from apps.common.texts import Text

MAX_PICTURE_BYTES = 10 * 1024 * 1024
SIZES, LARGE = (100, 300), 1000
HAS_LARGE = f".{LARGE}.jpg"  # how the names of pictures end that have it; those of before do not
MAX_PICTURES = 20
ORIGINALS = "pictures"  # their folder in the private storage
QUALITY = 82
EXTENSIONS = ("jpg", "jpeg", "png", "webp")
FORMATS = ("JPEG", "PNG", "WEBP")
FACTS_SECONDS, UNKNOWN_SECONDS = 86_400, 60
CHANGE = "catalog.change_product"


class PictureRefused(Exception):
    """What was sent is no picture that can be shown; its text says why."""


def check_picture(content: bytes, *, given_name: str) -> CheckedFile:
    """Return a picture that may be stored.

    Raises:
        PictureRefused: no JPEG, PNG or WebP, another one than its name says, damaged, or made to
            harm.
        Unavailable: the virus scanner does not answer.
    """
    try:
        return check_file(content, given_name=given_name, kinds=(JPEG, PNG, WEBP))
    except WrongKind as error:
        raise PictureRefused(
            Text("This file is not the JPEG, PNG or WebP that its name says.")
        ) from error
    except UnsafeFile as error:
        raise PictureRefused(Text("This file is damaged, or too large once unpacked.")) from error


def store_picture(picture: CheckedFile, sku: str) -> str:
    """Write a picture in each size, keep the original, and return the name that it has in each; the
    same content has the same name.
    """
    stem = re.sub(r"[^a-z0-9_]", "-", sku.lower())
    name = f"{stem}-{blake2b(picture.content, digest_size=6).hexdigest()}{HAS_LARGE}"
    storage = storages["default"]
    for size in SIZES:
        path = f"products/{size}/{name}"
        if not storage.exists(path):
            flat = _flat(picture.content, size)
            square = ImageOps.pad(flat, (size, size), Image.Resampling.LANCZOS, color="white")
            storage.save(path, ContentFile(_encoded(square)))
    if not storage.exists(path := f"products/{LARGE}/{name}"):
        storage.save(path, ContentFile(_encoded(_flat(picture.content, LARGE))))
    if not storages["private"].exists(path := _original(name, picture.kind)):
        save_private(path, picture.content)
    return name


def _original(name: str, kind: FileKind) -> str:
    return f"{ORIGINALS}/{name.removesuffix(HAS_LARGE)}.{kind.extension}"


def sizes_of(name: str) -> tuple[int, ...]:
    """Return the sizes that a picture is stored in, as its name says; pixels."""
    return (*SIZES, LARGE) if name.endswith(HAS_LARGE) else SIZES


def original_of(name: str) -> tuple[str, FileKind] | None:
    """Return where the original of a picture lies in the private storage, and its kind; None for
    one of the time before originals were kept.
    """
    if not name.endswith(HAS_LARGE):
        return None
    paths = ((_original(name, kind), kind) for kind in (JPEG, PNG, WEBP))
    return next((original for original in paths if storages["private"].exists(original[0])), None)


@dataclass(frozen=True)
class PictureFacts:
    """What is known of a stored picture: its pixels, its bytes and when it was stored."""

    width: int
    height: int
    bytes: int
    stored_at: datetime


def picture_facts(name: str) -> PictureFacts | None:
    """Return the facts of a picture in its larger size, kept for a day as no name ever has other
    content.

    None where the storage does not have it, or does not answer: it is asked again after a minute,
    so that a silent one holds up one page and not each.
    """
    key = f"picture:{name}"
    cached: tuple[PictureFacts | None] | None = cache.get(key)
    if cached is None:
        storage, path = storages["default"], f"products/{SIZES[-1]}/{name}"
        facts: PictureFacts | None = None
        with (
            suppress(OSError),
            storage.open(path) as file,
            Image.open(file, formats=FORMATS) as picture,
        ):
            moment = storage.get_modified_time(path)
            facts = PictureFacts(picture.width, picture.height, file.size, moment)
        cached = (facts,)
        cache.set(key, cached, FACTS_SECONDS if facts else UNKNOWN_SECONDS)
    return cached[0]


@needs(CHANGE)
def put_picture(*, product_id: int, picture: CheckedFile, instead_of: str, actor: User) -> None:
    """Give a product one more picture, behind the others, or one `instead_of` another. That one
    stays stored: undoing an import may name it again.

    Raises:
        NotFound: there is no such product any more.
        TooManyPictures, PicturesChanged: as they say.
    """
    sku = row_or_404(Product.objects.filter(pk=product_id).values_list("sku", flat=True))
    name = store_picture(picture, sku)

    def save(names: list[str]) -> None:
        place = _place(names, instead_of) if instead_of else len(names)
        names[place : place + 1] = [name]

    _change(product_id, save)


@needs(CHANGE)
def take_picture_off(*, product_id: int, name: str, actor: User) -> None:
    """Take a picture off a product. The file stays stored: undoing an import may name it again.

    Raises:
        NotFound: there is no such product any more.
        PicturesChanged: the product does not have it.
    """
    _change(product_id, lambda names: names.pop(_place(names, name)))


@needs(CHANGE)
def move_picture(*, product_id: int, name: str, by: int, actor: User) -> None:
    """Put a picture so many places further among its product's; lists show the first.

    Raises:
        NotFound: there is no such product any more.
        PicturesChanged: the product does not have it.
    """

    def move(names: list[str]) -> None:
        place = max(0, _place(names, name) + by)
        names.remove(name)
        names.insert(place, name)

    _change(product_id, move)


def _place(names: list[str], name: str) -> int:
    if name not in names:
        raise PicturesChanged
    return names.index(name)


@transaction.atomic
def _change(product_id: int, change: Callable[[list[str]], object]) -> None:
    locked = Product.objects.select_for_update(no_key=True, of=("self",))
    product = row_or_404(locked.filter(pk=product_id))
    change(names := product.images)
    if len(names) > MAX_PICTURES:
        raise TooManyPictures
    product.images = list(dict.fromkeys(names))
    product.save(update_fields=["image", "more_images", "updated_at"])


def _flat(content: bytes, size: int) -> Image.Image:
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        # Black and white alone: smaller, it needs greys in between.
        small = picture.convert("L") if picture.mode == "1" else picture
        small.thumbnail((size, size), Image.Resampling.LANCZOS)
        rgba = small.convert("RGBA")
    flat = Image.new("RGB", rgba.size, "white")
    flat.paste(rgba, mask=rgba)
    return flat


def _encoded(picture: Image.Image) -> bytes:
    output = io.BytesIO()
    picture.save(output, "JPEG", quality=QUALITY, optimize=True)
    return output.getvalue()
