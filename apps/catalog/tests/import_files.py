"""Makers of files to import, and a sweep that works on them."""

import io
from collections.abc import Mapping, Sequence

import openpyxl
from django.utils import timezone

from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Import
from apps.catalog.services.imports import answer_import, apply_import, send_import, undo_import
from apps.catalog.sweeps import work_on_imports

HEAD = ("SKU", "Wholesale ($)", "On hand")


def book(**sheets: Sequence[Sequence]) -> bytes:
    """Return a workbook with these sheets."""
    workbook = openpyxl.Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def csv(*rows: Sequence) -> bytes:
    """Return a CSV file with these rows."""
    return "\n".join(",".join(str(cell) for cell in row) for row in rows).encode()


def work(source: Import | None = None) -> None:
    """Do what waits, as the sweep does, and read an import anew."""
    work_on_imports(timezone.now())
    if source:
        source.refresh_from_db()


def sent_file(content: bytes, *, name: str = "a.csv", actor=None, kind: str = "table") -> Import:
    """Return an import of a file that waits for review."""
    source = send_import(
        file=io.BytesIO(content),
        name=name,
        actor=actor or staff_in("Sales"),
        now=timezone.now(),
        kind=kind,
    )
    work(source)
    return source


def sent(*rows: Sequence, head: Sequence = HEAD, actor=None, name: str = "stock.csv") -> Import:
    """Return an import of these rows that waits for review."""
    return sent_file(csv(head, *rows), name=name, actor=actor)


def answered(source: Import, answers: Mapping[str, str]) -> Import:
    """Return an import, read anew with answers to what is asked of it."""
    answer_import(import_id=source.pk, answers=answers, actor=source.created_by)
    work(source)
    return source


def applied(source: Import, *, actor=None) -> Import:
    """Apply an import, every guard ticked."""
    ticked = source.counts["guards"]
    apply_import(import_id=source.pk, ticked=ticked, actor=actor or source.created_by)
    work(source)
    return source


def undone(source: Import) -> Import:
    """Undo an import."""
    undo_import(import_id=source.pk, actor=source.created_by)
    work(source)
    return source
