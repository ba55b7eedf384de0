"""Writes what the front end is told at build time: frontend/contract/messages.json and limits.json."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from portal.web.contract import limits, messages


class Command(BaseCommand):
    """Writes the texts and limits of the contract."""

    help = "Write frontend/contract/messages.json and limits.json."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write both files."""
        folder = Path(settings.BASE_DIR) / "frontend" / "contract"
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in (("messages", messages()), ("limits", limits())):
            text = json.dumps(content, indent=2, ensure_ascii=False)
            (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
