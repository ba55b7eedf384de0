"""Forgets the second factor of a member of staff who lost it: the next sign-in sets up anew."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services.second_factor import reset_second_factor


class Command(BaseCommand):
    """Resets it at the machine, where no superuser can sign in to do so."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        """Reset it."""
        user = User.objects.filter(email=options["email"], is_staff=True).first()
        if user is None:
            raise CommandError("No member of staff has this address.")
        reset_second_factor(actor=None, user_id=user.pk)
        self.stdout.write(f"The next sign-in of {user.email} sets up a second factor.")
