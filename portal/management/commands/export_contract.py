"""Writes what others are told of the code: frontend/contract/{messages,limits}.json and
docs/settings.md.
"""

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from portal.env import Variable
from portal.settings import server
from portal.web.contract import limits, messages

INTRODUCTION = """# Settings

Written from `portal/settings/` by `make contract`; `make check` fails where the two differ.
Everything is read from the environment. With nothing set, the portal runs on SQLite and local
files, with its tasks in process. A list is written with commas.

`make test` also reads `TEST_POSTGRES` (default `postgresql://`, the local server), `TEST_REDIS`
(default `redis://127.0.0.1:6379/15`) and `PORTAL_REQUIRE_SERVICES`: with `1`, as in `.ci/run`, a
service that does not answer is a failure instead of skipped tests."""


class Command(BaseCommand):
    """Writes the texts and limits of the contract, and the table of settings."""

    help = "Write frontend/contract/messages.json, limits.json and docs/settings.md."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files."""
        folder, docs = (
            Path(settings.BASE_DIR) / "frontend" / "contract",
            Path(settings.BASE_DIR) / "docs",
        )
        for path in (folder, docs):
            path.mkdir(parents=True, exist_ok=True)
        for name, content in (("messages", messages()), ("limits", limits())):
            text = json.dumps(content, indent=2, ensure_ascii=False)
            (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
        page = settings_page(server.env.variables.values())
        (docs / "settings.md").write_text(page, encoding="utf-8")


def settings_page(variables: Iterable[Variable]) -> str:
    """Return docs/settings.md: a table of the variables for each section, in the order in which
    they are read.
    """
    lines = [INTRODUCTION]
    for section, rows in groupby(variables, key=lambda variable: variable.section):
        lines += [
            f"\n## {section}\n",
            "| variable | default | takes | meaning |",
            "|---|---|---|---|",
        ]
        lines += [f"| `{row.name}` | {row.default} | {row.kind} | {row.help} |" for row in rows]
    return "\n".join(lines) + "\n"
