"""Restores a backup into an empty database and empty storages; outgoing mail stays held."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from portal.ops.backup import BackupError, restore


class Command(BaseCommand):
    """Restore, and check what must always hold."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder."""
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        """Restore.

        Raises:
            CommandError: the backup is not whole, the target is not empty, or a rule of the audit
                is broken.
        """
        try:
            manifest = restore(folder)
        except BackupError as error:
            raise CommandError(str(error)) from None
        call_command("audit", without_mails=True, stdout=self.stdout, stderr=self.stderr)
        self.stdout.write(
            f"The backup of {manifest.made_at} is restored. Mail waits for: manage.py release_mails"
        )
