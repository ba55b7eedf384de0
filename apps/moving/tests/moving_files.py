"""Makers of files that move a seller in, and what a test looks at afterwards."""

import hashlib
import io
import json
from collections.abc import Sequence
from typing import Any

import openpyxl
from django.apps import apps
from django.core import serializers
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Import
from apps.catalog.services.imports import answer_import, send_import
from apps.catalog.tests.import_files import work
from apps.common.texts import read

HISTORY = frozenset({"admin.logentry", "catalog.import", "catalog.importrow", "sessions.session"})


def book(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """Return a workbook with these sheets."""
    made = openpyxl.Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def sent(
    content: bytes, *, name: str = "a.xlsx", actor: User | None = None, kind: str = "people"
) -> Import:
    """Return an import of a file that waits for review."""
    source = send_import(
        file=io.BytesIO(content),
        name=name,
        actor=actor or staff_in(),
        now=timezone.now(),
        kind=kind,
    )
    work()
    source.refresh_from_db()
    return source


def answered(source: Import, answers: dict[str, str]) -> Import:
    """Return an import, read anew with answers to all that is asked of it."""
    answer_import(import_id=source.pk, answers=answers, actor=source.created_by)
    work()
    source.refresh_from_db()
    return source


def results(source: Import) -> list[tuple[str, str, str]]:
    """Return of each row its place, result and remark."""
    rows = source.rows.select_related("source")
    return [(row.place, row.result, read(row.remark)) for row in rows]


def digest(*, besides: Sequence[str] = ()) -> dict[str, str]:
    """Return a sum of each table's rows, history apart."""
    sums = {}
    for model in apps.get_models():
        label = model._meta.label_lower
        if label not in HISTORY and label not in besides and not model._meta.proxy:
            rows = model._base_manager.order_by("pk")
            text = json.dumps(serializers.serialize("python", rows), default=str)
            sums[label] = hashlib.sha256(text.encode()).hexdigest()
    return sums
