"""Pictures of products from a ZIP: each named by its SKU."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from django.utils.translation import gettext_noop as _

from apps.catalog.models import Product
from apps.catalog.services.pictures import (
    EXTENSIONS,
    MAX_PICTURE_BYTES,
    PictureRefused,
    check_picture,
    store_picture,
)
from apps.catalog.sheet import IMAGE, FileRow
from apps.common.errors import PortalError
from apps.common.storage.uploads import UnsafeFile, check_archive, clean_name
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import Text

IN_UTF_8 = 0x800  # how a ZIP marks such a name
MAX_ZIP_BYTES = 100 * 1024 * 1024
BROKEN = _("This ZIP cannot be read: it is damaged, protected by a password, or holds too much.")
NO_PICTURES = _("There is no JPEG, PNG or WebP file in this ZIP.")


def check_pictures(file: BinaryIO) -> None:
    """Refuse an archive that cannot be taken, before anything of it is unpacked.

    Raises:
        SpreadsheetRefused: too large, damaged, encrypted, made to harm, or without a picture.
    """
    if file.seek(0, io.SEEK_END) > MAX_ZIP_BYTES:
        raise SpreadsheetRefused(
            Text("The file is larger than %(size)s MB.", size=MAX_ZIP_BYTES // 1024 // 1024)
        )
    try:
        check_archive(file)
        with zipfile.ZipFile(file) as archive:
            if not _pictures(archive):
                raise SpreadsheetRefused(NO_PICTURES)
    except (UnsafeFile, zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SpreadsheetRefused(BROKEN) from error


def picture_rows(file: BinaryIO, *, after: int) -> Iterator[FileRow]:
    """Yield what each picture of the archive says, by its number: which SKU gets which image.

    The pictures of products that exist are stored as they are read, under names that no other
    content has: nobody sees them before a product names them.

    Raises:
        SpreadsheetRefused: the archive breaks off.
    """
    check_pictures(file)
    with zipfile.ZipFile(file) as archive:
        for number, entry in enumerate(_pictures(archive), 1):
            if number <= after:
                continue
            name = clean_name(_given_name(entry))
            sku = name.rpartition(".")[0].strip().upper()
            if entry.file_size > MAX_PICTURE_BYTES:
                yield FileRow(number, sku, {}, [Text("Picture: larger than 10 MB")])
            elif not Product.objects.filter(sku=sku).exists():
                yield FileRow(number, sku, {}, [])
            else:
                yield _picture_row(archive, entry, number, name, sku)


def _given_name(entry: zipfile.ZipInfo) -> str:
    """Return a name as it was packed: macOS and Korean Windows do not say in which letters."""
    if entry.flag_bits & IN_UTF_8:
        return entry.filename
    given = entry.filename.encode("cp437")
    for encoding in ("utf-8", "cp949"):
        with suppress(UnicodeDecodeError):
            return given.decode(encoding)
    return entry.filename


def _pictures(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [
        entry
        for entry in archive.infolist()
        if not entry.is_dir()
        and not entry.filename.startswith("__MACOSX")
        and not entry.filename.rpartition("/")[2].startswith(".")
        and entry.filename.rpartition(".")[2].lower() in EXTENSIONS
    ]


def _picture_row(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, number: int, name: str, sku: str
) -> FileRow:
    try:
        checked = check_picture(archive.read(entry), given_name=name)
    except (PictureRefused, PortalError) as error:
        return FileRow(number, sku, {}, [Text("Picture: %(fault)s", fault=error.args[0])])
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError):
        return FileRow(number, sku, {}, [Text("Picture: damaged in the ZIP")])
    return FileRow(number, sku, {IMAGE: store_picture(checked, sku)}, [])
