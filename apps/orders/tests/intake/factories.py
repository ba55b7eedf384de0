"""Lists of buyers for tests."""

from datetime import UTC, datetime

from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.selectors import Buyer
from apps.orders.intake.lists import send_list
from apps.orders.models import ListInHand


def list_of(buyer: Buyer, content: bytes, name: str = "list.csv") -> ListInHand:
    """Return a list that the buyer has sent."""
    file = SimpleUploadedFile(name, content)
    stored, _, _ = send_list(buyer=buyer, file=file, tab=None, columns=[], now=datetime.now(UTC))
    assert stored
    return stored
