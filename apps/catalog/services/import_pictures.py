"""Pictures of products from a ZIP: named by SKU, several of one by their numbers, or in a folder
that is named by it.
"""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple
from unicodedata import normalize

from django.utils.translation import gettext_noop as _

from apps.catalog.models import Product
from apps.catalog.services.pictures import (
    EXTENSIONS,
    MAX_PICTURE_BYTES,
    MAX_PICTURES,
    PictureRefused,
    check_picture,
    store_picture,
)
from apps.catalog.sheet import IMAGE, FileRow
from apps.common.errors import PortalError
from apps.common.storage.uploads import UnsafeFile, check_archive, clean_name
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import Text

NUMBERED = re.compile(r"(?P<sku>.+?)(?:\s*[-_. ]\s*|\s*\()(?P<number>[0-9]{1,2})\)?")
LAST_NUMBER = re.compile(r"[0-9]{1,4}(?=\D*$)")
BEHIND = 10_000  # behind the pictures with numbers, of up to four figures
SIDES = {
    **dict.fromkeys(("main", "front", "대표", "대표이미지", "메인", "정면", "앞면"), 0),
    **dict.fromkeys(("back", "뒷면", "후면"), BEHIND),
    **dict.fromkeys(("side", "옆면", "측면"), BEHIND + 100),
    **dict.fromkeys(("detail", "상세"), BEHIND + 200),
}
SIDE = rf"(?P<side>{'|'.join(SIDES)})\s*[-_ ]?\s*(?P<number>[0-9]{{0,2}})"
WORDED = re.compile(
    rf"(?P<sku>.+?)(?:\s*[-_. ]\s*|\s*\()(?:(?P<letter>[a-h])|{SIDE})\)?", re.IGNORECASE
)
# What systems put into archives by themselves, and folders.
BY_ITSELF = re.compile(
    r"(?:^|/)(?:__MACOSX/|(?:\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)?$)", re.IGNORECASE
)
MAX_NAMED, MAX_KEY = 200, 60
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
            if all(_why_not(path) for path, _entry in _files(archive)):
                raise SpreadsheetRefused(NO_PICTURES)
    except (UnsafeFile, zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SpreadsheetRefused(BROKEN) from error


class _Picture(NamedTuple):
    """A picture of the archive: its place and entry there, the folders that it lies in, the nearest
    first, its name with and without the extension; which product it is of, its number among that
    product's, the other SKU that its name could mean, and the word behind the SKU that is not
    known.
    """

    place: int
    entry: zipfile.ZipInfo
    folders: Sequence[str]
    name: str
    stem: str
    sku: str = ""
    number: int | None = None
    other: str = ""
    by_number: bool = False
    word: str = ""


def picture_rows(file: BinaryIO, *, after: int) -> Iterator[FileRow]:
    """Yield what the pictures of each SKU say, under the number of their first in the archive:
    which images the product gets, in which order. Other files are left out by name.

    The pictures of products that exist are stored as they are read, under names that no other
    content has: nobody sees them before a product names them.

    Raises:
        SpreadsheetRefused: the archive breaks off.
    """
    check_pictures(file)
    with zipfile.ZipFile(file) as archive:
        skus = _Skus()
        refused: dict[int, FileRow] = {}
        groups: dict[str, list[_Picture]] = {}
        for place, (path, entry) in enumerate(_files(archive), 1):
            *folders, last = path.split("/")
            name = clean_name(last)
            if why := _why_not(path):
                key = "/".join(map(clean_name, [*folders, last]))[-MAX_KEY:]
                refused[place] = FileRow(place, key, {}, [], skip_reason=why)
                continue
            stem = name.rpartition(".")[0].strip()
            one, fault = _matched(_Picture(place, entry, folders[::-1], name, stem), skus)
            if fault:
                refused[place] = FileRow(place, f"{one.sku}/{name}", {}, [fault])
            else:
                groups.setdefault(one.sku, []).append(one)
        firsts = {group[0].place: sku for sku, group in groups.items()}
        # By their numbers: whoever goes on after a worker that died begins behind the last one.
        for place in sorted(one for one in {*refused, *firsts} if one > after):
            if place in refused:
                yield refused[place]
            elif (sku := firsts[place]) in skus.exact:
                yield _row(archive, place, sku, groups[sku])
            else:
                yield FileRow(place, sku, {}, [])


class _Skus:
    """The products that names of files may mean: by SKU, in whatever way its parts are put apart,
    or by EAN.
    """

    def __init__(self) -> None:
        self.exact: set[str] = set()
        self.loose: dict[str, set[str]] = defaultdict(set)
        for sku, ean in Product.objects.values_list("sku", "ean"):
            self.exact.add(sku)
            for key in filter(None, (_key(sku), ean)):
                self.loose[key].add(sku)

    def find(self, text: str) -> str:
        """Return the one SKU that a text means; empty for none, or several."""
        sku = text.strip().upper()
        if sku in self.exact:
            return sku
        skus = self.loose.get(_key(sku), set())
        return next(iter(skus)) if len(skus) == 1 else ""


def _key(sku: str) -> str:
    return "".join(filter(str.isalnum, sku.upper()))


def _readings(stem: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a name may be: a SKU, the picture's number, whether a figure says that."""
    yield stem, 0, False
    if numbered := NUMBERED.fullmatch(stem):
        yield numbered["sku"], int(numbered["number"]), True
    if worded := WORDED.fullmatch(stem):
        letter = worded["letter"]
        number = ord(letter.lower()) - ord("a") + 1 if letter else _number_of_side(worded)
        yield worded["sku"], number, False


def _number_of_side(match: re.Match[str]) -> int:
    return SIDES[match["side"].casefold()] + int(match["number"] or 0)


def _matched(one: _Picture, skus: _Skus) -> tuple[_Picture, Text | None]:
    """Return which product a picture is of, by its name (`SKU`, `SKU-2`, `SKU (3)`) or its folder,
    and why that cannot be told.
    """
    by_name: dict[str, tuple[int, bool]] = {}
    for name, number, by_number in _readings(one.stem):
        if sku := skus.find(name):
            by_name.setdefault(sku, (number, by_number))
    folder = next((sku for each in one.folders if (sku := skus.find(each))), "")
    if folder and by_name and folder not in by_name:
        text = Text(
            "Picture: the folder is %(folder)s, the file %(file)s.", folder=folder, file=one.name
        )
        return one._replace(sku=folder), text
    if folder in by_name:
        return one._replace(sku=folder, number=by_name[folder][0]), None
    worded = _with_a_word(one, skus)
    if folder and worded.sku != folder:
        return one._replace(sku=folder, number=_last_number(one.stem)), None
    if not by_name:
        return worded, None
    (sku, (number, by_number)), *others = by_name.items()
    other = "".join(other for other, _ in others)
    return one._replace(sku=sku, number=number, other=other, by_number=by_number), None


def _with_a_word(one: _Picture, skus: _Skus) -> _Picture:
    """Return the product whose SKU stands in front of a word that is not known; without one, the
    whole name as a SKU that no product has.
    """
    stem = one.stem
    for between in reversed(list(re.finditer(r"[-_. (]+", stem))):
        word = stem[between.end() :].rstrip(" )")
        if (sku := skus.find(stem[: between.start()])) and re.search(r"[^\W\d_]", word):
            return one._replace(sku=sku, word=word)
    return one._replace(sku=stem.upper(), number=0)


def _last_number(stem: str) -> int | None:
    if side := re.fullmatch(SIDE, stem, re.IGNORECASE):
        return _number_of_side(side)
    match = LAST_NUMBER.search(stem)
    return int(match[0]) if match else None


def _doubts(sku: str, group: Sequence[_Picture]) -> list[Text]:
    """Return what of the pictures of a product could be meant otherwise."""
    doubts = []
    for one in group:
        values = {"file": one.name, "sku": sku}
        if one.other:
            key = _("%(file)s is taken as a picture of %(sku)s, not of %(other)s.")
            doubts.append(Text(key, other=one.other, **values))
        if one.word:
            key = _("%(file)s is taken as a picture of %(sku)s: “%(word)s” is not known.")
            doubts.append(Text(key, word=one.word, **values))
    first = min(group, key=_in_order)
    if first.number is not None and first.number >= BEHIND:
        doubts.append(
            Text(
                "%(file)s becomes the main picture of %(sku)s, but its name says another side.",
                file=first.name,
                sku=sku,
            )
        )
    numbers = sorted({one.number for one in group if one.by_number and one.number})
    if numbers and (numbers[0] > 2 or numbers[-1] - numbers[0] >= len(numbers)):
        names = ", ".join(one.name for one in group if one.by_number)[:MAX_NAMED]
        doubts.append(
            Text("Taken as pictures of %(sku)s by their numbers: %(files)s.", sku=sku, files=names)
        )
    ordered = [one.number for one in group]
    if len(set(ordered)) < len(ordered) or (None in ordered and len(ordered) > 1):
        doubts.append(Text("The pictures stand in the order of their names."))
    return doubts


def _file_name(entry: zipfile.ZipInfo) -> str:
    """Return a name as it was packed: macOS and Korean Windows do not say in which letters."""
    if entry.flag_bits & IN_UTF_8:
        return entry.filename
    raw = entry.filename.encode("cp437")
    for encoding in ("utf-8", "cp949"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return entry.filename


def _files(archive: zipfile.ZipFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return the files that somebody put into an archive, by their paths."""
    paths = [
        (normalize("NFC", _file_name(entry)).replace("\\", "/"), entry)
        for entry in archive.infolist()
    ]
    return [(path, entry) for path, entry in paths if not BY_ITSELF.search(path)]


def _why_not(path: str) -> Text | None:
    """Return why a file is not taken for a picture."""
    if path.rpartition("/")[2].startswith("."):
        return Text("a hidden file")
    if path.rpartition(".")[2].lower() not in EXTENSIONS:
        return Text("not a JPEG, PNG or WebP file")
    return None


def _row(archive: zipfile.ZipFile, place: int, sku: str, group: Sequence[_Picture]) -> FileRow:
    """Return the row of a product's pictures. Where one cannot be taken, none is: the product keeps
    those that it has.
    """
    if len(group) > MAX_PICTURES:
        return FileRow(place, sku, {}, [Text("Picture: more than %(count)s", count=MAX_PICTURES)])
    images, faults = [], []
    for one in sorted(group, key=_in_order):
        image = _stored(archive, one)
        if isinstance(image, Text):
            faults.append(
                image
                if len(group) == 1
                else Text("%(file)s: %(fault)s", file=one.name, fault=image)
            )
        else:
            images.append(image)
    if faults:
        return FileRow(place, sku, {}, faults)
    values = {IMAGE: " ".join(dict.fromkeys(images))}
    return FileRow(place, sku, values, [], doubts=_doubts(sku, group))


def _in_order(one: _Picture) -> tuple[bool, int, list[str | int]]:
    """Return what a product's pictures sort by: their numbers, then their names, in which 10 comes
    after 9.
    """
    name = [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", one.stem)]
    return one.number is None, one.number or 0, name


def _stored(archive: zipfile.ZipFile, one: _Picture) -> str | Text:
    """Return the name under which a picture is stored, or why it is not."""
    if one.entry.file_size > MAX_PICTURE_BYTES:
        return Text("Picture: larger than 10 MB")
    try:
        checked = check_picture(archive.read(one.entry), given_name=one.name)
    except (PictureRefused, PortalError) as error:
        return Text("Picture: %(fault)s", fault=error.args[0])
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError):
        return Text("Picture: damaged in the ZIP")
    return store_picture(checked, one.sku)
