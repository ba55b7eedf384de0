"""Pictures of products from a ZIP: each named by its SKU, looked at, and written anew in the sizes of the lists."""

import io
import zipfile
from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from PIL import Image, ImageOps

from apps.catalog.models import Product
from apps.catalog.sheet import IMAGE, FileRow
from apps.common.errors import PortalError
from apps.common.storage.files import JPEG, PNG
from apps.common.storage.uploads import UnsafeFile, WrongKind, check_archive, check_file
from apps.common.tables.spreadsheets import SpreadsheetRefused

MAX_ZIP_BYTES = 100 * 1024 * 1024
MAX_PICTURE_BYTES = 10 * 1024 * 1024
SIZES = (100, 300)
QUALITY = 82
EXTENSIONS = ("jpg", "jpeg", "png")
BROKEN = "This ZIP cannot be read: it is damaged, protected by a password, or holds too much."
NO_PICTURES = "There is no JPEG or PNG file in this ZIP."


def check_pictures(file: BinaryIO) -> None:
    """Refuse an archive that cannot be taken, before anything of it is unpacked.

    Raises:
        SpreadsheetRefused: too large, damaged, encrypted, made to harm, or without a picture.
    """
    if file.seek(0, io.SEEK_END) > MAX_ZIP_BYTES:
        raise SpreadsheetRefused(f"The file is larger than {MAX_ZIP_BYTES // 1024 // 1024} MB.")
    try:
        check_archive(file)
        with zipfile.ZipFile(file) as archive:
            if not _pictures(archive):
                raise SpreadsheetRefused(NO_PICTURES)
    except (UnsafeFile, zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SpreadsheetRefused(BROKEN) from error


def picture_rows(file: BinaryIO, *, after: int) -> Iterator[FileRow]:
    """Yield what each picture of the archive says, by its number: which SKU gets which image.

    The pictures of products that exist are stored as they are read, under names that no other content has: nobody
    sees them before a product names them.

    Raises:
        SpreadsheetRefused: the archive breaks off.
    """
    check_pictures(file)
    with zipfile.ZipFile(file) as archive:
        for number, entry in enumerate(_pictures(archive), 1):
            if number <= after:
                continue
            name = entry.filename.rpartition("/")[2]
            sku = name.rpartition(".")[0].strip().upper()
            if entry.file_size > MAX_PICTURE_BYTES:
                yield FileRow(number, sku, {}, ["Picture: larger than 10 MB"])
            elif not Product.objects.filter(sku=sku).exists():
                yield FileRow(number, sku, {}, [])
            else:
                yield _picture_row(archive, entry, number, name, sku)


def _pictures(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [
        entry
        for entry in archive.infolist()
        if not entry.is_dir()
        and not entry.filename.startswith("__MACOSX")
        and not entry.filename.rpartition("/")[2].startswith(".")
        and entry.filename.rpartition(".")[2].lower() in EXTENSIONS
    ]


def _picture_row(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, number: int, name: str, sku: str) -> FileRow:
    try:
        checked = check_file(archive.read(entry), given_name=name, kinds=(JPEG, PNG))
    except WrongKind:
        return FileRow(number, sku, {}, ["Picture: not the JPEG or PNG that its name says"])
    except UnsafeFile:
        return FileRow(number, sku, {}, ["Picture: damaged, or too large once unpacked"])
    except PortalError as error:
        return FileRow(number, sku, {}, [f"Picture: {error}"])
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError):
        return FileRow(number, sku, {}, ["Picture: damaged in the ZIP"])
    return FileRow(number, sku, {IMAGE: _stored(checked.content, sku)}, [])


def _stored(content: bytes, sku: str) -> str:
    """Write a picture in both sizes and return the name that it has in each; the same content has the same name."""
    stem = "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "-" for char in sku.lower())
    name = f"{stem}-{blake2b(content, digest_size=6).hexdigest()}.jpg"
    storage = storages["default"]
    for size in SIZES:
        path = f"products/{size}/{name}"
        if not storage.exists(path):
            storage.save(path, ContentFile(_squared(content, size)))
    return name


def _squared(content: bytes, size: int) -> bytes:
    with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as picture:
        flat = Image.new("RGB", picture.size, "white")
        rgba = picture.convert("RGBA")
        flat.paste(rgba, mask=rgba.getchannel("A"))
        square = ImageOps.pad(flat, (size, size), Image.Resampling.LANCZOS, color="white")
    written = io.BytesIO()
    square.save(written, "JPEG", quality=QUALITY, optimize=True)
    return written.getvalue()
