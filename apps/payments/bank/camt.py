"""CAMT.053 (ISO 20022 bank-to-customer statement), versions 02 to 08, read without entities or
anything external.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from apps.payments.bank.lines import (
    MAX_LINES,
    CreditLine,
    StatementRefused,
    credit_line,
    normal_reference,
)

NAMESPACE = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(\d\d)\}Document")
VERSIONS = frozenset({"02", "03", "04", "05", "06", "07", "08"})
AMOUNT = re.compile(r"\d{1,15}(\.\d{1,5})?")
BOOKED, CREDIT = "BOOK", "CRDT"
NOT_CAMT = "This XML file is not a CAMT.053 statement."


def read_camt(content: bytes) -> tuple[CreditLine, ...]:
    """Return the booked credits of a CAMT.053 file; debits, reversals and what is only pending are
    left out.

    Raises:
        StatementRefused: broken, hostile, another message or version, or a credit that cannot be
            read.
    """
    try:
        root = fromstring(content, forbid_dtd=True)
    except DefusedXmlException as error:
        raise StatementRefused(
            "This XML file declares a document type or entities; a bank's statement never does."
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise StatementRefused("This XML file is broken.") from error
    found = NAMESPACE.fullmatch(root.tag)
    if found is None:
        raise StatementRefused(NOT_CAMT)
    if found[1] not in VERSIONS:
        raise StatementRefused(f"CAMT.053 version {found[1]} is not known here; 02 to 08 are.")
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    if root.find("BkToCstmrStmt/Stmt") is None:
        raise StatementRefused(NOT_CAMT)
    entries = root.findall("BkToCstmrStmt/Stmt/Ntry")
    if len(entries) > MAX_LINES:
        raise StatementRefused(f"More than {MAX_LINES:,} lines.")
    return tuple(
        line
        for number, entry in enumerate(entries, 1)
        for line in _credits(entry, f"Entry {number}")
    )


def _credits(entry: Element, where: str) -> Iterator[CreditLine]:
    status = _text(entry, "Sts/Cd") or _text(entry, "Sts")
    if (
        _text(entry, "CdtDbtInd") != CREDIT
        or status != BOOKED
        or _text(entry, "RvslInd").lower() in ("true", "1")
    ):
        return
    amount, currency = _money(entry.find("Amt"), where)
    day = _day(entry, where)
    details = entry.findall("NtryDtls/TxDtls")
    parts = _parts(details, amount=amount, currency=currency, where=where)
    for detail, part, reference in parts or [(None, amount, "")]:
        whole = [detail] if detail is not None else details
        yield credit_line(
            where=where,
            value_date=day,
            amount=part,
            currency=currency,
            debtor=_first(
                whole, "RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm", "RltdPties/UltmtDbtr/Nm"
            ),
            text=" ".join(_remittance(entry, whole)),
            reference=reference or _text(entry, "AcctSvcrRef") or _first(whole, "Refs/AcctSvcrRef"),
        )


def _parts(
    details: list[Element], *, amount: Decimal, currency: str, where: str
) -> list[tuple[Element | None, Decimal, str]]:
    """Return the single transfers of a collected entry, if the bank tells them apart; else nothing.

    They are taken apart only where each has a reference of its own and their sum is the entry's:
    whatever else would let one transfer pass for two.
    """
    if len(details) < 2:
        return []
    found: list[tuple[Element | None, Decimal, str]] = []
    for detail in details:
        transfer = _transfer(detail, currency=currency, where=where)
        if transfer is None:
            return []
        found.append((detail, *transfer))
    references = {normal_reference(reference) for _, _, reference in found}
    return (
        found
        if len(references) == len(found) and sum(part for _, part, _ in found) == amount
        else []
    )


def _transfer(detail: Element, *, currency: str, where: str) -> tuple[Decimal, str] | None:
    """Return the amount and the reference of a single transfer; None where the bank does not name
    both.
    """
    node = detail.find("Amt")
    node = detail.find("AmtDtls/TxAmt/Amt") if node is None else node
    if node is None:
        return None
    amount, its_currency = _money(node, where)
    reference = _text(detail, "Refs/AcctSvcrRef")
    return (amount, reference) if its_currency == currency and normal_reference(reference) else None


def _remittance(entry: Element, details: list[Element]) -> Iterator[str]:
    said = False
    for detail in details:
        for path in (
            "RmtInf/Ustrd",
            "RmtInf/Strd/CdtrRefInf/Ref",
            "RmtInf/Strd/RfrdDocInf/Nb",
            "AddtlTxInf",
        ):
            for node in detail.findall(path):
                said = said or bool(node.text)
                yield node.text or ""
    if not said:
        yield _text(entry, "AddtlNtryInf")


def _first(details: list[Element], *paths: str) -> str:
    return next((text for detail in details for path in paths if (text := _text(detail, path))), "")


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _money(node: Element | None, where: str) -> tuple[Decimal, str]:
    text = (node.text or "").strip() if node is not None else ""
    if node is None or not AMOUNT.fullmatch(text):
        raise StatementRefused(f"{where}: the amount cannot be read.")
    return Decimal(text), node.get("Ccy", "")


def _day(entry: Element, where: str) -> date:
    for path in ("ValDt/Dt", "ValDt/DtTm", "BookgDt/Dt", "BookgDt/DtTm"):
        if text := _text(entry, path):
            try:
                return (
                    datetime.fromisoformat(text).date()
                    if "T" in text
                    else date.fromisoformat(text[:10])
                )
            except ValueError as error:
                raise StatementRefused(f"{where}: the date cannot be read.") from error
    raise StatementRefused(f"{where}: it has no date.")
