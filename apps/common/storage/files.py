"""Private files: signed links that die by themselves, and what may be stored
(reliability-and-security, 10 and 11).
"""

import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Protocol, runtime_checkable
from urllib.parse import quote
from uuid import UUID, uuid4

from django.conf import settings
from django.http import FileResponse, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.common.errors import StorageUnavailable

NAME = re.compile(r"(\d{1,12})\.[0-9a-f]{40}\.([0-9a-f]{32}\.[a-z]{3,4})")
SALT = "portal.files"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True)
class FileKind:
    """A kind of file that may be stored: our own extension for it, and the type it is served as."""

    extension: str
    content_type: str


PDF = FileKind("pdf", "application/pdf")
JPEG = FileKind("jpg", "image/jpeg")
PNG = FileKind("png", "image/png")
WEBP = FileKind("webp", "image/webp")
SPREADSHEET = FileKind("xlsx", XLSX)
LETTER = FileKind("docx", DOCX)
TABLE = FileKind("csv", "text/csv")
MARKERS = ((b"%PDF-", PDF), (b"\xff\xd8\xff", JPEG), (b"\x89PNG\r\n\x1a\n", PNG))
# Excel and Word on the web number the parts that others call workbook and document.
OFFICE_PARTS = (
    (re.compile(r"xl/workbook\d*\.xml"), SPREADSHEET),
    (re.compile(r"word/document\d*\.xml"), LETTER),
)


def kind_of(content: bytes) -> FileKind | None:
    """Return what a file is by its content; None for anything that is not a document, picture or
    table.
    """
    for marker, kind in MARKERS:
        if content.startswith(marker):
            return kind
    if content[:4] + content[8:12] == b"RIFFWEBP":
        return WEBP
    if content.startswith(b"PK\x03\x04"):
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError):
            return None
        names = [name.replace("\\", "/").lower() for name in archive.namelist()]
        if any(name.endswith("vbaproject.bin") for name in names):
            return None
        return next((kind for part, kind in OFFICE_PARTS if any(map(part.fullmatch, names))), None)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if not text.strip() or text.lstrip().startswith("<"):
        return None
    is_printable = all(char.isprintable() or char in "\t\r\n" for char in text)
    is_parted = any(sign in text.splitlines()[0] for sign in ",;\t")
    return TABLE if is_printable and is_parted else None


def random_name(kind: FileKind) -> str:
    """Return a stored name that says nothing: a random UUID with our own extension."""
    return f"{uuid4().hex}.{kind.extension}"


def file_signer(uuid: UUID, session_version: int) -> str:
    """Return whom a file's link is signed for: a user, as long as the sign-ins made
    till then hold.
    """
    return f"{uuid.hex}:{session_version}"


def _signed(storage_name: str, *, timestamp: int, signer: str, scope: str, key: str) -> str:
    message = f"{timestamp}:{signer}:{scope}:{storage_name}"
    signature = salted_hmac(SALT, message, secret=key, algorithm="sha256").hexdigest()[:40]
    return f"{timestamp}.{signature}.{storage_name}"


def signed_name(*, signer: str, scope: str, storage_name: str, now: datetime) -> str:
    """Return a file's name for one signer (who may use it) and one scope (an invoice code), good
    for an hour.
    """
    timestamp, key = int(now.timestamp()), settings.SECRET_KEY
    return _signed(storage_name, timestamp=timestamp, signer=signer, scope=scope, key=key)


def storage_name_in(name: str) -> str:
    """Return the file that a signed name claims to be; empty if it does not look like one."""
    match = NAME.fullmatch(name)
    return match[2] if match else ""


def is_signed(name: str, *, scope: str, signers: Iterable[str], now: datetime) -> bool:
    """Return whether a name is not older than FILE_LINK_LIFETIME and was signed for one of these,
    with today's key or one that was just replaced.
    """
    match = NAME.fullmatch(name)
    if match is None:
        return False
    stamp, age = int(match[1]), now.timestamp() - int(match[1])
    return 0 <= age <= settings.FILE_LINK_LIFETIME.total_seconds() and any(
        constant_time_compare(
            _signed(match[2], timestamp=stamp, signer=signer, scope=scope, key=key), name
        )
        for signer in signers
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def file_url(*, scope: str, name: str) -> str:
    """Return the address of a signed name, for a plain link."""
    return f"{settings.FILE_HOST}/{scope}/{name}"


@runtime_checkable
class LinkedFile(Protocol):
    """A file whose storage serves it by itself, at an address made for one click."""

    def link(self, *, disposition: str, content_type: str) -> str:
        """Return the address."""


def download(
    content: IO[bytes], *, title: str, storage_name: str, content_type: str
) -> HttpResponseBase:
    """Return a private file as a download under its cleaned title, or the way to it where its
    storage serves files.
    """
    extension = storage_name.rpartition(".")[2]
    clean = "".join(
        c for c in unicodedata.normalize("NFC", title) if c.isprintable() and c not in '\\/:*?"<>|'
    ).strip()
    stem = clean[: -len(extension) - 1] if clean.lower().endswith(f".{extension}") else clean
    filename = f"{stem or 'document'}.{extension}"
    plain = (stem.encode("ascii", "ignore").decode().strip() or "document") + f".{extension}"
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(filename)}"
    if isinstance(content, LinkedFile):
        return HttpResponseRedirect(
            content.link(disposition=disposition, content_type=content_type), headers=HEADERS
        )
    response = FileResponse(content, content_type=content_type)
    for header, value in {**HEADERS, "Content-Disposition": disposition}.items():
        response[header] = value
    return response


def unavailable() -> HttpResponse:
    """Return the answer to a download while the storage is down."""
    refusal = StorageUnavailable()
    headers = {**HEADERS, "Retry-After": str(refusal.retry_seconds)}
    text = "text/plain; charset=utf-8"
    return HttpResponse(
        f"{refusal}\n", status=refusal.http_status, content_type=text, headers=headers
    )
