"""Changes of what the seller set."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.models import Seller
from apps.common.permissions import needs
from apps.common.seller import touch_seller


class Forms(Protocol):
    """What is saved together or not at all."""

    def is_valid(self) -> bool:
        """Return whether it may be saved."""

    def save(self) -> None:
        """Save it."""


F = TypeVar("F", bound=Forms)


@needs("common.change_seller")
@one_transaction
def change_seller(*, actor: User, read: Callable[[], F]) -> F:
    """Read forms of the seller while nobody else changes it, and save them where they are right."""
    Seller.objects.get_or_create()
    Seller.objects.select_for_update().get()
    forms = read()
    if forms.is_valid():
        forms.save()
        touch_seller()
    return forms
