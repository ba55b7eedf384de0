"""Makers of files to import, and a sweep that works on them."""

import io
from collections.abc import Sequence

import openpyxl
from django.utils import timezone

from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Import
from apps.catalog.services.imports import apply_import, send_import, undo_import
from apps.catalog.sweeps import work_on_imports

HEAD = ("SKU", "Wholesale ($)", "On hand")


def workbook(*rows: Sequence) -> bytes:
    """Return a workbook with these rows."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in rows:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def csv(*rows: Sequence) -> bytes:
    """Return a CSV file with these rows."""
    return "\n".join(",".join(str(cell) for cell in row) for row in rows).encode()


def work() -> None:
    """Do what waits, as the sweep does."""
    work_on_imports(timezone.now())


def sent(*rows: Sequence, head: Sequence = HEAD, actor=None, name: str = "stock.csv") -> Import:
    """Return an import of these rows that waits for review."""
    source = send_import(
        file=io.BytesIO(csv(head, *rows)),
        name=name,
        actor=actor or staff_in("Sales"),
        now=timezone.now(),
        kind="table",
    )
    work()
    source.refresh_from_db()
    return source


def applied(source: Import, *, actor=None) -> Import:
    """Apply an import, every guard ticked."""
    ticked = source.counts["guards"]
    apply_import(import_id=source.pk, ticked=ticked, actor=actor or source.created_by)
    work()
    source.refresh_from_db()
    return source


def undone(source: Import) -> Import:
    """Undo an import."""
    undo_import(import_id=source.pk, actor=source.created_by)
    work()
    source.refresh_from_db()
    return source
