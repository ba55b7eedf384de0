"""A statement file of any kind, read whole or refused in one sentence (reliability-and-security,
section 10); among them CAMT.052, .053 and .054 (ISO 20022: the day's report, the statement, the
notification), read without entities or anything external.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _, gettext_lazy

from apps.common.storage.uploads import UnsafeFile, check_archive
from apps.payments.bank.lines import (
    MAX_BYTES,
    MAX_LINES,
    REVERSED,
    WENT_OUT,
    ZERO,
    CreditLine,
    StatementFile,
    StatementRefused,
    checked,
    clean,
    normal_reference,
    statement_file,
    too_many_lines,
    with_status,
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
    files, room = [], MAX_BYTES
    for entry in archive.infolist():
        if entry.is_dir() or entry.filename.startswith(NOT_SHOWN):
            continue
        with archive.open(entry) as file:
            content = file.read(room + 1)
        room -= len(content)
        if room < 0:
            raise StatementRefused(_("The files are larger than %(size)s MB."), size=MEGABYTES)
        if content.startswith(ZIP):
            raise StatementRefused(_("This archive holds another archive: unpack it first."))
        if content.strip():
            files.append(content.strip(AROUND))
    return files


def has_columns(content: bytes) -> bool:
    """Return whether a file is a table, whose columns can be named."""
    return not content.lstrip().startswith(XML_STARTS) and not is_mt940(content)


NAMESPACE = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:camt\.05([234])\.001\.(\d\d)\}Document")
VERSIONS = range(1, 14)
STATEMENTS = {
    "2": "BkToCstmrAcctRpt/Rpt",
    "3": "BkToCstmrStmt/Stmt",
    "4": "BkToCstmrDbtCdtNtfctn/Ntfctn",
}
AMOUNT = re.compile(r"\d{1,15}(\.\d{1,5})?")
BOOKED, CREDIT = "BOOK", "CRDT"
NOT_CAMT = gettext_lazy("This XML file is not a CAMT statement of a bank.")
PAYERS = (
    "RltdPties/Dbtr/Nm",
    "RltdPties/Dbtr/Pty/Nm",
    "RltdPties/UltmtDbtr/Nm",
    "RltdPties/UltmtDbtr/Pty/Nm",
    "RltdPties/Dbtr/Agt/FinInstnId/Nm",
    "RltdPties/InitgPty/Nm",
    "RltdPties/InitgPty/Pty/Nm",
)
REMITTANCE_PATHS = (
    "RmtInf/Ustrd",
    "RmtInf/Strd/CdtrRefInf/Ref",
    "RmtInf/Strd/RfrdDocInf/Nb",
    "RmtInf/Strd/AddtlRmtInf",
    "Refs/EndToEndId",
    "AddtlTxInf",
)


def read_camt(content: bytes) -> Iterator[CreditLine | str]:
    """Yield the booked credits of a CAMT file, and why each other entry is left out.

    Raises:
        StatementRefused: broken, hostile, another message or version, or a credit that cannot be
            read.
    """
    try:
        root = fromstring(content, forbid_dtd=True)
    except DefusedXmlException as error:
        raise StatementRefused(
            _("This XML file declares a document type or entities; a bank's statement never does.")
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise StatementRefused(_("This XML file is broken.")) from error
    for document in root.iter():  # it may stand in an envelope
        if match := NAMESPACE.fullmatch(str(document.tag)):
            break
    else:
        raise StatementRefused(str(NOT_CAMT))
    if int(match[2]) not in VERSIONS:
        raise StatementRefused(
            _("CAMT version %(version)s is not known here; 01 to 13 are."), version=match[2]
        )
    for element in document.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    path = STATEMENTS[match[1]]
    if document.find(path) is None:
        raise StatementRefused(str(NOT_CAMT))
    entries = document.findall(f"{path}/Ntry")
    if len(entries) > MAX_LINES:
        raise StatementRefused(too_many_lines())
    where = _("Entry %(number)s")
    for number, entry in enumerate(entries, 1):
        yield from _entry(entry, where % {"number": number})


def _entry(entry: Element, where: str) -> Iterator[CreditLine | str]:
    """Yield the credits of an entry, or why it is none that was booked."""
    if reason := _no_credit(entry):
        yield reason
        return
    amount, currency = _money(entry.find("Amt"), where)
    if not amount:
        yield ZERO
        return
    details = entry.findall("NtryDtls/TxDtls")
    parts = _parts(details, amount=amount, currency=currency, where=where)
    for detail, part, reference in parts or [(None, amount, "")]:
        whole = [detail] if detail is not None else details
        # What a transfer says, each text once; the entry's own text is one of all its transfers.
        nodes = [node for one in whole for path in REMITTANCE_PATHS for node in one.findall(path)]
        texts = [clean(node.text or "") for node in nodes]
        if len(details) < 2 or not any(texts):
            texts.append(clean(_text(entry, "AddtlNtryInf")))
        words = ""
        for text in texts:
            if normal_reference(text) and text not in words:
                words = f"{words} {text}".strip()
        line = CreditLine(
            value_date=_day(entry, ("ValDt", "BookgDt"), where),
            amount=part,
            currency=currency,
            debtor=_first(whole, *PAYERS),
            text=words,
            reference=reference or _text(entry, "AcctSvcrRef") or _first(whole, "Refs/AcctSvcrRef"),
            booked_on=_day(entry, ("BookgDt", "ValDt"), where),
        )
        yield checked(line, where)


def _no_credit(entry: Element) -> str:
    """Return why an entry is no credit that was booked; nothing if it is one."""
    if _text(entry, "RvslInd").lower() in ("true", "1"):
        return REVERSED
    if _text(entry, "CdtDbtInd") != CREDIT:
        return WENT_OUT
    status = _text(entry, "Sts/Cd") or _text(entry, "Sts/Prtry") or _text(entry, "Sts")
    return "" if status == BOOKED else with_status(status)


def _parts(
    details: list[Element], *, amount: Decimal, currency: str, where: str
) -> list[tuple[Element | None, Decimal, str]]:
    """Return the single transfers of a collected entry, if the bank tells them apart; else nothing.

    They are taken apart only where each has a reference of its own and their sum is the entry's:
    whatever else would let one transfer pass for two.
    """
    if len(details) < 2:
        return []
    parts: list[tuple[Element | None, Decimal, str]] = []
    for detail in details:
        node = detail.find("Amt")
        node = detail.find("AmtDtls/TxAmt/Amt") if node is None else node
        if node is None:
            return []
        part, its_currency = _money(node, where)
        reference = _text(detail, "Refs/AcctSvcrRef")
        if its_currency != currency or not normal_reference(reference) or not part:
            return []
        parts.append((detail, part, reference))
    references = {normal_reference(reference) for _, _, reference in parts}
    is_whole = sum(part for _, part, _ in parts) == amount
    return parts if len(references) == len(parts) and is_whole else []


def _first(details: list[Element], *paths: str) -> str:
    return next((text for detail in details for path in paths if (text := _text(detail, path))), "")


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _money(node: Element | None, where: str) -> tuple[Decimal, str]:
    text = (node.text or "").strip() if node is not None else ""
    if node is None or not AMOUNT.fullmatch(text):
        raise StatementRefused(_("%(where)s: the amount cannot be read."), where=where)
    return Decimal(text), node.get("Ccy", "")


def _day(entry: Element, names: tuple[str, ...], where: str) -> date:
    for path in (f"{name}/{form}" for name in names for form in ("Dt", "DtTm")):
        if text := _text(entry, path):
            try:
                return (
                    datetime.fromisoformat(text).date()
                    if "T" in text
                    else date.fromisoformat(text[:10])
                )
            except ValueError as error:
                raise StatementRefused(
                    _("%(where)s: the date cannot be read."), where=where
                ) from error
    raise StatementRefused(_("%(where)s: it has no date."), where=where)
