"""A statement file of any kind, read whole or refused in one sentence (reliability-and-security,
section 10).
"""

import io
import zipfile
import zlib
from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.common.storage.uploads import UnsafeFile, check_archive
from apps.payments.bank.camt import read_camt
from apps.payments.bank.lines import (
    MAX_BYTES,
    CreditLine,
    StatementFile,
    StatementRefused,
    statement_file,
)
from apps.payments.bank.mt940 import AROUND, is_mt940, read_mt940
from apps.payments.bank.table import ZIP

CAMT, MT940 = "camt.053", "mt940"
MEGABYTES = MAX_BYTES // 1024 // 1024
XML_STARTS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")
NOT_SHOWN = ("__MACOSX/", ".")
WORKBOOK_PARTS = ("[Content_Types].xml", "xl/")


def read_files(files: Sequence[bytes], *, currency: str = "") -> StatementFile:
    """Return what the CAMT and MT940 files that were sent say has arrived; `currency` is the
    account's where a file names none.

    Raises:
        StatementRefused: a table among them, of no known kind, or broken anywhere.
    """
    entries: list[CreditLine | str] = []
    for file in files:
        if has_columns(file):
            text = _("This archive holds a table among other files: send it alone.")
            raise StatementRefused(text)
        is_swift = is_mt940(file)
        entries += read_mt940(file, currency=currency) if is_swift else read_camt(file.lstrip())
    return statement_file(MT940 if is_mt940(files[0]) else CAMT, entries)


def files_in(content: bytes) -> list[bytes]:
    """Return the files that were sent: those of an archive, or the file itself.

    Raises:
        StatementRefused: too large, empty, damaged, made to harm, or an archive without a file.
    """
    if len(content) > MAX_BYTES:
        raise StatementRefused(_("The file is larger than %(size)s MB."), size=MEGABYTES)
    if not content.strip():
        raise StatementRefused(_("The file is empty."))
    if not content.startswith(ZIP):
        return [content.strip(AROUND)]
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if any(name.startswith(WORKBOOK_PARTS) for name in archive.namelist()):
                return [content]
            check_archive(io.BytesIO(content))
            files = _files(archive)
    except (UnsafeFile, zipfile.BadZipFile, ValueError, OSError, RuntimeError, zlib.error) as error:
        raise StatementRefused(
            _(
                "This archive or workbook cannot be read: it is damaged, "
                "protected, or too large once unpacked."
            )
        ) from error
    if not files:
        raise StatementRefused(_("This archive holds no file."))
    return files


def _files(archive: zipfile.ZipFile) -> list[bytes]:
    """Return what an archive holds, one level deep, together no more than a file may have."""
    files, left = [], MAX_BYTES
    for entry in archive.infolist():
        if entry.is_dir() or entry.filename.startswith(NOT_SHOWN):
            continue
        with archive.open(entry) as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise StatementRefused(_("The files are larger than %(size)s MB."), size=MEGABYTES)
        if content.startswith(ZIP):
            raise StatementRefused(_("This archive holds another archive: unpack it first."))
        if content.strip():
            files.append(content.strip(AROUND))
    return files


def has_columns(content: bytes) -> bool:
    """Return whether a file is a table, whose columns can be named."""
    return not content.lstrip().startswith(XML_STARTS) and not is_mt940(content)
