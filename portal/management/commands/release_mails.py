"""Lets outgoing mail go again after a restore."""

from typing import Any

from django.core.management.base import BaseCommand
from post_office.models import STATUS, Email

from portal.ops.backup import release_mails


class Command(BaseCommand):
    """Release the mails that a restore holds."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        """Release them and say how many wait."""
        release_mails()
        waiting = Email.objects.filter(status__in=(STATUS.queued, STATUS.requeued)).count()
        self.stdout.write(f"Mail goes out again; {waiting} waiting.")
