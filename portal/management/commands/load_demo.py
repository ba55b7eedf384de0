"""Loads the demo data into an empty database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.demo.load import is_empty, load_demo


class Command(BaseCommand):
    """Fills an empty database; refuses one that has data."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        """Load."""
        if not is_empty():
            raise CommandError(
                "The database has data already; the demo is loaded into an empty one only."
            )
        load_demo()
