"""What people upload: read from the body without trust, then looked at before it is stored (section
10).
"""

import io
import logging
import re
import socket
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.translation import gettext_noop as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.common.errors import Invalid, PortalError, TooLarge, Unavailable
from apps.common.logs import log_event
from apps.common.storage.files import JPEG, LETTER, PDF, PNG, SPREADSHEET, WEBP, FileKind, kind_of

logger = logging.getLogger("portal.uploads")

ALIASES = {"jpeg": JPEG.extension}
INSPECTED = (PDF, JPEG, PNG, WEBP)
ARCHIVES = (SPREADSHEET, LETTER)
MAX_ENTRIES, MAX_UNPACKED_BYTES, MAX_RATIO = 1_000, 100 * 1024 * 1024, 100
INSPECTOR = Path(__file__).with_name("inspector.py")
INSPECTOR_SECONDS = 20
MAX_GIVEN_NAME = 200
CHUNK = 64 * 1024
SCANNER_SECONDS = 30
MAX_ANSWER = 4096
OUTSIDE = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[A-Za-z]:|^[/\\]")


class WrongKind(PortalError):
    """The content is not of a kind that is taken here, or the name's extension says another."""

    message = _("Only PDF, JPEG and PNG files can be uploaded.")


class UnsafeFile(PortalError):
    """The content is damaged, encrypted, or holds more than text and pictures."""

    message = _(
        "This file cannot be read. Please save it again, without a "
        "password, scripts or attachments."
    )


@dataclass(frozen=True)
class CheckedFile:
    """A file that may be stored: what it is, its content (a picture's is written anew), its name as
    plain text.
    """

    kind: FileKind
    content: bytes
    given_name: str


class _OneFileHandler(TemporaryFileUploadHandler):
    """Streams the one file to a temporary file, and stops the reading where it grows over its
    limit.
    """

    def __init__(self, parser: type["OneFileParser"]) -> None:
        super().__init__()
        self.parser = parser
        self.files = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Take the one file that is expected, and no other."""
        self.files += 1
        if self.files > 1 or args[0] != self.parser.field:
            raise Invalid(errors={self.parser.field: ["One file, in this field."]})
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece."""
        if start + len(raw_data) > self.parser.max_bytes:
            raise self.parser.too_large
        super().receive_data_chunk(raw_data, start)


class OneFileParser(BaseParser):
    """Reads a form with one file; a subclass names its field, its limit in bytes and the refusal of
    a larger one.
    """

    media_type = "multipart/form-data"
    field: ClassVar[str]
    max_bytes: ClassVar[int]
    too_large: ClassVar[type[PortalError]] = TooLarge

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the fields and the file, which is closed with the request.

        Raises:
            ParseError: not a form.
            PortalError: `too_large`; Invalid for a second file.
        """
        request = (parser_context or {})["request"]
        try:
            data, files = MultiPartParser(
                request.META, stream, [_OneFileHandler(type(self))], "utf-8"
            ).parse()
        except MultiPartParserError as error:
            raise ParseError("The body is not a form.") from error
        request._files = files
        return {**data.dict(), **files.dict()}


def clean_name(name: str) -> str:
    """Return the name that a person gave a file, as plain text: no folders, no control or direction
    characters.
    """
    base = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    return " ".join("".join(char if char.isprintable() else " " for char in base).split())[
        -MAX_GIVEN_NAME:
    ]


def check_file(content: bytes, *, given_name: str, kinds: Collection[FileKind]) -> CheckedFile:
    """Return a file that may be stored, if it is what it says and holds nothing that could run.

    Told by its content, at byte 0, and by its extension; both must agree. Pictures are decoded and
    written anew without what was beside them; of documents every object is looked at. A virus
    scanner is asked where there is one.

    Raises:
        WrongKind: of another kind, or its extension says another.
        UnsafeFile: damaged, encrypted, too large once unpacked, with scripts or attachments, or
            infected.
        Unavailable: the virus scanner does not answer.
    """
    name = clean_name(given_name)
    kind = kind_of(content)
    extension = name.rpartition(".")[2].lower()
    if kind is None or kind not in kinds or ALIASES.get(extension, extension) != kind.extension:
        log_event("upload_rejected", reason="kind")
        raise WrongKind
    if kind in INSPECTED:
        content = _inspected(content, kind) or content
    elif kind in ARCHIVES:
        check_archive(io.BytesIO(content))
    check_virus(io.BytesIO(content))
    return CheckedFile(kind, content, name)


def check_upload(file: UploadedFile, *, kinds: Collection[FileKind], field: str) -> CheckedFile:
    """Return a buyer's file, which its form's parser let through, checked as by `check_file`; a
    refusal stands at its field.

    Raises:
        PortalError: what `check_file` raises.
    """
    try:
        return check_file(file.read(), given_name=file.name or "", kinds=kinds)
    except PortalError as error:
        error.errors = error.errors or {field: [str(error)]}
        raise


def check_virus(file: BinaryIO) -> None:
    """Have a virus scanner look at a file, where there is one (CLAMD_SOCKET).

    Raises:
        UnsafeFile: infected.
        Unavailable: it cannot be reached, or answers neither that the file is clean nor that it is
            infected.
    """
    if not settings.CLAMD_SOCKET:
        return
    try:
        answer = _scanned(file)
    except OSError as error:
        answer = type(error).__name__
    if answer.endswith(" FOUND"):
        log_event("upload_rejected", reason="virus")
        raise UnsafeFile
    if not answer.endswith(" OK"):
        logger.error("The virus scanner does not answer: %s", answer[:100])
        raise Unavailable


def check_archive(file: BinaryIO) -> None:
    """Check what an archive says of its parts, before anybody unpacks one.

    Raises:
        UnsafeFile: encrypted, too many parts, too large once unpacked, or a part that would leave
        its folder. zipfile.BadZipFile, ValueError: not an archive.
    """
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
    size = file.seek(0, io.SEEK_END)
    unpacked = sum(entry.file_size for entry in entries)
    outside = any(OUTSIDE.search(entry.filename) for entry in entries)
    encrypted = any(entry.flag_bits & 1 for entry in entries)
    too_much = len(entries) > MAX_ENTRIES or unpacked > min(MAX_UNPACKED_BYTES, MAX_RATIO * size)
    if outside or encrypted or too_much:
        log_event("upload_rejected", reason="archive")
        raise UnsafeFile


def _inspected(content: bytes, kind: FileKind) -> bytes:
    """Return a picture written anew, nothing for a document; looked at in a process of its own,
    with little to spend.

    A file that is made to hang, to eat memory or to break its reader ends that process and nothing
    else.
    """
    try:
        process = _run_inspector(content, kind.extension)
    except subprocess.TimeoutExpired as error:
        log_event("upload_rejected", reason="time")
        raise UnsafeFile from error
    if process.returncode:
        reason = process.stderr.decode("ascii", "replace").strip().rpartition("\n")[2]
        log_event(
            "upload_rejected",
            reason=reason[:40].replace(" ", "-") or f"signal{-process.returncode}",
        )
        raise UnsafeFile
    return process.stdout


def _run_inspector(content: bytes, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    # Isolated: neither the environment nor the working folder decides what the process imports.
    command = [sys.executable, "-I", str(INSPECTOR), *arguments]
    return subprocess.run(  # noqa: S603 - our own program; the file goes to its standard input
        command,
        input=content,
        capture_output=True,
        timeout=INSPECTOR_SECONDS,
        env={},
        check=False,
    )


def draw_page(content: bytes, number: int) -> bytes | None:
    """Return a page of a PDF (from 1) as a PNG, for 0 the number of its pages in digits; None where
    it cannot be shown. Nothing active of a PDF ever reaches a browser.
    """
    try:
        process = _run_inspector(content, "page", str(number))
    except subprocess.TimeoutExpired:
        return None
    return None if process.returncode else process.stdout


def _scanned(file: BinaryIO) -> str:
    """Return what the virus scanner, a clamd, answers of a file."""
    # Each piece goes after its length in four bytes, a length of 0 at the end.
    with closing(_connect(settings.CLAMD_SOCKET)) as connection:
        connection.sendall(b"zINSTREAM\0")
        file.seek(0)
        while piece := file.read(CHUNK):
            connection.sendall(len(piece).to_bytes(4, "big") + piece)
        connection.sendall(bytes(4))
        content = b""
        while b"\0" not in content and len(content) < MAX_ANSWER:
            received = connection.recv(MAX_ANSWER)
            if not received:
                break
            content += received
    return content.partition(b"\0")[0].decode("utf-8", "replace").strip()


def _connect(address: str) -> socket.socket:
    """Return a connection to `/path/of/the.socket` or `host:port`."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        return socket.create_connection((host, int(port)), timeout=SCANNER_SECONDS)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(SCANNER_SECONDS)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection
