"""Whose call it is: a uuid or company id in a path or body must be the caller's own."""

from uuid import UUID

from django.http import HttpRequest

from apps.accounts.selectors import Buyer
from apps.common.errors import NotFound


class BuyerRequest(HttpRequest):
    """A signed-in call: the caller is a buyer. For annotations."""

    auth: str
    user: Buyer  # type: ignore[assignment]


def is_own_uuid(*, buyer: Buyer, uuid: str) -> bool:
    """Return whether a uuid, however it is written, is the caller's."""
    try:
        return UUID(uuid) == buyer.uuid
    except ValueError:
        return False


def own_uuid_or_404(*, buyer: Buyer, uuid: str) -> None:
    """Check that a uuid is the caller's.

    Raises:
        NotFound: somebody else's, unknown or malformed: never told apart.
    """
    if not is_own_uuid(buyer=buyer, uuid=uuid):
        raise NotFound


def own_company_or_404(*, buyer: Buyer, company_id: str | int) -> None:
    """Check that a company's id, from a path or a body, is the caller's company's.

    Raises:
        NotFound: another company's, unknown or malformed: never told apart.
    """
    if str(company_id) != str(buyer.company_id):
        raise NotFound
