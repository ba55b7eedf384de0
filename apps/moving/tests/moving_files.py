"""Makers of files that move a seller in, and what a test looks at afterwards."""

import hashlib
import json
from collections.abc import Sequence

from django.apps import apps
from django.core import serializers

from apps.accounts.models import User
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Import
from apps.catalog.tests.import_files import sent_file
from apps.common.texts import read

HISTORY = frozenset({"admin.logentry", "catalog.import", "catalog.importrow", "sessions.session"})


def sent(
    content: bytes, *, name: str = "a.xlsx", actor: User | None = None, kind: str = "people"
) -> Import:
    """Return an import of a file that waits for review."""
    return sent_file(content, name=name, actor=actor or staff_in(), kind=kind)


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
