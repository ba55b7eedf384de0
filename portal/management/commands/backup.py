"""Writes a backup: the database, the files that it names, and a manifest."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from portal.ops.backup import BackupError, back_up


class Command(BaseCommand):
    """Back up into an empty or new folder."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder."""
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        """Back up.

        Raises:
            CommandError: there is no backup, or a file that the database names is in no storage.
        """
        try:
            manifest = back_up(folder, now=timezone.now())
        except BackupError as error:
            raise CommandError(str(error)) from None
        rows = sum(manifest.counts.values())
        self.stdout.write(f"{rows} rows and {len(manifest.files)} files are in {folder}.")
        if manifest.missing:
            raise CommandError(f"No storage has these files: {', '.join(manifest.missing)}")
